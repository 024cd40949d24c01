import { moneyLists } from '../../contract/constants';
import { useFeature } from '../session';
import { lazyPart } from '../ui/lazyPart';

const PendingCount = lazyPart(() => import('./PendingCount').then((file) => file.PendingCount), 'quiet');

/** How much is pending in the list a menu's entry leads to; nothing for other entries, and where the server cannot say. */
export function MenuCount({ of, tenantId }: { of: string; tenantId?: number | undefined }) {
  const list = moneyLists.find((one) => one === of.toLowerCase());
  return useFeature('queue') && list ? <PendingCount list={list} tenantId={tenantId} /> : null;
}
