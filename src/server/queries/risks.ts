import { NEAR_LIMIT, RETURN_TIMES, type ReturnRisk, type Risk } from '../../contract/constants';
import { inTenant } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';

/** The names of the conditions that hold for row m; none once it is settled. */
function pendingRisks(sql: Sql, conditions: Readonly<Record<string, Fragment>>): Fragment {
  const each = Object.entries(conditions).map(([risk, holds]) => sql`case when ${holds} then ${risk}::text end`);
  const risks = each.reduce((all, one) => sql`${all}, ${one}`);
  return sql`
    case when m.status = 'pending' then array_remove(array[${risks}], null) else '{}'::text[] end`;
}

/** The risks of pending redeem m of player p, of one tenant or all; each uses an index and stays in the tenant. */
export function selectRisks(sql: Sql, tenant: number | null): Fragment {
  const within = inTenant(sql, tenant, 'o.tenant_id');
  const conditions: Record<Risk, Fragment> = {
    first_redeem: sql`not exists (
      select 1 from redeems o
      where ${within} and o.tenant_id = m.tenant_id and o.player_id = m.player_id and o.status <> 'failed'
        and (o.initiated_at, o.id) < (m.initiated_at, m.id))`,
    shared_address: sql`exists (
      select 1 from redeems o
      where ${within} and o.tenant_id = m.tenant_id and lower(btrim(o.payout_address)) = lower(btrim(m.payout_address))
        and o.player_id <> m.player_id and btrim(o.payout_address) <> '')`,
    new_account: sql`p.created_at > m.initiated_at - interval '1 day'`,
    adjusted: sql`exists (
      select 1 from transfers o
      where ${within} and o.tenant_id = m.tenant_id and o.player_id = m.player_id
        and (o.from_account = 'adjustment' or o.to_account = 'adjustment')
        and o.created_at > m.initiated_at - interval '1 day')`,
    // A business day lasts at most 25 hours; the bounds on initiated_at let the index of the player work.
    near_limit: sql`(
      select sum(o.amount) from redeems o
      where ${within} and o.tenant_id = m.tenant_id and o.player_id = m.player_id and o.status <> 'failed'
        and o.business_day = m.business_day
        and o.initiated_at between m.initiated_at - interval '2 days' and m.initiated_at + interval '2 days'
      ) >= ${NEAR_LIMIT}::numeric`,
    // From the wallet on, as `lacksIdentity`. A tenant that reports nothing has null, and nothing is summed.
    reported: sql`exists (
      select 1 from wallets w join tenants t on t.id = w.tenant_id
      where ${inTenant(sql, tenant, 'w.tenant_id')} and w.tenant_id = m.tenant_id and w.player_id = m.player_id
        and t.report_from is not null and m.amount + (
          select coalesce(sum(o.amount), 0) from redeems o
          where ${within} and o.tenant_id = m.tenant_id and o.player_id = m.player_id and o.status = 'success'
            and o.completed_at >= date_trunc('year', now() at time zone t.time_zone) at time zone t.time_zone
          ) >= t.report_from)`,
    negative_ggr: sql`exists (
      select 1 from wallets o
      where ${within} and o.tenant_id = m.tenant_id and o.player_id = m.player_id and o.individual_ggr < 0)`,
  };
  return pendingRisks(sql, conditions);
}

/** Why a return m is unusual. Both conditions read the rows of its player. */
export function returnConditions(sql: Sql, tenant: number | null): Record<ReturnRisk, Fragment> {
  const there = sql`${inTenant(sql, tenant, 'o.tenant_id')} and o.tenant_id = m.tenant_id and o.player_id = m.player_id
    and lower(o.platform) = lower(m.platform)`;
  return {
    no_deposit: sql`not exists (
      select 1 from transactions o
      where ${there} and o.transaction_type = 'DEPOSIT' and o.status = 'success')`,
    // Without a deposit the sum is null, and the other risk says so.
    over_20_times: sql`coalesce((
      select sum(o.amount) filter (where o.transaction_type = 'RETURN')
        > ${RETURN_TIMES} * sum(o.amount) filter (where o.transaction_type = 'DEPOSIT')
      from transactions o
      where ${there} and o.transaction_type in ('DEPOSIT', 'RETURN')
        and (o.status = 'success' or o.id = m.id)), false)`,
  };
}

/** The risks of a pending return m. */
export const selectReturnRisks = (sql: Sql, tenant: number | null): Fragment =>
  pendingRisks(sql, returnConditions(sql, tenant));
