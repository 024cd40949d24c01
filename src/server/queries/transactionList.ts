/** Purchases, deposits and redeems as lists in SQL. A page, its count and its export share one selection of rows. */
import { type MoneyList, QUEUE_PAGE, type Status, SUM_ROWS } from '../../contract/constants';
import type { ListFilter, ListQuery, ListSums, StatusSum } from '../../contract/entities';
import { inTenant } from '../core/tenancy';
import type { Sql } from '../db/open';
import { onlyRow } from '../db/row';
import {
  type Fragment,
  fromListed,
  hasStatus,
  isEverywhere,
  isPending,
  isSettled,
  listSources,
  type Source,
  selectRows,
  wholeListed,
} from './transactionFilter';
import { getSort, readSortedPage, sortedOrder } from './transactionSort';

/** The parts of a list, each with its own sort order. */
function getParts({ status, order }: ListQuery): { pending: boolean | null }[] {
  if (order !== 'pending_first') return [{ pending: null }];
  return [{ pending: true }, { pending: false }].filter(
    ({ pending }) => status === undefined || pending === (status === 'pending'),
  );
}

/** The list in its order. `most` limits each part to what a page up to there can show. */
function selectListed(
  sql: Sql,
  sources: readonly Source[],
  tenant: number | null,
  query: ListQuery,
  { most, isFiltering = false, columns = sql`m.*` }: { most?: number; isFiltering?: boolean; columns?: Fragment } = {},
): Fragment {
  const parts = getParts(query).flatMap(({ pending }) => {
    const inPart = pending === null ? sql`true` : pending ? isPending(sql) : isSettled(sql);
    const order = pending ? sql`m.initiated_at, m.id` : sql`m.initiated_at desc, m.id desc`;
    return sources.map(
      (source) => sql`
      (select ${columns} ${selectRows(sql, source, tenant, query, { isFiltering })}
         and ${hasStatus(sql, query)} and ${inPart}
       ${most === undefined ? sql`` : sql`order by ${order} limit ${most}`})`,
    );
  });
  return parts.reduce((all, one) => sql`${all} union all ${one}`);
}
/** The order of the rows of `selectListed`. */
const listOrder = (sql: Sql, query: ListQuery): Fragment => {
  const part = sql`(case when m.status = 'pending' then 0 else 1 end)`;
  return getParts(query)[0]?.pending
    ? sql`${part}, case ${part} when 0 then m.initiated_at end, case ${part} when 0 then m.id end,
        m.initiated_at desc, m.id desc`
    : sql`m.initiated_at desc, m.id desc`;
};

/** Reads a page in the order of the query. `columns` refer to rows m and players p. */
export async function readPage<Row extends object>(
  sql: Sql,
  sources: readonly Source[],
  tenant: number | null,
  query: ListQuery,
  columns: Fragment,
): Promise<Row[]> {
  const { page = 1, limit = QUEUE_PAGE, text } = query;
  if (getSort(query)) return readSortedPage<Row>(sql, sources, tenant, query, columns);
  const isFiltering = text ? await isEverywhere(sql, sources, tenant, text) : false;
  const table = sources[0]?.table ?? 'transactions';
  // The first page of a tenant is read whole at once. Further on and for all tenants, keys are sorted faster than rows.
  const isWhole = tenant !== null && page === 1;
  const listed = isWhole ? sql`m.*` : sql`m.tenant_id, m.id, m.player_id, m.initiated_at, m.status`;
  return sql<Row[]>`
    with listed as materialized (
      select * from (
        ${selectListed(sql, sources, tenant, query, { most: page * limit, isFiltering, columns: listed })}
      ) m
      order by ${listOrder(sql, query)} limit ${limit} offset ${(page - 1) * limit}
    )
    select ${columns} ${isWhole ? wholeListed(sql, tenant) : fromListed(sql, tenant, table)}
    order by ${listOrder(sql, query)}`;
}

/** The whole list in the same order, to be read with a cursor. */
export const readAll = <Row extends object>(
  sql: Sql,
  sources: readonly Source[],
  tenant: number | null,
  query: ListQuery,
  columns: Fragment,
) => sql<Row[]>`
  select ${columns}
  from (${selectListed(sql, sources, tenant, query)}) m
    join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
  order by ${getSort(query) ? sortedOrder(sql, query) : listOrder(sql, query)}`;

/** How many rows of a list match a filter, and its highest id. */
export async function countListed(sql: Sql, list: MoneyList, tenant: number | null, filter: ListFilter) {
  const source = listSources[list];
  return onlyRow(sql<{ total: number; last_id: number }[]>`
    select (select count(*) ${selectRows(sql, source, tenant, filter)} and ${hasStatus(sql, filter)}) as total,
      (select coalesce(max(id), 0) from ${sql(source.table)} where ${inTenant(sql, tenant)}) as last_id`);
}

/** How many of the rows that match a filter have a higher id: those that came in later. */
export async function countNew(
  sql: Sql,
  list: MoneyList,
  tenant: number | null,
  filter: ListFilter & { after_id: number },
): Promise<{ total: number }> {
  return onlyRow(sql<{ total: number }[]>`
    select count(*) as total ${selectRows(sql, listSources[list], tenant, filter, { isFiltering: true })}
      and ${hasStatus(sql, filter)} and m.id > ${filter.after_id}`);
}

/**
 * The number and the sum of the rows of each status that match a filter. At most `SUM_ROWS` rows are read; if there are
 * more, the figures are lower bounds.
 */
export async function sumListed(sql: Sql, list: MoneyList, tenant: number | null, filter: ListFilter) {
  const source = listSources[list],
    isNet = list === 'purchases';
  const sums = await sql<(StatusSum & { status: Status })[]>`
    select status, count(*) as total, sum(amount) as amount ${isNet ? sql`, sum(net_amount) as net_amount` : sql``}
    from (
      select m.status, m.amount ${isNet ? sql`, coalesce(m.net_amount, m.amount) as net_amount` : sql``}
      ${selectRows(sql, source, tenant, filter)} and ${hasStatus(sql, filter)}
      limit ${SUM_ROWS + 1}
    ) m group by status`;
  const get = (status: Status): StatusSum => {
    const { total = 0, amount = 0, net_amount = 0 } = sums.find((one) => one.status === status) ?? {};
    return { total, amount, ...(isNet && { net_amount }) };
  };
  return {
    pending: get('pending'),
    success: get('success'),
    failed: get('failed'),
    is_complete: sums.reduce((all, { total }) => all + total, 0) <= SUM_ROWS,
  };
}
