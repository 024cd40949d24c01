import { type ComponentType, memo, type ReactNode, useState } from 'react';
import { PURCHASES_LIMIT } from '../../contract/constants';
import type { Transaction } from '../../contract/entities';
import { depositType, orDash } from '../api/parse';
import { type Resource, useResource } from '../hooks/useResource';
import { useApi } from '../state/session';
import { DateTime } from '../ui/DateTime';
import { EmailLink } from '../ui/EmailLink';
import { Money } from '../ui/Money';
import { Rows } from '../ui/Rows';
import { StatusSelect } from '../ui/StatusSelect';
import { TableFrame } from '../ui/TableFrame';
import { TransactionDetails } from './details/TransactionDetails';
import { Decisions } from './queue/Decisions';
import { type Decision, type Decisions as DecisionsOf, useDecisions } from './queue/useDecisions';

/**
 * The newest purchases and deposits of one tenant or of all, at most 100, each with its status (docs/product.md,
 * "Purchases and deposits").
 */
export function TransactionList({
  kind,
  tenantId,
  title,
  children,
}: {
  kind: 'TOP_UP' | 'DEPOSIT' | 'all';
  tenantId?: number | undefined;
  title?: string;
  /** Shown beside the title. */
  children?: ReactNode;
}) {
  const api = useApi();
  const transactions = useResource(
    (signal) => {
      const query = { limit: PURCHASES_LIMIT, tenant_id: tenantId };
      if (kind === 'DEPOSIT') return api.listDeposits(query, { signal });
      return api.listPurchases(kind === 'all' ? query : { ...query, transaction_type: kind }, { signal });
    },
    [api, tenantId, kind],
    'Failed to fetch purchases',
  );
  const decisions = useDecisions(transactions.data, {
    change: api.changePurchaseStatus,
    done: 'Status updated successfully',
    failed: 'Failed to update status',
    reload: transactions.reload,
  });
  const heading = title ?? `Latest Purchases (${tenantId === undefined ? 'All Tenants' : 'Tenant'})`;

  return (
    <>
      <header className="bar">
        <h2>{heading}</h2>
        <span role="status">
          {transactions.data &&
            `${transactions.data.length} ${transactions.data.length === 1 ? 'transaction' : 'transactions'}`}
        </span>
        {children}
      </header>
      <div {...decisions.box}>
        <TransactionTable heading={heading} transactions={transactions} decisions={decisions} />
      </div>
      <Decisions decisions={decisions} />
    </>
  );
}

/** What a work queue adds to the rows: how long an item has waited. */
export interface QueueRows {
  WaitingTime: ComponentType<{ status: string | null | undefined; at: string | null | undefined }>;
  /** Shown if the filters find nothing. */
  empty: string;
}

/** The table, and the details of a row. */
export function TransactionTable({
  heading,
  transactions,
  decisions,
  queue,
}: {
  heading: string;
  transactions: Resource<Transaction[]>;
  decisions: DecisionsOf<Transaction>;
  queue?: QueueRows;
}) {
  const [shown, setShown] = useState<Transaction | null>(null);
  return (
    <>
      <TableFrame label={heading}>
        <table className="long transactions">
          <thead>
            <tr>
              <th>User Email</th>
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
          <Rows of={transactions} span={12} {...(queue && { empty: queue.empty })}>
            {(transaction) => (
              <TransactionRow
                key={transaction.id}
                transaction={transaction}
                decision={decisions.planned.get(transaction.id)}
                decide={decisions.decide}
                isFocusable={decisions.waits !== undefined}
                onShow={setShown}
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
  WaitingTime,
}: {
  transaction: Transaction;
  decision: Decision<Transaction> | undefined;
  decide: DecisionsOf<Transaction>['decide'];
  isFocusable: boolean;
  onShow: (transaction: Transaction) => void;
  WaitingTime: QueueRows['WaitingTime'] | undefined;
}) {
  return (
    <tr {...(isFocusable && { 'data-id': transaction.id, tabIndex: -1 })}>
      <td>
        <EmailLink email={transaction.user_email} />
      </td>
      <td>{orDash(transaction.transaction_type)}</td>
      <td>
        <StatusSelect
          status={decision?.status ?? transaction.status}
          label={`Status of ${orDash(transaction.transaction_type)} ${transaction.id}`}
          busy={decision?.stage === 'sending'}
          onChange={(status) => decide(transaction, status)}
        />
      </td>
      <td className="number">
        <Money amount={transaction.amount} />
      </td>
      <td className="number">
        <Money amount={transaction.net_amount} />
      </td>
      <td>{orDash(transaction.payment_method)}</td>
      <td>{depositType(transaction.payment_metadata)}</td>
      <td>
        <DateTime at={transaction.initiated_at} />
        {WaitingTime && <WaitingTime status={transaction.status} at={transaction.initiated_at} />}
      </td>
      <td>
        <DateTime at={transaction.completed_at} />
      </td>
      <td title={transaction.description ?? undefined}>{orDash(transaction.description)}</td>
      <td title={transaction.payment_reference ?? undefined}>{orDash(transaction.payment_reference)}</td>
      <td className="actions">
        <button type="button" onClick={() => onShow(transaction)}>
          Details
        </button>
      </td>
    </tr>
  );
});
