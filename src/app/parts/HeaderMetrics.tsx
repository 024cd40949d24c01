import { useState } from 'react';
import { toAmount } from '../api/amount';
import { orDash } from '../api/parse';
import { lazyWithRetry } from '../ui/lazyWithRetry';
import { useMetrics } from './useMetrics';

const NewPlayers = lazyWithRetry(() => import('./todayLists').then((file) => file.NewPlayers));
const FirstPurchases = lazyWithRetry(() => import('./todayLists').then((file) => file.FirstPurchases));

/**
 * The two chips of the title bar: counts of today, each of which opens its list (docs/product.md, "Metrics and
 * charts").
 */
export function HeaderMetrics({ tenantId }: { tenantId?: number | undefined }) {
  const { data } = useMetrics(tenantId);
  const [shown, setShown] = useState<'players' | 'purchases' | null>(null);
  const count = (value: unknown) => orDash(toAmount(value));

  return (
    <div className="chips">
      <button type="button" className="chip" aria-haspopup="dialog" onClick={() => setShown('players')}>
        New Sign Ups Today: {count(data?.new_signups_today)}
      </button>
      <button type="button" className="chip" aria-haspopup="dialog" onClick={() => setShown('purchases')}>
        First Purchase Today: {count(data?.first_purchase_today)}
      </button>
      {shown === 'players' && <NewPlayers tenantId={tenantId} onClose={() => setShown(null)} />}
      {shown === 'purchases' && <FirstPurchases tenantId={tenantId} onClose={() => setShown(null)} />}
    </div>
  );
}
