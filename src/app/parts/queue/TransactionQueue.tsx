import type { ReactNode } from 'react';
import type { Transaction } from '../../../contract/entities';
import { toText } from '../../api/parse';
import { FOLDED, useMediaQuery } from '../../hooks/useMediaQuery';
import { useApi } from '../../state/session';
import { formatCountOf } from '../../ui/formatCount';
import { ExportButton } from '../ExportButton';
import { ImportButton } from '../ImportButton';
import { TransactionTable } from '../TransactionTable';
import { useListTools } from '../table/useListTools';
import { ActiveFilters } from './ActiveFilters';
import { claimCells } from './claimCells';
import { NewRows } from './NewRows';
import { QueueFrame } from './QueueFrame';
import { getEmptyText, useQueue } from './useQueue';
import { useSettle } from './useSettle';
import { WaitingTime } from './WaitingTime';

/** Purchases or deposits as a work queue: pending first, with filters, pages and keys for decisions. */
export function TransactionQueue({
  kind,
  tenantId,
  title,
  screen,
  children,
}: {
  kind: 'TOP_UP' | 'DEPOSIT';
  tenantId: number | undefined;
  title?: string | undefined;
  /** The title of the screen, if the list is a part of it. */
  screen?: string;
  /** In front of the tools. */
  children?: ReactNode;
}) {
  const api = useApi();
  const isFolded = useMediaQuery(FOLDED);
  const list = kind === 'DEPOSIT' ? 'deposits' : 'purchases';
  const queue = useQueue<Transaction>(
    list,
    tenantId,
    (query, options) =>
      kind === 'DEPOSIT'
        ? api.listDeposits(query, options)
        : api.listPurchases({ ...query, transaction_type: kind }, options),
    'Failed to fetch purchases',
  );
  const decisions = useSettle(queue.rows, {
    list: JSON.stringify(queue.query),
    reload: queue.reload,
    watch: queue.watch,
    change: api.changePurchaseStatus,
    done: 'Status updated successfully',
    failed: 'Failed to update status',
  });
  const listTools = useListTools(list, queue, decisions.rows.data);
  const heading = title ?? `Latest Purchases (${tenantId === undefined ? 'All Tenants' : 'Tenant'})`;
  const methods = [...new Set(queue.rows.data?.map((row) => toText(row.payment_method)))].filter(Boolean).sort();

  const tools = (
    <div className="tools">
      {children}
      {!queue.problem && (
        <ExportButton
          name={list}
          load={() =>
            kind === 'DEPOSIT'
              ? api.exportDeposits(queue.query)
              : api.exportPurchases({ ...queue.query, transaction_type: kind })
          }
        />
      )}
      <ImportButton kind="transactions" tenantId={tenantId} reload={queue.reload} />
    </div>
  );

  return (
    <>
      <header className="bar">
        {screen && <h2>{screen}</h2>}
        {screen ? <h3>{heading}</h3> : <h2>{heading}</h2>}
        <span role="status">{queue.total !== undefined && formatCountOf(queue.total, 'transaction')}</span>
        <NewRows list={list} tenantId={tenantId} queue={queue} />
        {!isFolded && <ActiveFilters address={queue.address} onChange={queue.onFilter} />}
        {!isFolded && tools}
      </header>
      <QueueFrame
        list={list}
        queue={queue}
        decisions={decisions}
        methods={methods}
        tools={isFolded && tools}
        listTools={listTools}
      >
        <TransactionTable
          heading={heading}
          transactions={decisions.rows}
          tools={listTools}
          decisions={decisions}
          queue={{
            WaitingTime,
            claimCells,
            empty: getEmptyText(
              queue,
              `No ${list} yet. They come from payment processors, your systems, or an import.`,
            ),
          }}
        />
      </QueueFrame>
    </>
  );
}
