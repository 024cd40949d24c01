import { useState } from 'react';
import type { NotificationChannel, NotificationRule } from '../../../contract/entities';
import { ruleFacts } from '../../../contract/notifications';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import type { Saving } from '../../hooks/useForm';
import { useDialogApi } from '../../state/useDialogApi';
import { AmountField } from '../../ui/AmountField';
import { CheckBox } from '../../ui/CheckBox';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { channelLabels, describeRule, formatHour, formatMinutes, nameRule, unitLabels } from './ruleTexts';

const hourOptions = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: formatHour(hour) }));

type Props = Saving & { rule: NotificationRule; owner: number; channels: readonly NotificationChannel[] };
/** One rule: its number, and where it is sent. */
export function EditRule({ rule, owner, channels, onClose, onSaved }: Props) {
  const api = useDialogApi();
  const { kind, overdue_minutes } = rule;
  const { unit, range } = ruleFacts[kind];
  const [threshold, setThreshold] = useState(String(rule.threshold ?? ''));
  const [chosen, setChosen] = useState<readonly number[]>(rule.channel_ids ?? channels.map(({ id }) => id));
  const save = useAction(api.saveNotificationRule, {
    done: 'Rule saved',
    failed: detailOr('Failed to save the rule'),
    onDone: onSaved,
  });
  const value = threshold.trim() === '' ? null : Number(threshold);
  const isWhole = unit === 'usd' || Number.isInteger(value);
  const isValid = value === null ? Boolean(overdue_minutes) : value >= range[0] && value <= range[1] && isWhole;

  async function submit() {
    const isEvery = channels.every(({ id }) => chosen.includes(id));
    const body = {
      tenant_id: owner,
      kind,
      is_active: rule.is_active,
      threshold: value,
      // Also those that are added later.
      channel_ids: isEvery ? null : [...chosen],
    };
    if (await save.run({ body })) onClose();
  }

  return (
    <FormDialog
      title={nameRule(kind)}
      onClose={onClose}
      onSubmit={() => void submit()}
      submit="Save"
      disabled={save.busy || !isValid}
    >
      <p>{describeRule(isValid ? { ...rule, threshold: value } : rule)}</p>
      {unit === 'hour' ? (
        <Select
          label={unitLabels.hour}
          value={threshold}
          options={hourOptions}
          onChange={(event) => setThreshold(event.target.value)}
        />
      ) : (
        unit !== 'none' && (
          <AmountField
            label={unitLabels[unit]}
            required={!overdue_minutes}
            hint={
              overdue_minutes
                ? `Empty: when it is overdue in the queue, after ${formatMinutes(overdue_minutes)}`
                : undefined
            }
            min={range[0]}
            max={range[1]}
            step={unit === 'usd' ? '0.01' : '1'}
            value={threshold}
            onChange={(event) => setThreshold(event.target.value)}
          />
        )
      )}
      {channels.length > 0 && (
        <fieldset>
          <legend>Sent to</legend>
          {channels.map(({ id, kind, target }) => (
            <CheckBox
              key={id}
              label={`${channelLabels[kind] ?? kind} ${target}`}
              checked={chosen.includes(id)}
              onChange={(isOn) => setChosen(isOn ? [...chosen, id] : chosen.filter((other) => other !== id))}
            />
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}
