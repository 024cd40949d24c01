/** What the tests of the books need: money of past months, and the background check run to its end. */
import { checkNextSlice, firstSizes } from '../src/server/books/checkSlices';
import { db, pastTriggers, sql } from './world';

/** Moves what was booked for a player since the last call into the past; nothing of ours can do that. */
export async function moveBack(tenantId: number, at: string): Promise<void> {
  await pastTriggers(['transfers', 'transactions', 'redeems'], async (tx) => {
    const isRecent = tx`tenant_id = ${tenantId} and created_at > now() - interval '1 day'`;
    await tx`update transfers set created_at = ${at}::timestamptz where ${isRecent}`;
    for (const table of ['transactions', 'redeems'])
      await tx`
        update ${tx(table)} set initiated_at = ${at}::timestamptz,
          completed_at = case when completed_at is not null then ${at}::timestamptz end
        where tenant_id = ${tenantId} and initiated_at > now() - interval '1 day'`;
    await tx`
      update wallets w set first_purchase_at = m.initiated_at, last_purchase_at = (
        select max(completed_at) from transactions l
        where l.tenant_id = w.tenant_id and l.player_id = w.player_id and transaction_type = 'TOP_UP'
          and status = 'success')
      from transactions m
      where w.tenant_id = ${tenantId} and m.tenant_id = w.tenant_id and m.id = w.first_purchase_id`;
    await tx`
      update redeems m set business_day = (m.initiated_at at time zone t.time_zone)::date
      from tenants t where t.id = m.tenant_id and m.tenant_id = ${tenantId}`;
  });
  const { recountDays } = await import('../src/server/totals/countFacts');
  await db.tx((tx) => recountDays(tx, tenantId));
}

/** Runs the check until nothing is due. Returns how many slices it took. */
export async function checkEverything(sizes = firstSizes()): Promise<number> {
  for (let slices = 0; ; slices++) {
    await sql`update book_checks set next_at = '-infinity'`;
    if ((await checkNextSlice(db, sizes)) === null) return slices;
  }
}
