import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { verifyLedger } from '../../../src/server/books/verify';
import { addPlayer, deposit, redeem, topUp } from '../../seed';
import { setZone } from '../../timestamps';
import { as, refusal, refused, reset, sql } from '../../world';

let sue: Api, ann: Api, ben: Api;
test.before.each(async () => {
  await reset();
  [sue, ann, ben] = [await as('sue'), await as('ann'), await as('ben')];
  await setZone(2, 'America/New_York');
});
test.after.each(async () => assert.equal(await verifyLedger(sql), []));

const march = { affiliate_id: 'North', start_date: '2026-03-07', end_date: '2026-03-08' }; // the 8th has 23 hours
const [start, end, before, after] = [
  '2026-03-07T05:00:00.000Z',
  '2026-03-09T03:59:59.999Z',
  '2026-03-07T04:59:59.999Z',
  '2026-03-09T04:00:00.000Z',
].map((text) => new Date(text)) as [Date, Date, Date, Date];

test('Ben cannot ask for Acme, and sees nothing of it under the same affiliate', async () => {
  const player = await addPlayer(2, { email: 'n@mail.test', affiliate_id: 'North', created_at: start });
  await topUp(player, '10', 'success', { completed_at: start });
  assert.equal(await refusal(ben.getAffiliateStats({ ...march, tenant_id: 2 })), {
    status: 403,
    detail: 'Tenant access violation',
  });
  assert.equal(await ben.getAffiliateStats(march), { total_players: 0, total_ggr: 0 });
});

test('a start after the end is refused with its reason', async () => {
  assert.equal(await refusal(ann.getAffiliateStats({ ...march, start_date: '2026-03-09' })), {
    status: 422,
    detail: 'query.start_date: must not be after end_date',
  });
});

test('a blank affiliate, a date that is none and a missing date are 422', async () => {
  for (const wrong of [
    { affiliate_id: ' ' },
    { start_date: '2026-02-30' },
    { end_date: '08.03.2026' },
    { end_date: '2100-01-01' },
    { start_date: '' },
  ]) {
    assert.is(await refused(ann.getAffiliateStats({ ...march, ...wrong })), 422, JSON.stringify(wrong));
  }
  assert.equal(await refusal(ann.getAffiliateStats({ ...march, start_date: '2026-02-30' })), {
    status: 422,
    detail: 'query.start_date: there is no such day',
  });
});

test('an affiliate nobody has brings nothing', async () => {
  assert.equal(await ann.getAffiliateStats(march), { total_players: 0, total_ggr: 0 });
});

test("players are counted by sign-up, both ends of the tenant's business days included", async () => {
  for (const [n, created_at] of [before, start, end, after].entries())
    await addPlayer(2, { email: `n${n}@mail.test`, affiliate_id: 'North', created_at });
  assert.is((await ann.getAffiliateStats(march)).total_players, 2);
  assert.is((await ann.getAffiliateStats({ ...march, end_date: '2026-03-07' })).total_players, 1);
  assert.is(
    (await ann.getAffiliateStats({ ...march, start_date: '2026-03-06', end_date: '2026-03-09' })).total_players,
    4,
  );
});

test("GGR of the range is from all of the affiliate's players, whenever they signed up, by completion", async () => {
  const early = await addPlayer(2, {
    email: 'early@mail.test',
    affiliate_id: 'North',
    created_at: new Date('2025-01-01'),
    credit: '1000',
  });
  const other = await addPlayer(2, { email: 'other@mail.test', affiliate_id: 'South', created_at: start });
  for (const [amount, completed_at] of [
    ['1', before],
    ['2.20', start],
    ['4', end],
    ['8', after],
  ] as const)
    await topUp(early, amount, 'success', { initiated_at: before, completed_at });
  for (const [amount, completed_at] of [
    ['100', before],
    ['0.10', start],
    ['0.05', end],
    ['200', after],
  ] as const)
    await redeem(early, amount, 'success', { initiated_at: before, completed_at });
  await topUp(other, '1000', 'success', { completed_at: start });
  assert.equal(await ann.getAffiliateStats(march), { total_players: 0, total_ggr: 6.05 });
});

test('only success counts, and no deposit', async () => {
  const player = await addPlayer(2, { email: 'n@mail.test', affiliate_id: 'North', created_at: start, credit: '100' });
  await topUp(player, '10', 'failed', { completed_at: start });
  await topUp(player, '10', 'pending', { initiated_at: start });
  await redeem(player, '10', 'failed', { completed_at: start });
  await redeem(player, '10', 'pending', { initiated_at: start });
  await deposit(player, 'credit', '10', 'success', { completed_at: start });
  assert.equal(await ann.getAffiliateStats(march), { total_players: 1, total_ggr: 0 });
});

test('a player with many purchases and redeems is counted once, and each amount once', async () => {
  const player = await addPlayer(2, { email: 'n@mail.test', affiliate_id: 'North', created_at: start, credit: '100' });
  for (let n = 0; n < 3; n++) await topUp(player, '10', 'success', { completed_at: start });
  for (let n = 0; n < 2; n++) await redeem(player, '1', 'success', { completed_at: end });
  assert.equal(await ann.getAffiliateStats(march), { total_players: 1, total_ggr: 28 });
});

test('the affiliate is matched trimmed and without case, and never by a part of it', async () => {
  await addPlayer(2, { email: 'n@mail.test', affiliate_id: 'North', created_at: start });
  assert.is((await ann.getAffiliateStats({ ...march, affiliate_id: '  nORTH ' })).total_players, 1);
  for (const affiliate_id of ['Nort', 'North%', '%', 'N_rth'])
    assert.is((await ann.getAffiliateStats({ ...march, affiliate_id })).total_players, 0, affiliate_id);
});

test('all tenants together: each by its own days', async () => {
  await setZone(3, 'Asia/Tokyo');
  for (const tenant of [2, 3]) {
    const player = await addPlayer(tenant, { email: 'n@mail.test', affiliate_id: 'North', created_at: end });
    await topUp(player, '10', 'success', { completed_at: end }); // at Bravo, in Tokyo, the 9th
  }
  assert.equal(await sue.getAffiliateStats(march), { total_players: 1, total_ggr: 10 });
  assert.equal(await sue.getAffiliateStats({ ...march, end_date: '2026-03-09' }), { total_players: 2, total_ggr: 20 });
  assert.equal(await sue.getAffiliateStats({ ...march, tenant_id: 3 }), { total_players: 0, total_ggr: 0 });
});

test('what a deleted player brought stays in the figures', async () => {
  const player = await addPlayer(2, { email: 'n@mail.test', affiliate_id: 'North', created_at: start });
  await topUp(player, '10', 'success', { completed_at: start });
  await ann.deletePlayer({ id: player.id });
  assert.equal(await ann.getAffiliateStats(march), { total_players: 1, total_ggr: 10 });
});

test.run();
