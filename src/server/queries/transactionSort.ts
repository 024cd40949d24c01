/** Purchases, deposits and redeems sorted by a column. Every sort order of every tenant comes from an index. */
import { type MoneySort, QUEUE_PAGE } from '../../contract/constants';
import type { ListQuery } from '../../contract/entities';
import { Problem } from '../core/problem';
import type { Sql } from '../db/open';
import { type Fragment, fromListed, hasStatus, isEverywhere, type Source, selectRows } from './transactionFilter';

/**
 * The sort keys as the indexes define them, from rows m and players p. Rows with the same key are sorted by id: in the
 * same direction as the key, but of one player the newest first.
 */
const sorts: Record<MoneySort, { key: string; isByDate?: true; isOfPlayer?: true }> = {
  amount: { key: 'm.amount' },
  initiated_at: { key: 'm.initiated_at', isByDate: true },
  player: { key: 'lower(p.email)', isOfPlayer: true },
};

/** The sort order that a query asks for; null for none. What makes no sense together is refused with 422. */
export function getSort({ sort_by, sort_order, order }: ListQuery): { by: MoneySort; order: 'asc' | 'desc' } | null {
  if (sort_by && order) throw new Problem(422, 'query.order: not together with sort_by');
  if (sort_order && !sort_by) throw new Problem(422, 'query.sort_order: only together with sort_by');
  return sort_by ? { by: sort_by, order: sort_order ?? 'asc' } : null;
}

function orderBy(sql: Sql, query: ListQuery, key?: string): Fragment {
  const { by, order } = getSort(query) ?? { by: 'initiated_at', order: 'desc' };
  return sql.unsafe(`${key ?? sorts[by].key} ${order}, m.id ${sorts[by].isOfPlayer ? 'desc' : order}`);
}
/** The order of rows m with players p. */
export const sortedOrder = (sql: Sql, query: ListQuery): Fragment => orderBy(sql, query);

/**
 * Reads a page. Without filters the sort order comes from an index. With filters all rows are found first: not knowing
 * how many a filter leaves, the planner may walk such an index and test every row.
 */
export async function readSortedPage<Row extends object>(
  sql: Sql,
  sources: readonly Source[],
  tenant: number | null,
  query: ListQuery,
  columns: Fragment,
): Promise<Row[]> {
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
    order by ${sortedOrder(sql, query)}`;
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
