/**
 * The facts as they are now: what is kept up to `facts_until`, and what came since, read from the rows in the same
 * statement and so in one snapshot. Every screen, report and alarm that shows a total reads it here.
 */
import { inTenant } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';
import { parts, payments, playerParts } from './contributions';

/** The CTE `range`: of each tenant what is not counted yet. */
const uncounted = (sql: Sql, tenant: number | null): Fragment => sql`
  counted as materialized (
    select tenant_id, until from public.facts_until where ${inTenant(sql, tenant)}
  ), range as materialized (
    select t.id as tenant_id, t.time_zone, coalesce(c.until, '-infinity') as starts_at, 'infinity'::timestamptz as ends_at
    from public.tenants t left join counted c on c.tenant_id = t.id where ${inTenant(sql, tenant, 't.id')}
  )`;

/** The CTEs that `currentFacts` needs. They contain `player_part`, what is to be added to `player_facts`. */
export const liveCtes = (sql: Sql, tenant: number | null): Fragment =>
  sql`${uncounted(sql, tenant)}, ${payments(sql, tenant)}, ${playerParts(sql)}, ${parts(sql, tenant)}`;

/** The rows of `facts` as they are now. A key can have two rows, which add up. */
export const currentFacts = (sql: Sql, tenant: number | null): Fragment => sql`(
  select tenant_id, dimension, unit, starts, key, amount_in, amount_out, count_in, count_out from facts
  where ${inTenant(sql, tenant)}
  union all
  select tenant_id, dimension, unit, starts, key, amount_in, amount_out, count_in, count_out from part)`;

/** The CTE `live_day`, which `dayTotals` needs beside `liveCtes`. */
export const liveDay = (sql: Sql): Fragment => sql`
  live_day as materialized (
    select tenant_id, day, coalesce(sum(amount) filter (where kind = 'purchase'), 0) as purchases,
      coalesce(sum(amount) filter (where kind = 'redeem'), 0) as redeems,
      count(*) filter (where kind = 'purchase') as purchase_count,
      count(*) filter (where kind = 'redeem') as redeem_count
    from payment where kind in ('purchase', 'redeem') group by 1, 2
  )`;

/** The CTEs that `dayTotals` needs, if nothing else is read. */
export const dayCtes = (sql: Sql, tenant: number | null): Fragment =>
  sql`${uncounted(sql, tenant)}, ${payments(sql, tenant)}, ${liveDay(sql)}`;

/** What was purchased and redeemed on each business day. A day can have two rows, which add up. */
export const dayTotals = (sql: Sql, tenant: number | null): Fragment => sql`(
  select tenant_id, starts as day, amount_in as purchases, amount_out as redeems, count_in as purchase_count,
    count_out as redeem_count
  from facts where dimension = 'total' and unit = 'day' and ${inTenant(sql, tenant)}
  union all
  select tenant_id, day, purchases, redeems, purchase_count, redeem_count from live_day)`;
