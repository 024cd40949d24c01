import type { Sql } from '../db/open';
import { lockTotals } from './addChanges';
import { recountParts } from './partTotals';

const lockKey = (sql: Sql, tenantId: number) => sql`hashtextextended(${`days ${tenantId}`}, 0)`;

/**
 * Keeps the time zone of a tenant as it is until the transaction ends: a settlement reads the day first, and counts it
 * in later statements. It comes before any row is locked. Settlements do not wait for each other here.
 */
export async function holdTimeZone(sql: Sql, tenantId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockKey(sql, tenantId)})`;
}

/**
 * Lets no money of a tenant be settled or redeemed until the transaction ends: whoever would, waits before reading the
 * time zone. To be called before the tenant's row is locked, because others lock it after these tables.
 */
export async function lockTimeZone(sql: Sql, tenantId: number): Promise<void> {
  await lockTotals(sql);
  await sql`select pg_advisory_xact_lock(${lockKey(sql, tenantId)})`;
  await sql`lock table day_totals, redeems, total_changes in share row exclusive mode`;
}

/**
 * Counts all business days of a tenant again, in the time zone it has now: its totals per day, the days of its
 * redeems, and the totals of the overview. Expects `lockTimeZone`.
 */
export async function recountDays(sql: Sql, tenantId: number): Promise<void> {
  await sql`
    update redeems m set business_day = (m.initiated_at at time zone t.time_zone)::date
    from tenants t
    where m.tenant_id = ${tenantId} and t.id = ${tenantId}
      and m.business_day <> (m.initiated_at at time zone t.time_zone)::date`;
  await sql`delete from day_totals where tenant_id = ${tenantId}`;
  await sql`delete from method_totals where tenant_id = ${tenantId}`;
  await sql`
    with money as (
      select completed_at, left(coalesce(platform, ''), 100) as platform,
        left(coalesce(payment_method, ''), 100) as method, amount as purchase, 0 as redeem
      from transactions where tenant_id = ${tenantId} and transaction_type = 'TOP_UP' and status = 'success'
      union all
      select completed_at, left(platform, 100), left(coalesce(payout_method, ''), 100), 0, amount
      from redeems where tenant_id = ${tenantId} and status = 'success'
    ), named as materialized (
      select (m.completed_at at time zone t.time_zone)::date as day, m.platform, m.method,
        sum(m.purchase) as purchases, sum(m.redeem) as redeems,
        count(*) filter (where m.purchase > 0) as purchase_count, count(*) filter (where m.redeem > 0) as redeem_count
      from money m join tenants t on t.id = ${tenantId} group by 1, 2, 3
    ), by_name as (
      insert into method_totals (tenant_id, day, platform, method, slot, purchases, redeems)
      select ${tenantId}::bigint, day, platform, method, 0, purchases, redeems from named
    )
    insert into day_totals (tenant_id, day, slot, purchases, redeems, purchase_count, redeem_count)
    select ${tenantId}::bigint, day, 0, sum(purchases), sum(redeems), sum(purchase_count), sum(redeem_count)
    from named group by day`;
  await recountParts(sql, tenantId);
}
