import { moneyLists, type MoneyList } from '../../contract/constants';
import { useFeature } from '../state/session';
import { usePending } from './usePendingCounts';

/** How much is pending in the list a menu's entry leads to; nothing for other entries, and where the server cannot say. */
export function MenuCount({ label, tenantId }: { label: string; tenantId?: number | undefined }) {
  const list = moneyLists.find((one) => one === label.toLowerCase());
  return useFeature('queue') && list ? <PendingCount list={list} tenantId={tenantId} /> : null;
}

function PendingCount({ list, tenantId }: { list: MoneyList; tenantId: number | undefined }) {
  const count = usePending(tenantId).data?.[list];
  return count ? <span className="badge count">{count}<span className="unseen"> pending</span></span> : null;
}
