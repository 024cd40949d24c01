import { type MoneyList, moneyLists } from '../../contract/constants';
import { useFeature } from '../state/session';
import { usePendingCounts } from './polled';

/** The number of pending items in the list that a menu entry opens. Nothing for other entries. */
export function MenuCount({ label, tenantId }: { label: string; tenantId?: number | undefined }) {
  const list = moneyLists.find((one) => one === label.toLowerCase());
  return useFeature('queue') && list ? <PendingCount list={list} tenantId={tenantId} /> : null;
}

function PendingCount({ list, tenantId }: { list: MoneyList; tenantId: number | undefined }) {
  const count = usePendingCounts(tenantId).data?.[list];
  return count ? (
    <span className="badge count">
      {count}
      <span className="unseen"> pending</span>
    </span>
  ) : null;
}
