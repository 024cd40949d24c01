/** The purchases, deposits and redeems that match a filter, and their players, as fragments of SQL. */
import type { MoneyList } from '../../contract/constants';
import type { ListFilter } from '../../contract/entities';
import { Problem } from '../core/problem';
import { inTenant } from '../core/tenancy';
import { lookUp } from '../db/lookUp';
import type { Sql } from '../db/open';
import { mayStill } from '../ledger/approvals';
import { isOfPart } from './listPart';
import { matches } from './playerList';
import { escapeLike, toAmount, toId } from './searchText';

/** The table of a list, and the type of its rows. */
export interface Source {
  table: 'transactions' | 'redeems';
  type: 'TOP_UP' | 'DEPOSIT' | 'RETURN' | null;
}
export type TransactionType = NonNullable<Source['type']>;
export const listSources: Record<MoneyList, Source> = {
  purchases: { table: 'transactions', type: 'TOP_UP' },
  deposits: { table: 'transactions', type: 'DEPOSIT' },
  returns: { table: 'transactions', type: 'RETURN' },
  redeems: { table: 'redeems', type: null },
};
export const transactionSources = (types: readonly TransactionType[]): Source[] =>
  types.map((type) => ({ table: 'transactions', type }));

export type Fragment = ReturnType<typeof inTenant>;
const allOf = (sql: Sql, conditions: readonly Fragment[]): Fragment =>
  conditions.reduce((all, one) => sql`${all} and ${one}`);

const ofType = (sql: Sql, { type }: Source): Fragment =>
  type === null ? sql`true` : sql`m.transaction_type = ${type}`;
/** A part of a payment method is enough; payout methods and balances are few and are named whole. */
const hasMethod = (sql: Sql, { table, type }: Source, method: string): Fragment =>
  table === 'redeems'
    ? sql`lower(m.payout_method) = lower(${method})`
    : type === 'DEPOSIT'
      ? sql`lower(m.payment_metadata ->> 'type') = lower(${method})`
      : sql`m.payment_method ilike ${`%${escapeLike(method)}%`}`;
/** What a text is looked for in, as the indexes of a table m define it. */
export const searchText = (sql: Sql, table: Source['table']): Fragment =>
  table === 'redeems'
    ? sql`(m.payout_address is not null or m.description is not null)
        and lower(coalesce(m.payout_address, '') || E'\n' || coalesce(m.description, ''))`
    : sql`(m.payment_reference is not null or m.description is not null)
        and lower(coalesce(m.payment_reference, '') || E'\n' || coalesce(m.description, ''))`;

/** A filter without its status. Reversed bounds are 422, because an empty list would look like a result. */
function matchesFilter(sql: Sql, source: Source, tenant: number | null, filter: ListFilter): Fragment {
  const { from_date: from, to_date: to, platform, min_amount: min, max_amount: max } = filter;
  const { settled_from: settledFrom, settled_to: settledTo } = filter;
  if (from && to && from > to) throw new Problem(422, 'query.from_date: is after to_date');
  if (settledFrom && settledTo && settledFrom > settledTo)
    throw new Problem(422, 'query.settled_from: is after settled_to');
  if (min !== undefined && max !== undefined && Number(min) > Number(max))
    throw new Problem(422, 'query.min_amount: is above max_amount');
  return allOf(sql, [
    ofType(sql, source),
    inTenant(sql, tenant, 'm.tenant_id'),
    ...between(sql, tenant, 'initiated_at', from, to),
    ...between(sql, tenant, 'completed_at', settledFrom, settledTo),
    ...(filter.part ? [isOfPart(sql, source, tenant, filter.part, filter.key ?? '')] : []),
    ...(platform ? [sql`lower(m.platform) = lower(${platform})`] : []),
    ...(filter.method ? [hasMethod(sql, source, filter.method)] : []),
    ...(min !== undefined ? [sql`m.amount >= ${String(min)}::numeric`] : []),
    ...(max !== undefined ? [sql`m.amount <= ${String(max)}::numeric`] : []),
    ...(filter.approval ? [waitsForSecond(sql, tenant, source)] : []),
  ]);
}
const waitsForSecond = (sql: Sql, tenant: number | null, { table }: Source): Fragment =>
  sql`exists (
    select 1 from approvals o join admins f on f.id = o.first_admin_id join roles fr on fr.id = f.role_id
    where ${inTenant(sql, tenant, 'o.tenant_id')} and o.tenant_id = m.tenant_id
      and ${sql(table === 'redeems' ? 'o.redeem_id' : 'o.return_id')} = m.id
      and o.ended_at is null and ${mayStill(sql)})`;
/** Whether row m is of these days: a bound for the index, as no zone is a day away, and the exact one, by tenant. */
function between(
  sql: Sql,
  tenant: number | null,
  column: 'initiated_at' | 'completed_at',
  from: string | undefined,
  to: string | undefined,
): Fragment[] {
  const at = sql.unsafe(`m.${column}`);
  return [
    ...(from
      ? [sql`${at} >= ${from}::date - interval '1 day' and ${at} >= ${startOfDay(sql, tenant, sql`${from}::date`)}`]
      : []),
    ...(to
      ? [sql`${at} < ${to}::date + interval '2 days' and ${at} < ${startOfDay(sql, tenant, sql`${to}::date + 1`)}`]
      : []),
  ];
}

const startOfDay = (sql: Sql, tenant: number | null, day: Fragment): Fragment =>
  sql`(select (${day})::timestamp at time zone z.time_zone from tenants z where z.id = ${tenant ?? sql`m.tenant_id`})`;

/** Whether row m has this amount. One without cents is common: then the row is pending. */
const hasAmount = (sql: Sql, text: string, amount: string): Fragment =>
  text.includes('.') ? sql`m.amount = ${amount}::numeric` : sql`(${isPending(sql)} and m.amount = ${amount}::numeric)`;

function isNumbered(sql: Sql, text: string): Fragment {
  const id = toId(text),
    amount = toAmount(text);
  return sql`(${id === null ? sql`false` : sql`m.id = ${id}`}
    or ${amount === null ? sql`false` : hasAmount(sql, text, amount)})`;
}

const toPattern = (sql: Sql, text: string): Fragment => sql`lower(${`%${escapeLike(text)}%`})`;

/** The ids of the rows of a source that contain a text, are of a player with it, or have it as their number. */
function selectHits(sql: Sql, source: Source, tenant: number | null, text: string): Fragment {
  const table = sql(source.table),
    like = toPattern(sql, text);
  return sql`
    select m.tenant_id, m.id from ${table} m
    where ${inTenant(sql, tenant, 'm.tenant_id')} and ${searchText(sql, source.table)} like ${like}
    union
    select m.tenant_id, m.id from players p join ${table} m on m.tenant_id = p.tenant_id and m.player_id = p.id
    where ${inTenant(sql, tenant, 'p.tenant_id')} and ${matches(sql, text)}
    ${numbered(sql, source, tenant, text)}`;
}

/** Two selections, each with an index of its own: by id, and by amount. */
function numbered(sql: Sql, source: Source, tenant: number | null, text: string): Fragment {
  const id = toId(text),
    amount = toAmount(text),
    from = sql`
      select m.tenant_id, m.id from ${sql(source.table)} m
      where ${inTenant(sql, tenant, 'm.tenant_id')} and ${ofType(sql, source)}`;
  return sql`
    ${id === null ? sql`` : sql`union ${from} and m.id = ${id}`}
    ${amount === null ? sql`` : sql`union ${from} and ${hasAmount(sql, text, amount)}`}`;
}

/** Above this number of hits, walking the list in its order until a page is full is faster. */
const MANY_HITS = 10_000;

export async function isEverywhere(sql: Sql, sources: readonly Source[], tenant: number | null, text: string) {
  // Without `union`, which would sort all rows first.
  const like = toPattern(sql, text);
  const some = sources.map(
    (source) => sql`
      (select 1 from ${sql(source.table)} m
       where ${inTenant(sql, tenant, 'm.tenant_id')} and ${searchText(sql, source.table)} like ${like}
       limit ${MANY_HITS})`,
  );
  const [first] = sources;
  if (!first) return false;
  const { hits } = await sql<{ hits: number }[]>`
    select count(*) as hits from (${some.reduce((all, one) => sql`${all} union all ${one}`)} union all
      (select 1 from players p join ${sql(first.table)} m on m.tenant_id = p.tenant_id and m.player_id = p.id
       where ${inTenant(sql, tenant, 'p.tenant_id')} and ${matches(sql, text)}
       limit ${MANY_HITS})) found`.one();
  return hits >= MANY_HITS;
}

/**
 * Selects the rows m of a source. It resolves a text filter to ids first; otherwise the planner may walk the sort index
 * and test every row. With `isFiltering`, for very common texts, rows are filtered during the walk instead. `join`:
 * what is joined to m.
 */
export function selectRows(
  sql: Sql,
  source: Source,
  tenant: number | null,
  filter: ListFilter,
  { isFiltering = false, join = sql`` }: { isFiltering?: boolean; join?: Fragment } = {},
): Fragment {
  const table = sql(source.table);
  if (!filter.text) return sql`from ${table} m ${join} where ${matchesFilter(sql, source, tenant, filter)}`;
  if (isFiltering) {
    const like = toPattern(sql, filter.text);
    return sql`
      from ${table} m ${join}
      where ${matchesFilter(sql, source, tenant, filter)} and (
        (${searchText(sql, source.table)} like ${like})
        or ${isNumbered(sql, filter.text)}
        or exists (
          select 1 from players p
          where ${inTenant(sql, tenant, 'p.tenant_id')} and p.tenant_id = m.tenant_id and p.id = m.player_id
            and ${matches(sql, filter.text)} offset 0))`;
  }
  return sql`
    from (
      select m.* from (${selectHits(sql, source, tenant, filter.text)}) hit
        join ${table} m on m.tenant_id = hit.tenant_id and m.id = hit.id
      where ${matchesFilter(sql, source, tenant, filter)} offset 0
    ) m ${join} where true`;
}

/** The status is a literal, not a parameter, so that the partial index on pending rows is used. */
export const isPending = (sql: Sql): Fragment => sql`m.status = 'pending'`;
export const isSettled = (sql: Sql): Fragment => sql`m.status <> 'pending'`;
export const hasStatus = (sql: Sql, { status }: ListFilter): Fragment =>
  status === undefined ? sql`true` : status === 'pending' ? isPending(sql) : sql`m.status = ${status}`;

/**
 * From the CTE `listed` (tenant_id, id, player_id): the rows m of a table and their players p. Of all tenants, those of
 * each tenant are found by their ids, so that a distributed database asks each of its machines once; and nothing but an
 * index can find them.
 */
export const fromListed = (sql: Sql, tenant: number | null, table: string): Fragment =>
  tenant === null
    ? sql`
      from (select tenant_id, array_agg(id) as ids from listed group by tenant_id) page_ids
        join ${sql(table)} m on m.tenant_id = any (array[page_ids.tenant_id]) and m.id = any (page_ids.ids)
        cross join lateral (select * from players where tenant_id = m.tenant_id and id = m.player_id limit 1) p`
    : sql`
      from listed
        ${lookUp(sql, tenant, { table, as: 'm', page: 'listed', id: 'id' })}
        ${lookUp(sql, tenant, { table: 'players', as: 'p', page: 'listed', id: 'player_id' })}`;
/** From the CTE `listed` with whole rows of a tenant, as m: their players p. */
export const wholeListed = (sql: Sql, tenant: number): Fragment => sql`
  from listed m ${lookUp(sql, tenant, { table: 'players', as: 'p', page: 'm', id: 'player_id' })}`;
/** The player p of a row: the e-mail, the name if there is one, and the id unless the player was deleted. */
export const playerColumns = (sql: Sql): Fragment =>
  sql`p.email as user_email, nullif(btrim(concat_ws(' ', p.first_name, p.last_name)), '') as user_name,
    case when p.deleted_at is null then m.player_id end as player_id`;
