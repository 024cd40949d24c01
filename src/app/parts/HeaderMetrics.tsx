import { useState } from 'react';
import { createPortal } from 'react-dom';
import { toAmount } from '../api/amount';
import { orDash } from '../api/parse';
import { lazyWithRetry } from '../ui/lazyWithRetry';
import { useMetrics } from './useMetrics';

const NewPlayers = lazyWithRetry(() => import('./todayLists').then((file) => file.NewPlayers));
const FirstPurchases = lazyWithRetry(() => import('./todayLists').then((file) => file.FirstPurchases));
const lists = { players: NewPlayers, purchases: FirstPurchases };

/**
 * The two chips of the title bar: counts of today, each of which opens its list (docs/product.md, "Metrics").
 */
export function HeaderMetrics({ tenantId }: { tenantId?: number | undefined }) {
  const { data } = useMetrics(tenantId);
  const [shown, setShown] = useState<keyof typeof lists | null>(null);
  const List = shown && lists[shown];
  const count = (value: unknown) => orDash(toAmount(value));

  return (
    <div className="figures">
      <button type="button" aria-haspopup="dialog" onClick={() => setShown('players')}>
        New Sign Ups Today: {count(data?.new_signups_today)}
      </button>
      <button type="button" aria-haspopup="dialog" onClick={() => setShown('purchases')}>
        First Purchase Today: {count(data?.first_purchase_today)}
      </button>
      {/* Outside the title bar, because the menu that the figures may be in closes. */}
      {List && createPortal(<List tenantId={tenantId} onClose={() => setShown(null)} />, document.body)}
    </div>
  );
}
