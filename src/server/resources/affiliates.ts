import { Problem } from '../problem';
import { inTenant, tenantScope, type Handlers } from '../resource';

export const affiliates = {
  /** Who signed up in the range, and what all of the affiliate's players brought in it. Business days of each tenant, both ends included. */
  async getAffiliateStats({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    const { start_date, end_date } = query;
    if (start_date > end_date) throw new Problem(422, 'query.start_date: must not be after end_date');
    const [stats] = await sql<{ total_players: number; total_ggr: number }[]>`
      with span as materialized (
        select id as tenant_id, ${start_date}::date::timestamp at time zone time_zone as starts, (${end_date}::date + 1)::timestamp at time zone time_zone as ends
        from tenants where ${inTenant(sql, tenant, 'id')}
      ), brought as materialized (
        select p.tenant_id, p.id, p.created_at, s.starts, s.ends
        from span s join players p on p.tenant_id = s.tenant_id and lower(p.affiliate_id) = lower(${query.affiliate_id.trim()})
      )
      select count(*) filter (where b.created_at >= b.starts and b.created_at < b.ends) as total_players,
        coalesce(sum(bought.amount), 0) - coalesce(sum(redeemed.amount), 0) as total_ggr
      from brought b
      cross join lateral (
        select sum(m.amount) as amount from transactions m
        where m.tenant_id = b.tenant_id and m.player_id = b.id and m.transaction_type = 'TOP_UP' and m.status = 'success'
          and m.completed_at >= b.starts and m.completed_at < b.ends
      ) bought
      cross join lateral (
        select sum(m.amount) as amount from redeems m
        where m.tenant_id = b.tenant_id and m.player_id = b.id and m.status = 'success' and m.completed_at >= b.starts and m.completed_at < b.ends
      ) redeemed`;
    return stats ?? { total_players: 0, total_ggr: 0 };
  },
} satisfies Partial<Handlers>;
