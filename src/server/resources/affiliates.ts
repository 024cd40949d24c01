import type { Affiliate } from '../../contract/entities';
import { AFFILIATES_MAX, type AffiliateSort } from '../../contract/search';
import type { Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { inTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { escapeLike } from '../queries/searchText';
import { currentFacts, liveCtes } from '../totals/liveFacts';

interface Range {
  start_date: string;
  end_date: string;
}
function refuseBackward({ start_date, end_date }: Range): void {
  if (start_date > end_date) throw new Problem(422, 'query.start_date: must not be after end_date');
}

const span = (sql: Sql, tenant: number | null, { start_date, end_date }: Range) => sql`
  span as materialized (
    select id as tenant_id, ${start_date}::date::timestamp at time zone time_zone as starts,
      (${end_date}::date + 1)::timestamp at time zone time_zone as ends
    from tenants where ${inTenant(sql, tenant, 'id')}
  )`;

const isInRange = (sql: Sql, { start_date, end_date }: Range) => sql`starts between ${start_date} and ${end_date}`;

const sorts: Record<AffiliateSort, string> = {
  affiliate_id: 'key',
  players: 'players',
  purchases: 'purchases',
  redeems: 'redeems',
  ggr: 'ggr',
};

/** The totals of all affiliates, repeated in each row. */
type Totals = typeof noTotals;
const noTotals = { all_affiliates: 0, all_players: 0, all_purchases: 0, all_redeems: 0, all_ggr: 0 };

export const affiliates = {
  /** Who signed up, and what all its players brought, by business day (docs/product.md, "Affiliate tracking"). */
  async getAffiliateStats({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    refuseBackward(query);
    const key = sql`lower(${query.affiliate_id.trim()})`;
    const [stats] = await sql<{ total_players: number; total_ggr: number }[]>`
      with ${liveCtes(sql, tenant)}, ${span(sql, tenant, query)}, signed_up as (
        select count(*) as players from span s join players p on p.tenant_id = s.tenant_id
          and ${inTenant(sql, tenant, 'p.tenant_id')} and lower(p.affiliate_id) = ${key}
          and p.created_at >= s.starts and p.created_at < s.ends
      ), brought as (
        select sum(amount_in - amount_out) as ggr from ${currentFacts(sql, tenant)} f
        where dimension = 'affiliate' and unit = 'day' and key = ${key} and ${isInRange(sql, query)}
      )
      select players as total_players, coalesce(ggr, 0) as total_ggr from signed_up, brought`;
    return stats ?? { total_players: 0, total_ggr: 0 };
  },

  /** Every affiliate with activity in the range, with the figures of `getAffiliateStats`. */
  async getAffiliates({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    refuseBackward(query);
    const { sort_by = 'ggr', sort_order = 'desc', text = '' } = query;
    const matching = text ? sql`key like lower(${`%${escapeLike(text)}%`})` : sql`true`;
    const rows = await sql<(Affiliate & Totals)[]>`
      with ${liveCtes(sql, tenant)}, ${span(sql, tenant, query)}, brought as (
        select tenant_id, key, 0 as players, sum(amount_in) as purchases, sum(amount_out) as redeems
        from ${currentFacts(sql, tenant)} f
        where dimension = 'affiliate' and unit = 'day' and ${isInRange(sql, query)}
        group by 1, 2 having sum(count_in) + sum(count_out) > 0
        union all
        select p.tenant_id, lower(p.affiliate_id), count(*), 0, 0
        from span s join players p on p.tenant_id = s.tenant_id and ${inTenant(sql, tenant, 'p.tenant_id')}
          and p.created_at >= s.starts and p.created_at < s.ends
        where p.affiliate_id <> '' group by 1, 2
      ), listed as materialized (
        select key, array_agg(distinct tenant_id) as tenants, sum(players)::bigint as players,
          sum(purchases) as purchases, sum(redeems) as redeems, sum(purchases - redeems) as ggr
        from brought where ${matching} group by key
      ), page as materialized (
        select *, count(*) over () as all_affiliates, (sum(players) over ())::bigint as all_players,
          sum(purchases) over () as all_purchases, sum(redeems) over () as all_redeems, sum(ggr) over () as all_ggr
        from listed order by ${sql.unsafe(`${sorts[sort_by]} ${sort_order}`)}, key limit ${AFFILIATES_MAX}
      ), spelled as (
        select lower(p.affiliate_id) as key, mode() within group (order by p.affiliate_id) as affiliate_id
        from (
          select its.affiliate_id from (
            select tenant_id, array_agg(key) as keys
            from (select key, unnest(tenants) as tenant_id from page) k group by tenant_id
          ) of_tenant
          join players its on its.tenant_id = any (array[of_tenant.tenant_id])
            and lower(its.affiliate_id) = any (of_tenant.keys) and ${inTenant(sql, tenant, 'its.tenant_id')}
          offset 0 -- as in db/lookUp.ts: nothing but the index finds them
        ) p group by 1
      )
      select spelled.affiliate_id, page.* from page join spelled using (key)
      order by ${sql.unsafe(`${sorts[sort_by]} ${sort_order}`)}, key`;
    const { all_affiliates: affiliates, all_players: players, all_ggr: ggr, ...all } = rows[0] ?? noTotals;
    const { all_purchases: purchases, all_redeems: redeems } = all;
    return { affiliates: rows, total: { affiliates, players, purchases, redeems, ggr } };
  },
} satisfies Partial<Handlers>;
