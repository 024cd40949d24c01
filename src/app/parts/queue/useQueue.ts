import { useCallback, useEffect, useRef } from 'react';
import type { MoneyList } from '../../../contract/constants';
import type { ListFilter, ListQuery, ListSums } from '../../../contract/entities';
import type { SendOptions } from '../../api/client';
import { useCall } from '../../hooks/useCall';
import { useQueryParams } from '../../hooks/useQueryParams';
import { type Resource, useResource } from '../../hooks/useResource';
import { useApi, useFeature } from '../../state/session';
import { reloadFigures } from '../polled';
import { type ListSort, parseSort } from '../table/moneySort';
import {
  type FilterName,
  findFilterProblem,
  isFiltered,
  parseQueueQuery,
  type QueueAddress,
  queueAddress,
} from './filters';
import { useClaimedRows, useWatch, type Watch } from './useWatch';

export interface Queue<Row> {
  address: QueueAddress;
  query: ReturnType<typeof parseQueueQuery>;
  /** The query without its order and page. */
  filter: ListFilter;
  /** What is wrong with the filters. */
  problem: string | undefined;
  rows: Resource<Row[]>;
  /** Who has which row, and how many are new. */
  watch: Watch;
  /** With these filters; undefined until known. */
  total: number | undefined;
  /** The highest id in the list when it was loaded, whatever the filters; undefined if the server does not say. */
  lastId: number | undefined;
  /** What the rows add up to on all pages; undefined until known, and if the server does not say. */
  sums: ListSums | undefined;
  sort: ListSort;
  setSort: (sort: ListSort) => void;
  /** Loads the rows, the total and the sums, the pending counts and the figures. */
  reload: () => Promise<void>;
  onFilter: (patch: Partial<Record<FilterName, string>>) => void;
  onPage: (page: number) => void;
  onPageSize: (size: number) => void;
}

/** A list of transactions or redeems with the filters in the address: pending first, page by page. */
export function useQueue<Row>(
  list: MoneyList,
  tenantId: number | undefined,
  load: (query: ListQuery, options: SendOptions) => Promise<Row[]>,
  failed: string,
): Queue<Row> {
  const api = useApi();
  const [given, setAddress] = useQueryParams(queueAddress);
  const address = tenantId === undefined ? given : { ...given, tenant: '' };
  const problem = findFilterProblem(address);
  const hasTools = useFeature('list_tools');
  const query = parseQueueQuery(address, tenantId, { isSortable: hasTools });
  const { page, limit, order: _, sort_by: __, sort_order: ___, ...filter } = query;
  const rows = useResource(problem ? null : (signal) => load(query, { signal }), [api, JSON.stringify(query)], failed);
  const count = useCall(api.countListed, problem ? null : { ...filter, list }, null);
  const total = count.data?.total;
  const sums = useCall(api.sumListed, problem || !hasTools ? null : { ...filter, list }, null);
  const watch = useWatch(list, problem ? null : filter, count.data?.last_id);
  const sort = parseSort(address);
  const setSort = ({ field, order }: ListSort) => setAddress({ sort: field, order, page: '1' }, { replace: true });

  const isPastTheEnd = !rows.busy && !count.busy && rows.data?.length === 0 && page > 1;
  useEffect(() => {
    if (isPastTheEnd) setAddress({ page: String(Math.max(1, Math.ceil((total ?? 0) / limit))) }, { replace: true });
  }, [isPastTheEnd, total, limit, setAddress]);

  const latest = useRef([rows, count, sums]);
  latest.current = [rows, count, sums];
  const reload = useCallback(async () => {
    reloadFigures(api);
    await Promise.all(latest.current.map((resource) => resource.reload()));
  }, [api]);

  return {
    address,
    query,
    filter,
    problem,
    rows: useClaimedRows(rows, watch),
    watch,
    total,
    lastId: count.data?.last_id,
    sums: sums.data,
    sort,
    setSort,
    reload,
    onFilter: (patch) => setAddress({ ...patch, page: '1' }, { replace: true }),
    onPage: (to) => setAddress({ page: String(to) }),
    onPageSize: (size) => setAddress({ size: String(size), page: '1' }),
  };
}

/** Why the list is empty. */
export const getEmptyText = (
  { problem, address }: Pick<Queue<unknown>, 'problem' | 'address'>,
  withoutFilters: string,
): string =>
  problem
    ? 'Correct the filters to see the list.'
    : isFiltered(address)
      ? 'Nothing matches the filters.'
      : withoutFilters;
