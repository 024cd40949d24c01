import type { MoneyList } from '../../contract/constants';
import { usePending } from './pending';

/** How much waits in a list, beside its name in a menu; nothing when nothing does. */
export function PendingCount({ list, tenantId }: { list: MoneyList; tenantId: number | undefined }) {
  const count = usePending(tenantId).data?.[list];
  return count ? <span className="badge count">{count}<span className="unseen"> pending</span></span> : null;
}
