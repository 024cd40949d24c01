import { useState } from 'react';
import type { Transaction } from '../../../../contract/entities';
import { depositType, orDash } from '../../../api/parse';
import { detailOr } from '../../../hooks/useErrorToast';
import { useResource } from '../../../hooks/useResource';
import { TransactionDetails } from '../../../parts/details/TransactionDetails';
import { useApi } from '../../../state/session';
import { DateTime } from '../../../ui/DateTime';
import { Money } from '../../../ui/Money';
import { Rows } from '../../../ui/Rows';
import { TableFrame } from '../../../ui/TableFrame';

/** The newest purchases and deposits. */
export function PurchasesPart({ playerId }: { playerId: number }) {
  const api = useApi();
  const [shown, setShown] = useState<Transaction | null>(null);
  const rows = useResource(
    (signal) => api.listPlayerPurchases({ id: playerId }, { signal }),
    [api, playerId],
    detailOr('Failed to fetch purchases'),
  );
  return (
    <TableFrame label="Purchases">
      <table>
        <thead>
          <tr>
            <th>Type</th>
            <th>Status</th>
            <th className="number">Amount</th>
            <th className="number">Net Amount</th>
            <th>Payment Method</th>
            <th>Deposit Type</th>
            <th>Initiated At</th>
            <th>Completed At</th>
            <th>Description</th>
            <th>Reference</th>
            <th>Actions</th>
          </tr>
        </thead>
        <Rows of={rows} span={11} empty="No purchases yet.">
          {(row) => (
            <tr key={row.id}>
              <td>{orDash(row.transaction_type)}</td>
              <td>
                <span className={`status ${orDash(row.status).toLowerCase()}`}>{orDash(row.status)}</span>
              </td>
              <td className="number">
                <Money amount={row.amount} />
              </td>
              <td className="number">
                <Money amount={row.net_amount} />
              </td>
              <td>{orDash(row.payment_method)}</td>
              <td>{depositType(row.payment_metadata)}</td>
              <td>
                <DateTime at={row.initiated_at} />
              </td>
              <td>
                <DateTime at={row.completed_at} />
              </td>
              <td>{orDash(row.description)}</td>
              <td>{orDash(row.payment_reference)}</td>
              <td className="actions">
                <button type="button" onClick={() => setShown(row)}>
                  Details
                </button>
              </td>
            </tr>
          )}
        </Rows>
      </table>
      {shown && <TransactionDetails transaction={shown} onClose={() => setShown(null)} />}
    </TableFrame>
  );
}
