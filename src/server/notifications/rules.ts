/** The rules as SQL: what was saved, else the values of the contract. */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import { overdueLists, type RuleKind, ruleFacts } from '../../contract/notifications';
import { ownMinutes } from '../core/ownMinutes';
import type { Fragment, Sql } from '../db/open';

/** The CTE `rule` (tenant_id, threshold): where it is on and not muted; the platform's own has tenant 1. */
export const activeRules = (sql: Sql, kind: RuleKind) => {
  const { threshold, isOn, isPlatformOnly = false } = ruleFacts[kind];
  // Nobody has set a number: what is overdue for the tenant waits too long.
  const list = overdueLists[kind];
  const own = list
    ? sql`(select own.overdue / 60.0 from ${ownMinutes(sql)} own where own.id = t.id and own.list = ${list})`
    : sql`null`;
  return sql`
    rule as materialized (
      select t.id as tenant_id, coalesce(r.threshold, ${own}, ${threshold}::numeric) as threshold
      from tenants t left join notification_rules r on r.tenant_id = t.id and r.kind = ${kind}
      where t.is_active and (t.id = ${PLATFORM_TENANT_ID} or not ${isPlatformOnly})
        and coalesce(r.is_active,
          case when t.id = ${PLATFORM_TENANT_ID} then ${isOn.platform}::boolean else ${isOn.tenant}::boolean end)
        and (r.muted_until is null or r.muted_until <= now())
    )`;
};

/** The CTEs `rule` and `watched` (tenant_id, threshold, about): a rule of the platform looks at every tenant. */
export const watchedTenants = (sql: Sql, kind: RuleKind) => sql`
  ${activeRules(sql, kind)},
  watched as materialized (
    select r.tenant_id, r.threshold, t.id as about
    from rule r join tenants t on t.id = r.tenant_id or r.tenant_id = ${PLATFORM_TENANT_ID}
    where t.id <> ${PLATFORM_TENANT_ID}
  )`;

/** The most that one run finds for a rule in one tenant; the next run finds the rest. */
export const AT_ONCE = 100;

/**
 * Whether the rule has not fired for this key yet. Expects `tenant_id` of the rule in the first place. As a value, which
 * is looked up by the whole key each time: `not exists` can become a walk through all keys of a tenant for each row.
 */
export const isNew = (sql: Sql, kind: RuleKind, tenantId: string, dedupKey: Fragment) => sql`
  (select known.kind from notification_things known
    where known.tenant_id = ${sql(tenantId)} and known.kind = ${kind} and known.dedup_key = ${dedupKey}) is null`;

/** An amount as exact text: $1,234.50. */
export const usd = (sql: Sql, amount: Fragment) => sql`'$' || to_char(${amount}, 'FM999,999,999,999,999,999,990.00')`;

/** Minutes, as hours from one on: '45 minutes', '24 hours'. */
export const waited = (sql: Sql, minutes: Fragment) => sql`
  case when ${minutes} < 60 then ${counted(sql, minutes, 'minute')}
    else ${counted(sql, sql`floor(${minutes} / 60)`, 'hour')} end`;

/** A whole number with its word: '1 hour', '24 hours'. */
export const counted = (sql: Sql, number: Fragment, one: string, many = `${one}s`) => sql`
  to_char(${number}, 'FM999,999,999') || case when ${number} = 1 then ${` ${one}`}::text else ${` ${many}`}::text end`;
