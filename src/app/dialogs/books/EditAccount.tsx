import type { ValueAccount } from '../../../contract/entities';
import { type Saving, useForm } from '../../hooks/useForm';
import { useDialogApi } from '../../state/useDialogApi';
import { AmountField } from '../../ui/AmountField';
import { CheckBox } from '../../ui/CheckBox';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';

const kinds = [
  { value: 'cash', label: 'Cash, in dollars' },
  { value: 'credits', label: 'Credits at a game platform' },
];

interface Props extends Saving {
  tenantId: number;
  account?: ValueAccount;
}

function useAccountForm({ tenantId, account, onClose, onSaved }: Props) {
  const api = useDialogApi();
  return useForm({
    initial: {
      name: account?.name ?? '',
      kind: account?.kind ?? 'cash',
      methods: account?.methods.join(', ') ?? '',
      cost: account?.set_cost?.toString() ?? '',
      is_active: account?.is_active ?? true,
    },
    check: ({ name }) => name.trim() !== '' || 'Please enter a name',
    send: ({ name, kind, methods, cost, is_active }, options) => {
      const body = {
        name: name.trim(),
        kind,
        methods: methods.split(',').flatMap((one) => one.trim() || []),
        ...(kind === 'credits' && cost && { cost_per_credit: cost }),
        is_active,
        tenant_id: tenantId,
      };
      return account
        ? api.updateValueAccount({ id: account.id, body }, options)
        : api.createValueAccount({ body }, options);
    },
    done: 'Account saved',
    failed: 'Failed to save the account',
    reload: onSaved,
    onDone: onClose,
  });
}

/** Adds an account, or changes one. */
export function EditAccount(props: Props) {
  const { account, onClose } = props;
  const form = useAccountForm(props);
  const { kind } = form.values;
  return (
    <FormDialog title={account ? `Edit ${account.name}` : 'Add account'} {...form.dialog} onClose={onClose}>
      <Field label="Name" required maxLength={100} {...form.field('name')} />
      {!account && (
        <Select
          label="Kind"
          options={kinds}
          value={kind}
          onChange={({ target }) => form.set({ kind: target.value === 'credits' ? 'credits' : 'cash' })}
        />
      )}
      <Field
        label={kind === 'cash' ? 'Payment and payout methods' : 'Game platforms'}
        hint="With commas between them. They mean this account when nobody names one."
        {...form.field('methods')}
      />
      {kind === 'credits' && (
        <AmountField
          label="Cost per credit"
          hint="Counts until credits are bought; then their average does."
          inputMode="decimal"
          min={0}
          step="any"
          {...form.field('cost')}
        />
      )}
      <CheckBox label="In use" {...form.box('is_active')} />
    </FormDialog>
  );
}
