/** The facts now: what is kept up to `facts_until`, and what came since, in one snapshot. All totals are read here. */
import { inTenant } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';
import { parts, payments, playerParts } from './contributions';

/** The CTE `today`: each tenant's day, its start and end, and days since the last Sunday and the 1st of the month. */
export const today = (sql: Sql, tenant: number | null) => sql`
  today as materialized (
    select id as tenant_id, time_zone, day, day::timestamp at time zone time_zone as starts,
      (day + 1)::timestamp at time zone time_zone as ends, extract(dow from day)::int as sunday_ago,
      extract(day from day)::int - 1 as first_ago
    from tenants, lateral (select (now() at time zone time_zone)::date as day) d
    where ${inTenant(sql, tenant, 'id')}
  )`;

/** The CTE `recent`: totals of the last days; `ago` 0 is today. Needs `today`, and what `dayTotals` needs. */
export const recent = (sql: Sql, tenant: number | null, days: number) => sql`
  recent as materialized (
    select t.day - d.day as ago, t.sunday_ago, t.first_ago, d.purchases, d.redeems, d.purchases - d.redeems as ggr
    from today t join ${dayTotals(sql, tenant)} d
      on d.tenant_id = t.tenant_id and d.day between t.day - ${days - 1}::int and t.day
  )`;

/**
 * The CTE `by_day` (day, purchases, redeems, ggr): the last days without gaps. Needs `today`, and `recent` of as many.
 * Days of several tenants add up by how long ago they were, named by the latest date.
 */
export const byDay = (sql: Sql, days: number) => sql`
  by_day as materialized (
    select ((select max(day) from today) - ago)::text as day, coalesce(sum(d.purchases), 0) as purchases,
      coalesce(sum(d.redeems), 0) as redeems, coalesce(sum(d.ggr), 0) as ggr
    from generate_series(0, ${days - 1}::int) as ago left join recent d using (ago)
    where exists (select 1 from today)
    group by ago
  )`;

/** `by_day` as JSON, oldest first. */
export const daysAsJson = (sql: Sql) =>
  sql`(
    select coalesce(json_agg(
      json_build_object('day', day, 'purchases', purchases, 'redeems', redeems, 'ggr', ggr) order by day), '[]')
    from by_day)`;

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
