import { type ComponentType, memo, type ReactNode, useState } from 'react';
import { PURCHASES_LIMIT, type Status } from '../../contract/constants';
import type { Transaction } from '../../contract/entities';
import { depositType, orDash } from '../api/parse';
import { useAction } from '../hooks/useAction';
import { type Resource, useResource } from '../hooks/useResource';
import { useApi } from '../state/session';
import { DateTime } from '../ui/DateTime';
import { Dialog } from '../ui/Dialog';
import { EmailLink } from '../ui/EmailLink';
import { Money } from '../ui/Money';
import { Rows } from '../ui/Rows';
import { StatusSelect } from '../ui/StatusSelect';
import { TableFrame } from '../ui/TableFrame';
import { type ChangeReasonInput, useChangeReason } from './changeReason';

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
  const changeReason = useChangeReason();
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
        {changeReason.fields}
      </header>
      <TransactionTable
        heading={heading}
        transactions={transactions}
        changeReason={changeReason.input}
        reload={transactions.reload}
      />
    </>
  );
}

/** What a work queue adds to the rows: decisions not sent yet by id, and how long an item has waited. */
export interface QueueRows {
  planned: ReadonlyMap<number, Status>;
  WaitingTime: ComponentType<{ status: string | null | undefined; at: string | null | undefined }>;
  /** Shown if the filters find nothing. */
  empty: string;
}

/** The table, and the details of a row. */
export function TransactionTable({
  heading,
  transactions,
  changeReason,
  reload,
  queue,
}: {
  heading: string;
  transactions: Resource<Transaction[]>;
  changeReason: ChangeReasonInput;
  reload: () => Promise<unknown>;
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
                changeReason={changeReason}
                reload={reload}
                onShow={setShown}
                planned={queue?.planned.get(transaction.id)}
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

/** Each row has its own action, so that saving one does not lock the others. */
const TransactionRow = memo(function TransactionRow({
  transaction,
  changeReason,
  reload,
  onShow,
  planned,
  WaitingTime,
}: {
  transaction: Transaction;
  changeReason: ChangeReasonInput;
  reload: () => Promise<unknown>;
  onShow: (transaction: Transaction) => void;
  planned: Status | undefined;
  WaitingTime: QueueRows['WaitingTime'] | undefined;
}) {
  const api = useApi();
  const change = useAction(api.changePurchaseStatus, {
    done: 'Status updated successfully',
    failed: 'Failed to update status',
    onDone: reload,
  });
  return (
    <tr {...(WaitingTime && { 'data-id': transaction.id, tabIndex: -1 })}>
      <td>
        <EmailLink email={transaction.user_email} />
      </td>
      <td>{orDash(transaction.transaction_type)}</td>
      <td>
        <StatusSelect
          status={planned ?? transaction.status}
          label={`Status of ${orDash(transaction.transaction_type)} ${transaction.id}`}
          busy={change.busy}
          onChange={async (status) => {
            const why = changeReason.take();
            if (await change.run({ id: transaction.id, body: { status, ...why } })) changeReason.clear(why);
          }}
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

/** All fields of one transaction, with the metadata of its processor. */
function TransactionDetails({ transaction, onClose }: { transaction: Transaction; onClose: () => void }) {
  const lines: [string, ReactNode][] = [
    ['User Email', <EmailLink email={transaction.user_email} />],
    ['Type', orDash(transaction.transaction_type)],
    ['Status', orDash(transaction.status)],
    ['Amount', <Money amount={transaction.amount} />],
    ['Net Amount', <Money amount={transaction.net_amount} />],
    ['Payment Method', orDash(transaction.payment_method)],
    ['Deposit Type', depositType(transaction.payment_metadata)],
    ['Initiated At', <DateTime at={transaction.initiated_at} />],
    ['Completed At', <DateTime at={transaction.completed_at} />],
    ['Description', orDash(transaction.description)],
    ['Reference', orDash(transaction.payment_reference)],
    [
      'Metadata',
      transaction.payment_metadata ? (
        <code>
          {typeof transaction.payment_metadata === 'string'
            ? transaction.payment_metadata
            : JSON.stringify(transaction.payment_metadata)}
        </code>
      ) : (
        '-'
      ),
    ],
  ];
  return (
    <Dialog title={`Transaction ${transaction.id}`} onClose={onClose}>
      <table>
        <tbody>
          {lines.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <footer>
        <button type="button" className="secondary" onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}
