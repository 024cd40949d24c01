import { LATE_MAX, LATE_MINUTES, type MoneyList, moneyLists } from '../../../contract/constants';
import type { QueueSettings as Settings } from '../../../contract/entities';
import { type Saving, useForm } from '../../hooks/useForm';
import { useApi, useFeature } from '../../state/session';
import { CheckBox } from '../../ui/CheckBox';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { formatSpan } from './WaitingTime';

type Level = 'late' | 'overdue';
type Typed = Record<`${MoneyList}_${Level}`, string>;
const levels: readonly Level[] = ['late', 'overdue'];
const labelOf = (list: MoneyList) => list.replace(/^./, (first) => first.toUpperCase());

/** From when on the rows of each list are late, and whether a key takes a row. */
export function QueueSettings({
  tenantId,
  settings,
  onSaved,
  onClose,
}: Saving & {
  tenantId: number;
  settings: Settings;
}) {
  const api = useApi();
  const hasClaims = useFeature('claims');
  const minutesOf = (list: MoneyList) => settings.late_minutes.find((own) => own.list === list) ?? LATE_MINUTES;
  const typed = moneyLists.flatMap((list) =>
    levels.map((level) => [`${list}_${level}`, String(minutesOf(list)[level])]),
  );
  const form = useForm({
    initial: { ...(Object.fromEntries(typed) as Typed), key_takes: settings.key_takes },
    send: ({ key_takes, ...values }, options) => {
      const late_minutes = moneyLists
        .map((list) => ({ list, late: Number(values[`${list}_late`]), overdue: Number(values[`${list}_overdue`]) }))
        .filter(({ late, overdue }) => late !== LATE_MINUTES.late || overdue !== LATE_MINUTES.overdue);
      return api.changeQueueSettings({ body: { late_minutes, key_takes, tenant_id: tenantId } }, options);
    },
    done: 'Queue settings saved',
    failed: 'Failed to save the queue settings',
    reload: onSaved,
    onDone: onClose,
  });
  return (
    <FormDialog title="Queue settings" {...form.dialog} onClose={onClose}>
      <div className="grid">
        {moneyLists.flatMap((list) =>
          levels.map((level) => (
            <Field
              key={`${list} ${level}`}
              label={`${labelOf(list)} ${level} (min)`}
              type="number"
              required
              min={1}
              max={LATE_MAX}
              hint={formatSpan(Number(form.values[`${list}_${level}`]))}
              {...form.field(`${list}_${level}`)}
            />
          )),
        )}
      </div>
      {hasClaims && <CheckBox label="The first key on a row takes it" {...form.box('key_takes')} />}
    </FormDialog>
  );
}
