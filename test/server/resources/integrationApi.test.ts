import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { calls } from '../../../src/contract/allCalls';
import { booksAddUp, isRefused, pluck, readAnswer, table, walletOf } from '../../answers';
import { readAuditLog } from '../../audit';
import { ann } from '../../callers';
import { newKey, withKey } from '../../integrations';
import { addPlayer, fund } from '../../seed';
import { pam, reset, send, sql } from '../../world';

let key = '',
  shop: Api,
  n = 0;
test.before.each(async () => {
  await reset();
  ({ key } = await newKey());
  shop = withKey(key);
});
test.after.each(booksAddUp);

const topUp = (more: object = {}) => ({
  ...{ email: pam.email, amount: '12.50', payment_method: 'card', payment_reference: `ref-${++n}` },
  ...more,
});
const raw = (body: unknown, idempotencyKey?: string, path: string = calls.pushTopUp.path) =>
  send('POST', path, {
    token: key,
    body,
    ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
  });
const count = async (table: string) => (await sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)}`)[0]!.n;

test('a write without an Idempotency-Key, or with one that is none, is refused', async () => {
  for (const wrong of [undefined, '', ' ', 'with space', 'x'.repeat(256), 'ü']) {
    const response = await raw(topUp(), wrong).catch(() => null); // some cannot even be put in a header
    if (response) assert.is(response.status, 422);
  }
  assert.is(await count('payment_references'), 0);
});

test('nobody who is not there, and nothing beyond what there is', async () => {
  await isRefused(shop.pushTopUp({ body: topUp({ email: 'nobody@mail.test' }) }), 404);
  await isRefused(shop.pushTopUp({ body: topUp({ email: undefined, external_id: 'nobody' }) }), 404);
  const over = 'Insufficient credit balance: $350.00 available';
  await isRefused(shop.pushDeposit({ body: { ...topUp({ amount: '350.01' }), platform: 'yolo' } }), 400, over);
  await isRefused(shop.pushRedeem({ body: { ...topUp({ amount: '351' }), platform: 'yolo' } }), 400, over);
  const bonus = { ...topUp({ amount: '1' }), platform: 'yolo', balance: 'bonus' as const };
  await isRefused(shop.pushDeposit({ body: bonus }), 400, 'Insufficient bonus balance: $0.00 available');
  const idle = await addPlayer(2, { email: 'idle@mail.test', is_active: false, credit: '500' });
  const body = { ...topUp({ email: idle.email, amount: 100 }), platform: 'yolo' as const };
  for (const call of [shop.pushDeposit, shop.pushRedeem])
    await isRefused(call({ body }), 400, 'This player account is not active');
  assert.is(await count('payment_references'), 0, 'a reference that came to nothing is free');
});

const push = (email: string, external_id: string, more: object = {}, api = shop) =>
  api.pushPlayer({ body: { email, external_id, ...more } });
test('a player is made, then found by external_id or e-mail; what is left out stays', async () => {
  const crm1 = { external_id: 'crm-1', is_active: true };
  const { id, ...made } = await push('New@Mail.test', 'crm-1', { first_name: 'Nia', affiliate_id: 'AFF9' });
  assert.equal(made, { email: 'New@Mail.test', ...crm1, is_new: true });
  assert.equal(await walletOf(id), { credit: 0, bonus: 0, held: 0 });
  const moved = await push('moved@mail.test', 'crm-1', { last_name: 'Lee' });
  assert.equal(moved, { id, email: 'moved@mail.test', ...crm1, is_new: false });
  assert.equal((await shop.pushPlayer({ body: { email: 'MOVED@mail.test', is_active: false } })).id, id);
  const rows = await sql`select * from players where id = ${id}`;
  assert.equal(table(rows, 'first_name', 'last_name', 'affiliate_id', 'is_active', 'password_hash'), [
    ['Nia', 'Lee', 'AFF9', false, null],
  ]);
  const named = { id: pam.id, email: pam.email, ...crm1, external_id: 'crm-2', is_new: false };
  assert.equal(await push(pam.email, 'crm-2'), named, 'one that is there already gets its name');
  assert.is((await shop.pushTopUp({ body: topUp({ email: undefined, external_id: 'crm-2' }) })).user_id, pam.id);
});

test('two players never become one: an e-mail or name of another is 409', async () => {
  await push('one@mail.test', 'crm-1');
  await push('two@mail.test', 'crm-2');
  await isRefused(push('two@mail.test', 'crm-1'), 409);
  await isRefused(push('two@mail.test', 'crm-3'), 409);
  const bravo = withKey((await newKey('ben')).key);
  assert.is((await push('one@mail.test', 'crm-1', {}, bravo)).is_new, true, 'in another tenant both are free');
});

test('twenty requests for one new player at once make one', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => push('rush@mail.test', 'crm-1', { first_name: `Name ${nth}` })),
  );
  assert.is(answers.filter(({ is_new }) => is_new).length, 1);
  assert.is(new Set(answers.map(({ id }) => id)).size, 1);
});

test('a deleted player leaves the name to the next', async () => {
  const { id } = await push('gone@mail.test', 'crm-1');
  await ann.deletePlayer({ id });
  assert.is((await push('gone@mail.test', 'crm-1')).is_new, true);
  assert.equal(pluck(await sql`select external_id from players where id = ${id}`, 'external_id'), [null]);
});

test('a top-up is pending until it is settled, and credits once', async () => {
  const sent = { payment_reference: 'p-1', net_amount: '12.00', description: 'Order 7' };
  const { id, initiated_at: _, ...made } = await shop.pushTopUp({ body: topUp(sent) });
  assert.equal(made, {
    ...{ type: 'TOP_UP', user_id: pam.id, status: 'pending', amount: 12.5 },
    ...{ payment_reference: 'p-1', completed_at: null },
  });
  assert.equal(await walletOf(), { credit: 350, bonus: 0, held: 150 });
  const settled = await shop.pushStatus({ id, body: { status: 'success', note: 'paid by card' } });
  assert.equal([settled.status, settled.completed_at !== null], ['success', true]);
  await isRefused(shop.pushStatus({ id, body: { status: 'failed' } }), 409, 'Purchase is already success');
  assert.equal(await walletOf(), { credit: 362.5, bonus: 0, held: 150 });
  assert.equal(await shop.readTransaction({ id }), settled);
  const entries = (await readAuditLog()).filter(({ call }) => call.startsWith('push'));
  const whose = [null, `API key ${key.slice(0, 10)}`, 2, 'purchase', String(id)];
  assert.equal(table(entries, 'admin_id', 'email', 'tenant_id', 'kind', 'object_id', 'call', 'note'), [
    [...whose, 'pushTopUp', null],
    [...whose, 'pushStatus', 'paid by card'],
  ]);
});

test('a deposit and a redeem hold the amount, and give it back or away', async () => {
  await fund(pam, 'bonus', '20');
  const deposit = await shop.pushDeposit({ body: { ...topUp({ amount: '20' }), platform: 'yolo', balance: 'bonus' } });
  assert.equal([deposit.type, await walletOf()], ['DEPOSIT', { credit: 350, bonus: 0, held: 170 }]);
  await shop.pushStatus({ id: deposit.id, body: { status: 'failed' } });
  const apart = { payout_method: 'PayPal', payout_address: 'pam@pay.test', payment_reference: 'out-1' };
  const redeem = await shop.pushRedeem({ body: { user_id: pam.id, amount: 100, platform: 'yolo', ...apart } });
  assert.equal([redeem.type, redeem.payment_reference], ['REDEEM', 'out-1']);
  assert.equal(await walletOf(), { credit: 250, bonus: 20, held: 250 });
  assert.is((await shop.pushStatus({ id: redeem.id, body: { status: 'success' } })).payment_reference, 'out-1');
  assert.equal(await walletOf(), { credit: 250, bonus: 20, held: 150 });
});

test("a player's day limit and a hold on payouts hold for keys, too", async () => {
  const rich = await addPlayer(2, { email: 'rich@mail.test', credit: '5000' });
  const { id } = await shop.pushRedeem({ body: { ...topUp({ email: rich.email, amount: 900 }), platform: 'yolo' } });
  await isRefused(shop.pushRedeem({ body: { ...topUp({ email: rich.email, amount: 101 }), platform: 'yolo' } }), 400);
  const hold = { is_held: true, reason: 'fraud_suspected', note: 'only for staff' } as const;
  await ann.holdPayouts({ id: rich.id, body: hold });
  const words = 'Payouts to this player are on hold: Fraud suspected';
  await isRefused(shop.pushStatus({ id, body: { status: 'success' } }), 409, words);
});

test('a payment reference is used once: whoever sends it again is told which transaction has it', async () => {
  const { id } = await shop.pushTopUp({ body: topUp({ payment_reference: 'once' }) });
  const words = `This payment_reference belongs to transaction ${id}`;
  await isRefused(shop.pushTopUp({ body: topUp({ payment_reference: 'once', amount: 1 }) }), 409, words);
  await shop.pushTopUp({ body: topUp({ payment_reference: 'once', payment_method: 'wire' }) });
  const rush = await Promise.allSettled(
    Array.from({ length: 20 }, () => shop.pushTopUp({ body: topUp({ payment_reference: 'rush' }) })),
  );
  assert.is(rush.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('the same key with the same body gives the same answer, with another body or call it is 422', async () => {
  const body = topUp();
  const first = await readAnswer(await raw(body, 'again'));
  assert.equal([first.status, first.isReplay], [200, false]);
  await shop.pushStatus({ id: first.body.id, body: { status: 'success' } });
  assert.equal(await readAnswer(await raw(body, 'again')), { ...first, isReplay: true }, 'as it was answered then');
  assert.is((await sql`select 1 from audit_log where call = 'pushTopUp'`).length, 1);
  for (const [other, path] of [[topUp()], [{ email: 'x@mail.test' }, calls.pushPlayer.path]] as const) {
    const { status, body } = await readAnswer(await raw(other, 'again', path));
    assert.equal([status, body.detail], [422, 'header.idempotency-key: was used for another request']);
  }
});

test("keys are each API key's own", async () => {
  const other = await newKey();
  for (const token of [key, other.key]) {
    const headers = { 'Idempotency-Key': 'shared' };
    assert.is((await send('POST', calls.pushTopUp.path, { token, body: topUp(), headers })).status, 200);
  }
});

test.run();
