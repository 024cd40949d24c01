import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { addDays, startOfMonth, startOfWeek } from '../../../src/contract/dates';
import type { Amounts } from '../../../src/contract/entities';
import { verifyLedger } from '../../../src/server/books/verify';
import { addPlayer, redeem, topUp } from '../../seed';
import { at, noonZone, setZone, todayIn, zoneAt } from '../../timestamps';
import { as, pam, pat, reset, sql } from '../../world';

let sue: Api, zone: string, today: string;
test.before.each(async () => {
  await reset();
  sue = await as('sue');
  zone = noonZone();
  await setZone(2, zone);
  await setZone(3, zone);
  today = todayIn(zone);
});
test.after.each(async () => assert.equal(await verifyLedger(sql), []));

const cents = (amount: number) => Math.round(amount * 100);
const addUp = (list: readonly Amounts[]) => ({
  purchases: list.reduce((sum, { purchases }) => sum + cents(purchases), 0),
  redeems: list.reduce((sum, { redeems }) => sum + cents(redeems), 0),
  ggr: list.reduce((sum, { ggr }) => sum + cents(ggr), 0),
});
const noon = (daysAgo: number) => at(zone, `${addDays(today, -daysAgo)} 12:00:00`);

/** A hundred days of odd amounts at a tenant. */
async function fill(tenantId: number, factor: number): Promise<void> {
  const someone = await addPlayer(tenantId, { email: 'someone@mail.test', credit: '900000' });
  for (let back = 0; back < 100; back += 3) {
    const when = { initiated_at: await noon(back), completed_at: await noon(back) };
    await topUp(someone, (factor * (100 + back) + 0.13).toFixed(2), 'success', when);
    await redeem(someone, (factor * (40 + back) + 0.07).toFixed(2), 'success', when);
  }
}

test('the days of the trend are the figures beside them, to the cent', async () => {
  await fill(2, 1);
  await fill(3, 2);
  for (const query of [{ tenant_id: 2 }, {}]) {
    const { trend: days = [], ...figures } = await sue.getDashboardMetrics(query);
    assert.equal([days.length, days.at(-1)?.day], [30, today]);
    const from = (first: string, last = today) => addUp(days.filter(({ day }) => day >= first && day <= last));
    const sunday = startOfWeek(today),
      lastWeek = from(addDays(sunday, -7), addDays(sunday, -1));
    assert.equal(
      [
        from(today),
        from(addDays(today, -1), addDays(today, -1)).ggr,
        from(sunday).ggr,
        from(sunday).purchases,
        lastWeek.ggr,
        lastWeek.purchases,
      ],
      [
        {
          purchases: cents(figures.total_purchases_today),
          redeems: cents(figures.total_redeems_today),
          ggr: cents(figures.total_ggr),
        },
        cents(figures.yesterday_ggr),
        cents(figures.week_ggr),
        cents(figures.week_purchases),
        cents(figures.last_week_ggr),
        cents(figures.last_week_purchases),
      ],
    );
    // On the 31st the trend begins on the 2nd.
    if (startOfMonth(today) >= days[0]!.day)
      assert.equal(from(startOfMonth(today)), {
        purchases: cents(figures.month_purchases),
        redeems: cents(figures.month_redeems),
        ggr: cents(figures.month_ggr),
      });
  }
});

test("all tenants together are each one's own days, put together by how long ago they were", async () => {
  const moment = new Date(Date.now() - 3 * 3_600_000); // at Bravo that was yesterday
  await setZone(3, zoneAt(1));
  await topUp(pam, '10', 'success', { completed_at: moment });
  await topUp(pat, '7', 'success', { completed_at: moment });
  const { trend: days = [] } = await sue.getDashboardMetrics();
  assert.equal(
    days.slice(-2).map(({ purchases }) => purchases),
    [7, 10],
  );
});

test.run();
