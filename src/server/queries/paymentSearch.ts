/** The search for payments: by reference or payout address, by id, and by amount while they are pending. */
import type { PaymentMatch } from '../../contract/entities';
import { SEARCH_HITS } from '../../contract/search';
import { inTenant } from '../core/tenancy';
import { lookUp } from '../db/lookUp';
import type { Fragment, Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { moneyKind } from '../ledger/rows';
import { escapeLike, toAmount, toId } from './searchText';
import { searchText } from './transactionFilter';

/** One player may have many with one reference or address: as many are read, so that others are found too. */
const HITS_PER_TENANT = 200;
const POOL_SIZE = 500;
const isIndexed = (text: string) => /[\p{L}\p{N}]{3}/u.test(text);

/** The searched column of each table, and its start as the indexes define it. */
const sources = {
  transactions: { matched: 'payment_reference', key: 'left(lower(payment_reference), 100)' },
  redeems: { matched: 'payout_address', key: 'lower(btrim(payout_address))' },
} as const;

const listOf = (sql: Sql, table: keyof typeof sources): Fragment =>
  table === 'redeems' ? sql`'redeems'` : sql`${moneyKind(sql)} || 's'`;

interface Found extends Omit<PaymentMatch, 'payment'>, Omit<DbRow<PaymentMatch['payment']>, 'id'> {
  row_id: number;
}

/** Exact references first, then by start, by part, by id, and pending amounts. A player is named once per reference. */
export async function findPayments(sql: Sql, tenant: number | null, q: string, table: keyof typeof sources) {
  const { matched } = sources[table],
    key = sql.unsafe(sources[table].key),
    value = sql(matched),
    id = toId(q),
    amount = toAmount(q);
  const select = (by: string, shown: Fragment) => sql`
    select tenant_id, player_id, id as row_id, status, amount, initiated_at, ${listOf(sql, table)}::text as list,
      ${table === 'redeems' ? sql`platform` : sql`coalesce(platform, payment_method)`} as method,
      ${shown}::text as value, ${by}::text as matched
    from ${sql(table)} m`;
  const pattern = `%${escapeLike(q)}%`;
  const each = tenant === null ? sql`(select distinct tenant_id from player_counts) t cross join lateral` : sql``;
  // Compares bytes as the index does: from the text itself to the last possible text with this prefix.
  const parts = [
    sql`
      select one.*, 0 as rank from ${each} (
        ${select(matched, sql`btrim(${value})`)}
        where tenant_id = ${tenant ?? sql`t.tenant_id`} and ${value} is not null and ${key} ~>=~ lower(${q})
          and ${key} ~<~ (lower(${q}) || ${'\u{10ffff}'}::text)
        order by ${key} using ~<~ limit ${HITS_PER_TENANT}
      ) one`,
    ...(isIndexed(q)
      ? [
          sql`(
            select one.*, 1 as rank from (
              ${select(matched, sql`btrim(${value})`)}
              where ${inTenant(sql, tenant)} and ${searchText(sql, table)} like lower(${pattern}) offset 0
            ) one where lower(value) like lower(${pattern}) limit ${POOL_SIZE})`,
        ]
      : []),
    ...(id === null
      ? []
      : [
          sql`select one.*, 2 as rank from (
            ${select('payment_id', sql.unsafe('id'))} where ${inTenant(sql, tenant)} and id = ${id}) one`,
        ]),
    ...(amount === null
      ? []
      : [
          sql`(select one.*, 3 as rank from (
            ${select('amount', sql.unsafe('amount'))}
            where ${inTenant(sql, tenant)} and status = 'pending' and amount = ${amount}::numeric) one
            order by initiated_at desc limit ${SEARCH_HITS})`,
        ]),
  ];
  const rows = await sql<Found[]>`
    with hits as materialized (${parts.reduce((all, one) => sql`${all} union all ${one}`)}),
    h as materialized (
      select distinct on (case when rank < 2 then lower(value) else row_id::text end, tenant_id, player_id) *
      from hits order by case when rank < 2 then lower(value) else row_id::text end, tenant_id, player_id, rank, row_id desc
    )
    select h.row_id, h.list, h.status, h.amount, h.initiated_at, p.id, h.tenant_id, t.name as tenant_name, p.email,
      p.first_name, p.last_name, h.matched, h.value, h.method
    from h ${lookUp(sql, tenant, { table: 'players', as: 'p', page: 'h', id: 'player_id' })}
      join tenants t on t.id = p.tenant_id
    where p.deleted_at is null
    order by h.rank, lower(h.value) <> lower(${q}), lower(h.value), case when h.rank = 3 then h.initiated_at end desc,
      h.tenant_id, p.id, h.row_id limit ${SEARCH_HITS}`;
  return rows.map(({ row_id, list, status, amount: sum, initiated_at, ...match }) => ({
    ...match,
    payment: { id: row_id, list, status, amount: sum, initiated_at },
  }));
}
