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
  // A week or a month has writers until it is over. They never write to slot 0, and rows that they hold are left for
  // the next time: so this waits for nobody, and nobody can wait for it in a circle.
  await sql`
    with old as (
      delete from part_totals p
      using (select ctid from part_totals where slot > 0 for update skip locked) free
      where p.ctid = free.ctid
      returning p.*
    )
    insert into part_totals as k
      (tenant_id, part, unit, starts, key, slot, amount_in, amount_out, count_in, count_out)
    select tenant_id, part, unit, starts, key, 0, sum(amount_in), sum(amount_out), sum(count_in), sum(count_out)
    from old group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (part, unit, starts, tenant_id, key, slot) do update set
      amount_in = k.amount_in + excluded.amount_in, amount_out = k.amount_out + excluded.amount_out,
      count_in = k.count_in + excluded.count_in, count_out = k.count_out + excluded.count_out`;
}
