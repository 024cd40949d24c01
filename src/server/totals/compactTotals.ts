import type { Sql } from '../db/open';

/** Days before yesterday in UTC are over in every time zone. */
const QUIET_DAYS = 1;

/**
 * Adds up the slots of past days. Slots keep parallel writers apart, and past days have none. A dashboard then reads
 * one row per tenant and day. The totals are correct at every moment.
 */
export async function compactTotals(sql: Sql): Promise<void> {
  await sql`
    with old as (
      delete from day_totals where slot > 0 and day < current_date - ${QUIET_DAYS}::int returning *
    )
    insert into day_totals (tenant_id, day, slot, purchases, redeems, purchase_count, redeem_count)
    select tenant_id, day, 0, sum(purchases), sum(redeems), sum(purchase_count), sum(redeem_count)
    from old
    group by tenant_id, day order by tenant_id, day
    on conflict (tenant_id, day, slot) do update set
      purchases = day_totals.purchases + excluded.purchases, redeems = day_totals.redeems + excluded.redeems,
      purchase_count = day_totals.purchase_count + excluded.purchase_count,
      redeem_count = day_totals.redeem_count + excluded.redeem_count`;
  await sql`
    with old as (
      delete from method_totals where slot > 0 and day < current_date - ${QUIET_DAYS}::int returning *
    )
    insert into method_totals (tenant_id, day, platform, method, slot, purchases, redeems)
    select tenant_id, day, platform, method, 0, sum(purchases), sum(redeems) from old
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (tenant_id, day, platform, method, slot) do update set
      purchases = method_totals.purchases + excluded.purchases, redeems = method_totals.redeems + excluded.redeems`;
}
