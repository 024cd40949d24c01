import { useState } from 'react';
import { LIST_MAX } from '../../../contract/constants';
import type { ValueAccount } from '../../../contract/entities';
import { useAction } from '../../hooks/useAction';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { type Saving, useForm } from '../../hooks/useForm';
import { useApi, useMay } from '../../state/session';
import { useDialogApi } from '../../state/useDialogApi';
import { AmountField } from '../../ui/AmountField';
import { Button } from '../../ui/Button';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { formatCountOf } from '../../ui/formatCount';
import { formatPlatform } from '../../ui/formatPlatform';
import { Select } from '../../ui/Select';
import { AccountBalance } from './AccountBalance';
import { EditAccount } from './EditAccount';

type Open = { what: 'add' | 'move' } | { what: 'edit' | 'show'; account: ValueAccount };

/** Where the money of a tenant is: its cash accounts and its stock of credits at each platform. */
export function Accounts({ tenantId }: { tenantId: number }) {
  const api = useApi(),
    dialogApi = useDialogApi();
  const maySet = useMay('settings'),
    mayMove = useMay('money');
  const [open, setOpen] = useState<Open | null>(null);
  const accounts = useCall(api.getValueAccounts, { tenant_id: tenantId }, 'Failed to fetch the accounts');
  const { data, reload } = accounts;
  const demand = useAction(
    (is_required: boolean) => dialogApi.changeAccountSettings({ body: { is_required, tenant_id: tenantId } }),
    { done: 'Saved', failed: detailOr('Failed to save'), onDone: reload },
  );
  const shared = { tenantId, onClose: () => setOpen(null), onSaved: reload };
  return (
    <section>
      <h3>Accounts</h3>
      <DataTable
        label="Where the money is"
        className="stack rules brief"
        heads={['Account', 'Methods', ['Balance', 'number'], ['Cost per credit', 'number'], 'Actions']}
        of={{ ...accounts, data: data?.accounts }}
        empty="No accounts yet. Payments are not split by account."
      >
        {(account) => <AccountRow key={account.id} account={account} maySet={maySet} onOpen={setOpen} />}
      </DataTable>
      <p className="bar">
        {maySet && <Button onClick={() => setOpen({ what: 'add' })}>Add account</Button>}
        {mayMove && !!data?.accounts.length && (
          <Button onClick={() => setOpen({ what: 'move' })}>Buy, move or correct</Button>
        )}
        {maySet && data && (
          <Button busy={demand.busy} onClick={() => void demand.run(!data.is_required)}>
            {data.is_required ? 'Let payments have no account' : 'Require an account of each payment'}
          </Button>
        )}
      </p>
      {open?.what === 'add' && <EditAccount {...shared} />}
      {open?.what === 'edit' && <EditAccount {...shared} account={open.account} />}
      {open?.what === 'move' && <MoveValue {...shared} accounts={data?.accounts ?? []} />}
      {open?.what === 'show' && <AccountMoves tenantId={tenantId} account={open.account} onClose={shared.onClose} />}
    </section>
  );
}

type AccountRowProps = { account: ValueAccount; maySet: boolean; onOpen: (open: Open) => void };
function AccountRow({ account, maySet, onOpen }: AccountRowProps) {
  const { name, kind, methods, balance, cost_per_credit, is_active } = account;
  const words = methods.map(formatPlatform).join(', ');
  return (
    <tr>
      <th scope="row" className="head">
        {name} {!is_active && <small>Not in use</small>}
      </th>
      <td className={words && words !== name ? '' : 'none'}>{words === name ? '' : words || '-'}</td>
      <td className="number amount">
        <AccountBalance kind={kind} amount={balance} />
      </td>
      <td className={cost_per_credit === null ? 'number none' : 'number'} data-label="Cost per credit">
        {cost_per_credit === null ? '-' : `$${cost_per_credit}`}
      </td>
      <td className="actions">
        <Button aria-label={`Movements of ${name}`} onClick={() => onOpen({ what: 'show', account })}>
          Movements
        </Button>
        {maySet && (
          <Button aria-label={`Edit ${name}`} onClick={() => onOpen({ what: 'edit', account })}>
            Edit
          </Button>
        )}
      </td>
    </tr>
  );
}

type AccountMovesProps = { tenantId: number; account: ValueAccount; onClose: () => void };
function AccountMoves({ tenantId, account, onClose }: AccountMovesProps) {
  const api = useDialogApi();
  const moves = useCall(api.listAccountMoves, { id: account.id, tenant_id: tenantId }, 'Failed to fetch the movements');
  const n = moves.data?.length ?? 0;
  return (
    <Dialog title={`Movements of ${account.name}`} wide withClose onClose={onClose}>
      <p>
        Balance <AccountBalance kind={account.kind} amount={account.balance} />
        {n > 1 && n < LIST_MAX && `, ${formatCountOf(n, 'movement')}`}
      </p>
      <DataTable
        label="Movements"
        heads={['Time', 'What', ['Amount', 'number'], 'Payment', 'By', 'Reason']}
        of={moves}
        empty="Nothing moved yet"
      >
        {({ at, kind, amount, money_id, by, reason }) => (
          <tr key={`${at} ${kind} ${money_id} ${amount}`}>
            <td>
              <DateTime at={at} tenantId={tenantId} />
            </td>
            <td className="head">{kind.replace(/^./, (one) => one.toUpperCase())}</td>
            <td className="number amount">
              <AccountBalance kind={account.kind} amount={amount} />
            </td>
            <td className={money_id === null ? 'none' : ''} data-label="Payment">
              {money_id ?? '-'}
            </td>
            <td data-label="By">{by ?? '-'}</td>
            <td className={reason ? '' : 'none'} data-label="Reason">
              {reason ?? '-'}
            </td>
          </tr>
        )}
      </DataTable>
    </Dialog>
  );
}

const entries = [
  { value: 'bought', label: 'Buy credits' },
  { value: 'moved', label: 'Move between two accounts' },
  { value: 'corrected', label: 'Correct one account' },
] as const;
type Entry = (typeof entries)[number]['value'];

interface MoveProps extends Saving {
  tenantId: number;
  accounts: readonly ValueAccount[];
}

function useMoveForm({ tenantId, onClose, onSaved }: Omit<MoveProps, 'accounts'>) {
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
    send: ({ entry, from, to, amount, credits, reason }, options) => {
      const body = {
        entry,
        ...(from && { from_id: Number(from) }),
        ...(to && { to_id: Number(to) }),
        amount,
        ...(entry === 'bought' && { credits }),
        ...(reason.trim() && { reason: reason.trim() }),
        tenant_id: tenantId,
      };
      return api.enterAccountMove({ body }, options);
    },
    done: ({ waits }) => (waits ? 'Waits for a second person' : 'Entered'),
    failed: 'Failed to enter it',
    reload: onSaved,
    onDone: onClose,
  });
}

function MoveValue({ accounts, ...props }: MoveProps) {
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
        required={entry === 'moved'}
        options={choices(outside, entry === 'bought' ? ['cash'] : all)}
        value={from}
        onChange={({ target }) => form.set({ from: target.value })}
      />
      <Select
        label="Into"
        required={entry !== 'corrected'}
        options={choices(
          entry === 'corrected' ? 'Nothing' : 'Choose an account',
          entry === 'bought' ? ['credits'] : all,
        )}
        value={to}
        onChange={({ target }) => form.set({ to: target.value })}
      />
      <AmountField
        label={entry === 'bought' ? 'Paid, in dollars' : 'Amount'}
        required
        inputMode="decimal"
        min={0.01}
        step={0.01}
        {...form.field('amount')}
      />
      {entry === 'bought' && (
        <AmountField label="Credits" required inputMode="decimal" min={0.01} step={0.01} {...form.field('credits')} />
      )}
      <Field
        label="Reason"
        note={entry === 'corrected' ? 'required' : undefined}
        required={entry === 'corrected'}
        maxLength={500}
        {...form.field('reason')}
      />
    </FormDialog>
  );
}
