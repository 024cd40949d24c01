import type { Sql } from '../db/open';
import { forgetFacts, lockFacts } from './countFacts';

/**
 * Lets no redeem be created until the transaction ends, whose business day would be that of the old time zone. To be
 * called before the tenant's row is locked, because others lock it after these. It waits for row locks too: whoever has
 * locked a redeem writes it next.
 */
export async function lockTimeZone(sql: Sql, tenantId: number): Promise<void> {
  await lockFacts(sql, tenantId);
  await sql`lock table redeems in exclusive mode`;
}

/**
 * In another time zone every moment can be of another business day: the days of redeems are set again, and the facts
 * are forgotten, to be read from the rows until they are counted. Expects `lockTimeZone`.
 */
export async function recountDays(sql: Sql, tenantId: number): Promise<void> {
  await sql`
    update redeems m set business_day = (m.initiated_at at time zone t.time_zone)::date
    from tenants t
    where m.tenant_id = ${tenantId} and t.id = ${tenantId}
      and m.business_day <> (m.initiated_at at time zone t.time_zone)::date`;
  await forgetFacts(sql, tenantId);
}
