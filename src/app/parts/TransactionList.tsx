import type { ReactNode } from 'react';
import { PURCHASES_LIMIT } from '../../contract/constants';
import { useResource } from '../hooks/useResource';
import { useApi } from '../state/session';
import { formatCountOf } from '../ui/formatCount';
import { useReload } from './polled';
import { Decisions } from './queue/Decisions';
import { useSettle } from './queue/useSettle';
import { TransactionTable } from './TransactionTable';

interface Props {
  kind: 'TOP_UP' | 'DEPOSIT' | 'all';
  tenantId?: number | undefined;
  title?: string;
  screen?: string;
  children?: ReactNode;
}
/** The newest purchases and deposits, at most 100 (docs/product.md, "Purchases and deposits"). */
export function TransactionList({ kind, tenantId, title, screen, children }: Props) {
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
  const reload = useReload(transactions.reload);
  const decisions = useSettle(transactions, {
    change: api.changePurchaseStatus,
    done: 'Status updated successfully',
    reload,
  });
  const heading = title ?? `Latest Purchases (${tenantId === undefined ? 'All Tenants' : 'Tenant'})`;

  return (
    <>
      <header className="bar">
        {screen && <h2>{screen}</h2>}
        {screen ? <h3>{heading}</h3> : <h2>{heading}</h2>}
        <span role="status">{transactions.data && formatCountOf(transactions.data.length, 'transaction')}</span>
        {children}
      </header>
      <div {...decisions.box}>
        <TransactionTable kind={kind} heading={heading} transactions={transactions} decisions={decisions} />
      </div>
      <Decisions decisions={decisions} />
    </>
  );
}
