import type { ReactNode } from 'react';
import type { Transaction } from '../../../contract/entities';
import { toText } from '../../api/parse';
import { useApi } from '../../state/session';
import { TransactionTable } from '../TransactionTable';
import { useListTools } from '../table/useListTools';
import { QueueFrame } from './QueueFrame';
import { getEmptyText, useQueue } from './useQueue';
import { useQueueDecisions } from './useSettle';

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
  /** In front of the buttons. */
  children?: ReactNode;
}) {
  const api = useApi();
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
  const decisions = useQueueDecisions(queue, {
    change: api.changePurchaseStatus,
    done: 'Status updated successfully',
  });
  const listTools = useListTools(list, queue, decisions.rows.data);
  const heading = title ?? `Latest Purchases (${tenantId === undefined ? 'All Tenants' : 'Tenant'})`;
  const methods = [...new Set(queue.rows.data?.map((row) => toText(row.payment_method)))].filter(Boolean).sort();

  return (
    <QueueFrame
      list={list}
      tenantId={tenantId}
      title={
        screen ? (
          <>
            <h2>{screen}</h2>
            <h3>{heading}</h3>
          </>
        ) : (
          <h2>{heading}</h2>
        )
      }
      noun="transaction"
      queue={queue}
      decisions={decisions}
      methods={methods}
      buttons={children}
      download={() =>
        kind === 'DEPOSIT'
          ? api.exportDeposits(queue.query)
          : api.exportPurchases({ ...queue.query, transaction_type: kind })
      }
      listTools={listTools}
    >
      <TransactionTable
        kind={kind}
        heading={heading}
        transactions={decisions.rows}
        tools={listTools}
        decisions={decisions}
        empty={getEmptyText(queue, `No ${list} yet. They come from payment processors, your systems, or an import.`)}
      />
    </QueueFrame>
  );
}
