import { useState } from 'react';
import { depositType, orDash } from '../../../api/parse';
import { FirstApproval } from '../../../parts/approvals/FirstApproval';
import { CopyableText } from '../../../parts/details/CopyableText';
import { RedeemDetails } from '../../../parts/details/RedeemDetails';
import { TransactionDetails } from '../../../parts/details/TransactionDetails';
import type { Decisions } from '../../../parts/queue/decision';
import { PayoutChips } from '../../../parts/queue/PayoutChips';
import { RiskChips } from '../../../parts/queue/RiskChips';
import { RowStatus } from '../../../parts/queue/RowStatus';
import { WaitingTime } from '../../../parts/queue/WaitingTime';
import { useFeature } from '../../../state/session';
import { DataTable } from '../../../ui/DataTable';
import { DateTime } from '../../../ui/DateTime';
import { formatPlatform } from '../../../ui/formatPlatform';
import { Money as Amount } from '../../../ui/Money';
import { isTransaction, type Money } from './usePlayerMoney';

interface Props {
  label: string;
  decisions: Decisions<Money>;
  /** What an empty list says; without it, an empty list is not shown. */
  empty?: string;
}
/** Purchases, deposits and redeems of a player, to be decided as in their queues: with an undo, and the same keys. */
export function MoneyTable({ label, decisions, empty }: Props) {
  const hasDetails = useFeature('details');
  const [shown, setShown] = useState<Money | null>(null);
  const { rows } = decisions;
  if (!empty && !rows.data?.length && !rows.failed) return null;
  return (
    <div {...decisions.box}>
      {!empty && <h3>{label}</h3>}
      <DataTable
        label={label}
        className="stack player-money"
        heads={[
          'Type',
          ['Amount', 'number'],
          'Status',
          'Method',
          'Reference or address',
          'Initiated At',
          !!empty && 'Completed At',
          'Actions',
        ]}
        of={rows}
        {...(empty && { empty })}
      >
        {(row) => {
          const isBought = isTransaction(row);
          return (
            <tr key={row.id} data-id={row.id} tabIndex={-1}>
              <td className="head">
                <Kind row={row} />
              </td>
              <td className="number amount">
                <Amount amount={row.amount} />
                {isBought && row.net_amount != null && Number(row.net_amount) !== Number(row.amount) && (
                  <small>
                    net <Amount amount={row.net_amount} />
                  </small>
                )}
              </td>
              <td className="state">
                <RowStatus row={row} decision={decisions.planned.get(row.id)} decide={decisions.decide} />
                {!isBought && row.approval && <FirstApproval approval={row.approval} />}
              </td>
              <td className="method">{orDash(isBought ? row.payment_method : row.payout_method)}</td>
              <td className="reference">
                {isBought ? (
                  <CopyableText what="Reference" text={row.payment_reference} />
                ) : (
                  <CopyableText what="Payout address" text={row.payout_address} />
                )}
                {isBought && row.description && <small>{row.description}</small>}
              </td>
              <td className="started">
                <DateTime at={row.initiated_at} isInRow />
                <WaitingTime status={row.status} at={row.initiated_at} />
              </td>
              {empty && (
                <td className="ended">
                  <DateTime at={row.completed_at} isInRow />
                </td>
              )}
              <td className="actions">
                {(isBought || hasDetails) && (
                  <button type="button" onClick={() => setShown(row)}>
                    Details
                  </button>
                )}
              </td>
            </tr>
          );
        }}
      </DataTable>
      {shown &&
        (isTransaction(shown) ? (
          <TransactionDetails transaction={shown} decisions={decisions} onClose={() => setShown(null)} />
        ) : (
          <RedeemDetails redeem={shown} decisions={decisions} onClose={() => setShown(null)} />
        ))}
    </div>
  );
}

function Kind({ row }: { row: Money }) {
  if (isTransaction(row)) {
    const kind = depositType(row.payment_metadata);
    return (
      <>
        {orDash(row.transaction_type)}
        {kind !== '-' && <small>{kind}</small>}
        <RiskChips risks={row.attention && row.status !== 'failed' ? [row.attention] : undefined} />
      </>
    );
  }
  return (
    <>
      Redeem<small>{formatPlatform(row.platform)}</small>
      <PayoutChips redeem={row} />
    </>
  );
}
