import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { addDays } from '../../../src/contract/dates';
import { booksAddUp, isRefused, walletOf } from '../../answers';
import { ann as staff } from '../../callers';
import { addPlayer, type Owner, redeem } from '../../seed';
import { at, noonZone, setZone, todayIn } from '../../timestamps';
import { atCheckout, guest, people, reset, sql, withCookie } from '../../world';

let ann: Api, player: Owner;
const ask = (amount: number | string, platform_name = 'vblink', api = ann) =>
  api.submitRedeem({ body: { platform_name, amount } });

const NO_PLAYER = 'No player account with your email. Use Create Manual Redeem.';
/** Refused, as so much of the day is left. */
const isLeft = (amount: number | string, left: string) =>
  isRefused(ask(amount), 400, `Min 100, Max 1000 per day: $${left} left today`);

test.before.each(async () => {
  await reset();
  await setZone(2, noonZone());
  player = await addPlayer(2, { email: 'Ann@Acme.test', credit: '5000' });
  ann = await atCheckout(people.ann.id);
});
test.after.each(booksAddUp);

test('without the cookie the call is refused, and never with a 401', async () => {
  await isRefused(ask(100, 'vblink', guest), 403);
});

test('the cookie of the sign-in is enough, no header is needed', async () => {
  assert.is((await ask(100, 'vblink', await withCookie('ann'))).user_email, 'Ann@Acme.test');
});

test("a player of another tenant with the same e-mail is not meant: Ben's redeem is not Acme's", async () => {
  await addPlayer(2, { email: people.ben.email, credit: '5000' });
  for (const person of ['ben', 'sue'] as const)
    await isRefused(ask(100, 'vblink', await atCheckout(people[person].id)), 400, NO_PLAYER);
  await isRefused(ask(100, 'vblink', await atCheckout(people.oli.id)), 403);
});

test('a deleted player account is none, an inactive one is refused', async () => {
  await sql`update players set is_active = false where id = ${player.id}`;
  await isRefused(ask(100), 400, 'This player account is not active');
  await staff.deletePlayer({ id: player.id });
  await isRefused(ask(100), 400, NO_PLAYER);
});

test('below 100 and above 1000 are refused with the rule', async () => {
  for (const amount of [99.99, '99.99', 1, 1000.01, '1000.01', 5000])
    await isRefused(ask(amount), 422, /Min 100, Max 1000 per day/);
});

test('100 and 1000 are taken, as a number or as text', async () => {
  assert.is((await ask('100.00')).amount, 100);
  await staff.changeRedeemStatus({ id: (await staff.listRedeems())[0]!.id, body: { status: 'failed' } });
  assert.is((await ask(1000)).amount, 1000);
});

test('a platform that is unknown or not active is refused', async () => {
  await sql`update platforms set is_active = false where name = 'yolo'`;
  for (const name of ['yolo', 'chess', 'VBLINK'])
    await isRefused(ask(100, name), 422, 'body.platform_name: unknown platform');
});

test('the day takes 1000 in all and says what is left', async () => {
  await ask(600);
  await isLeft('400.01', '400.00');
  await ask(400);
  await isLeft(100, '0.00');
});

test('pending and paid ones count, failed ones do not', async () => {
  const [one, two] = [await ask(500), await ask(500)];
  await staff.changeRedeemStatus({ id: one.id, body: { status: 'success' } });
  await isLeft(100, '0.00');
  await staff.changeRedeemStatus({ id: two.id, body: { status: 'failed' } });
  await ask(500);
  await isLeft(100, '0.00');
});

test('a manual redeem is not capped but counts towards the day', async () => {
  const form = { user_email: 'ann@acme.test', platform: 'yolo', payout_method: 'PayPal', payout_address: 'a' } as const;
  await staff.createManualRedeem({ body: { ...form, amount: 950 } });
  await isLeft(100, '50.00');
  await staff.createManualRedeem({ body: { ...form, amount: 1500 } });
  await isLeft(100, '0.00');
});

test("the day is the tenant's business day, whenever a redeem was settled", async () => {
  const zone = noonZone(),
    today = todayIn(zone);
  const lastNight = await at(zone, `${addDays(today, -1)} 23:59:59.999`);
  await redeem(player, '1000', 'success', { initiated_at: lastNight }); // yesterday's, paid today
  await redeem(player, '300', 'pending', { initiated_at: await at(zone, `${today} 00:00:00`) });
  await isLeft(701, '700.00');
  await ask(700);
});

test("another player's redeems do not count", async () => {
  const other = await addPlayer(2, { email: 'other@mail.test', credit: '1000' });
  await redeem(other, '1000', 'success');
  await ask(1000);
});

test('it needs the balance: more than there is, is refused with what there is', async () => {
  await staff.adjustBalances({ id: player.id, body: { credit: '4850.5', credit_op: 'remove' } });
  await isRefused(ask(150), 400, 'Insufficient credit balance: $149.50 available');
  assert.is((await ask(149.5)).status, 'pending');
});

test('of forty simultaneous redeems of $100 exactly ten are accepted [ASVS 2.3.2, 2.3.4]', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 40 }, () => ask(100)));
  assert.is(answers.filter((answer) => answer.status === 'fulfilled').length, 10);
  assert.equal(await walletOf(player.id), { credit: 4000, bonus: 0, held: 1000 });
});

test.run();
