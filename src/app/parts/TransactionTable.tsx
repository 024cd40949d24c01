import { type ComponentType, memo, useState } from 'react';
import type { Transaction } from '../../contract/entities';
import { playerAddress } from '../../contract/routes';
import { depositType, orDash } from '../api/parse';
import type { Resource } from '../hooks/useResource';
import { useFeature, useRefusal } from '../state/session';
import { columnClass } from '../ui/columnClass';
import { DateTime } from '../ui/DateTime';
import { Money } from '../ui/Money';
import { RowLink } from '../ui/RowLink';
import { Rows } from '../ui/Rows';
import { StatusSelect } from '../ui/StatusSelect';
import { TableFrame } from '../ui/TableFrame';
import { TransactionDetails } from './details/TransactionDetails';
import { type Decision, type Decisions, describe } from './queue/decision';
import { hiddenClass } from './table/columns';
import { ListHeader } from './table/ListHeader';
import { PlayerCell } from './table/PlayerCell';
import type { ListTools } from './table/useListTools';
import { TenantCell, TenantHeader } from './tenantColumn';

/** What a work queue adds to the rows: how long an item has waited. */
export interface QueueRows {
  WaitingTime: ComponentType<{ status: string | null | undefined; at: string | null | undefined }>;
  /** Shown if the filters find nothing. */
  empty: string;
}

/** Purchases and deposits as a table, and the details of a row. */
export function TransactionTable({
  heading,
  transactions,
  decisions,
  tools,
  queue,
}: {
  heading: string;
  transactions: Resource<Transaction[]>;
  decisions: Decisions<Transaction>;
  tools?: ListTools<Transaction> | null;
  queue?: QueueRows;
}) {
  const [shown, setShown] = useState<Transaction | null>(null);
  return (
    <>
      <TableFrame label={heading} isLong>
        <table className={hiddenClass('stack queue', tools?.columns.hidden)}>
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
              <th className="method">Payment Method</th>
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
          <Rows of={transactions} span={13} {...(queue && { empty: queue.empty })}>
            {(transaction) => (
              <TransactionRow
                key={transaction.id}
                transaction={transaction}
                decision={decisions.planned.get(transaction.id)}
                decide={decisions.decide}
                isFocusable={decisions.isQueue}
                onShow={setShown}
                isSelected={tools?.selection.rows.has(transaction.id) ?? false}
                onSelect={tools?.selection.toggle}
                WaitingTime={queue?.WaitingTime}
              />
            )}
          </Rows>
        </table>
      </TableFrame>
      {shown && <TransactionDetails transaction={shown} onClose={() => setShown(null)} />}
    </>
  );
}

const TransactionRow = memo(function TransactionRow({
  transaction,
  decision,
  decide,
  isFocusable,
  onShow,
  isSelected,
  onSelect,
  WaitingTime,
}: {
  transaction: Transaction;
  decision: Decision<Transaction> | undefined;
  decide: Decisions<Transaction>['decide'];
  isFocusable: boolean;
  onShow: (transaction: Transaction) => void;
  isSelected: boolean;
  onSelect: ListTools<Transaction>['selection']['toggle'] | undefined;
  WaitingTime: QueueRows['WaitingTime'] | undefined;
}) {
  const hasView = useFeature('player_view');
  const refusal = useRefusal('queue');
  const [method, kind] = [orDash(transaction.payment_method), depositType(transaction.payment_metadata)];
  const [about, reference] = [orDash(transaction.description), orDash(transaction.payment_reference)];
  return (
    <tr className={isSelected ? 'picked' : undefined} {...(isFocusable && { 'data-id': transaction.id, tabIndex: -1 })}>
      <td className="email">
        <PlayerCell row={transaction} isSelected={isSelected} onSelect={onSelect} />
      </td>
      <TenantCell
        id={transaction.tenant_id}
        tab={transaction.transaction_type === 'DEPOSIT' ? 'deposits' : 'purchases'}
      />
      <td className="type">{orDash(transaction.transaction_type)}</td>
      <td className="state">
        <StatusSelect
          status={decision?.status ?? transaction.status}
          label={`Status of ${orDash(transaction.transaction_type)} ${transaction.id}, ${describe(transaction)}`}
          busy={decision?.stage === 'sending'}
          refusal={refusal}
          onChange={(status) => decide(transaction, status)}
        />
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
        <DateTime at={transaction.initiated_at} tenantId={transaction.tenant_id} isInRow={Boolean(WaitingTime)} />
        {WaitingTime && <WaitingTime status={transaction.status} at={transaction.initiated_at} />}
      </td>
      <td className={transaction.completed_at ? 'ended' : 'ended none'}>
        <DateTime at={transaction.completed_at} tenantId={transaction.tenant_id} isInRow={Boolean(WaitingTime)} />
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
        <button type="button" onClick={() => onShow(transaction)}>
          Details
        </button>
      </td>
    </tr>
  );
});
