import type { ValueAccount } from '../../../contract/entities';
import { type Saving, useForm } from '../../hooks/useForm';
import { useDialogApi } from '../../state/useDialogApi';
import { AmountField } from '../../ui/AmountField';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';

const entries = [
  { value: 'bought', label: 'Buy credits' },
  { value: 'moved', label: 'Move between two accounts' },
  { value: 'corrected', label: 'Correct one account' },
] as const;
type Entry = (typeof entries)[number]['value'];

interface Props extends Saving {
  tenantId: number;
  accounts: readonly ValueAccount[];
}

/** The form of a movement, and how it is sent. */
function useMoveForm({ tenantId, onClose, onSaved }: Omit<Props, 'accounts'>) {
  const api = useDialogApi();
  return useForm({
    initial: { entry: 'bought' as Entry, from: '', to: '', amount: '', credits: '', reason: '' },
    check: ({ entry, from, to, amount, credits, reason }) => {
      const isComplete = {
        bought: to && credits,
        moved: from && to,
        corrected: (from === '') !== (to === '') && reason.trim(),
      }[entry];
      return (Boolean(isComplete) && amount !== '') || 'Please fill in all required fields';
    },
    send: ({ entry, from, to, amount, credits, reason }, options) =>
      api.enterAccountMove(
        {
          body: {
            entry,
            ...(from && { from_id: Number(from) }),
            ...(to && { to_id: Number(to) }),
            amount,
            ...(entry === 'bought' && { credits }),
            ...(reason.trim() && { reason: reason.trim() }),
            tenant_id: tenantId,
          },
        },
        options,
      ),
    done: ({ waits }) => (waits ? 'Waits for a second person' : 'Entered'),
    failed: 'Failed to enter it',
    reload: onSaved,
    onDone: onClose,
  });
}

/** What moves between accounts without a player. */
export function MoveValue({ accounts, ...props }: Props) {
  const form = useMoveForm(props);
  const { entry, from, to } = form.values;
  const choices = (none: string, kinds: readonly string[]) => [
    { value: '', label: none },
    ...accounts
      .filter(({ kind, is_active }) => is_active && kinds.includes(kind))
      .map(({ id, name }) => ({ value: id, label: name })),
  ];
  const all = ['cash', 'credits'];
  const outside = entry === 'bought' ? 'Paid elsewhere' : entry === 'moved' ? 'Choose an account' : 'Nothing';
  return (
    <FormDialog title="Buy, move or correct" noValidate {...form.dialog} onClose={props.onClose}>
      <Select
        label="What"
        options={entries}
        value={entry}
        onChange={({ target }) =>
          form.set({ entry: entries.find(({ value }) => value === target.value)?.value ?? 'bought', from: '', to: '' })
        }
      />
      <Select
        label="Out of"
        options={choices(outside, entry === 'bought' ? ['cash'] : all)}
        value={from}
        onChange={({ target }) => form.set({ from: target.value })}
      />
      <Select
        label="Into"
        options={choices(
          entry === 'corrected' ? 'Nothing' : 'Choose an account',
          entry === 'bought' ? ['credits'] : all,
        )}
        value={to}
        onChange={({ target }) => form.set({ to: target.value })}
      />
      <AmountField
        label={entry === 'bought' ? 'Paid, in dollars' : 'Amount'}
        inputMode="decimal"
        min={0.01}
        step={0.01}
        {...form.field('amount')}
      />
      {entry === 'bought' && (
        <AmountField label="Credits" inputMode="decimal" min={0.01} step={0.01} {...form.field('credits')} />
      )}
      <Field
        label="Reason"
        note={entry === 'corrected' ? 'required' : undefined}
        maxLength={500}
        {...form.field('reason')}
      />
    </FormDialog>
  );
}
