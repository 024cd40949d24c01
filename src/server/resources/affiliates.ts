import type { Affiliate } from '../../contract/entities';
import { AFFILIATES_MAX, type AffiliateSort } from '../../contract/search';
import type { Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { inTenant, tenantScope } from '../core/tenancy';
import { lookUp } from '../db/lookUp';
import type { Sql } from '../db/open';

interface Range {
  start_date: string;
  end_date: string;
}
function refuseBackward({ start_date, end_date }: Range): void {
  if (start_date > end_date) throw new Problem(422, 'query.start_date: must not be after end_date');
}

/** The CTE `span`: when the range starts and ends in each tenant. */
const span = (sql: Sql, tenant: number | null, { start_date, end_date }: Range) => sql`
  span as materialized (
    select id as tenant_id, ${start_date}::date::timestamp at time zone time_zone as starts,
      (${end_date}::date + 1)::timestamp at time zone time_zone as ends
    from tenants where ${inTenant(sql, tenant, 'id')}
  )`;

const sorts: Record<AffiliateSort, string> = {
  affiliate_id: 'key',
  players: 'players',
  purchases: 'purchases',
  redeems: 'redeems',
  ggr: 'ggr',
};
const escapePattern = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The totals of all affiliates, repeated in each row. */
interface Totals {
  all_affiliates: number;
  all_players: number;
  all_purchases: number;
  all_redeems: number;
  all_ggr: number;
}
const noTotals: Totals = { all_affiliates: 0, all_players: 0, all_purchases: 0, all_redeems: 0, all_ggr: 0 };

export const affiliates = {
  /**
   * Counts who signed up in the range, and sums what all players of the affiliate brought. Days are business days of
   * each tenant, both ends included (docs/product.md, "Affiliate tracking").
   */
  async getAffiliateStats({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    refuseBackward(query);
    const [stats] = await sql<{ total_players: number; total_ggr: number }[]>`
      with ${span(sql, tenant, query)}, brought as materialized (
        select p.tenant_id, p.id, p.created_at, s.starts, s.ends
        from span s
          join players p on p.tenant_id = s.tenant_id and ${inTenant(sql, tenant, 'p.tenant_id')}
            and lower(p.affiliate_id) = lower(${query.affiliate_id.trim()})
      ), of_tenant as materialized (
        select tenant_id, starts, ends, array_agg(id) as ids from brought group by tenant_id, starts, ends
      ), bought as (
        select sum(m.amount) as amount from of_tenant b join transactions m on m.tenant_id = b.tenant_id
          and ${inTenant(sql, tenant, 'm.tenant_id')} and m.player_id = any (b.ids)
          and m.transaction_type = 'TOP_UP' and m.status = 'success'
          and m.completed_at >= b.starts and m.completed_at < b.ends
      ), redeemed as (
        select sum(m.amount) as amount from of_tenant b join redeems m on m.tenant_id = b.tenant_id
          and ${inTenant(sql, tenant, 'm.tenant_id')} and m.player_id = any (b.ids) and m.status = 'success'
          and m.completed_at >= b.starts and m.completed_at < b.ends
      )
      select count(*) filter (where b.created_at >= b.starts and b.created_at < b.ends) as total_players,
        coalesce((select amount from bought), 0) - coalesce((select amount from redeemed), 0) as total_ggr
      from brought b`;
    return stats ?? { total_players: 0, total_ggr: 0 };
  },

  /**
   * Every affiliate with activity in the range, with the figures of `getAffiliateStats`. It reads only what happened in
   * the range: first which players it belongs to, then those players one by one, because for a plain join the planner
   * would read all players.
   */
  async getAffiliates({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    refuseBackward(query);
    const { sort_by = 'ggr', sort_order = 'desc', text = '' } = query;
    const matching = text ? sql`and lower(affiliate_id) like lower(${`%${escapePattern(text)}%`})` : sql``;
    const rows = await sql<(Affiliate & Totals)[]>`
      with ${span(sql, tenant, query)}, moved as materialized (
        select tenant_id, player_id, sum(purchase) as purchases, sum(redeem) as redeems from (
          select s.tenant_id, m.player_id, m.amount as purchase, 0::numeric as redeem from span s join transactions m
            on m.tenant_id = s.tenant_id and ${inTenant(sql, tenant, 'm.tenant_id')}
            and m.transaction_type = 'TOP_UP' and m.status = 'success'
              and m.completed_at >= s.starts and m.completed_at < s.ends
          union all
          select s.tenant_id, m.player_id, 0, m.amount from span s join redeems m
            on m.tenant_id = s.tenant_id and ${inTenant(sql, tenant, 'm.tenant_id')} and m.status = 'success'
              and m.completed_at >= s.starts and m.completed_at < s.ends
        ) m group by tenant_id, player_id
      ), brought as (
        select p.affiliate_id, 0 as players, moved.purchases, moved.redeems
        from moved ${lookUp(sql, tenant, { table: 'players', as: 'p', page: 'moved', id: 'player_id' })}
        union all
        select p.affiliate_id, 1, 0, 0
        from span s join players p on p.tenant_id = s.tenant_id and ${inTenant(sql, tenant, 'p.tenant_id')}
          and p.created_at >= s.starts and p.created_at < s.ends
      ), listed as (
        select lower(affiliate_id) as key, mode() within group (order by affiliate_id) as affiliate_id,
          sum(players)::bigint as players, sum(purchases) as purchases, sum(redeems) as redeems,
          sum(purchases - redeems) as ggr
        from brought where affiliate_id <> '' ${matching} group by lower(affiliate_id)
      )
      select affiliate_id, players, purchases, redeems, ggr, count(*) over () as all_affiliates,
        (sum(players) over ())::bigint as all_players, sum(purchases) over () as all_purchases,
        sum(redeems) over () as all_redeems, sum(ggr) over () as all_ggr
      from listed order by ${sql.unsafe(`${sorts[sort_by]} ${sort_order}`)}, key limit ${AFFILIATES_MAX}`;
    const { all_affiliates, all_players, all_purchases, all_redeems, all_ggr } = rows[0] ?? noTotals;
    return {
      affiliates: rows,
      total: {
        affiliates: all_affiliates,
        players: all_players,
        purchases: all_purchases,
        redeems: all_redeems,
        ggr: all_ggr,
      },
    };
  },
} satisfies Partial<Handlers>;
