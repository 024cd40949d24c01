import { Fragment, memo, useState } from 'react';
import { playerAddress } from '../../contract/routes';
import { depositType, orDash } from '../api/parse';
import type { Resource } from '../hooks/useResource';
import { useFeature, useRefusal } from '../state/session';
import { columnClass } from '../ui/columnClass';
import { DateTime } from '../ui/DateTime';
import { formatPlatform } from '../ui/formatPlatform';
import { Money } from '../ui/Money';
import { RowLink } from '../ui/RowLink';
import { Rows } from '../ui/Rows';
import { TableFrame } from '../ui/TableFrame';
import { FirstApproval } from './approvals/FirstApproval';
import type { ListedTransaction } from './approvals/useApprovals';
import { TransactionDetails } from './details/TransactionDetails';
import { LookUpButton, type OnLookUp, useLookUp } from './logins/lookUp';
import type { TakeHow } from './queue/claim';
import { ClaimButton, ClaimHolder } from './queue/claimCells';
import type { Decision, Decisions } from './queue/decision';
import { RiskChips } from './queue/RiskChips';
import { RowStatus } from './queue/RowStatus';
import { WaitingTime } from './queue/WaitingTime';
import { hiddenClass } from './table/columns';
import { ListHeader } from './table/ListHeader';
import { PlayerCell } from './table/PlayerCell';
import type { ListTools } from './table/useListTools';
import { TenantCell, TenantHeader, useTableClass } from './tenantColumn';

const notOfReturns = ['type', 'net', 'kind'];
/** The platform has a column of its own. */
const saysMore = ({ description, platform }: ListedTransaction) =>
  !!description && description !== `From ${formatPlatform(platform)}`;
const tabs: Readonly<Record<string, string>> = { DEPOSIT: 'deposits', RETURN: 'returns' };

/** Purchases, deposits or returns as a table, and the details of a row. */
export function TransactionTable<T extends ListedTransaction>({
  heading,
  transactions,
  decisions,
  tools,
  empty,
  kind,
}: {
  heading: string;
  transactions: Resource<T[]>;
  decisions: Decisions<T>;
  tools?: ListTools<T> | null;
  /** Of a work queue, which says how long an item has waited: shown if there are no rows. */
  empty?: string;
  kind: 'TOP_UP' | 'DEPOSIT' | 'RETURN' | 'all';
}) {
  const [shown, setShown] = useState<T | null>(null);
  const lookUp = useLookUp(decisions.isQueue);
  // Ours says in the description to which game it goes.
  const isGoingOut = kind === 'DEPOSIT' && decisions.isQueue;
  const base = useTableClass(isGoingOut ? 'stack queue deposits' : 'stack queue');
  const hidden = [...(tools?.columns.hidden ?? []), ...(kind === 'RETURN' ? notOfReturns : [])];
  if (kind === 'RETURN' && !transactions.data?.some(saysMore)) hidden.push('about');
  return (
    <>
      <TableFrame label={heading} isLong>
        <table className={hiddenClass(base, hidden)} onFocus={lookUp.onFocus}>
          <thead>
            <tr>
              <ListHeader tools={tools} by="player" className="email">
                User Email
              </ListHeader>
              <TenantHeader />
              <th className="type">Type</th>
              <th className="state">Status</th>
              <ListHeader tools={tools} by="amount" className="number amount">
                Amount
              </ListHeader>
              <th className="number net">Net Amount</th>
              <th className="method">{kind === 'RETURN' ? 'Platform' : 'Payment Method'}</th>
              <th className="kind">Deposit Type</th>
              <ListHeader tools={tools} by="initiated_at" className="started">
                Initiated At
              </ListHeader>
              <th className="ended">Completed At</th>
              <th className="about">Description</th>
              <th className="reference">Reference</th>
              <th className="actions">Actions</th>
            </tr>
          </thead>
          <Rows of={transactions} span={13} {...(empty && { empty })}>
            {(transaction) => (
              <Fragment key={transaction.id}>
                <TransactionRow
                  transaction={transaction}
                  decision={decisions.planned.get(transaction.id)}
                  decide={decisions.decide}
                  isFocusable={decisions.isQueue}
                  onShow={setShown}
                  isSelected={tools?.selection.rows.has(transaction.id) ?? false}
                  onSelect={tools?.selection.toggle}
                  isTimed={empty !== undefined}
                  take={decisions.take}
                  isLookedUp={transaction.id === lookUp.openId}
                  onLookUp={transaction.transaction_type === 'TOP_UP' ? undefined : lookUp.onLookUp}
                />
                {lookUp.below(transaction, 13)}
              </Fragment>
            )}
          </Rows>
        </table>
      </TableFrame>
      {shown && <TransactionDetails transaction={shown} decisions={decisions} onClose={() => setShown(null)} />}
    </>
  );
}

function TransactionRowOf<T extends ListedTransaction>({
  transaction,
  decision,
  decide,
  isFocusable,
  onShow,
  isSelected,
  onSelect,
  isTimed,
  take,
  isLookedUp,
  onLookUp,
}: {
  transaction: T;
  decision: Decision<T> | undefined;
  decide: Decisions<T>['decide'];
  isFocusable: boolean;
  onShow: (transaction: T) => void;
  isSelected: boolean;
  onSelect: ListTools<T>['selection']['toggle'] | undefined;
  isTimed: boolean;
  take: Decisions<T>['take'];
  isLookedUp: boolean;
  onLookUp: OnLookUp;
}) {
  const hasView = useFeature('player_view');
  const refusal = useRefusal('queue');
  const { transaction_type: type, platform, risks, approval, attention } = transaction;
  // Other servers may say of a deposit where it goes, too.
  const method = type === 'RETURN' ? formatPlatform(platform) : orDash(transaction.payment_method);
  const kind = depositType(transaction.payment_metadata);
  const onTake = take && ((how: TakeHow) => take(transaction, how)),
    isMarked = isSelected || decision;
  const [about, reference] = [orDash(transaction.description), orDash(transaction.payment_reference)];
  const where = type === 'DEPOSIT' ? about : method;
  return (
    <tr className={isMarked ? 'picked' : undefined} {...(isFocusable && { 'data-id': transaction.id, tabIndex: -1 })}>
      <td className="email">
        <PlayerCell row={transaction} isSelected={isSelected} onSelect={onSelect} />
        <RiskChips risks={attention && transaction.status !== 'failed' ? [attention] : risks} />
        {approval && <FirstApproval approval={approval} />}
        <ClaimHolder row={transaction} onTake={onTake} />
      </td>
      <TenantCell id={transaction.tenant_id} tab={tabs[type] ?? 'purchases'} about={where} />
      <td className="type">{orDash(type)}</td>
      <td className="state">
        <RowStatus row={transaction} decision={decision} decide={decide} />
      </td>
      <td className="number amount">
        <Money amount={transaction.amount} />
      </td>
      <td className={typeof transaction.net_amount === 'number' ? 'number net' : 'number net none'} data-label="Net">
        <Money amount={transaction.net_amount} />
      </td>
      <td className={columnClass('method', method)}>{method}</td>
      <td className={columnClass('kind', kind)}>{kind}</td>
      <td className="started">
        <DateTime at={transaction.initiated_at} tenantId={transaction.tenant_id} isInRow={isTimed} />
        {isTimed && !decision && (
          <WaitingTime status={transaction.status} at={transaction.initiated_at} row={transaction} />
        )}
      </td>
      <td className={transaction.completed_at ? 'ended' : 'ended none'}>
        <DateTime at={transaction.completed_at} tenantId={transaction.tenant_id} isInRow={isTimed} />
      </td>
      <td className={columnClass('about', about)} title={transaction.description ?? undefined}>
        {about}
      </td>
      <td className={columnClass('reference', reference)} title={transaction.payment_reference ?? undefined}>
        {hasView && transaction.player_id && transaction.payment_reference ? (
          <RowLink to={`${playerAddress(transaction.user_email, transaction.player_id)}&part=purchases`}>
            {reference}
          </RowLink>
        ) : (
          reference
        )}
      </td>
      <td className="actions">
        {!refusal && !decision && <ClaimButton row={transaction} onTake={onTake} />}
        <LookUpButton row={transaction} isOpen={isLookedUp} onLookUp={onLookUp} />
        <button type="button" aria-keyshortcuts="d" onClick={() => onShow(transaction)}>
          Details
        </button>
      </td>
    </tr>
  );
}
const TransactionRow = memo(TransactionRowOf) as typeof TransactionRowOf;
