/** What a tenant has earned: purchases less redeems, fees and what the credits had cost (docs/extras/shifts.md). */
import { LIST_MAX } from '../../contract/constants';
import type { Profit, ProfitLine } from '../../contract/entities';
import { PROFIT_DAYS, type ProfitPart } from '../../contract/months';
import type { Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { nameTenant } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';
import type { DbRow } from '../db/row';

interface Span {
  time_zone: string;
  starts_at: Date;
  ends_at: Date;
}
const readSpan = (sql: Sql, tenant: number, from: string, to: string): Promise<Span> =>
  sql<Span[]>`
    select time_zone, ${from}::date::timestamp at time zone time_zone as starts_at,
      (${to}::date + 1)::timestamp at time zone time_zone as ends_at
    from tenants where id = ${tenant}`.one();

/** What moved cash or credits in the span, by the books; what was settled before its import names no account. */
const moved = (sql: Sql, tenant: number, { starts_at, ends_at }: Span): Fragment => {
  const in_span = (column: string) =>
    sql`${sql(column)} >= ${starts_at}::timestamptz and ${sql(column)} < ${ends_at}::timestamptz`;
  return sql`
    select created_at as at, from_account, to_account, amount, account_id, admin_id, money_id from transfers
    where tenant_id = ${tenant} and ${in_span('created_at')}
      and ((from_account in ('cash_in', 'platform') and to_account <> 'opening')
        or (to_account in ('cash_out', 'platform') and from_account <> 'opening'))
    union all
    select completed_at, 'cash_in', 'opening', amount, null, null, id from transactions
    where tenant_id = ${tenant} and is_history and status = 'success' and transaction_type = 'TOP_UP'
      and ${in_span('completed_at')}
    union all
    select completed_at, 'opening', 'cash_out', amount, null, null, id from redeems
    where tenant_id = ${tenant} and is_history and status = 'success' and ${in_span('completed_at')}`;
};

/** The rows of a table whose id may be one of `moved`: read in one go, which is faster than one after the other. */
const paid = (sql: Sql, tenant: number, table: 'transactions' | 'redeems', as: string): Fragment => {
  const id = sql(`${as}.id`);
  return sql`${sql(table)} ${sql(as)} on ${sql(`${as}.tenant_id`)} = ${tenant} and ${id} = m.money_id
    and ${id} >= (select least from ids) and ${id} <= (select most from ids)`;
};

/** By day there is no other key. */
const keys: Record<ProfitPart, string> = {
  day: 'null::text',
  platform: `nullif(coalesce(x.platform, r.platform), '')`,
  account: 'm.account_id::text',
  cashier: 'm.admin_id::text',
};
const names = (sql: Sql, tenant: number, by: ProfitPart): Fragment =>
  by === 'account'
    ? sql`(select name from value_accounts where tenant_id = ${tenant} and id = s.key::bigint)`
    : by === 'cashier'
      ? sql`(select email from admins where id = s.key::bigint)`
      : sql`s.key`;

/** A credit costs the average of those bought up to the end of its day, until then what was set. Last row: total. */
const readProfit = (sql: Sql, tenant: number, span: Span, by: ProfitPart) => sql<
  (DbRow<ProfitLine> & { is_total: boolean })[]
>`
  with moved as materialized (
    ${moved(sql, tenant, span)}
  ), ids as materialized (
    select min(money_id) as least, max(money_id) as most from moved
  ), way as (
    select (m.at at time zone ${span.time_zone}::text)::date as day, m.account_id, ${sql.unsafe(keys[by])} as key,
      m.from_account, m.to_account, sum(m.amount) as amount, sum(x.amount - x.net_amount) as fee
    from moved m left join ${paid(sql, tenant, 'transactions', 'x')} left join ${paid(sql, tenant, 'redeems', 'r')}
    group by 1, 2, 3, 4, 5
  ), part as materialized (
    select day, account_id, ${by === 'day' ? sql`day::text` : sql`key`} as key,
      coalesce(sum(amount) filter (where from_account = 'cash_in'), 0) as purchases,
      coalesce(sum(amount) filter (where to_account = 'cash_out'), 0) as redeems,
      coalesce(sum(fee) filter (where from_account = 'cash_in'), 0) as fees,
      coalesce(sum(amount) filter (where to_account = 'platform'), 0)
        - coalesce(sum(amount) filter (where from_account = 'platform'), 0) as credits
    from way group by 1, 2, 3
  ), cost as (
    select d.day, d.account_id, coalesce(
      (select round(sum(e.amount) / sum(e.credits), 6) from account_entries e
        where e.tenant_id = ${tenant} and e.to_id = d.account_id and e.kind = 'bought'
          and e.created_at < (d.day + 1)::timestamp at time zone ${span.time_zone}::text),
      (select a.cost_per_credit from value_accounts a where a.tenant_id = ${tenant} and a.id = d.account_id)) as each
    from (select distinct day, account_id from part where credits <> 0 and account_id is not null) d
  ), summed as (
    select p.key, grouping(p.key) = 1 as is_total, coalesce(sum(p.purchases), 0) as purchases,
      coalesce(sum(p.redeems), 0) as redeems, coalesce(sum(p.fees), 0) as fees,
      round(coalesce(sum(p.credits * c.each), 0), 2) as credits,
      coalesce(sum(p.credits) filter (where c.each is null), 0) as unpriced
    from part p left join cost c on c.day = p.day and c.account_id = p.account_id
    group by grouping sets ((p.key), ())
  )
  select ${names(sql, tenant, by)} as name, s.is_total, s.purchases, s.redeems, s.fees,
    s.credits, s.purchases - s.redeems - s.fees - s.credits as profit, s.unpriced
  from summed s
  order by s.is_total desc, ${by === 'day' ? sql`s.key` : sql`profit desc`}
  limit ${LIST_MAX + 1}`;

export const profit = {
  async getProfit({ sql, caller, query }): Promise<Profit> {
    const { from, to, by } = query;
    const tenant = await nameTenant(sql, caller, 'query', query.tenant_id);
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
    if (days < 1 || days > PROFIT_DAYS) throw new Problem(400, `From 1 to ${PROFIT_DAYS} days`);
    const rows = await readProfit(sql, tenant, await readSpan(sql, tenant, from, to), by);
    const lines = rows.filter(({ is_total }) => !is_total).map(({ is_total: _, ...line }) => line);
    const total = rows.find(({ is_total }) => is_total);
    if (!total) throw new Error('a sum of nothing is a row');
    return { lines, total };
  },
} satisfies Partial<Handlers>;
