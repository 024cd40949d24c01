import { Fragment, useState } from 'react';
import { PLATFORM_TENANT_ID } from '../../../contract/constants';
import type { NotificationChannel, NotificationRule } from '../../../contract/entities';
import { isListed, type ListedKind, ruleFacts } from '../../../contract/notifications';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import type { Saving } from '../../hooks/useForm';
import { ListedRows } from '../../parts/alarms/ListedRows';
import { useApi } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { AmountField } from '../../ui/AmountField';
import { Button } from '../../ui/Button';
import { CheckBox } from '../../ui/CheckBox';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { channelLabels, describeRule, formatHour, formatMinutes, headings, nameRule, unitLabels } from './ruleTexts';

/** Every rule with its state. A rule is always seen in the app; its channels are where it goes besides. */
export function Rules({ owner, channels }: { owner: number; channels: readonly NotificationChannel[] }) {
  const api = useDialogApi();
  const heads = ['On', ['When', 'head'], channels.length > 0 && 'Also sent to', 'Actions'] as const;
  const [edited, setEdited] = useState<NotificationRule | null>(null);
  const [listed, setListed] = useState<ListedKind | null>(null);
  const rules = useCall(api.listNotificationRules, { tenant_id: owner }, detailOr('Failed to fetch rules'));
  return (
    <>
      <p>What a rule finds is seen in the app{channels.length ? '.' : ' only. A channel sends it further.'}</p>
      <DataTable label="Rules" className="stack rules" heads={heads} of={rules}>
        {(rule) => (
          <Fragment key={rule.kind}>
            {headings[rule.kind] && (
              <tr>
                <th colSpan={4} scope="rowgroup">
                  {headings[rule.kind]}
                </th>
              </tr>
            )}
            <RuleRow
              {...{ rule, owner, channels, onList: setListed, reload: rules.reload }}
              onEdit={() => setEdited(rule)}
            />
          </Fragment>
        )}
      </DataTable>
      {edited && (
        <EditRule rule={edited} {...{ owner, channels }} onClose={() => setEdited(null)} onSaved={rules.reload} />
      )}
      {listed && (
        <ListedRows
          kind={listed}
          tenantId={owner === PLATFORM_TENANT_ID ? undefined : owner}
          onClose={() => setListed(null)}
        />
      )}
    </>
  );
}

interface Props {
  rule: NotificationRule;
  owner: number;
  channels: readonly NotificationChannel[];
  onEdit: () => void;
  onList: (kind: ListedKind) => void;
  reload: () => Promise<unknown>;
}
function RuleRow({ rule, owner, channels, onEdit, onList, reload }: Props) {
  const api = useDialogApi();
  const { kind } = rule;
  const name = nameRule(kind);
  const isMuted = rule.muted_until !== null;
  const mute = useAction(useApi().muteNotificationRule, {
    done: isMuted ? `No longer muted: ${name}` : `Muted for a day: ${name}`,
    failed: detailOr('Failed to mute the rule'),
    onDone: reload,
  });
  const save = useAction(api.saveNotificationRule, {
    done: rule.is_active ? 'Rule switched off' : 'Rule switched on',
    failed: detailOr('Failed to save the rule'),
    onDone: reload,
  });
  const saved = { tenant_id: owner, kind, threshold: rule.threshold, channel_ids: rule.channel_ids };
  const chosen = channels.filter(({ id }) => rule.channel_ids?.includes(id));
  const sent =
    rule.channel_ids === null
      ? ['Every channel']
      : chosen.map(({ kind, target }) => `${channelLabels[kind] ?? kind} ${target}`);
  return (
    <tr>
      <td className="on">
        <label className="switch">
          <input
            type="checkbox"
            role="switch"
            aria-label={`${name} is on`}
            checked={rule.is_active}
            disabled={save.busy}
            aria-busy={save.busy}
            onChange={() => void save.run({ body: { ...saved, is_active: !rule.is_active } })}
          />
        </label>
      </td>
      <td className="head">
        {describeRule(rule)}
        {isMuted && rule.is_active && (
          <>
            {' '}
            <small className="badge">
              Muted until <DateTime at={rule.muted_until} />
            </small>
          </>
        )}
      </td>
      {channels.length > 0 && (
        <td data-label="Also sent to" className={sent.length ? undefined : 'none'}>
          {sent.map((one) => (
            <div key={one}>{one}</div>
          ))}
        </td>
      )}
      <td className="actions">
        {(ruleFacts[kind].unit !== 'none' || channels.length > 0) && (
          <button type="button" aria-label={`Edit ${name}`} aria-haspopup="dialog" onClick={onEdit}>
            Edit
          </button>
        )}{' '}
        {isListed(kind) && (
          <Button aria-label={`Show rows: ${name}`} aria-haspopup="dialog" onClick={() => onList(kind)}>
            Show rows
          </Button>
        )}{' '}
        {rule.is_active && (
          <Button
            disabled={mute.busy}
            aria-label={`${isMuted ? 'Unmute' : 'Mute for a day'}: ${name}`}
            onClick={() => void mute.run({ body: { kind, tenant_id: owner, is_muted: !isMuted } })}
          >
            {isMuted ? 'Unmute' : 'Mute for a day'}
          </Button>
        )}
      </td>
    </tr>
  );
}

const hourOptions = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: formatHour(hour) }));

type EditProps = Saving & { rule: NotificationRule; owner: number; channels: readonly NotificationChannel[] };
function EditRule({ rule, owner, channels, onClose, onSaved }: EditProps) {
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
    const channel_ids = isEvery ? null : [...chosen]; // also those that are added later
    const body = { tenant_id: owner, kind, is_active: rule.is_active, threshold: value, channel_ids };
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
