import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { addDays, startOfMonth, startOfWeek } from '../../../src/contract/dates';
import type { Amounts } from '../../../src/contract/entities';
import { verifyLedger } from '../../../src/server/books/verify';
import { addPlayer, deposit, redeem, topUp } from '../../seed';
import { at, noonZone, setZone, todayIn, zoneAt } from '../../timestamps';
import { as, pam, pat, refusal, refused, reset, sql } from '../../world';

let sue: Api, ann: Api, ben: Api, zone: string, today: string;
test.before.each(async () => {
  await reset();
  [sue, ann, ben] = [await as('sue'), await as('ann'), await as('ben')];
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

/** A hundred days of odd amounts at a tenant, paid in several ways. */
async function fill(tenantId: number, factor: number): Promise<void> {
  const someone = await addPlayer(tenantId, { email: 'someone@mail.test', credit: '900000' });
  for (let back = 0; back < 100; back += 3) {
    const when = { initiated_at: await noon(back), completed_at: await noon(back) };
    await topUp(someone, (factor * (100 + back) + 0.13).toFixed(2), 'success', {
      ...when,
      payment_method: ['card', 'Bitcoin', null][(back % 9) / 3] ?? null,
    });
    await redeem(someone, (factor * (40 + back) + 0.07).toFixed(2), 'success', when);
  }
}

test('Ben cannot ask for the charts of Acme, and his own hold nothing of it', async () => {
  assert.equal(await refusal(ben.getCharts({ tenant_id: 2 })), { status: 403, detail: 'Tenant access violation' });
  const [charts, { trend }] = [await ben.getCharts(), await ben.getDashboardMetrics()];
  await topUp(pam, '10', 'success');
  assert.equal(await ben.getCharts(), charts);
  assert.equal((await ben.getDashboardMetrics()).trend, trend);
});

test('other spans of days are refused', async () => {
  for (const days of [0, 1, 31, 91]) assert.is(await refused(ann.getCharts({ days: days as 30 })), 422);
  assert.equal(
    [
      (await ann.getCharts()).days.length,
      (await ann.getCharts({ days: 30 })).days.length,
      (await ann.getCharts({ days: 90 })).days.length,
    ],
    [30, 30, 90],
  );
});

test('days, platforms and methods each sum to the total, to the cent, and the total to the transactions', async () => {
  await fill(2, 1);
  for (const days of [30, 90] as const) {
    const charts = await ann.getCharts({ days });
    const total = addUp([charts.total]);
    assert.equal([addUp(charts.days), addUp(charts.platforms), addUp(charts.methods)], [total, total, total]);
    assert.is(total.ggr, total.purchases - total.redeems);
    const from = await noon(days);
    const [purchases] = await sql<{ bought: number }[]>`
      select sum(amount) as bought from transactions
      where tenant_id = 2 and status = 'success' and completed_at > ${from}`;
    const [redeems] = await sql<{ paid: number }[]>`
      select sum(amount) as paid from redeems
      where tenant_id = 2 and status = 'success' and completed_at > ${from}`;
    assert.equal([total.purchases, total.redeems], [cents(purchases!.bought), cents(redeems!.paid)]);
  }
});

test('the trend of the metrics and the days of a chart are the figures beside them, to the cent', async () => {
  await fill(2, 1);
  await fill(3, 2);
  for (const query of [{ tenant_id: 2 }, {}]) {
    const { trend = [], ...figures } = await sue.getDashboardMetrics(query);
    const { days } = await sue.getCharts({ ...query, days: 90 });
    assert.equal(days.slice(-30), trend);
    assert.is(days.at(-1)?.day, today);
    const from = (first: string, last = today) => addUp(days.filter(({ day }) => day >= first && day <= last));
    const sunday = startOfWeek(today),
      month = from(startOfMonth(today)),
      lastWeek = from(addDays(sunday, -7), addDays(sunday, -1));
    assert.equal(
      [
        from(today),
        from(addDays(today, -1), addDays(today, -1)).ggr,
        from(sunday).ggr,
        from(sunday).purchases,
        lastWeek.ggr,
        lastWeek.purchases,
        month,
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
        {
          purchases: cents(figures.month_purchases),
          redeems: cents(figures.month_redeems),
          ggr: cents(figures.month_ggr),
        },
      ],
    );
  }
});

test('only what succeeded counts, never deposits, and a name that was not given is empty', async () => {
  await topUp(pam, '10', 'success', { payment_method: 'card' });
  await topUp(pam, '5', 'success');
  await topUp(pam, '100', 'failed');
  await deposit(pam, 'credit', '20', 'success');
  await redeem(pam, '4', 'success');
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } });
  const { total, platforms, methods } = await ann.getCharts();
  assert.equal(total, { purchases: 15, redeems: 4, ggr: 11 });
  assert.equal(platforms, [
    { name: '', purchases: 15, redeems: 0, ggr: 15 },
    { name: 'yolo', purchases: 0, redeems: 4, ggr: -4 },
  ]);
  assert.equal(methods, [
    { name: 'card', purchases: 10, redeems: 0, ggr: 10 },
    { name: '', purchases: 5, redeems: 4, ggr: 1 },
  ]);
});

test('of too many names the smallest are shown together', async () => {
  for (let n = 1; n <= 20; n++) await topUp(pam, String(n), 'success', { payment_method: `way ${n}` });
  const { methods, total } = await ann.getCharts();
  assert.is(methods.length, 12);
  assert.equal(methods[0], { name: 'Others', purchases: 45, redeems: 0, ggr: 45 });
  assert.equal(addUp(methods), addUp([total]));
});

test("all tenants together are each one's own days, put together by how long ago they were", async () => {
  const moment = new Date(Date.now() - 3 * 3_600_000); // at Bravo that was yesterday
  await setZone(3, zoneAt(1));
  await topUp(pam, '10', 'success', { completed_at: moment });
  await topUp(pat, '7', 'success', { completed_at: moment });
  const { days } = await sue.getCharts();
  assert.equal(
    days.slice(-2).map(({ purchases }) => purchases),
    [7, 10],
  );
});

test.run();
