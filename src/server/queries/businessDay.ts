import { inTenant } from '../core/tenancy';
import type { Sql } from '../db/open';
import { dayTotals } from '../totals/liveFacts';

/**
 * The CTE `today`: for each tenant its business day, when it starts and ends, and how many days ago the last Sunday and
 * the 1st of the month were.
 */
export const today = (sql: Sql, tenant: number | null) => sql`
  today as materialized (
    select id as tenant_id, time_zone, day, day::timestamp at time zone time_zone as starts,
      (day + 1)::timestamp at time zone time_zone as ends, extract(dow from day)::int as sunday_ago,
      extract(day from day)::int - 1 as first_ago
    from tenants, lateral (select (now() at time zone time_zone)::date as day) d
    where ${inTenant(sql, tenant, 'id')}
  )`;

/**
 * The CTE `recent`: the totals of the last business days up to today, read once for several figures. `ago` is 0 for
 * today. Needs `today` of the same tenant and what `dayTotals` needs.
 */
export const recent = (sql: Sql, tenant: number | null, days: number) => sql`
  recent as materialized (
    select t.day - d.day as ago, t.sunday_ago, t.first_ago, d.purchases, d.redeems, d.purchases - d.redeems as ggr
    from today t join ${dayTotals(sql, tenant)} d
      on d.tenant_id = t.tenant_id and d.day between t.day - ${days - 1}::int and t.day
  )`;

/**
 * The CTE `by_day` (day, purchases, redeems, ggr): the last business days up to today without gaps. Needs `today`, and
 * `recent` with as many days. The days of several tenants are added up by how long ago they were, and named by the
 * latest date.
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
