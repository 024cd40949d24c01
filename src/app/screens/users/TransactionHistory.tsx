import { HISTORY_LIMIT } from '../../../contract/constants';
import type { Player } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { useCall } from '../../hooks/useCall';
import { formatReason } from '../../parts/formatReason';
import { useApi, useFeature } from '../../state/session';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { Money } from '../../ui/Money';
import { formatStatus } from '../../ui/StatusSelect';
import { deniedOr } from './errorMessages';

/** Money in is green, money out red (docs/product.md, "Users"). */
const typeColour = (type: unknown) => {
  switch (orDash(type).toUpperCase()) {
    case 'TOP_UP':
    case 'DEPOSIT':
    case 'RETURN':
      return 'gain';
    case 'WITHDRAWAL':
      return 'loss';
    default:
      return undefined;
  }
};

/** Pending or failed, so no money has moved. Other servers do not send a status. */
const isUnsettled = (status: string | undefined) => ['pending', 'failed'].includes(orDash(status).toLowerCase());

/** The newest 100 transactions of a player. */
export function TransactionHistory({ player, onClose }: { player: Player; onClose: () => void }) {
  const api = useApi();
  const hasReasons = useFeature('reasons');
  const history = useCall(
    api.listPlayerTransactions,
    { id: player.id, limit: HISTORY_LIMIT },
    deniedOr('Failed to fetch transaction history'),
  );
  return (
    <Dialog title="Transaction History" wide withClose onClose={onClose}>
      <p>{player.email}</p>
      <DataTable
        label="Transaction History"
        heads={[
          'Date',
          'Type',
          ['Amount', 'number'],
          'Payment Method',
          'Description',
          'Reference',
          hasReasons && 'Reason',
        ]}
        of={history}
        empty="No transaction history found for this user."
      >
        {(line) => (
          <tr key={`${line.transaction_type}-${line.id}`}>
            <td data-label="Date">
              <DateTime at={line.initiated_at} />
            </td>
            <td data-label="Type">
              <span className={typeColour(line.transaction_type)}>{orDash(line.transaction_type)}</span>
              {isUnsettled(line.status) && <small> {formatStatus(line.status)}</small>}
            </td>
            <td className="number" data-label="Amount">
              <Money amount={line.amount} />
            </td>
            <td data-label="Payment Method">{orDash(line.payment_method)}</td>
            <td data-label="Description">{orDash(line.description)}</td>
            <td data-label="Reference">{orDash(line.payment_reference)}</td>
            {hasReasons && <td data-label="Reason">{formatReason(line)}</td>}
          </tr>
        )}
      </DataTable>
    </Dialog>
  );
}
