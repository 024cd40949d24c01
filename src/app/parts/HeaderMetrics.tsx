import { toAmount } from '../api/amount';
import { orDash } from '../api/parse';
import { lazyWithRetry } from '../ui/lazyWithRetry';
import { DialogButton } from './DialogButton';
import { useMetrics } from './polled';

const NewPlayers = lazyWithRetry(() => import('./todayLists').then((file) => file.NewPlayers));
const FirstPurchases = lazyWithRetry(() => import('./todayLists').then((file) => file.FirstPurchases));

/** The two chips of the title bar: counts of today, each opens its list (docs/product.md, "Metrics"). */
export function HeaderMetrics({ tenantId }: { tenantId?: number | undefined }) {
  const { data } = useMetrics(tenantId);
  const count = (value: unknown) => orDash(toAmount(value));

  return (
    <div className="figures">
      <DialogButton className="" dialog={(onClose) => <NewPlayers {...{ tenantId, onClose }} />}>
        New Sign Ups Today: {count(data?.new_signups_today)}
      </DialogButton>
      <DialogButton className="" dialog={(onClose) => <FirstPurchases {...{ tenantId, onClose }} />}>
        First Purchase Today: {count(data?.first_purchase_today)}
      </DialogButton>
    </div>
  );
}
