/** The slots of past days are put together, and nothing of what they say changes. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../src/server/books/verify';
import { compactTotals } from '../../../src/server/totals/compactTotals';
import { redeem, topUp } from '../../seed';
import { as, db, pam, pat, reset, sql } from '../../world';

const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** As if each had been written by a connection of its own: from slot to slot, a part of the sum in each. */
const spread = async (): Promise<void> => {
  await sql`
    with taken as (delete from day_totals returning *)
    insert into day_totals (tenant_id, day, slot, purchases, redeems, purchase_count, redeem_count)
    select tenant_id, day, part,
      case part when 3 then sum(purchases) - 1 when 9 then 1 else 0 end,
      case part when 9 then sum(redeems) else 0 end,
      case part when 3 then sum(purchase_count) else 0 end, case part when 0 then sum(redeem_count) else 0 end
    from taken cross join unnest(array[0, 3, 9]) as part group by tenant_id, day, part`;
  await sql`update method_totals set slot = 7`;
};
const slots = (table: 'day_totals' | 'method_totals') => sql<{ slot: number; is_past: boolean }[]>`
  select distinct slot, day < current_date - 3 as is_past from ${sql(table)} order by is_past, slot`;

test.before.each(reset);

test('past days are put together, the last ones stay spread, and the books and charts are the same', async () => {
  for (const [owner, days] of [
    [pam, 20],
    [pat, 20],
    [pam, 5],
    [pam, 1],
    [pam, 0],
  ] as const) {
    await topUp(owner, '70.25', 'success', {
      initiated_at: ago(days),
      completed_at: ago(days),
      payment_method: 'card',
    });
    await redeem(owner, '10.10', 'success', { initiated_at: ago(days), completed_at: ago(days) });
  }
  await spread();
  const sue = await as('sue');
  const before = await sue.getCharts({ days: 30 });
  assert.equal(await db.tx(verifyLedger), []);

  await db.tx(compactTotals);

  assert.equal(
    [...(await slots('day_totals'))].filter(({ is_past }) => is_past),
    [{ slot: 0, is_past: true }],
  );
  assert.equal(
    [...(await slots('day_totals'))].filter(({ is_past }) => !is_past).map(({ slot }) => slot),
    [0, 3, 9],
  );
  assert.equal(
    [...(await slots('method_totals'))].map(({ slot }) => slot),
    [7, 0],
  );
  assert.equal(await sue.getCharts({ days: 30 }), before);
  assert.equal(await db.tx(verifyLedger), []);
});

test('what is settled for a past day after it was folded is counted, and folded with the rest', async () => {
  const settle = () => topUp(pam, '5.55', 'success', { initiated_at: ago(10), completed_at: ago(10) });
  await settle();
  await db.tx(compactTotals);
  await settle();
  await sql`update day_totals set slot = 4 where slot > 0`;
  await db.tx(compactTotals);
  await db.tx(compactTotals);
  assert.equal(
    [...(await sql`select slot, purchases, purchase_count from day_totals`)],
    [{ slot: 0, purchases: 11.1, purchase_count: 2 }],
  );
  assert.equal(await db.tx(verifyLedger), []);
});

test.run();
