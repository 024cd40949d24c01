import { useState } from 'react';
import type { Redeem } from '../../../../contract/entities';
import { orDash } from '../../../api/parse';
import { detailOr } from '../../../hooks/useErrorToast';
import { useResource } from '../../../hooks/useResource';
import { RedeemDetails } from '../../../parts/details/RedeemDetails';
import { useApi, useFeature } from '../../../state/session';
import { DateTime } from '../../../ui/DateTime';
import { Money } from '../../../ui/Money';
import { Rows } from '../../../ui/Rows';
import { TableFrame } from '../../../ui/TableFrame';

/** The newest redeems, each with the payout hold if there is one. */
export function RedeemsPart({ playerId }: { playerId: number }) {
  const api = useApi();
  const hasDetails = useFeature('details');
  const [shown, setShown] = useState<Redeem | null>(null);
  const rows = useResource(
    (signal) => api.listPlayerRedeems({ id: playerId }, { signal }),
    [api, playerId],
    detailOr('Failed to fetch redeems'),
  );
  return (
    <TableFrame label="Redeems">
      <table>
        <thead>
          <tr>
            <th>Platform</th>
            <th className="number">Amount</th>
            <th>Payout Method</th>
            <th>Payout Address</th>
            <th>Status</th>
            <th>Initiated At</th>
            <th>Completed At</th>
            {hasDetails && <th>Actions</th>}
          </tr>
        </thead>
        <Rows of={rows} span={hasDetails ? 8 : 7} empty="No redeems yet.">
          {(row) => (
            <tr key={row.id}>
              <td>{orDash(row.platform)}</td>
              <td className="number">
                <Money amount={row.amount} />
              </td>
              <td>{orDash(row.payout_method)}</td>
              <td>{orDash(row.payout_address)}</td>
              <td>
                <span className={`status ${orDash(row.status).toLowerCase()}`}>{orDash(row.status)}</span>
                {row.payout_hold && <small> on hold</small>}
              </td>
              <td>
                <DateTime at={row.initiated_at} />
              </td>
              <td>
                <DateTime at={row.completed_at} />
              </td>
              {hasDetails && (
                <td className="actions">
                  <button type="button" onClick={() => setShown(row)}>
                    Details
                  </button>
                </td>
              )}
            </tr>
          )}
        </Rows>
      </table>
      {shown && <RedeemDetails redeem={shown} onClose={() => setShown(null)} />}
    </TableFrame>
  );
}
