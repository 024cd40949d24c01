import { RETURN_TIMES, type ReturnRisk } from '../../contract/constants';
import { inTenant } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';

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
export function selectReturnRisks(sql: Sql, tenant: number | null): Fragment {
  const each = Object.entries(returnConditions(sql, tenant)).map(
    ([risk, holds]) => sql`case when ${holds} then ${risk}::text end`,
  );
  const risks = each.reduce((all, one) => sql`${all}, ${one}`);
  return sql`
    case when m.status = 'pending' then array_remove(array[${risks}], null) else '{}'::text[] end`;
}
