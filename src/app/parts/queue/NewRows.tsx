import { useEffect, useRef, useState } from 'react';
import type { MoneyList } from '../../../contract/constants';
import { useResource } from '../../hooks/useResource';
import { useApi, useFeature } from '../../state/session';
import { useToast } from '../../state/toasts';
import { usePendingCounts } from '../polled';
import { signalNew } from './signal';
import type { Queue } from './useQueue';

/**
 * '2 new – show': how many rows came in since the list was loaded. The list stays as it is until somebody asks for
 * them; then the first of them gets the focus. Nothing if the server does not count them.
 */
export const NewRows = <Row,>(props: { list: MoneyList; tenantId: number | undefined; queue: Queue<Row> }) =>
  useFeature('new_rows') ? <Announced {...props} /> : null;

function Announced<Row>({
  list,
  tenantId,
  queue,
}: {
  list: MoneyList;
  tenantId: number | undefined;
  queue: Queue<Row>;
}) {
  const api = useApi();
  const toast = useToast();
  const { lastId, problem, filter } = queue;
  const isWatched = useFeature('claims');
  const polled = usePendingCounts(tenantId, { isEnabled: !problem && !isWatched }).data;
  const first = useRef(polled);
  first.current ??= polled;
  // Asked with each poll of the pending counts, but not with the first: the list itself has just been loaded.
  const isDue = polled !== first.current && lastId !== undefined && !problem;
  const news = useResource(
    isDue
      ? async (signal) => ({ lastId, ...(await api.countNew({ ...filter, list, after_id: lastId }, { signal })) })
      : null,
    [api, list, JSON.stringify(filter), lastId, polled],
    null,
  );
  const asked = news.data?.lastId === lastId ? (news.data?.total ?? 0) : 0;
  const count = isWatched ? (queue.watch.data?.new_rows ?? 0) : asked;

  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) signalNew(list, count);
    before.current = count;
  }, [list, count]);

  const [shownAfter, setShownAfter] = useState<number | null>(null);
  useEffect(() => {
    if (shownAfter === null) return;
    const rows = [...document.querySelectorAll<HTMLElement>('main tr[data-id]')];
    const newest = rows.find((row) => Number(row.dataset['id']) > shownAfter);
    if (newest) newest.focus();
    else toast.info('The new rows are on a later page: the oldest pending ones come first.');
    setShownAfter(null);
  }, [shownAfter, toast]);

  return (
    <span role="status" className="new-rows">
      {count > 0 && lastId !== undefined && (
        <button
          type="button"
          onClick={async () => {
            await queue.reload();
            setShownAfter(lastId);
          }}
        >
          {count} new – show
        </button>
      )}
    </span>
  );
}
