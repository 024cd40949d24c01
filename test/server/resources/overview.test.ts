/** The overview: each figure is counted again from the rows it stands for, and each list behind a bar adds up to it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { addDays, startOfMonth, startOfWeek } from '../../../src/contract/dates';
import type { CountQuery, Overview, OverviewPart } from '../../../src/contract/entities';
import { overviewUnits, payoutSeconds } from '../../../src/contract/overview';
import { booksAddUp, isRefused, lines, pluck } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { countAll } from '../../facts';
import { addPlayer, deposit, giveBack, redeem, topUp } from '../../seed';
import { at, noonZone, setZone, todayIn } from '../../timestamps';
import { pam, people, reset, sql } from '../../world';

let zone: string, today: string;
test.before.each(async () => {
  await reset();
  zone = noonZone();
  await setZone(2, zone);
  await setZone(3, zone);
  today = todayIn(zone);
});
test.after.each(booksAddUp);

const cents = (amount: number) => Math.round(amount * 100);
const moment = (daysAgo: number, clock = '11:10:00') => at(zone, `${addDays(today, -daysAgo)} ${clock}`);

/** Three months of odd amounts in several ways, by players who signed up at different times. */
async function fill(tenantId: number): Promise<void> {
  for (let n = 0; n < 4; n++) {
    const someone = await addPlayer(tenantId, {
      email: `someone${n}@mail.test`,
      credit: '90000',
      affiliate_id: ['North', 'south', 'NORTH'][n],
      created_at: await moment(60 - 14 * n),
    });
    for (let back = n; back < 60 - 14 * n; back += 5 + n) {
      const when = { initiated_at: await moment(back, `0${n}:10:00`), completed_at: await moment(back, `0${n}:31:00`) };
      await topUp(someone, (100 + back + n / 7).toFixed(2), back % 4 ? 'success' : 'failed', {
        ...when,
        payment_method: ['Card', 'Bitcoin', null][back % 3] ?? null,
        net_amount: back % 3 ? (97 + back / 3).toFixed(2) : null,
      });
      await deposit(someone, back % 2 ? 'credit' : 'credit', (3 + back / 9).toFixed(2), 'success', when);
      await redeem(someone, (40 + back / 3).toFixed(2), back % 7 ? 'success' : 'failed', {
        initiated_at: await moment(back + n, '00:20:00'),
        completed_at: when.completed_at,
      });
    }
    const won = await giveBack(someone, (5 + n / 4).toFixed(2));
    await sue.changePurchaseStatus({ id: won, body: { status: 'success' } });
    if (n === 3) await sue.deletePlayer({ id: someone.id });
  }
}

/** What a list of settled payments adds up to, by the call that sums lists. */
async function sumOf(api: Api, list: CountQuery['list'], filter: Partial<CountQuery>, status: 'success' | 'failed') {
  const sums = await api.sumListed({ list, status, ...filter });
  return [cents(sums[status].amount), sums[status].total];
}
const paidOf = (api: Api, list: CountQuery['list'], filter: Partial<CountQuery>) => sumOf(api, list, filter, 'success');
const players = async (api: Api, search: string, query: object = {}) =>
  (await api.listPlayers({ ...query, search, page_size: 25 })).pagination.total_users;

test('a day, a week and a month begin where the calendar says', async () => {
  const [day, week, month] = await Promise.all(
    overviewUnits.map((unit) => ann.getOverview({ unit, date: '2026-03-31' })),
  );
  assert.equal([day!.starts, day!.ends, day!.hours_day], ['2026-03-31', '2026-03-31', '2026-03-31']);
  assert.equal([week!.starts, week!.ends, week!.hours_day], ['2026-03-29', '2026-04-04', today]);
  assert.equal([month!.starts, month!.ends, month!.today], ['2026-03-01', '2026-03-31', today]);
  assert.is(lines(month!.steps, 'starts', 'before_starts')[0], '2025-04-01 2024-04-01');
  assert.equal([day!.steps.length, week!.steps.length, month!.steps.length], [30, 13, 12]);
  assert.is((await ann.getOverview({})).unit, 'month');
  assert.is((await ann.getOverview({})).starts, startOfMonth(today));
});

test('a span that runs is compared with as many days of the one before, any other with all of it', async () => {
  const days = async (unit: 'day' | 'week' | 'month', date?: string) => {
    const { compared } = await ann.getOverview({ unit, date });
    return [compared!.starts, compared!.ends];
  };
  assert.equal(await days('month', '2026-03-31'), ['2026-02-01', '2026-02-28']);
  assert.equal(await days('day', '2026-03-31'), ['2026-03-30', '2026-03-30']);
  const sunday = startOfWeek(today);
  assert.equal(await days('week'), [addDays(sunday, -7), addDays(today, -7)]);
  const [from, to] = await days('month');
  const last = addDays(startOfMonth(today), -1);
  assert.is(from, startOfMonth(last));
  const same = addDays(startOfMonth(last), Number(today.slice(8)) - 1);
  assert.is(to, same < last ? same : last);
});

test('all tenants are ranked, each by its own name; the oldest that is pending is told', async () => {
  await topUp(pam, '10', 'success');
  const { parts } = await sue.getOverview({});
  const [first] = parts.filter(({ part }) => part === 'tenant');
  assert.equal([first!.key, first!.name, first!.amount_in], ['2', 'Acme', 10]);
  assert.not.ok((await ann.getOverview({})).parts.some(({ part }) => part === 'tenant'));
  const [oldest] = await sql<{ at: Date }[]>`
    select min(initiated_at) as at from redeems where tenant_id = 2 and status = 'pending'`;
  const pending = (await ann.getOverview({})).parts.find(({ part, key }) => part === 'pending' && key === 'redeems');
  assert.is(pending!.oldest, oldest!.at.toISOString());
});

/** Every figure of an overview against the list behind it. */
async function compare(api: Api, shown: Overview, query: { tenant_id?: number }): Promise<void> {
  const span = { settled_from: shown.starts, settled_to: shown.ends };
  for (const step of shown.steps.slice(-4)) {
    const settled = { ...query, settled_from: step.starts, settled_to: step.ends };
    const [purchases, redeems] = [await paidOf(api, 'purchases', settled), await paidOf(api, 'redeems', settled)];
    assert.equal([cents(step.purchases), step.purchase_count], purchases, `purchases from ${step.starts}`);
    assert.equal([cents(step.redeems), step.redeem_count], redeems, `redeems from ${step.starts}`);
    assert.is(cents(step.ggr), cents(step.purchases) - cents(step.redeems));
    const { success } = await api.sumListed({ list: 'purchases', status: 'success', ...settled });
    assert.is(cents(step.net_amount), cents(success.net_amount ?? 0), `after fees from ${step.starts}`);
    const first = { ...query, list: 'purchases', part: 'first', from_date: step.starts, to_date: step.ends } as const;
    assert.is(step.first_purchases, (await api.countListed(first)).total, `first purchases from ${step.starts}`);
    const signed = await players(api, `signed:${step.starts}..${step.ends}`, query);
    assert.is(step.sign_ups, signed, `sign-ups from ${step.starts}`);
  }
  const { compared } = shown;
  const before = { ...query, settled_from: compared!.starts, settled_to: compared!.ends };
  const bought = await paidOf(api, 'purchases', before);
  assert.equal([cents(compared!.purchases), compared!.purchase_count], bought, JSON.stringify(before));
  assert.is(cents(compared!.redeems), (await paidOf(api, 'redeems', before))[0]);
  for (const { hour, ...now } of shown.hours) {
    for (const [day, purchases, redeems] of [
      [shown.hours_day, now.purchases, now.redeems],
      [addDays(shown.hours_day, -7), now.before_purchases, now.before_redeems],
    ] as const) {
      if (!purchases && !redeems) continue;
      const of = { ...query, settled_from: day, settled_to: day, part: 'hour', key: hour } as const;
      assert.is(cents(purchases), (await paidOf(api, 'purchases', of))[0], `${hour} on ${day}`);
      assert.is(cents(redeems), (await paidOf(api, 'redeems', of))[0], `${hour} on ${day}`);
    }
  }
  for (const one of shown.parts.filter(({ key }) => key !== null)) await comparePart(api, shown, one, query);
  for (const one of shown.players) {
    const of = { ...query, ...span, part: 'player', key: String(one.player_id) } as const;
    assert.equal([cents(one.purchases), one.purchase_count], await paidOf(api, 'purchases', of), one.email);
    assert.is(cents(one.redeems), (await paidOf(api, 'redeems', of))[0], one.email);
  }
  for (const { week, sign_ups, buyers } of shown.cohorts) {
    const signed = `signed:${week}..${addDays(week, 6)}`;
    assert.is(sign_ups, await players(api, signed, query), signed);
    for (const [after, number] of buyers.entries()) {
      const starts = addDays(week, 7 * after);
      const bought = `${signed} bought:${starts}..${addDays(starts, 6)}`;
      if (number || after < 2) assert.is(number, await players(api, bought, query));
    }
  }
}

async function comparePart(api: Api, { starts, ends }: Overview, one: OverviewPart, query: object): Promise<void> {
  const { part, key } = one,
    name = `${part} '${key}'`;
  const taken = [cents(one.amount_in), one.count_in],
    given = [cents(one.amount_out), one.count_out];
  const span = { ...query, settled_from: starts, settled_to: ends };
  if (part === 'held' || part === 'late') return;
  if (part === 'tenant') {
    const its = { ...span, tenant_id: Number(key) };
    assert.equal(taken, await paidOf(api, 'purchases', its), name);
    assert.equal(given, await paidOf(api, 'redeems', its), name);
    return;
  }
  if (part === 'pending') {
    const list = key as CountQuery['list'];
    const { pending } = await api.sumListed({ ...query, list, status: 'pending' });
    assert.equal([cents(pending.amount), pending.total], list === 'redeems' ? given : taken, name);
  } else if (part === 'deposit') {
    assert.equal(taken, await paidOf(api, 'deposits', { ...span, part: 'method', key: key! }), name);
  } else if (part === 'game') {
    const there = { ...span, part: 'platform', key: key! } as const;
    assert.equal(taken, await paidOf(api, 'deposits', there), name);
    assert.equal(given, await paidOf(api, 'returns', there), name);
  } else if (part === 'payout' || part === 'paid' || part === 'refused') {
    const of = { ...span, part: part === 'payout' ? part : 'decided', key: key! } as const;
    assert.equal(given, await sumOf(api, 'redeems', of, part === 'refused' ? 'failed' : 'success'), name);
  } else {
    assert.equal(taken, await paidOf(api, 'purchases', { ...span, part, key: key! }), name);
    assert.equal(given, await paidOf(api, 'redeems', { ...span, part, key: key! }), name);
  }
}

test('every bar equals the list behind it, to the cent, in each span and for all tenants', async () => {
  await fill(2);
  await countAll();
  await fill(3);
  const shown: [Api, object, Overview][] = [];
  for (const unit of overviewUnits)
    for (const date of [today, addDays(today, -8)])
      for (const api of [ann, sue]) {
        const overview = await api.getOverview({ unit, date });
        await compare(api, overview, {});
        shown.push([api, { unit, date }, overview]);
      }
  await compare(sue, await sue.getOverview({ unit: 'month', tenant_id: 3 }), { tenant_id: 3 });
  await countAll();
  for (const [api, query, overview] of shown)
    assert.equal(await api.getOverview(query), overview, 'once all is counted');
});

test('the parts of a span add up to it, and the payouts to their times', async () => {
  await fill(2);
  const { parts, steps, starts, ends, players } = await ann.getOverview({ unit: 'month', date: addDays(today, -8) });
  const span = steps.at(-1)!;
  const add = (part: string, of: 'amount_in' | 'amount_out' | 'count_out') =>
    parts.filter((one) => one.part === part).reduce((sum, one) => sum + cents(one[of]), 0);
  for (const part of ['platform', 'method'])
    assert.equal([add(part, 'amount_in'), add(part, 'amount_out')], [cents(span.purchases), cents(span.redeems)]);
  assert.equal([add('payout', 'amount_out'), add('paid', 'amount_out')], [cents(span.redeems), cents(span.redeems)]);
  assert.ok(add('affiliate', 'amount_in') < cents(span.purchases), 'some players have no affiliate');
  assert.is(parts.filter(({ part, key }) => part === 'affiliate' && key === 'north').length, 1, 'in any case');
  const payers = parts.filter(({ part }) => part === 'paid');
  assert.equal(pluck(payers, 'name'), [people.sue.email]);
  const [held] = await sql<{ amount: number }[]>`
    select sum(credit_balance) as amount from wallets where tenant_id = 2 and closed_at is null`;
  assert.is(parts.find(({ part, key }) => part === 'held' && key === 'credit')?.amount_in, held!.amount);
  assert.ok(players.length >= 3);
  assert.ok(players.every(({ purchases }, n) => purchases <= (players[n - 1]?.purchases ?? 1e9)));

  // Half of the payouts took no longer than the end of the span in which the middle one is.
  const taken = await sql<{ seconds: number }[]>`
    select extract(epoch from completed_at - initiated_at)::int as seconds from redeems
    where tenant_id = 2 and status = 'success'
      and (completed_at at time zone ${zone})::date between ${starts} and ${ends} order by 1`;
  const times = parts.filter(({ part }) => part === 'payout').sort((a, b) => Number(a.key) - Number(b.key));
  const half = taken[Math.ceil(taken.length / 2) - 1]!.seconds;
  let seen = 0;
  const bucket = times.find(({ count_out }) => (seen += count_out) >= taken.length / 2)!;
  assert.ok(
    half < (payoutSeconds[Number(bucket.key)] ?? Infinity) && half >= (payoutSeconds[Number(bucket.key) - 1] ?? 0),
  );
});

test('a player who gets another affiliate takes the past along', async () => {
  await topUp(pam, '25.50', 'success');
  const of = async (key: string) =>
    (await ann.getOverview({})).parts.find((one) => one.part === 'affiliate' && one.key === key)?.amount_in;
  assert.is(await of('aff1'), 25.5);
  await ann.updatePlayer({ id: pam.id, body: { affiliate_id: 'aff2' } });
  assert.equal([await of('aff1'), await of('aff2')], [undefined, 25.5]);
  await ann.updatePlayer({ id: pam.id, body: { affiliate_id: 'AFF2' } });
  assert.is((await ann.getOverview({})).parts.find(({ key }) => key === 'aff2')?.name, 'AFF2', 'as it is spelled');
  await ann.updatePlayer({ id: pam.id, body: { affiliate_id: '' } });
  assert.equal([await of('aff1'), await of('aff2')], [undefined, undefined]);
});

test('part of a list is refused where it means nothing, and days that are none find nobody', async () => {
  await isRefused(ann.listPurchases({ part: 'payout', key: '3' }), 422);
  await isRefused(ann.listPurchases({ part: 'decided', key: '3' }), 422);
  await isRefused(ann.listPurchases({ part: 'colour' as 'hour' }), 422);
  await isRefused(ann.listRedeems({ settled_from: '2026-03-02', settled_to: '2026-03-01' }), 422);
  assert.is(await players(ann, 'signed:2026-02-31..2026-99-01'), 0);
  assert.is(await players(ann, `pam signed:${addDays(today, -1)}..${addDays(today, 1)}`), 1);
  assert.is(await players(ben, `signed:${addDays(today, -1)}..${addDays(today, 1)}`), 1, 'Pat alone');
});

test("what belongs to all tenants together is not shown as the platform's own", async () => {
  await topUp(pam, '10', 'success');
  assert.is((await sue.getOverview({})).steps.at(-1)!.purchases, 10);
  const own = await sue.getOverview({ tenant_id: 1 });
  assert.equal([own.steps.at(-1)!.purchases, own.players], [0, []]);
  assert.ok(own.parts.every(({ part }) => part === 'pending'));
});

test.run();
