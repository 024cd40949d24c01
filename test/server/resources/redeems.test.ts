import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import type { ManualRedeemForm } from '../../../src/contract/entities';
import { manualRedeemPlatforms } from '../../../src/contract/platforms';
import { verifyLedger } from '../../../src/server/books/verify';
import { addPlayer, redeem } from '../../seed';
import { setZone } from '../../timestamps';
import { as, pam, pat, refusal, refused, reset, sql } from '../../world';

let sue: Api, ann: Api, ben: Api;
test.before.each(async () => {
  await reset();
  [sue, ann, ben] = [await as('sue'), await as('ann'), await as('ben')];
});
test.after.each(async () => assert.equal(await verifyLedger(sql), []));

const form = (more: Partial<ManualRedeemForm> = {}): ManualRedeemForm => ({
  user_email: pam.email,
  amount: '50.25',
  platform: 'yolo',
  payout_method: 'PayPal',
  payout_address: 'pam@pay.test',
  ...more,
});
const wallet = async (player: { id: number }) => {
  const [row] =
    await sql`select credit_balance as credit, held_balance as held from wallets where player_id = ${player.id}`;
  return { ...row };
};

test('for Ben a player of Acme does not exist, and naming Acme is a violation', async () => {
  assert.equal(await refusal(ben.createManualRedeem({ body: form() })), { status: 404, detail: 'User not found' });
  assert.equal(await refusal(ben.createManualRedeem({ body: form({ tenant_id: 2 }) })), {
    status: 403,
    detail: 'Tenant access violation',
  });
  assert.equal(await wallet(pam), { credit: 350, held: 150 });
});

test('an unknown redeem is 404, an unknown status 422', async () => {
  assert.is(await refused(sue.changeRedeemStatus({ id: 999_999, body: { status: 'failed' } })), 404);
  assert.is(await refused(sue.changeRedeemStatus({ id: pam.redeem, body: { status: 'paid' as never } })), 422);
});

test('success pays out what was held, failed gives it back', async () => {
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
    assert.equal(await refusal(ann.changeRedeemStatus({ id: pam.redeem, body: { status } })), {
      status: 409,
      detail: 'Redeem is already failed',
    });
  }
  assert.equal(await wallet(pam), { credit: 500, held: 0 });
});

test('pending set to pending is answered with the row as it is', async () => {
  assert.is((await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'pending' } })).completed_at, null);
});

test('a manual redeem is held from credit and stands in the list with all that was given', async () => {
  const made = await ann.createManualRedeem({ body: form({ description: 'by phone' }) });
  assert.equal(await wallet(pam), { credit: 299.75, held: 200.25 });
  const { payout_hold, ...row } = (await ann.listRedeems())[0]!;
  assert.is(payout_hold, null);
  assert.equal(row, made);
  assert.equal(
    [row.user_email, row.platform, row.amount, row.payout_method, row.payout_address, row.status, row.completed_at],
    [pam.email, 'yolo', 50.25, 'PayPal', 'pam@pay.test', 'pending', null],
  );
});

test('a manual redeem beyond the credit is refused with what there is', async () => {
  assert.equal(await refusal(ann.createManualRedeem({ body: form({ amount: 350.01 }) })), {
    status: 400,
    detail: 'Insufficient credit balance: $350.00 available',
  });
  assert.is((await ann.createManualRedeem({ body: form({ amount: 350 }) })).amount, 350);
  assert.equal(await refusal(ann.createManualRedeem({ body: form({ amount: '0.01' }) })), {
    status: 400,
    detail: 'Insufficient credit balance: $0.00 available',
  });
});

test('manual redeems have no cap, and the player may be inactive', async () => {
  const rich = await addPlayer(2, { email: 'rich@mail.test', credit: '5000', is_active: false });
  assert.is(
    (await ann.createManualRedeem({ body: form({ user_email: rich.email, amount: 4999.99 }) })).amount,
    4999.99,
  );
});

test('the e-mail is matched trimmed and without case', async () => {
  assert.is((await ann.createManualRedeem({ body: form({ user_email: '  PAM@Mail.test ' }) })).user_email, pam.email);
});

test('an e-mail nobody has is 404, a deleted player counts as nobody', async () => {
  assert.equal(await refusal(ann.createManualRedeem({ body: form({ user_email: 'no@mail.test' }) })), {
    status: 404,
    detail: 'User not found',
  });
  const gone = await addPlayer(2, { email: 'gone@mail.test', credit: '100' });
  await sql`update players set deleted_at = now() where id = ${gone.id}`;
  assert.is(await refused(ann.createManualRedeem({ body: form({ user_email: gone.email }) })), 404);
});

test('an e-mail in several tenants needs the tenant', async () => {
  await addPlayer(3, { email: pam.email.toUpperCase(), credit: '100' });
  assert.equal(await refusal(sue.createManualRedeem({ body: form() })), {
    status: 409,
    detail: 'Email exists in several tenants',
  });
  await sue.createManualRedeem({ body: form({ tenant_id: 2 }) });
  assert.equal(await wallet(pam), { credit: 299.75, held: 200.25 });
  await ben.createManualRedeem({ body: form() });
  assert.equal(await wallet(pam), { credit: 299.75, held: 200.25 }, "Ben's was of his own tenant's player");
});

test("the platform's own tenant has no players to redeem for", async () => {
  assert.is(await refused(sue.createManualRedeem({ body: form({ tenant_id: 1 }) })), 400);
});

test('each of the eleven platforms is taken, another name or method is 422', async () => {
  for (const platform of manualRedeemPlatforms) await ann.createManualRedeem({ body: form({ platform, amount: 1 }) });
  assert.is(await refused(ann.createManualRedeem({ body: form({ platform: 'chess' as never }) })), 422);
  assert.is(await refused(ann.createManualRedeem({ body: form({ payout_method: 'Cash' as never }) })), 422);
  assert.is(await refused(ann.createManualRedeem({ body: form({ payout_address: ' ' }) })), 422);
});

test('an amount with a sign, an exponent, a third decimal, or not above zero is 422', async () => {
  for (const amount of [
    0,
    '0',
    '0.00',
    -1,
    '-1',
    '+1',
    '1e2',
    '1.001',
    'NaN',
    '',
    'Infinity',
    '1,5',
    '12345678901234',
  ]) {
    assert.is(await refused(ann.createManualRedeem({ body: form({ amount }) })), 422, String(amount));
  }
  assert.equal(await wallet(pam), { credit: 350, held: 150 });
});

test('the list is newest first; a super admin sees every tenant or the one asked for', async () => {
  const old = await redeem(pam, '1', 'success', { initiated_at: new Date(Date.now() - 3_600_000) });
  assert.equal(
    (await ann.listRedeems()).map((row) => row.id),
    [pam.redeem, old],
  );
  assert.equal(
    (await sue.listRedeems()).map((row) => row.id),
    [pat.redeem, pam.redeem, old],
  );
  assert.equal(
    (await sue.listRedeems({ tenant_id: 3 })).map((row) => row.id),
    [pat.redeem],
  );
});

test('the list has every pending redeem, and settled ones up to a thousand in all', async () => {
  const rich = await addPlayer(2, { email: 'rich@mail.test', credit: '10' });
  const pending = await redeem(rich, '10', 'pending', { initiated_at: new Date(Date.now() - 90 * 86_400_000) });
  // Only to be listed: failed from the start, so nothing of them is in the ledger.
  await sql`
    insert into redeems (tenant_id, player_id, platform, amount, status, business_day, initiated_at, completed_at)
    select 2, ${rich.id}, 'yolo', 1, 'failed', current_date, now() - make_interval(mins => n), now()
    from generate_series(1, 1200) n`;
  const rows = await ann.listRedeems();
  assert.is(rows.length, 1000);
  assert.equal([rows[0]?.id, rows.at(-1)?.id], [pam.redeem, pending], 'the oldest pending one is still there');
  assert.is(rows.filter((row) => row.status === 'pending').length, 2);
  await sql`delete from redeems where amount = 1`;
  await setZone(2, 'UTC'); // counts the totals again
});

test.run();
