import type { ValueAccount } from '../../../contract/entities';
import { useCall } from '../../hooks/useCall';
import { useDialogApi } from '../../state/useDialogApi';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { AccountBalance } from './AccountBalance';

/** The newest movements of an account: of payments, and by hand. */
export function AccountMoves({
  tenantId,
  account,
  onClose,
}: {
  tenantId: number;
  account: ValueAccount;
  onClose: () => void;
}) {
  const api = useDialogApi();
  const moves = useCall(api.listAccountMoves, { id: account.id, tenant_id: tenantId }, 'Failed to fetch the movements');
  return (
    <Dialog title={`Movements of ${account.name}`} wide withClose onClose={onClose}>
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
            <td>{kind.replace(/^./, (one) => one.toUpperCase())}</td>
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
