import { CHART_NAMES, chartDays, LIST_MAX, PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Charts, DashboardMetrics, FirstPurchase, PlayerToday } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { inTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { byDay, currentFacts, dayCtes, daysAsJson, liveCtes, liveDay, recent, today } from '../totals/liveFacts';

/** The longest span that is needed: a month of 31 days. Charts and two weeks need fewer days. */
const RECENT_DAYS = Math.max(31, chartDays[0]);

/** The turnover of each name as JSON, largest first, the smallest grouped. From the CTE `named`. */
const byName = (sql: Sql, dimension: 'platform' | 'method') => sql`
  (select coalesce(json_agg(
     json_build_object('name', name, 'purchases', purchases, 'redeems', redeems, 'ggr', purchases - redeems)
     order by purchases + redeems desc, name), '[]')
   from (
     select case when place < ${CHART_NAMES} then name else 'Others' end as name, sum(purchases) as purchases,
       sum(redeems) as redeems
     from (
       select name, purchases, redeems, row_number() over (order by purchases + redeems desc, name) as place
       from named where dimension = ${dimension}
     ) ranked group by 1
   ) listed)`;

export const metrics = {
  /** From the facts, whatever the number of transactions. For all tenants it sums each tenant's own day. */
  async getDashboardMetrics({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    return sql<DashboardMetrics[]>`
      with ${today(sql, tenant)}, ${dayCtes(sql, tenant)}, ${recent(sql, tenant, RECENT_DAYS)},
      ${byDay(sql, chartDays[0])}, total as (
        select
          coalesce(sum(purchases) filter (where ago = 0), 0) as total_purchases_today,
          coalesce(sum(redeems) filter (where ago = 0), 0) as total_redeems_today,
          coalesce(sum(ggr) filter (where ago = 0), 0) as total_ggr,
          coalesce(sum(ggr) filter (where ago = 1), 0) as yesterday_ggr,
          coalesce(sum(ggr) filter (where ago <= sunday_ago), 0) as week_ggr,
          coalesce(sum(purchases) filter (where ago <= sunday_ago), 0) as week_purchases,
          coalesce(sum(ggr) filter (where ago between sunday_ago + 1 and sunday_ago + 7), 0) as last_week_ggr,
          coalesce(sum(purchases) filter (where ago between sunday_ago + 1 and sunday_ago + 7), 0)
            as last_week_purchases,
          coalesce(sum(purchases) filter (where ago <= first_ago), 0) as month_purchases,
          coalesce(sum(redeems) filter (where ago <= first_ago), 0) as month_redeems,
          coalesce(sum(ggr) filter (where ago <= first_ago), 0) as month_ggr
        from recent
      )
      select total.*, ${daysAsJson(sql)} as trend,
        array(
          select distinct time_zone from today where tenant_id <> ${PLATFORM_TENANT_ID} order by time_zone
        ) as time_zones,
        (select count(*) from today t join players p
          on p.tenant_id = t.tenant_id and p.created_at >= t.starts and p.created_at < t.ends
            and p.deleted_at is null and ${inTenant(sql, tenant, 'p.tenant_id')}) as new_signups_today,
        (select count(*) from today t join wallets w
          on w.tenant_id = t.tenant_id and w.first_purchase_at >= t.starts and w.first_purchase_at < t.ends
            and w.closed_at is null and ${inTenant(sql, tenant, 'w.tenant_id')}) as first_purchase_today
      from total`.one();
  },

  async listNewPlayersToday({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    return sql<DbRow<PlayerToday>[]>`
      with ${today(sql, tenant)}
      select p.id, p.first_name, p.last_name, p.email, p.phone_number, p.affiliate_id, p.created_at, p.tenant_id
      from today t join players p on p.tenant_id = t.tenant_id and p.created_at >= t.starts and p.created_at < t.ends
      where p.deleted_at is null and ${inTenant(sql, tenant, 'p.tenant_id')}
      order by p.created_at desc, p.id desc limit ${LIST_MAX}`;
  },

  /** Newest first. The status is upper case here, and nowhere else (docs/product.md, "Metrics"). */
  async listFirstPurchasesToday({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    return sql<DbRow<FirstPurchase>[]>`
      with ${today(sql, tenant)}
      select m.id, m.tenant_id, m.player_id, m.amount, m.payment_method, upper(m.status) as status, m.initiated_at,
        json_build_object('first_name', p.first_name, 'last_name', p.last_name, 'email', p.email) as user
      from today t
        join wallets w on w.tenant_id = t.tenant_id and w.first_purchase_at >= t.starts and w.first_purchase_at < t.ends
        join transactions m on m.tenant_id = w.tenant_id and m.id = w.first_purchase_id
        join players p on p.tenant_id = w.tenant_id and p.id = w.player_id
      where w.closed_at is null and p.deleted_at is null and ${inTenant(sql, tenant, 'w.tenant_id')}
        and ${inTenant(sql, tenant, 'm.tenant_id')} and ${inTenant(sql, tenant, 'p.tenant_id')}
      order by m.initiated_at desc, m.id desc limit ${LIST_MAX}`;
  },

  /** Read in one statement, so that the parts add up exactly. The Overview shows the same and more. */
  async getCharts({ sql, caller, query }) {
    const days = query.days ?? chartDays[0],
      tenant = tenantScope(caller, query.tenant_id);
    return sql<Charts[]>`
      with ${today(sql, tenant)}, ${liveCtes(sql, tenant)}, ${liveDay(sql)}, ${recent(sql, tenant, days)},
      ${byDay(sql, days)}, named as materialized (
        select f.dimension, f.key as name, sum(f.amount_in) as purchases, sum(f.amount_out) as redeems
        from today t
          join ${currentFacts(sql, tenant)} f
            on f.tenant_id = t.tenant_id and f.starts between t.day - ${days - 1}::int and t.day
        where f.dimension in ('platform', 'method') and f.unit = 'day'
        group by 1, 2
      )
      select
        (select json_build_object(
           'purchases', coalesce(sum(purchases), 0), 'redeems', coalesce(sum(redeems), 0), 'ggr', coalesce(sum(ggr), 0))
         from by_day) as total,
        ${daysAsJson(sql)} as days, ${byName(sql, 'platform')} as platforms, ${byName(sql, 'method')} as methods`.one();
  },
} satisfies Partial<Handlers>;
