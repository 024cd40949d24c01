/** Purchases, deposits and redeems as lists in SQL. A page, its count and its export share one selection of rows. */
import { type MoneyList, type MoneySort, QUEUE_PAGE, type Status, SUM_ROWS } from '../../contract/constants';
import type { ListFilter, ListQuery, StatusSum } from '../../contract/entities';
import { Problem } from '../core/problem';
import { inTenant } from '../core/tenancy';
import type { Sql } from '../db/open';
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

/** The sort keys as the indexes define them, of rows m and players p; ties by id, of one player the newest first. */
const sorts: Record<MoneySort, { key: string; isByDate?: true; isOfPlayer?: true }> = {
  amount: { key: 'm.amount' },
  initiated_at: { key: 'm.initiated_at', isByDate: true },
  player: { key: 'lower(p.email)', isOfPlayer: true },
};

/** The sort order that a query asks for; null for none. What makes no sense together is refused with 422. */
function getSort({ sort_by, sort_order, order }: ListQuery): { by: MoneySort; order: 'asc' | 'desc' } | null {
  if (sort_by && order) throw new Problem(422, 'query.order: not together with sort_by');
  if (sort_order && !sort_by) throw new Problem(422, 'query.sort_order: only together with sort_by');
  return sort_by ? { by: sort_by, order: sort_order ?? 'asc' } : null;
}

function orderBy(sql: Sql, query: ListQuery, key?: string): Fragment {
  const { by, order } = getSort(query) ?? { by: 'initiated_at', order: 'desc' };
  return sql.unsafe(`${key ?? sorts[by].key} ${order}, m.id ${sorts[by].isOfPlayer ? 'desc' : order}`);
}

type PageOf = [sql: Sql, sources: readonly Source[], tenant: number | null, query: ListQuery, columns: Fragment];
/** Reads a page: without filters from an index; with them all rows first, or the planner may test every row. */
async function readSortedPage<Row extends object>(...[sql, sources, tenant, query, columns]: PageOf): Promise<Row[]> {
  const { page = 1, limit = QUEUE_PAGE, text } = query;
  const { key, isByDate, isOfPlayer } = sorts[getSort(query)?.by ?? 'initiated_at'];
  const isFiltering = Boolean(isByDate && text && (await isEverywhere(sql, sources, tenant, text)));
  const join = isOfPlayer ? sql`join players p on p.tenant_id = m.tenant_id and p.id = m.player_id` : sql``;
  const parts = sources.map((source) => {
    const select = sql`select m.tenant_id, m.id, m.player_id, ${sql.unsafe(key)} as sort_key`;
    const ordered = sql`order by ${orderBy(sql, query)} limit ${page * limit}`;
    return isByDate || !isNarrowed(query)
      ? sql`(${select} ${selectRows(sql, source, tenant, query, { isFiltering, join })} and ${hasStatus(sql, query)}
          ${ordered})`
      : sql`(${select} from (
            select m.tenant_id, m.id, m.player_id, m.amount
            ${selectRows(sql, source, tenant, query)} and ${hasStatus(sql, query)} offset 0
          ) m ${join} ${ordered})`;
  });
  const table = sources[0]?.table ?? 'transactions';
  return sql<Row[]>`
    with listed as materialized (
      select * from (${parts.reduce((all, one) => sql`${all} union all ${one}`)}) m
      order by ${orderBy(sql, query, 'm.sort_key')} limit ${limit} offset ${(page - 1) * limit}
    )
    select ${columns} ${fromListed(sql, tenant, table)}
    order by ${orderBy(sql, query)}`;
}

const narrowing = [
  'text',
  'method',
  'platform',
  'from_date',
  'to_date',
  'min_amount',
  'max_amount',
  'approval',
] as const;
/** Whether there is a filter whose selectivity is unknown; that of a status is known. */
const isNarrowed = (query: ListQuery): boolean => narrowing.some((name) => query[name] !== undefined);

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
const listOrder = (sql: Sql, query: ListQuery): Fragment => {
  const part = sql`(case when m.status = 'pending' then 0 else 1 end)`;
  return getParts(query)[0]?.pending
    ? sql`${part}, case ${part} when 0 then m.initiated_at end, case ${part} when 0 then m.id end,
        m.initiated_at desc, m.id desc`
    : sql`m.initiated_at desc, m.id desc`;
};

/** Reads a page in the order of the query. `columns` refer to rows m and players p. */
export async function readPage<Row extends object>(...of: PageOf): Promise<Row[]> {
  const [sql, sources, tenant, query, columns] = of;
  const { page = 1, limit = QUEUE_PAGE, text } = query;
  if (getSort(query)) return readSortedPage<Row>(...of);
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
  order by ${getSort(query) ? orderBy(sql, query) : listOrder(sql, query)}`;

/** How many rows of a list match a filter, and its highest id. */
export async function countListed(sql: Sql, list: MoneyList, tenant: number | null, filter: ListFilter) {
  const source = listSources[list];
  return sql<{ total: number; last_id: number }[]>`
    select (select count(*) ${selectRows(sql, source, tenant, filter)} and ${hasStatus(sql, filter)}) as total,
      (select coalesce(max(id), 0) from ${sql(source.table)} where ${inTenant(sql, tenant)}) as last_id`.one();
}

/** How many of the rows that match a filter have a higher id: those that came in later. */
export async function countNew(
  sql: Sql,
  list: MoneyList,
  tenant: number | null,
  filter: ListFilter & { after_id: number },
): Promise<{ total: number }> {
  return sql<{ total: number }[]>`
    select count(*) as total ${selectRows(sql, listSources[list], tenant, filter, { isFiltering: true })}
      and ${hasStatus(sql, filter)} and m.id > ${filter.after_id}`.one();
}

/** Number and sum of the rows of each status; of more than `SUM_ROWS` rows the figures are lower bounds. */
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
