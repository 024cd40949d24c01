/**
 * What payments, new players and transfers add to the facts: the one definition of every total, read live
 * (liveFacts.ts), counted (countFacts.ts) and compared (verifyFacts.ts).
 */
import { payoutSeconds } from '../../contract/overview';
import { inTenant } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';

// The lists below are of constants: PostgreSQL prepares the expressions of other lists anew for each row.

/** A day, and the week and the month it is in, as (unit, starts). Needs a column `day`. */
export const units = (sql: Sql) => sql`
  cross join (values ('day'), ('week'), ('month')) as each_unit (unit)
  cross join lateral (select each_unit.unit, case each_unit.unit when 'day' then day
    when 'week' then day - extract(dow from day)::int else date_trunc('month', day::timestamp)::date end as starts) u`;

/** The dimensions that a payment counts for, as (dimension, key, is_counted). Needs the columns of a payment. */
const dimensions = (sql: Sql) => sql`
  cross join (values ('total'), ('hour'), ('platform'), ('method'), ('deposit'), ('game'), ('payout'), ('paid'),
    ('refused')) as each_dimension (dimension)
  cross join lateral (select each_dimension.dimension,
    case each_dimension.dimension when 'total' then '' when 'hour' then hour when 'platform' then platform
      when 'game' then platform when 'method' then method when 'deposit' then method
      when 'payout' then width_bucket(extract(epoch from settled_at - asked_at)::bigint,
        ${[...payoutSeconds]}::bigint[])::text
      else coalesce(decided_by::text, '') end as key,
    case each_dimension.dimension when 'deposit' then kind = 'deposit' when 'refused' then kind = 'refused'
      when 'game' then kind in ('deposit', 'return')
      when 'payout' then kind = 'redeem' when 'paid' then kind = 'redeem'
      else kind in ('purchase', 'redeem') end as is_counted) x`;

/** A table as `m`, the rows of which one moment is in the range of their tenant, `r`. */
const inRange = (sql: Sql, tenant: number | null, table: string, moment: string): Fragment => {
  const at = sql(`m.${moment}`);
  return sql`range r join ${sql(`public.${table}`)} m on m.tenant_id = r.tenant_id
    and ${inTenant(sql, tenant, 'm.tenant_id')} and ${at} >= r.starts_at and ${at} < r.ends_at`;
};

/** The CTE `payment`: what was settled in `range` (tenant_id, time_zone, starts_at, ends_at). `only`: of rows `m`. */
export const payments = (sql: Sql, tenant: number | null, only: Fragment = sql`true`): Fragment => {
  const settled = (table: 'transactions' | 'redeems') =>
    sql`from ${inRange(sql, tenant, table, 'completed_at')} and ${only}`;
  return sql`
  payment as materialized (
    select p.*, local::date as day, to_char(local, 'HH24') as hour
    from (
      select r.tenant_id, r.time_zone, m.player_id, 'purchase' as kind, m.amount, m.initiated_at as asked_at,
        m.completed_at as settled_at, left(coalesce(m.platform, ''), 100) as platform,
        left(coalesce(m.payment_method, ''), 100) as method, null::bigint as decided_by,
        coalesce(m.amount - m.net_amount, 0) as fee
      ${settled('transactions')} and m.transaction_type = 'TOP_UP' and m.status = 'success'
      union all
      select r.tenant_id, r.time_zone, m.player_id, 'deposit', m.amount, m.initiated_at, m.completed_at,
        left(coalesce(m.platform, ''), 100), left(coalesce(m.payment_metadata ->> 'type', ''), 100), null, 0
      ${settled('transactions')} and m.transaction_type = 'DEPOSIT' and m.status = 'success'
      union all
      select r.tenant_id, r.time_zone, m.player_id, 'return', m.amount, m.initiated_at, m.completed_at,
        left(coalesce(m.platform, ''), 100), '', null, 0
      ${settled('transactions')} and m.transaction_type = 'RETURN' and m.status = 'success'
      union all
      select r.tenant_id, r.time_zone, m.player_id, 'redeem', m.amount, m.initiated_at, m.completed_at,
        left(m.platform, 100), left(coalesce(m.payout_method, ''), 100), m.decided_by, 0
      ${settled('redeems')} and m.status = 'success'
      union all
      select r.tenant_id, r.time_zone, m.player_id, 'refused', m.amount, m.initiated_at, m.completed_at,
        left(m.platform, 100), left(coalesce(m.payout_method, ''), 100), m.decided_by, 0
      ${settled('redeems')} and m.status = 'failed'
    ) p cross join lateral (select p.settled_at at time zone p.time_zone as local) l
  )`;
};

/** The CTE `player_part`: what the payments add to `player_facts`. */
export const playerParts = (sql: Sql): Fragment => sql`
  player_part as materialized (
    select tenant_id, player_id, u.unit, u.starts,
      coalesce(sum(amount) filter (where kind = 'purchase'), 0) as purchases,
      coalesce(sum(amount) filter (where kind = 'redeem'), 0) as redeems,
      count(*) filter (where kind = 'purchase') as purchase_count,
      count(*) filter (where kind = 'redeem') as redeem_count
    from payment ${units(sql)} where kind in ('purchase', 'redeem') group by 1, 2, 3, 4
  )`;

/** What `payment` adds by day, as rows of `facts` without their unit. */
const ofPayments = (sql: Sql): Fragment => sql`
  select tenant_id, x.dimension, day, x.key,
    case when kind in ('purchase', 'deposit') then amount else 0 end as amount_in,
    case when kind in ('redeem', 'return', 'refused') then amount else 0 end as amount_out,
    (kind in ('purchase', 'deposit'))::int as count_in, (kind in ('redeem', 'return', 'refused'))::int as count_out
  from payment ${dimensions(sql)} where x.is_counted
  union all
  select tenant_id, 'fee', day, '', fee, 0, 1, 0 from payment where fee <> 0`;

/** New players and first purchases of the range. Of deleted players neither counts. */
const ofPlayers = (sql: Sql, tenant: number | null): Fragment => sql`
  select r.tenant_id, 'signup', (m.created_at at time zone r.time_zone)::date, '', 0, 0, 1, 0
  from ${inRange(sql, tenant, 'players', 'created_at')} and m.deleted_at is null
  union all
  select r.tenant_id, 'first', (m.first_purchase_at at time zone r.time_zone)::date, '', 0, 0, 1, 0
  from ${inRange(sql, tenant, 'wallets', 'first_purchase_at')} and m.closed_at is null`;

/** By how much the transfers of the range have changed what open wallets hold. */
const ofTransfers = (sql: Sql, tenant: number | null): Fragment => sql`
  select h.tenant_id, 'held', 'all', '1970-01-01'::date, h.account, h.amount, 0, 0, 0
  from (
    select m.tenant_id, m.player_id, a.account, sum(a.amount) as amount
    from ${inRange(sql, tenant, 'transfers', 'created_at')}
      cross join lateral (values (m.from_account, -m.amount), (m.to_account, m.amount)) as a (account, amount)
    where a.account in ('credit', 'bonus', 'vip', 'loyalty', 'held') group by 1, 2, 3
  ) h where not exists (
    select 1 from public.wallets w where w.tenant_id = h.tenant_id and w.player_id = h.player_id
      and ${inTenant(sql, tenant, 'w.tenant_id')} and w.closed_at is not null)`;

const ofAffiliates = (sql: Sql, tenant: number | null): Fragment => sql`
  select b.tenant_id, 'affiliate', b.unit, b.starts, lower(p.affiliate_id), b.purchases, b.redeems, b.purchase_count,
    b.redeem_count
  from player_part b join public.players p on p.tenant_id = b.tenant_id and p.id = b.player_id
    and ${inTenant(sql, tenant, 'p.tenant_id')}
  where p.affiliate_id <> ''`;

/** Players who bought in a week, by the week of their sign-up. `isNew`: those whom the facts do not count in it yet. */
const ofCohorts = (sql: Sql, tenant: number | null, isNew: boolean): Fragment => sql`
  select b.tenant_id, 'cohort', 'week', c.starts, ((b.starts - c.starts) / 7)::text, 0, 0, 1, 0
  from player_part b
    join public.players p on p.tenant_id = b.tenant_id and p.id = b.player_id and p.deleted_at is null
      and ${inTenant(sql, tenant, 'p.tenant_id')}
    join public.tenants t on t.id = b.tenant_id
    cross join lateral (select (p.created_at at time zone t.time_zone)::date as day) d
    cross join lateral (select day - extract(dow from day)::int as starts) c
    ${
      isNew
        ? sql`left join public.player_facts k on k.tenant_id = p.tenant_id and k.player_id = p.id
            and k.unit = b.unit and k.starts = b.starts and ${inTenant(sql, tenant, 'k.tenant_id')}`
        : sql``
    }
  where b.unit = 'week' and b.purchase_count > 0
    and ${isNew ? sql`coalesce(k.purchase_count, 0) = 0` : sql`true`}`;

interface Source {
  /** Payments alone; otherwise new players, first purchases and transfers of the range as well. */
  isPaymentsOnly?: boolean;
  /** Everything is counted anew, so `player_facts` is not asked who is counted already. */
  isRecount?: boolean;
}

/** The CTE `part`: what all that adds to `facts`. Needs `range`, `payment` and `player_part`. */
export const parts = (
  sql: Sql,
  tenant: number | null,
  { isPaymentsOnly = false, isRecount = false }: Source = {},
): Fragment => sql`
  part as materialized (
    select tenant_id, dimension, unit, starts, key, sum(amount_in) as amount_in, sum(amount_out) as amount_out,
      sum(count_in)::bigint as count_in, sum(count_out)::bigint as count_out
    from (
      select tenant_id, dimension, u.unit, u.starts, key, amount_in, amount_out, count_in, count_out
      from (
        ${ofPayments(sql)}
        ${isPaymentsOnly ? sql`` : sql`union all ${ofPlayers(sql, tenant)}`}
      ) d ${units(sql)} where dimension <> 'hour' or u.unit = 'day'
      union all
      ${ofAffiliates(sql, tenant)}
      union all
      ${ofCohorts(sql, tenant, !isRecount)}
      ${isPaymentsOnly ? sql`` : sql`union all ${ofTransfers(sql, tenant)}`}
    ) added group by 1, 2, 3, 4, 5
  )`;
