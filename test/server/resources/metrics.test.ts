/** The dashboard's figures and lists, and the charts. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addDays, startOfMonth, startOfWeek } from '../../../src/contract/dates';
import { addUp, booksAddUp, cents, lines, pluck } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { readDays } from '../../facts';
import { addPlayer, deposit, type Owner, redeem, topUp } from '../../seed';
import { at, noonZone, setZone, todayIn, zoneAt } from '../../timestamps';
import { pam, pat, reset, sql } from '../../world';

let zone: string, today: string;
test.before.each(async () => {
  await reset();
  zone = noonZone();
  await setZone(2, zone);
  await setZone(3, zone);
  today = todayIn(zone);
});
test.after.each(booksAddUp);

const emails = (rows: { email: string }[]) => pluck(rows, 'email');

test("Ben's figures and lists hold nothing of Acme", async () => {
  const range = { start_date: '2020-01-01', end_date: '2099-01-01' };
  const seen = () =>
    Promise.all([
      ...[ben.getDashboardMetrics(), ben.listNewPlayersToday(), ben.listFirstPurchasesToday(), ben.getCharts()],
      ...[ben.getOverview({}), ben.getAffiliates(range), ben.getAffiliateStats({ ...range, affiliate_id: 'AFF1' })],
      ...[ben.sumListed({ list: 'purchases' }), ben.sumListed({ list: 'redeems' }), ben.countPending()],
    ]);
  const before = await seen();
  await topUp(pam, '10', 'success');
  await redeem(pam, '5', 'success');
  await addPlayer(2, { email: 'new@mail.test', affiliate_id: 'AFF1' });
  assert.equal(await seen(), before);
  await topUp(pat, '10', 'success');
  assert.not.equal(await seen(), before);
});

test('a tenant without anything has zeros, an unknown one too', async () => {
  const { id } = await sue.createTenant({ body: { name: 'Empty' } });
  for (const tenant_id of [id, 99]) {
    const { trend = [], time_zones, ...figures } = await sue.getDashboardMetrics({ tenant_id });
    assert.equal(time_zones, tenant_id === 99 ? [] : ['UTC']);
    const daily = trend.flatMap(({ purchases, redeems, ggr }) => [purchases, redeems, ggr]);
    assert.ok([...Object.values(figures), ...daily].every((figure) => figure === 0));
  }
});

test('only purchases and redeems that succeeded count, no deposits, adjustments, pending or failed ones', async () => {
  await topUp(pam, '100.10', 'success');
  await topUp(pam, '1000', 'failed');
  await topUp(pam, '2000');
  await redeem(pam, '30.03', 'success');
  await redeem(pam, '40', 'failed');
  await deposit(pam, 'credit', '50', 'success');
  const figures = await ann.getDashboardMetrics();
  const found = [figures.total_purchases_today, figures.total_redeems_today, figures.total_ggr, figures.yesterday_ggr];
  assert.equal(found, [100.1, 30.03, 70.07, 0]);
});

test('each figure covers its days: edges of the day, weeks from Sunday, months from the 1st', async () => {
  const someone = await addPlayer(2, { email: 'someone@mail.test', credit: '100000' });
  const bought = new Map<string, number>(),
    redeemed = new Map<string, number>();
  // The first and last millisecond of each of the last fifty days, each day with its own amounts; of today the first.
  for (let back = 0; back < 50; back++) {
    const day = addDays(today, -back),
      first = await at(zone, `${day} 00:00:00`),
      last = await at(zone, `${day} 23:59:59.999`);
    await topUp(someone, String(1000 + back), 'success', { initiated_at: first, completed_at: first });
    const paid = { initiated_at: first, completed_at: back === 0 ? first : last };
    await redeem(someone, String(100 + back), 'success', paid);
    bought.set(day, 1000 + back);
    redeemed.set(day, 100 + back);
  }
  const sum = (of: Map<string, number>, from: string, to: string) =>
    [...of].reduce((total, [day, n]) => total + (day >= from && day <= to ? n : 0), 0);
  const ggr = (from: string, to: string) => sum(bought, from, to) - sum(redeemed, from, to);
  const sunday = startOfWeek(today),
    first = startOfMonth(today),
    yesterday = addDays(today, -1);
  const { new_signups_today: _, first_purchase_today: __, trend: ___, ...figures } = await ann.getDashboardMetrics();
  assert.equal(figures, {
    total_purchases_today: 1000,
    total_redeems_today: 100,
    total_ggr: 900,
    yesterday_ggr: ggr(yesterday, yesterday),
    week_ggr: ggr(sunday, today),
    week_purchases: sum(bought, sunday, today),
    last_week_ggr: ggr(addDays(sunday, -7), addDays(sunday, -1)),
    last_week_purchases: sum(bought, addDays(sunday, -7), addDays(sunday, -1)),
    month_purchases: sum(bought, first, today),
    month_redeems: sum(redeemed, first, today),
    month_ggr: ggr(first, today),
    time_zones: [zone],
  });
});

test('a purchase counts on the day it completed, not on the day it began', async () => {
  await topUp(pam, '10', 'success', {
    initiated_at: await at(zone, `${addDays(today, -1)} 23:59:59`),
    completed_at: await at(zone, `${today} 00:00:01`),
  });
  const figures = await ann.getDashboardMetrics();
  assert.equal([figures.total_purchases_today, figures.yesterday_ggr], [10, 0]);
});

test("all tenants together are the sum of each tenant's own day", async () => {
  const early = zoneAt(1),
    moment = new Date(Date.now() - 3 * 3_600_000); // at Bravo that was yesterday
  await setZone(3, early);
  await topUp(pam, '10', 'success', { completed_at: moment });
  await topUp(pat, '7', 'success', { completed_at: moment });
  const acme = await sue.getDashboardMetrics({ tenant_id: 2 });
  const bravo = await sue.getDashboardMetrics({ tenant_id: 3 });
  const all = await sue.getDashboardMetrics();
  assert.equal([acme.total_ggr, acme.yesterday_ggr], [10, 0]);
  assert.equal([bravo.total_ggr, bravo.yesterday_ggr], [0, 7]);
  const readFigures = ({ trend: _, time_zones: __, ...figures }: typeof all) => Object.entries(figures);
  const sums = readFigures(acme).map(([name, figure], n) => [name, figure + readFigures(bravo)[n]![1]]);
  assert.equal(readFigures(all), sums);
});

test('a day of a summer-time change is counted by its own length', async () => {
  await setZone(2, 'America/New_York');
  await topUp(pam, '1', 'success', { completed_at: new Date('2026-03-08T04:59:59.999Z') }); // the 7th, 23:59:59.999
  await topUp(pam, '2', 'success', { completed_at: new Date('2026-03-08T05:00:00.000Z') }); // the 8th, 00:00
  // The 8th is 23 hours long.
  await topUp(pam, '4', 'success', { completed_at: new Date('2026-03-09T03:59:59.999Z') }); // the 8th, 23:59:59.999
  await topUp(pam, '8', 'success', { completed_at: new Date('2026-03-09T04:00:00.000Z') }); // the 9th
  assert.equal(lines(await readDays(2), 'day', 'purchases'), ['2026-03-07 1', '2026-03-08 6', '2026-03-09 8']);
});

test('new players of today are listed newest first, from the first moment of the business day on', async () => {
  await sql`update players set created_at = now() - interval '3 days'`;
  for (const tenant of [2, 3]) await setZone(tenant, zone); // counts the totals again
  const created_at = await at(zone, `${today} 00:00:00`);
  const first = await addPlayer(2, { email: 'first@mail.test', affiliate_id: 'AFF9', created_at });
  await addPlayer(2, { email: 'before@mail.test', created_at: await at(zone, `${addDays(today, -1)} 23:59:59.999`) });
  const last = await addPlayer(2, { email: 'last@mail.test' });
  const rows = await ann.listNewPlayersToday();
  assert.equal(emails(rows), [last.email, first.email]);
  assert.equal([rows[1]?.id, rows[1]?.first_name, rows[1]?.affiliate_id], [first.id, 'Some', 'AFF9']);
  assert.is((await ann.getDashboardMetrics()).new_signups_today, 2);
  assert.equal(emails(await sue.listNewPlayersToday({ tenant_id: 3 })), []);
});

test("a first purchase is a player's first that has not failed, begun today; its status is upper case", async () => {
  const people: Record<string, Owner> = {};
  for (const name of ['old', 'failed', 'again', 'fresh'])
    people[name] = await addPlayer(2, { email: `${name}@mail.test` });
  const yesterday = await at(zone, `${addDays(today, -1)} 23:59:59.999`),
    dawn = await at(zone, `${today} 00:00:00`);
  await topUp(people['old']!, '1', 'success', { initiated_at: yesterday });
  await topUp(people['old']!, '2', 'success');
  await topUp(people['failed']!, '3', 'failed');
  await topUp(people['again']!, '4', 'failed', { initiated_at: yesterday });
  const again = await topUp(people['again']!, '5', 'success', { payment_method: 'card' });
  const fresh = await topUp(people['fresh']!, '6', 'pending', { initiated_at: dawn });
  await topUp(people['fresh']!, '7', 'success');
  const rows = await ann.listFirstPurchasesToday();
  assert.equal(emails(pluck(rows, 'user')), ['again@mail.test', pam.email, 'fresh@mail.test']);
  assert.equal(lines(rows, 'id', 'amount', 'status'), [
    ...[`${again} 5 SUCCESS`, `${pam.purchase} 80 PENDING`, `${fresh} 6 PENDING`],
  ]);
  assert.equal([rows[0]?.payment_method, rows[0]?.user.first_name, rows[0]?.user.last_name], ['card', 'Some', null]);
  assert.is((await ann.getDashboardMetrics()).first_purchase_today, 3);
});

test("a deposit is nobody's first purchase", async () => {
  const someone = await addPlayer(2, { email: 'someone@mail.test', credit: '10' });
  await deposit(someone, 'credit', '5', 'success');
  assert.not((await ann.listFirstPurchasesToday()).some((row) => row.user.email === someone.email));
});

test('a deleted player leaves the lists and their counts, the money stays', async () => {
  const someone = await addPlayer(2, { email: 'someone@mail.test' });
  await topUp(someone, '25', 'success');
  const before = await ann.getDashboardMetrics();
  await ann.deletePlayer({ id: someone.id });
  assert.equal(emails(await ann.listNewPlayersToday()), [pam.email]);
  assert.equal(emails(pluck(await ann.listFirstPurchasesToday(), 'user')), [pam.email]);
  assert.equal(await ann.getDashboardMetrics(), {
    ...before,
    new_signups_today: before.new_signups_today - 1,
    first_purchase_today: before.first_purchase_today - 1,
  });
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
    const { total_purchases_today, total_redeems_today, month_purchases, month_redeems, month_ggr } = figures;
    const day = { purchases: total_purchases_today, redeems: total_redeems_today, ggr: figures.total_ggr };
    const month = { purchases: month_purchases, redeems: month_redeems, ggr: month_ggr };
    assert.equal([from(today), from(startOfMonth(today))], [addUp([day]), addUp([month])]);
    const sunday = startOfWeek(today),
      lastWeek = from(addDays(sunday, -7), addDays(sunday, -1));
    assert.equal([from(sunday).ggr, from(sunday).purchases], [cents(figures.week_ggr), cents(figures.week_purchases)]);
    assert.equal([lastWeek.ggr, lastWeek.purchases], [figures.last_week_ggr, figures.last_week_purchases].map(cents));
  }
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
  assert.equal(pluck(days.slice(-2), 'purchases'), [7, 10]);
});

test.run();
