/** Whose payouts wait until the identity is verified. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { addDays } from '../../../src/contract/dates';
import type { EligibilityForm } from '../../../src/contract/entities';

import { booksAddUp, isRefused, table } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { newKey, withKey } from '../../integrations';
import { addPlayer, redeem } from '../../seed';
import { todayIn } from '../../timestamps';
import { people, refusal, reset, sql } from '../../world';

let shop: Api, player: Awaited<ReturnType<typeof addPlayer>>;
test.before.each(async () => {
  await reset();
  player = await addPlayer(2, { email: 'quinn@mail.test', credit: '5000' });
  shop = withKey((await newKey()).key);
});
test.after.each(booksAddUp);

const none = { minimum_age: null, refused_regions: [], kyc_from: null, kyc_first: false, report_from: null };
const ask = (more: object) => ann.changeEligibilityRules({ body: { ...none, ...more } });
const know = (body: EligibilityForm) => ann.saveEligibility({ id: player.id, body });
const pay = (id: number, api = ann) => api.changeRedeemStatus({ id, body: { status: 'success' } });
const refusedWords = { status: 409, detail: 'The identity of this player must be verified first' };
const hintOf = async (id: number) =>
  (await ann.listPlayerRedeems({ id: player.id })).find((one) => one.id === id)?.payout_hold;

test('without a rule everybody is paid; from an amount on only who is verified', async () => {
  assert.is((await pay(await redeem(player, '600'))).status, 'success');
  await ask({ kyc_from: '500' });
  const [small, large] = [await redeem(player, '499.99'), await redeem(player, '500')];
  assert.is((await pay(small)).status, 'success');
  assert.equal(await refusal(pay(large)), refusedWords);
  assert.is((await pay(large).catch((error) => error)).code, 'not_verified');
  assert.is(await hintOf(large), 'Identity not verified');
  for (const kyc_status of ['pending', 'refused', 'none'] as const) {
    await know({ kyc_status });
    assert.equal(await refusal(pay(large)), refusedWords, kyc_status);
  }
  await know({ kyc_status: 'verified' });
  assert.is(await hintOf(large), null);
  assert.is((await pay(large)).status, 'success');
});

test('for the first payout: one that failed or waits is none', async () => {
  await ask({ kyc_first: true });
  await redeem(player, '100', 'failed');
  const [first, second] = [await redeem(player, '100'), await redeem(player, '100')];
  assert.equal(await refusal(pay(first)), refusedWords);
  await know({ kyc_status: 'verified' });
  await pay(first);
  await know({ kyc_status: 'none' });
  assert.is((await pay(second)).status, 'success', 'it is no longer the first');
});

test('a verification counts through its last day', async () => {
  await ask({ kyc_from: '1' });
  const today = todayIn('UTC');
  const id = await redeem(player, '100');
  await know({ kyc_status: 'verified', kyc_until: addDays(today, -1) });
  assert.equal(await refusal(pay(id)), refusedWords);
  await know({ kyc_until: today });
  assert.is((await pay(id)).status, 'success');
});

test('an API key pays nobody past it, and the first of two people neither', async () => {
  await ask({ kyc_first: true });
  const id = await redeem(player, '200');
  assert.equal(await refusal(shop.pushStatus({ id, body: { status: 'success' } })), refusedWords);
  const limits = { payouts_from: '150', edits_from: null, tenant_id: 2 };
  await sue.changeApprovalLimits({ body: limits });
  assert.equal(await refusal(pay(id)), refusedWords);
  assert.is((await ann.changeRedeemStatus({ id, body: { status: 'failed' } })).status, 'failed');
});

test('what a key sends is kept with its name; what is left out stays, null is unknown, all is forgotten', async () => {
  const email = 'quinn@mail.test';
  const vendor = { kyc_status: 'pending', kyc_missing: 'proof of address', kyc_reference: 'chk_1' } as const;
  const made = await shop.pushEligibility({ body: { email, birth_date: '1990-02-28', region: 'US-TX', ...vendor } });
  assert.equal([made.by, made.birth_date, made.region], ['Shop', '1990-02-28', 'US-TX']);
  const after = [await know({ region: null, kyc_status: 'verified', kyc_missing: null })];
  assert.equal(table(after, 'by', 'region', 'birth_date', 'kyc_missing', 'kyc_reference'), [
    [people.ann.email, null, '1990-02-28', null, 'chk_1'],
  ]);
  await isRefused(know({ region: 'Texas' }), 422);
  await isRefused(ben.getEligibility({ id: player.id }), 404);
  await ann.deletePlayer({ id: player.id });
  assert.equal([...(await sql`select * from player_eligibility`)], []);
});

test("the rules of a tenant are kept as they were sent, and are no other tenant's", async () => {
  const amounts = { kyc_from: 2000, report_from: 600 };
  const wanted = { minimum_age: 21, refused_regions: ['FR', 'US-CA'], kyc_first: true, ...amounts };
  assert.equal(await ask(wanted), wanted);
  assert.equal(await ann.getEligibilityRules(), wanted);
  assert.equal(await ben.getEligibilityRules(), none);
  for (const wrong of [{ minimum_age: 0 }, { refused_regions: ['us-ca'] }]) await isRefused(ask(wrong), 422);
});

const paid = (of: typeof player, amount: string, when: string) =>
  redeem(of, amount, 'success', { initiated_at: new Date(when), completed_at: new Date(when) });

test('payouts of a year are those paid in it by the clock of the tenant, from the reported amount on', async () => {
  await sue.updateTenant({ id: 2, body: { name: 'Acme', time_zone: 'America/New_York' } });
  const other = await addPlayer(2, { email: 'ruth@mail.test', credit: '5000' });
  await paid(player, '100', '2025-01-01T04:59:59Z'); // still 2024
  await paid(player, '400', '2025-01-01T05:00:00Z');
  await paid(player, '200', '2026-01-01T04:59:59Z');
  await paid(player, '50', '2026-01-01T05:00:00Z'); // 2026
  await paid(other, '599.99', '2025-06-01T12:00:00Z');
  const summer = new Date('2025-06-01T12:00:00Z');
  await redeem(player, '300', 'failed', { initiated_at: summer, completed_at: summer });
  const year = { tenant_id: 2, year: 2025 };
  const ours = { player_id: player.id, user_email: 'quinn@mail.test', payouts: 2, amount: 600 };
  const theirs = { player_id: other.id, user_email: 'ruth@mail.test', payouts: 1, amount: 599.99 };
  assert.equal(await ann.listYearPayouts(year), [], 'without an amount nothing is asked for');
  assert.is((await (await ann.exportYearPayouts(year)).text()).trim().split('\r\n').length, 1, 'the heads alone');
  await ask({ report_from: '599.99' });
  assert.equal(await ann.listYearPayouts(year), [ours, theirs]);
  await ask({ report_from: '600' });
  assert.equal(await ann.listYearPayouts(year), [ours]);
  const text = await (await ann.exportYearPayouts(year)).text();
  const [head, ...lines] = text.replace('\uFEFF', '').trim().split('\r\n');
  assert.is(head, '"User Email","User Name","Payouts","Amount"');
  assert.is(lines.length, 1);
  assert.match(lines[0] ?? '', /^"quinn@mail\.test",.*,2,600\.00$/);
  await isRefused(ben.listYearPayouts(year), 403);
});

test('a redeem with which the payouts of this year reach the amount says so in the queue', async () => {
  const risksOf = async (wanted: number) =>
    (await ann.listRedeems({ limit: 10 })).find(({ id }) => id === wanted)?.risks ?? [];
  await redeem(player, '300', 'success');
  const [small, large] = [await redeem(player, '299.99'), await redeem(player, '300')];
  assert.not.ok((await risksOf(large)).includes('reported'), 'the tenant reports nothing');
  await ask({ report_from: '600' });
  assert.not.ok((await risksOf(small)).includes('reported'));
  assert.ok((await risksOf(large)).includes('reported'));
});

test.run();
