import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ManualRedeemForm } from '../../../src/contract/entities';
import { manualRedeemPlatforms } from '../../../src/contract/platforms';
import { booksAddUp, isRefused, pluck, walletOf } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { addPlayer, redeem } from '../../seed';
import { pam, pat, reset, sql } from '../../world';

test.before.each(reset);
test.after.each(booksAddUp);

const form = (more: Partial<ManualRedeemForm> = {}): ManualRedeemForm => ({
  user_email: pam.email,
  amount: '50.25',
  platform: 'yolo',
  payout_method: 'PayPal',
  payout_address: 'pam@pay.test',
  ...more,
});
const wallet = async (player: { id: number }) => {
  const { credit, held } = await walletOf(player.id);
  return { credit, held };
};

test('success pays out what was held, failed gives it back', async () => {
  const unchanged = await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'pending' } });
  assert.is(unchanged.completed_at, null);
  const row = await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } });
  assert.equal([row.status, row.amount, row.user_email], ['success', 150, pam.email]);
  assert.ok(row.completed_at);
  assert.equal(await wallet(pam), { credit: 350, held: 0 });
  await ben.changeRedeemStatus({ id: pat.redeem, body: { status: 'failed' } });
  assert.equal(await wallet(pat), { credit: 500, held: 0 });
});

test('a settled redeem refuses every further change, the same status included', async () => {
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } });
  for (const status of ['pending', 'success', 'failed'] as const) {
    await isRefused(ann.changeRedeemStatus({ id: pam.redeem, body: { status } }), 409, 'Redeem is already failed');
  }
  assert.equal(await wallet(pam), { credit: 500, held: 0 });
});

test('a manual redeem is held from credit and stands in the list with all that was given', async () => {
  const made = await ann.createManualRedeem({ body: form({ description: 'by phone' }) });
  assert.equal(await wallet(pam), { credit: 299.75, held: 200.25 });
  const { payout_hold, ...row } = (await ann.listRedeems())[0]!;
  assert.is(payout_hold, null);
  assert.equal(row, made);
  assert.equal([row.user_email, row.amount, row.platform], [pam.email, 50.25, 'yolo']);
  assert.equal([row.payout_method, row.payout_address], ['PayPal', 'pam@pay.test']);
  assert.equal([row.status, row.completed_at], ['pending', null]);
});

test('manual redeems have no cap, and the player may be inactive', async () => {
  const rich = await addPlayer(2, { email: 'rich@mail.test', credit: '5000', is_active: false });
  const made = await ann.createManualRedeem({ body: form({ user_email: rich.email, amount: 4999.99 }) });
  assert.is(made.amount, 4999.99);
});

test('the e-mail is matched trimmed and without case', async () => {
  assert.is((await ann.createManualRedeem({ body: form({ user_email: '  PAM@Mail.test ' }) })).user_email, pam.email);
});

test('an e-mail nobody has is 404, a deleted player counts as nobody', async () => {
  await isRefused(ann.createManualRedeem({ body: form({ user_email: 'no@mail.test' }) }), 404, 'User not found');
  const gone = await addPlayer(2, { email: 'gone@mail.test', credit: '100' });
  await sql`update players set deleted_at = now() where id = ${gone.id}`;
  await isRefused(ann.createManualRedeem({ body: form({ user_email: gone.email }) }), 404);
});

test('an e-mail in several tenants needs the tenant', async () => {
  await addPlayer(3, { email: pam.email.toUpperCase(), credit: '100' });
  await isRefused(sue.createManualRedeem({ body: form() }), 409, 'Email exists in several tenants');
  await sue.createManualRedeem({ body: form({ tenant_id: 2 }) });
  assert.equal(await wallet(pam), { credit: 299.75, held: 200.25 });
  await ben.createManualRedeem({ body: form() });
  assert.equal(await wallet(pam), { credit: 299.75, held: 200.25 }, "Ben's was of his own tenant's player");
});

test('each of the eleven platforms is taken, another name or method is 422', async () => {
  for (const platform of manualRedeemPlatforms) await ann.createManualRedeem({ body: form({ platform, amount: 1 }) });
  await isRefused(ann.createManualRedeem({ body: form({ platform: 'chess' as never }) }), 422);
  await isRefused(ann.createManualRedeem({ body: form({ payout_method: 'Cash' as never }) }), 422);
  await isRefused(ann.createManualRedeem({ body: form({ payout_address: ' ' }) }), 422);
});

test('an amount with a sign, an exponent, a third decimal, or not above zero is 422', async () => {
  const wrong = [
    ...[0, '0', '0.00', -1, '-1', '+1', '1e2', '1.001', 1.005, 1e21, '12345678901234'],
    ...['NaN', '', 'ten', '１', '1,5'],
  ];
  for (const amount of wrong)
    await isRefused(ann.createManualRedeem({ body: form({ amount }) }), 422, undefined, String(amount));
  const most = 'body.amount: at most 99999999999.99';
  await isRefused(ann.createManualRedeem({ body: form({ amount: 100_000_000_000 }) }), 422, most);
  assert.equal(await wallet(pam), { credit: 350, held: 150 });
});

test('the list is newest first; a super admin sees every tenant or the one asked for', async () => {
  const old = await redeem(pam, '1', 'success', { initiated_at: new Date(Date.now() - 3_600_000) });
  assert.equal(pluck(await ann.listRedeems(), 'id'), [pam.redeem, old]);
  assert.equal(pluck(await sue.listRedeems(), 'id'), [pat.redeem, pam.redeem, old]);
  assert.equal(pluck(await sue.listRedeems({ tenant_id: 3 }), 'id'), [pat.redeem]);
});

test.run();
