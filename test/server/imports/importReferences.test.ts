/** What came in from a file and what a payment processor then tells of the same payment are one purchase. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../src/server/books/verify';
import { booksAddUp, creditOf as credit, isRefused, pluck, table } from '../../answers';
import { ann } from '../../callers';
import { imported, importFile, summary } from '../../importFile';
import { addApex, deliver, newKey, withKey } from '../../integrations';
import { topUp } from '../../seed';
import { pam, reset, sql } from '../../world';
import { catchError } from '../catchError';

const path = '/api/v1/webhooks/2/apex';
let secret = '',
  n = 0;
const payment = { type: 'payment.succeeded', amount: '25.50', email: pam.email, occurred_at: '2026-01-31T10:00:00Z' };
const report = async (reference: string) =>
  (await deliver(path, secret, { ...payment, id: `evt-${++n}`, reference })).body;
const header =
  'source_id,user_email,transaction_type,status,amount,payment_method,platform,deposit_type,' +
  'initiated_at,completed_at,payment_reference';
const buildFile = (...lines: string[]) => [header, ...lines.map((cells) => cells.replace('PAM', pam.email))].join('\n');
const made = async () =>
  table(await sql`select * from transactions where payment_reference like 'pay-%' order by id`, 'status', 'amount');

test.before.each(async () => {
  await reset();
  secret = await addApex();
});
test.after.each(booksAddUp);

test('a late event of a payment that came in as the past credits nobody again', async () => {
  const before = await credit();
  await importFile(ann, 'transactions', buildFile('A,PAM,TOP_UP,success,25.50,Apex,,,2026-01-31,2026-01-31,pay-1'));
  assert.is((await report('pay-1')).outcome, 'unchanged');
  assert.equal(await made(), [['success', 25.5]]);
  assert.is(await credit(), before);
});

test('an event of a payment that came in while it was pending settles that one', async () => {
  const before = await credit();
  await importFile(ann, 'transactions', buildFile('A,PAM,TOP_UP,pending,25.50,apex,,,2026-01-31,,pay-1'));
  assert.is((await report('pay-1')).outcome, 'applied');
  assert.equal(await made(), [['success', 25.5]]);
  assert.is(await credit(), before + 25.5);
});

test('a top-up that a system announces by the name of the processor is the one the processor settles', async () => {
  const before = await credit(),
    shop = withKey((await newKey()).key);
  const body = { email: pam.email, amount: '25.50', payment_method: 'Apex Processing', payment_reference: 'pay-1' };
  await shop.pushTopUp({ body });
  assert.is((await report('pay-1')).outcome, 'applied');
  assert.equal(await made(), [['success', 25.5]]);
  assert.is(await credit(), before + 25.5);
});

test('of a payment that failed first and then succeeded the success is what its reference means', async () => {
  const text = buildFile(
    'A,PAM,TOP_UP,failed,25.50,apex,,,2026-01-30,2026-01-30,pay-1',
    'B,PAM,TOP_UP,success,25.50,apex,,,2026-01-31,2026-01-31,pay-1',
  );
  await importFile(ann, 'transactions', text);
  assert.is((await report('pay-1')).outcome, 'unchanged');
  assert.is((await made()).length, 2);
});

test('a payment that a processor has already reported is a reject, however it stands in the file', async () => {
  const before = await credit();
  await report('pay-1');
  const [id] = pluck(await sql`select id from transactions where payment_reference = 'pay-1'`, 'id');
  const text = buildFile(
    'A,PAM,TOP_UP,success,25.50,APEX,,,2026-01-31,2026-01-31,pay-1',
    'B,PAM,TOP_UP,pending,25.50,apex,,,2026-01-31,,pay-1',
    'C,PAM,TOP_UP,success,1,Card,,,2026-01-31,2026-01-31,pay-1',
  );
  const wanted = [1, 0, ...[2, 3].map((line) => `${line} payment_reference: already belongs to transaction ${id}`)];
  assert.equal(await imported(ann, 'transactions', text, { isCheck: true }), wanted);
  assert.equal(await imported(ann, 'transactions', text), wanted);
  assert.is(await credit(), before + 25.5);
});

test('what came in is there for the keys of other systems too', async () => {
  const text = buildFile(
    'A,PAM,TOP_UP,success,5,Shop,,,2026-01-31,2026-01-31,r-1',
    'B,PAM,REDEEM,success,100,,yolo,,2026-01-31,2026-01-31,r-2',
    'C,PAM,DEPOSIT,pending,5,,vblink,CREDIT,2026-01-31,,r-3',
  );
  await importFile(ann, 'transactions', text);
  const shop = withKey((await newKey()).key),
    named = { email: pam.email, payment_reference: 'r-1' };
  const tries = [
    () => shop.pushTopUp({ body: { ...named, amount: '5', payment_method: 'Shop' } }),
    () => shop.pushRedeem({ body: { ...named, amount: '100', platform: 'yolo', payment_reference: 'r-2' } }),
    () => shop.pushDeposit({ body: { ...named, amount: '5', platform: 'vblink', payment_reference: 'r-3' } }),
  ];
  for (const push of tries) await isRefused(push(), 409, /^This payment_reference belongs to transaction \d+$/);
});

test('of two rows with one payment of a processor only the first comes in, settled or pending, also from two files', async () => {
  const twice = buildFile(
    'A,PAM,TOP_UP,success,25.50,apex,,,2026-01-31,2026-01-31,pay-1',
    'B,PAM,TOP_UP,success,25.50,Apex Processing,,,2026-01-31,2026-01-31,pay-1',
    'C,PAM,TOP_UP,pending,25.50,apex,,,2026-01-31,,pay-2',
    'D,PAM,TOP_UP,pending,25.50,APEX,,,2026-01-31,,pay-2',
    'E,PAM,TOP_UP,success,5,Shop,,,2026-01-31,2026-01-31,pay-3',
    'F,PAM,TOP_UP,success,5,Shop,,,2026-01-31,2026-01-31,pay-3',
  );
  const rejects = ['3 payment_reference: is also in line 2', '5 payment_reference: is also in line 4'];
  assert.equal(summary(await importFile(ann, 'transactions', twice, { isCheck: true })).rejects, rejects);
  assert.equal(await imported(ann, 'transactions', twice), [4, 0, ...rejects]);
  const again = buildFile(
    'G,PAM,TOP_UP,pending,25.50,apex,,,2026-01-31,,pay-1',
    'H,PAM,TOP_UP,success,25.50,apex,,,2026-01-31,2026-01-31,pay-2',
  );
  const { created, rejects: second } = summary(await importFile(ann, 'transactions', again));
  assert.is(created, 0);
  const known = /^2 .*: already belongs to transaction \d+; 3 .*: already belongs to transaction \d+$/;
  assert.match(second.join('; '), known);
});

test('a pending purchase takes over the reference of an attempt that failed in the past', async () => {
  const before = await credit();
  await importFile(ann, 'transactions', buildFile('A,PAM,TOP_UP,failed,25.50,apex,,,2026-01-30,2026-01-30,pay-1'));
  await importFile(ann, 'transactions', buildFile('B,PAM,TOP_UP,pending,25.50,apex,,,2026-01-31,,pay-1'));
  assert.is((await report('pay-1')).outcome, 'applied');
  assert.equal((await made()).join(), 'failed,25.5,success,25.5');
  assert.is(await credit(), before + 25.5);
});

test('what another system has reported is a reject too, whatever the method', async () => {
  const shop = withKey((await newKey()).key),
    named = { email: pam.email, amount: '5', payment_reference: 'pay-1' };
  const ids = [
    (await shop.pushTopUp({ body: { ...named, payment_method: 'Shop' } })).id,
    (await shop.pushDeposit({ body: { ...named, platform: 'vblink' } })).id,
    (await shop.pushRedeem({ body: { ...named, amount: '100', platform: 'yolo' } })).id,
  ];
  const text = buildFile(
    'A,PAM,TOP_UP,success,5,Shop,,,2026-01-31,2026-01-31,pay-1',
    'B,PAM,DEPOSIT,pending,5,,vblink,CREDIT,2026-01-31,,pay-1',
    'C,PAM,REDEEM,success,100,,yolo,,2026-01-31,2026-01-31,pay-1',
  );
  const taken = ids.map((id, n) => `${n + 2} payment_reference: already belongs to transaction ${id}`);
  assert.equal(await imported(ann, 'transactions', text), [0, 0, ...taken]);
});

test('a rejected row leaves its reference free', async () => {
  const text = buildFile('A,PAM,DEPOSIT,pending,99999,,vblink,CREDIT,2026-01-31,,pay-1');
  assert.match(summary(await importFile(ann, 'transactions', text)).rejects.join(), /Insufficient credit/);
  assert.is((await sql`select 1 from payment_references where reference = 'pay-1'`).length, 0);
});

test('the database refuses a second purchase of a payment, and verify finds one that came in before it did', async () => {
  const payment = { payment_method: 'Apex Processing', payment_reference: 'pay-1' };
  const first = await topUp(pam, '25.50', 'pending', payment);
  assert.match(String(await catchError(topUp(pam, '25.50', 'pending', payment))), /transactions_payment/);
  await topUp(pam, '25.50', 'pending', { ...payment, payment_method: 'Card' });
  await sql`update transactions set processor = null where id = ${first}`;
  const second = await topUp(pam, '25.50', 'failed', payment);
  const same = `Purchases ${first}, ${second} of tenant 2 have the same payment reference 'pay-1' of apex.`;
  assert.equal(await verifyLedger(sql), [same]);
  await sql`update transactions set payment_reference = null where id = ${first}`;
});

test('a processor that is written with other letters gets no second purchase for its payment', async () => {
  const before = await credit();
  await report('pay-1');
  const shop = withKey((await newKey()).key);
  const push = (payment_method: string) =>
    shop.pushTopUp({ body: { email: pam.email, amount: 25.5, payment_method, payment_reference: 'pay-1' } });
  const mixed = 'body.payment_method: mixes letters of different alphabets',
    disguised = 'body.payment_method: looks like the name of a payment processor, but has other letters';
  for (const method of ['Ａｐｅｘ', '𝐀𝐩𝐞𝐱'])
    await isRefused(push(method), 409, /^This payment_reference belongs to transaction \d+$/, method);
  for (const method of ['аpex', 'Apeх Processing', 'Αpex']) await isRefused(push(method), 422, mixed, method);
  for (const method of ['арех', 'ᴀpex']) await isRefused(push(method), 422, disguised, method);
  const lines = ['Ａｐｅｘ', 'аpex', 'арех'].map(
    (method, n) => `L${n},PAM,TOP_UP,success,25.50,${method},,,2026-01-31,2026-01-31,pay-1`,
  );
  const { rejects } = await importFile(ann, 'transactions', buildFile(...lines));
  assert.equal(pluck(rejects, 'column'), ['payment_reference', 'payment_method', 'payment_method']);
  assert.equal(await made(), [['success', 25.5]]);
  assert.is(await credit(), before + 25.5);
});

test('a payment method in any one alphabet is taken', async () => {
  const shop = withKey((await newKey()).key);
  for (const payment_method of ['Überweisung', 'банк', 'Карта 2', 'κάρτα', '銀行振込', 'Apex Cards', 'BTC'])
    await shop.pushTopUp({
      body: { email: pam.email, amount: 1, payment_method, payment_reference: `any ${payment_method}` },
    });
});

test.run();
