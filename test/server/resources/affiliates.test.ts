/** What affiliates brought in some days: one of them, and the list of all. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addDays } from '../../../src/contract/dates';
import { AFFILIATES_MAX, type affiliateSorts } from '../../../src/contract/search';
import { addUp, booksAddUp, cents, isRefused, lines, pluck } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { Random } from '../../prove/random';
import { addPlayer, deposit, redeem, topUp } from '../../seed';
import { setZone } from '../../timestamps';
import { reset, sql } from '../../world';

test.before.each(async () => {
  await reset();
  await setZone(2, 'America/New_York');
});
test.after.each(booksAddUp);

const march = { start_date: '2026-03-07', end_date: '2026-03-08' }; // the 8th has 23 hours
const [before, start, end, after] = [
  ...['2026-03-07T04:59:59.999Z', '2026-03-07T05:00:00.000Z', '2026-03-09T03:59:59.999Z', '2026-03-09T04:00:00.000Z'],
].map((text) => new Date(text)) as [Date, Date, Date, Date];

test('a start after the end is refused with its reason, and so is whatever is no day, column or order', async () => {
  const words = 'query.start_date: must not be after end_date';
  await isRefused(ann.getAffiliates({ ...march, start_date: '2026-03-09' }), 422, words);
  const column = [{ sort_by: 'email' }, { sort_order: 'up' }, { text: 'x'.repeat(101) }];
  for (const wrong of [{ start_date: '2026-02-30' }, { end_date: '' }, ...column])
    await isRefused(ann.getAffiliates({ ...march, ...wrong } as typeof march), 422, undefined, JSON.stringify(wrong));
});

test('an affiliate is listed only for a sign-up, purchase or redeem of its players in these days', async () => {
  const since2025 = (email: string, affiliate_id: string) =>
    addPlayer(2, { email, affiliate_id, created_at: new Date('2025-01-01'), credit: '100' });
  const old = await since2025('old@mail.test', 'North'),
    other = await since2025('other@mail.test', 'South'),
    idle = await since2025('idle@mail.test', 'Idle');
  await addPlayer(2, { email: 'new@mail.test', affiliate_id: 'East', created_at: end });
  await addPlayer(2, { email: 'nobody@mail.test', created_at: start });
  for (const [n, created_at] of [before, after].entries())
    await addPlayer(2, { email: `apart${n}@mail.test`, affiliate_id: 'Apart', created_at });
  await topUp(await addPlayer(2, { email: 'own@mail.test' }), '1000', 'success', { completed_at: start });
  await topUp(old, '10.10', 'success', { completed_at: start });
  await redeem(other, '0.05', 'success', { completed_at: end });
  for (const when of [after, before])
    await topUp(idle, '10', 'success', { initiated_at: new Date('2026-03-01'), completed_at: when });
  await topUp(idle, '10', 'failed', { completed_at: start });
  await topUp(idle, '10', 'pending', { initiated_at: start });
  await deposit(idle, 'credit', '10', 'success', { completed_at: start });
  assert.equal(await ann.getAffiliates(march), {
    affiliates: [
      { affiliate_id: 'North', players: 0, purchases: 10.1, redeems: 0, ggr: 10.1 },
      { affiliate_id: 'East', players: 1, purchases: 0, redeems: 0, ggr: 0 },
      { affiliate_id: 'South', players: 0, purchases: 0, redeems: 0.05, ggr: -0.05 },
    ],
    total: { affiliates: 3, players: 1, purchases: 10.1, redeems: 0.05, ggr: 10.05 },
  });
});

test('however its name is written, an affiliate is one, and what a deleted player brought stays', async () => {
  const players = [];
  for (const [n, affiliate_id] of ['north', 'North', 'NORTH'].entries())
    players.push(await addPlayer(2, { email: `n${n}@mail.test`, affiliate_id, created_at: start }));
  for (const player of players) await topUp(player, '1.10', 'success', { completed_at: start });
  await ann.deletePlayer({ id: players[0]!.id });
  const { affiliates } = await ann.getAffiliates(march);
  const found = lines(affiliates, 'affiliate_id', 'players', 'purchases', 'redeems', 'ggr');
  assert.is(found.join().toLowerCase(), 'north 3 3.3 0 3.3');
});

test('a part of the id narrows rows and total down alike, and is no pattern', async () => {
  for (const [n, affiliate_id] of ['North-1', 'South_1', 'West%'].entries())
    await addPlayer(2, { email: `n${n}@mail.test`, affiliate_id, created_at: start });
  const found = async (text: string) => {
    const { affiliates, total } = await ann.getAffiliates({ ...march, text });
    assert.is(total.affiliates, affiliates.length);
    assert.is(total.players, affiliates.length);
    return pluck(affiliates, 'affiliate_id').sort().join(' ');
  };
  const parts = { oRTh: 'North-1', _: 'South_1', '%': 'West%', 1: 'North-1 South_1', none: '' };
  for (const [text, ids] of Object.entries(parts)) assert.is(await found(text), ids, text);
});

test('the list is in the order of any of its columns, what is equal by its id', async () => {
  for (const [affiliate_id, bought] of Object.entries({ b: '5', a: '5', d: '20', c: '1' })) {
    const player = await addPlayer(2, { email: `${affiliate_id}@mail.test`, affiliate_id, created_at: start });
    await topUp(player, bought, 'success', { completed_at: start });
  }
  const ids = async (sort_by: (typeof affiliateSorts)[number], sort_order: 'asc' | 'desc') =>
    pluck((await ann.getAffiliates({ ...march, sort_by, sort_order })).affiliates, 'affiliate_id').join('');
  assert.equal([await ids('affiliate_id', 'asc'), await ids('affiliate_id', 'desc')], ['abcd', 'dcba']);
  for (const by of ['purchases', 'ggr'] as const)
    assert.equal([await ids(by, 'asc'), await ids(by, 'desc')], ['cabd', 'dabc'], by);
  for (const by of ['players', 'redeems'] as const)
    assert.equal([await ids(by, 'asc'), await ids(by, 'desc')], ['abcd', 'abcd'], by);
});

test('of too many affiliates the first are listed, and the total is that of all', async () => {
  await sql`
    insert into players (tenant_id, email, affiliate_id, created_at)
    select 3, 'p' || n || '@mail.test', 'a' || n, '2026-03-07T12:00:00Z'
    from generate_series(1, ${AFFILIATES_MAX + 5}) n`;
  await sql`insert into wallets (tenant_id, player_id) select tenant_id, id from players where id > 2`;
  const { affiliates, total } = await ben.getAffiliates({ ...march, sort_by: 'affiliate_id', sort_order: 'asc' });
  assert.is(affiliates.length, AFFILIATES_MAX);
  assert.equal([total.affiliates, total.players], [AFFILIATES_MAX + 5, AFFILIATES_MAX + 5]);
});

const seed = Date.now() % 1_000_000;
test(`each row equals the figures of its affiliate, and the total is the sum of the rows (seed ${seed})`, async () => {
  const random = new Random(seed);
  await setZone(3, random.pick(['Asia/Tokyo', 'America/Los_Angeles', 'UTC']));
  const first = '2026-03-01';
  const moment = () => new Date(Date.parse(`${first}T00:00:00Z`) + random.from(0, 14 * 24 * 60) * 60_000);
  const some = () => `${random.from(0, 300)}.${random.from(10, 99)}`;
  const status = () => random.pick(['success', 'success', 'failed', 'pending'] as const);
  const when = () => ({ initiated_at: moment(), completed_at: moment() });
  for (let n = 0; n < 24; n++) {
    const affiliate_id = random.pick(['North', 'north', 'South', 'A B', '%', '']);
    const about = { email: `r${n}@mail.test`, created_at: moment(), credit: '5000' };
    const player = await addPlayer(random.pick([2, 3]), { ...about, ...(affiliate_id && { affiliate_id }) });
    for (let m = random.from(0, 3); m > 0; m--) await topUp(player, some(), status(), when());
    for (let m = random.from(0, 2); m > 0; m--) await redeem(player, some(), status(), when());
  }
  for (let round = 0; round < 8; round++) {
    const start_date = addDays(first, random.from(0, 13)),
      range = { start_date, end_date: addDays(start_date, random.from(0, 6)) };
    for (const who of [ann, ben, sue, 3] as const) {
      const asked = { ...range, ...(who === 3 && { tenant_id: who }) },
        api = who === 3 ? sue : who;
      const { affiliates, total } = await api.getAffiliates(asked);
      for (const { affiliate_id, players, ggr, purchases, redeems } of affiliates) {
        const stats = await api.getAffiliateStats({ ...asked, affiliate_id });
        assert.equal(stats, { total_players: players, total_ggr: ggr }, affiliate_id);
        assert.is(cents(purchases) - cents(redeems), cents(ggr));
      }
      const listed = affiliates.map(({ affiliate_id }) => affiliate_id.toLowerCase());
      assert.is(new Set(listed).size, listed.length);
      for (const affiliate_id of ['North', 'South', 'A B', '%']) {
        const stats = await api.getAffiliateStats({ ...asked, affiliate_id });
        if (stats.total_players || stats.total_ggr)
          assert.ok(listed.includes(affiliate_id.toLowerCase()), `${affiliate_id} is listed`);
      }
      assert.equal(addUp(affiliates), addUp([total]));
      const signUps = affiliates.reduce((sum, { players }) => sum + players, 0);
      assert.equal([total.affiliates, total.players], [affiliates.length, signUps]);
    }
  }
});

const north = { ...march, affiliate_id: 'North' };

test('a blank affiliate, a date that is none and a missing date are 422', async () => {
  const day = 'query.start_date: there is no such day';
  await isRefused(ann.getAffiliateStats({ ...north, start_date: '2026-02-30' }), 422, day);
  const dates = [{ end_date: '08.03.2026' }, { end_date: '2100-01-01' }, { start_date: '' }];
  for (const wrong of [{ affiliate_id: ' ' }, ...dates])
    await isRefused(ann.getAffiliateStats({ ...north, ...wrong }), 422, undefined, JSON.stringify(wrong));
});

test('the affiliate is matched trimmed and without case, and never by a part of it', async () => {
  await addPlayer(2, { email: 'n@mail.test', affiliate_id: 'North', created_at: start });
  assert.is((await ann.getAffiliateStats({ ...north, affiliate_id: '  nORTH ' })).total_players, 1);
  for (const affiliate_id of ['Nort', 'North%', '%', 'N_rth'])
    assert.is((await ann.getAffiliateStats({ ...north, affiliate_id })).total_players, 0, affiliate_id);
});

test('all tenants together: each by its own days', async () => {
  await setZone(3, 'Asia/Tokyo');
  for (const tenant of [2, 3]) {
    const player = await addPlayer(tenant, { email: 'n@mail.test', affiliate_id: 'North', created_at: end });
    await topUp(player, '10', 'success', { completed_at: end }); // at Bravo, in Tokyo, the 9th
  }
  assert.equal(await sue.getAffiliateStats(north), { total_players: 1, total_ggr: 10 });
  assert.equal(await sue.getAffiliateStats({ ...north, end_date: '2026-03-09' }), { total_players: 2, total_ggr: 20 });
  assert.equal(await sue.getAffiliateStats({ ...north, tenant_id: 3 }), { total_players: 0, total_ggr: 0 });
});

test.run();
