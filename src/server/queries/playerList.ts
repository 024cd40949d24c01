/** The Users list in SQL: every sort order comes from an index; pages near the end are read from the end. */
import { PAGE_SIZE, type PlayerSort } from '../../contract/constants';
import type { Player, PlayerPage, PlayerQuery } from '../../contract/entities';
import { inTenant, tenantName } from '../core/tenancy';
import { lookUp } from '../db/lookUp';
import type { Fragment, Sql } from '../db/open';
import { escapeLike } from './searchText';
import { inSegment } from './segment';

const profileColumns = 'id email first_name last_name phone_number referral_id affiliate_id tenant_id is_active';
const balanceColumns = 'individual_ggr credit_balance bonus_balance vip_balance loyalty_balance';
const columnsOf = (table: string, names: string) => names.split(' ').map((name) => `${table}.${name}`);
const ofTables = [...columnsOf('p', profileColumns), ...columnsOf('w', balanceColumns)].join(', ');
const ofWhole = columnsOf('whole', `${profileColumns} ${balanceColumns}`).join(', ');
/** The columns of a row of the list, from players p and wallets w. */
export const playerColumns = (sql: Sql) => sql.unsafe(ofTables);

/** Every word is in e-mail, names or phone, whatever case and accents; digits match a phone with any separators. */
export function matches(sql: Sql, search: string, column = 'p.search_text') {
  const words = [...new Set(search.split(/\s+/).filter(Boolean))];
  return words
    .map((word) => {
      const digits = /^[\d+().\-/]+$/.test(word) ? word.replace(/\D/g, '') : '';
      const isLike = (text: string) => sql`${sql(column)} like fold_text(${`%${escapeLike(text)}%`})`;
      return digits && digits !== word ? sql`(${isLike(word)} or ${isLike(digits)})` : isLike(word);
    })
    .reduce((all, one) => sql`${all} and ${one}`, sql`true`);
}

const isDay = (day: string) => !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) && day > '1900' && day < '2100';
/**
 * `matches`, and two words of the overview: `signed:2026-11-01..2026-11-07` finds who signed up on these days of their
 * tenant, and `bought:` with two days who paid for a purchase then.
 */
function matchesList(sql: Sql, search: string) {
  const words = search.split(/\s+/).filter(Boolean);
  const spans = words.flatMap((word) => {
    const [, what, from = '', to = ''] = /^(signed|bought):(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/.exec(word) ?? [];
    return what && isDay(from) && isDay(to) ? [{ word, what, from, to }] : [];
  });
  const rest = words.filter((one) => !spans.some(({ word }) => word === one)).join(' ');
  const at = sql`(select p.created_at at time zone z.time_zone from tenants z where z.id = p.tenant_id)`;
  return spans
    .map(({ what, from, to }) =>
      what === 'signed'
        ? sql`p.created_at >= ${from}::date - interval '1 day' and p.created_at < ${to}::date + interval '2 days'
            and ${at} >= ${from}::date and ${at} < ${to}::date + 1`
        : sql`exists (
            select 1 from (
              select tenant_id, player_id from player_facts
              where unit = 'day' and starts between ${from} and ${to} and purchase_count > 0
              union all
              select m.tenant_id, m.player_id
              from transactions m
                join tenants z on z.id = m.tenant_id
                left join facts_until f on f.tenant_id = m.tenant_id
              where m.transaction_type = 'TOP_UP' and m.status = 'success'
                and m.completed_at >= coalesce(f.until, '-infinity')
                and (m.completed_at at time zone z.time_zone)::date between ${from} and ${to}
            ) b where b.tenant_id = p.tenant_id and b.player_id = p.id)`,
    )
    .reduce((all, one) => sql`${all} and ${one}`, matches(sql, rest));
}

interface Sort {
  table: 'players' | 'wallets';
  key: string;
  isNullable?: true;
}
/** The sort keys as the indexes define them. */
const sorts: Record<PlayerSort, Sort> = {
  updated_at: { table: 'players', key: 'p.updated_at' },
  email: { table: 'players', key: 'lower(p.email)' },
  first_name: { table: 'players', key: 'lower(p.first_name)', isNullable: true },
  affiliate_id: { table: 'players', key: 'lower(p.affiliate_id)', isNullable: true },
  individual_ggr: { table: 'wallets', key: 'w.individual_ggr' },
  credit_balance: { table: 'wallets', key: 'w.credit_balance' },
};
type Order = 'asc' | 'desc';

/** Ties are sorted by id. Nulls come last, so they come first when read from the end. */
interface OrderBy {
  key: string;
  id: string;
  order: Order;
  isFromEnd?: boolean;
}
function orderBy({ isNullable }: Sort, { key, id, order, isFromEnd = false }: OrderBy): string {
  const direction = isFromEnd === (order === 'asc') ? 'desc' : 'asc';
  return `${key} ${direction}${isNullable ? ` nulls ${isFromEnd ? 'first' : 'last'}` : ''}, ${id} ${direction}`;
}

/** Reads a page; `tenant` null means all tenants. A page past the end is empty, with the right totals. */
export async function listPlayers(sql: Sql, tenant: number | null, query: PlayerQuery): Promise<PlayerPage> {
  const { search = '', sort_by = 'updated_at', sort_order = 'desc', page = 1, page_size = PAGE_SIZE } = query;
  const at = { sort: sorts[sort_by], order: sort_order, offset: (page - 1) * page_size, size: page_size };
  const isFiltered = search || query.segment;
  const { total, users } = await (isFiltered ? searchedPage(sql, tenant, query, at) : unfilteredPage(sql, tenant, at));
  const total_pages = Math.ceil(total / page_size);
  return {
    users,
    pagination: { total_users: total, total_pages, has_next: page < total_pages, has_previous: page > 1 },
  };
}

export type ExportedPlayer = Player & { created_at: Date; tenant_name: string };
/** The whole list in its order, to be read with a cursor. */
export const allPlayers = (
  sql: Sql,
  tenant: number | null,
  { search = '', segment = '', sort_by = 'updated_at', sort_order = 'desc' }: PlayerQuery,
) => sql<ExportedPlayer[]>`
  select ${playerColumns(sql)}, p.created_at, ${tenantName(sql, 'p.tenant_id')}
  from players p join wallets w on w.tenant_id = p.tenant_id and w.player_id = p.id
  where ${inTenant(sql, tenant, 'p.tenant_id')} and p.deleted_at is null and ${matchesList(sql, search)}
    and ${inSegment(sql, tenant === null ? sql`p.tenant_id` : sql`${tenant}`, segment)}
  order by ${sql.unsafe(orderBy(sorts[sort_by], { key: sorts[sort_by].key, id: 'p.id', order: sort_order }))}`;

const pageRows = (sql: Sql, tenant: number | null) => sql`
  page ${lookUp(sql, tenant, { table: 'players', as: 'p', page: 'page', id: 'id' })}
  ${lookUp(sql, tenant, { table: 'wallets', as: 'w', page: 'page', id: 'id', key: 'player_id' })}`;

interface PageRequest {
  sort: Sort;
  order: Order;
  offset: number;
  size: number;
}
interface Page {
  total: number;
  users: Player[];
}

interface PageSource {
  ctes: Fragment;
  rows: Fragment;
  key: Fragment;
  total: Fragment;
  order: string;
}
/** Reads a page together with a total, which is there even if the page is empty. */
async function readWithTotal(sql: Sql, { ctes, rows: from, key, total, order }: PageSource): Promise<Page> {
  const rows = await sql<(Player & { total: number })[]>`
    with ${ctes} whole as (select ${key} as key, ${playerColumns(sql)} from ${from})
    select (${total}) as total, ${sql.unsafe(ofWhole)} from (values (true)) as one left join whole on true
    order by ${sql.unsafe(order)}`;
  return { total: rows[0]?.total ?? 0, users: rows.filter((row) => row.id !== null) };
}

async function unfilteredPage(sql: Sql, tenant: number | null, { sort, order, offset, size }: PageRequest) {
  const count = sql`
    select coalesce(sum(players), 0)::bigint as total from player_counts where ${inTenant(sql, tenant)}`;
  // Each tenant's rows come sorted from an index, as many as the page could need. The wallet of a deleted player is
  // closed, so the player need not be checked.
  const page = (skip: number, take: number, isFromEnd: boolean) => {
    const of = tenant === null ? sql`t.tenant_id` : sql`${tenant}`;
    const from =
      sort.table === 'players'
        ? sql`select p.tenant_id, p.id, ${sql.unsafe(sort.key)} as key from players p
            where p.tenant_id = ${of} and p.deleted_at is null
            order by ${sql.unsafe(orderBy(sort, { key: sort.key, id: 'p.id', order, isFromEnd }))}`
        : sql`select w.tenant_id, w.player_id, ${sql.unsafe(sort.key)} from wallets w
            where w.tenant_id = ${of} and w.closed_at is null
            order by ${sql.unsafe(orderBy(sort, { key: sort.key, id: 'w.player_id', order, isFromEnd }))}`;
    const outer = sql.unsafe(orderBy(sort, { key: 'key', id: 'id', order, isFromEnd }));
    const each = tenant === null ? sql`(select distinct tenant_id from player_counts) t cross join lateral` : sql``;
    return sql`page as (
      select rows.* from ${each} (${from} limit ${skip + take}) as rows (tenant_id, id, key)
      order by ${outer} limit ${take} offset ${skip})`;
  };
  // The first page can be read before its total is known, so both take one round trip.
  if (offset === 0) {
    const whole = { total: count, order: orderBy(sort, { key: 'key', id: 'id', order }) };
    return tenant === null
      ? readWithTotal(sql, {
          ...whole,
          ctes: sql`${page(0, size, false)},`,
          rows: pageRows(sql, tenant),
          key: sql`page.key`,
        })
      : readWithTotal(sql, { ...whole, ctes: sql``, ...firstRows(sql, tenant, { sort, order, size }) });
  }

  const { total } = await sql<{ total: number }[]>`${count}`.one();
  if (offset >= total) return { total, users: [] };
  const isFromEnd = offset > total / 2;
  const take = Math.min(size, total - offset);
  const skip = isFromEnd ? total - offset - take : offset;
  const users = await sql<Player[]>`
    with ${page(skip, take, isFromEnd)}
    select ${playerColumns(sql)} from ${pageRows(sql, tenant)}
    order by ${sql.unsafe(orderBy(sort, { key: 'page.key', id: 'page.id', order, isFromEnd }))}`;
  return { total, users: isFromEnd ? [...users].reverse() : [...users] };
}

/** The first rows of a tenant, read whole in the order of the index instead of looked up by their keys. */
function firstRows(sql: Sql, tenant: number, { sort, order, size }: Omit<PageRequest, 'offset'>) {
  const key = sql.unsafe(sort.key);
  return sort.table === 'players'
    ? {
        key,
        rows: sql`(
          select p.* from players p where p.tenant_id = ${tenant} and p.deleted_at is null
          order by ${sql.unsafe(orderBy(sort, { key: sort.key, id: 'p.id', order }))} limit ${size}) p
          ${lookUp(sql, tenant, { table: 'wallets', as: 'w', page: 'p', id: 'id', key: 'player_id' })}`,
      }
    : {
        key,
        rows: sql`(
          select w.* from wallets w where w.tenant_id = ${tenant} and w.closed_at is null
          order by ${sql.unsafe(orderBy(sort, { key: sort.key, id: 'w.player_id', order }))} limit ${size}) w
          ${lookUp(sql, tenant, { table: 'players', as: 'p', page: 'w', id: 'player_id' })}`,
      };
}

/** The players of a search and a selection, with the key of the order. A selection is made tenant by tenant. */
function selectHits(sql: Sql, tenant: number | null, { search = '', segment }: PlayerQuery, sort: Sort): Fragment {
  const key = sql.unsafe(sort.key);
  if (segment) {
    const of = tenant === null ? sql`z.id` : sql`${tenant}`;
    return sql`
      select hit.* from ${tenant === null ? sql`tenants z cross join lateral` : sql``} (
        select p.tenant_id, p.id, ${key} as key
        from players p join wallets w on w.tenant_id = ${of} and w.player_id = p.id and w.closed_at is null
        where p.tenant_id = ${of} and p.deleted_at is null and ${matchesList(sql, search)}
          and ${inSegment(sql, of, segment)}) hit`;
  }
  const wallets =
    sort.table === 'wallets' ? sql`join wallets w on w.tenant_id = p.tenant_id and w.player_id = p.id` : sql``;
  return sql`
    select p.tenant_id, p.id, ${key} as key from players p ${wallets}
    where ${inTenant(sql, tenant, 'p.tenant_id')} and p.deleted_at is null and ${matchesList(sql, search)}`;
}

async function searchedPage(
  sql: Sql,
  tenant: number | null,
  query: PlayerQuery,
  { sort, order, offset, size }: PageRequest,
): Promise<Page> {
  const outer = orderBy(sort, { key: 'key', id: 'id', order });
  // Find all hits first: asked for a few rows in order, the planner may walk the sort index and test every row. Hits
  // consist of their keys only, so that sorting many is cheap; only the rows of the page are read whole.
  const ctes = sql`
    hits as materialized (${selectHits(sql, tenant, query, sort)}), page as (
      select * from hits order by ${sql.unsafe(outer)} limit ${size} offset ${offset}
    ),`;
  const found = { rows: pageRows(sql, tenant), key: sql`page.key`, total: sql`select count(*) from hits` };
  return readWithTotal(sql, { ...found, ctes, order: outer });
}
