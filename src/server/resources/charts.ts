import { CHART_NAMES, chartDays } from '../../contract/constants';
import type { Charts } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { inTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { onlyRow } from '../db/row';
import { byDay, daysAsJson, recent, today } from '../queries/businessDay';

/** The turnover of each name as JSON, largest first, the smallest grouped. From the CTE `named`. */
const byName = (sql: Sql, column: 'platform' | 'method') => sql`
  (select coalesce(json_agg(
     json_build_object('name', name, 'purchases', purchases, 'redeems', redeems, 'ggr', purchases - redeems)
     order by purchases + redeems desc, name), '[]')
   from (
     select case when place < ${CHART_NAMES} then name else 'Others' end as name, sum(purchases) as purchases,
       sum(redeems) as redeems
     from (
       select ${sql(column)} as name, sum(purchases) as purchases, sum(redeems) as redeems,
         row_number() over (order by sum(purchases) + sum(redeems) desc, ${sql(column)}) as place
       from named group by ${sql(column)}
     ) ranked group by 1
   ) listed)`;

export const charts = {
  /** Read from the totals in one statement, so that the parts add up exactly. */
  async getCharts({ sql, caller, query }) {
    const days = query.days ?? chartDays[0],
      tenant = tenantScope(caller, query.tenant_id);
    return onlyRow(
      await sql<Charts[]>`
      with ${today(sql, tenant)}, ${recent(sql, tenant, days)}, ${byDay(sql, days)},
      named as materialized (
        select m.platform, m.method, sum(m.purchases) as purchases, sum(m.redeems) as redeems
        from today t
          join method_totals m on m.tenant_id = t.tenant_id and m.day between t.day - ${days - 1}::int and t.day
        where ${inTenant(sql, tenant, 'm.tenant_id')}
        group by m.platform, m.method
      )
      select
        (select json_build_object(
           'purchases', coalesce(sum(purchases), 0), 'redeems', coalesce(sum(redeems), 0), 'ggr', coalesce(sum(ggr), 0))
         from by_day) as total,
        ${daysAsJson(sql)} as days, ${byName(sql, 'platform')} as platforms, ${byName(sql, 'method')} as methods`,
    );
  },
} satisfies Partial<Handlers>;
