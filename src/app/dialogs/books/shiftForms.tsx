import type { Shift, ShiftCount, ValueAccount } from '../../../contract/entities';
import { useCall } from '../../hooks/useCall';
import { type Saving, useForm } from '../../hooks/useForm';
import { DialogButton } from '../../parts/DialogButton';
import { useApi, useMay } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { AmountField } from '../../ui/AmountField';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { Waiting } from '../../ui/Waiting';
import { AccountBalance } from './AccountBalance';
import { EditAccount } from './EditAccount';

type Props = Saving & { tenantId: number };
/** What is typed: a count by the id of its account, and words by 'why' and that id. */
type Values = Record<string, string>;
const typed = (values: Values, key: number | string): string => values[key]?.trim() ?? '';
type CountOf = Pick<ValueAccount, 'name' | 'kind'> & {
  required?: boolean;
  field: ReturnType<ReturnType<typeof useForm<Values>>['field']>;
  isFirst: boolean;
};

const CountField = ({ name, kind, field, isFirst, required }: CountOf) => (
  <AmountField
    autoFocus={isFirst}
    required={required}
    label={`${name}, in ${kind === 'cash' ? 'dollars' : 'credits'}`}
    inputMode="decimal"
    min={0}
    step={0.01}
    {...field}
  />
);

type OpenProps = Props & { others: readonly Shift[] };
/** Opens one's own shift with what is counted in the accounts that one handles; it can take over from another. */
export function OpenShift({ tenantId, others, onClose, onSaved }: OpenProps) {
  const api = useApi(),
    dialogApi = useDialogApi();
  const mayAdd = useMay('settings');
  const found = useCall(api.getValueAccounts, { tenant_id: tenantId }, 'Failed to fetch the accounts');
  const accounts = (found.data?.accounts ?? []).filter(({ is_active }) => is_active);
  const toCounts = (values: Values) =>
    accounts.map(({ id }) => ({ account_id: id, counted: typed(values, id) })).filter(({ counted }) => counted);
  const form = useForm({
    initial: {} as Values,
    check: (values) => toCounts(values).length > 0 || 'Please count at least one account',
    send: (values, options) => {
      const relieves = Number(typed(values, 'relieves'));
      const body = { counts: toCounts(values), ...(relieves && { relieves_id: relieves }), tenant_id: tenantId };
      return dialogApi.openShift({ body }, options);
    },
    done: 'Your shift is open',
    failed: 'Failed to open the shift',
    reload: onSaved,
    onDone: onClose,
  });
  const choices = others.map(({ id, cashier }) => ({ value: id, label: `${cashier}, shift ${id}` }));
  return (
    <FormDialog
      title="Open my shift"
      submit="Open shift"
      noValidate
      {...form.dialog}
      disabled={!accounts.length}
      onClose={onClose}
    >
      {found.data ? (
        <p>
          {accounts.length
            ? 'Count the accounts that you handle, and leave the others blank.'
            : `A shift counts accounts; none is in use.${mayAdd ? '' : ' Whoever may change settings can add one.'}`}
        </p>
      ) : (
        <Waiting for={found} />
      )}
      {found.data && !accounts.length && mayAdd && (
        <DialogButton dialog={(close) => <EditAccount tenantId={tenantId} onClose={close} onSaved={found.reload} />}>
          Add account
        </DialogButton>
      )}
      <div className="grid">
        {accounts.map(({ id, name, kind }, at) => (
          <CountField key={id} isFirst={at === 0} name={name} kind={kind} field={form.field(String(id))} />
        ))}
      </div>
      {others.length > 0 && (
        <Select
          label="Takes over from"
          options={[{ value: '', label: 'Nobody' }, ...choices]}
          value={typed(form.values, 'relieves')}
          onChange={({ target }) => form.set({ relieves: target.value })}
        />
      )}
    </FormDialog>
  );
}

/** By how much what was typed is not what is expected, in cents; 0 while nothing is typed. */
const offBy = ({ account_id, expected }: ShiftCount, values: Values): number => {
  const counted = typed(values, account_id);
  return counted ? Math.round(Number(counted) * 100) - Math.round((expected ?? 0) * 100) : 0;
};
const why = (account: number) => `why ${account}`;

/** Closes a shift with what is counted now. What is expected is told once something was counted. */
export function CloseShift({ tenantId, id, onClose, onSaved }: Props & { id: number }) {
  const api = useDialogApi();
  const paper = useCall(api.getShift, { id, tenant_id: tenantId }, 'Failed to fetch the shift');
  const counts = (paper.data?.counts ?? []).filter(({ opening }) => opening !== null);
  const form = useForm({
    initial: {} as Values,
    check: (values) =>
      counts.every(
        (count) =>
          typed(values, count.account_id) && (offBy(count, values) === 0 || typed(values, why(count.account_id))),
      ) || 'Please count each account, and give a reason for each difference',
    send: (values, options) => {
      const toBody = ({ account_id }: ShiftCount) => ({
        account_id,
        counted: typed(values, account_id),
        reason: typed(values, why(account_id)),
      });
      return api.closeShift({ id, body: { counts: counts.map(toBody), tenant_id: tenantId } }, options);
    },
    done: 'The shift is closed',
    failed: 'Failed to close the shift',
    reload: () => Promise.all([onSaved(), paper.reload()]),
    onDone: onClose,
  });
  const { values, field, dialog } = form;
  return (
    <FormDialog
      title="Close the shift"
      submit="Close shift"
      noValidate
      {...dialog}
      disabled={!counts.length}
      hint="Nothing changes it afterwards."
      onClose={onClose}
    >
      {paper.data ? (
        <p>Count each account now. What others moved is not in this shift: a difference needs a reason.</p>
      ) : (
        <Waiting for={paper} />
      )}
      <div className="grid">
        {counts.map((count, at) => {
          const { account_id, name, kind, expected } = count,
            off = offBy(count, values);
          return (
            <div key={account_id}>
              <CountField required isFirst={at === 0} name={name} kind={kind} field={field(String(account_id))} />
              {off !== 0 && (
                <>
                  <p role="status" className="pending">
                    Expected <AccountBalance kind={kind} amount={expected ?? 0} />:{' '}
                    <AccountBalance kind={kind} amount={Math.abs(off) / 100} /> {off < 0 ? 'missing' : 'too much'}
                  </p>
                  <Field label={`Reason for ${name}`} required maxLength={500} {...field(why(account_id))} />
                </>
              )}
            </div>
          );
        })}
      </div>
    </FormDialog>
  );
}
