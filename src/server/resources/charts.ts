import { CHART_NAMES, chartDays } from '../../contract/constants';
import type { Charts } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { onlyRow } from '../db/row';
import { byDay, daysAsJson, recent, today } from '../queries/businessDay';
import { currentFacts, liveCtes, liveDay } from '../totals/liveFacts';

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

export const charts = {
  /** Read in one statement, so that the parts add up exactly. The Overview shows the same and more. */
  async getCharts({ sql, caller, query }) {
    const days = query.days ?? chartDays[0],
      tenant = tenantScope(caller, query.tenant_id);
    return onlyRow(sql<Charts[]>`
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
        ${daysAsJson(sql)} as days, ${byName(sql, 'platform')} as platforms, ${byName(sql, 'method')} as methods`);
  },
} satisfies Partial<Handlers>;
