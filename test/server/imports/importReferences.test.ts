/** What came in from a file and what a payment processor then tells of the same payment are one purchase. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyLedger } from '../../../src/server/books/verify';
import { pluck } from '../../answers';
import { importFile, summary } from '../../importFile';
import { deliver, newKey, withKey } from '../../integrations';
import { topUp } from '../../seed';
import { as, PASSWORD, pam, refusal, reset, sql } from '../../world';
import { catchError } from '../catchError';

const path = '/api/v1/webhooks/2/apex';
let secret = '',
  n = 0;
const report = async (reference: string, amount = '25.50') =>
  (
    await deliver(path, secret, {
      id: `evt-${++n}`,
      type: 'payment.succeeded',
      reference,
      amount,
      email: pam.email,
      occurred_at: '2026-01-31T10:00:00Z',
    })
  ).body;
const header =
  'source_id,user_email,transaction_type,status,amount,payment_method,platform,deposit_type,' +
  'initiated_at,completed_at,payment_reference';
const buildFile = (...lines: string[]) => [header, ...lines.map((cells) => cells.replace('PAM', pam.email))].join('\n');
const credit = async () =>
  (await sql<{ credit: number }[]>`select credit_balance as credit from wallets where player_id = ${pam.id}`)[0]!
    .credit;
const made = async () =>
  [...(await sql`select status, amount from transactions where payment_reference like 'pay-%' order by id`)].map(
    (row) => Object.values(row),
  );

test.before.each(async () => {
  await reset();
  const sue = await as('sue');
  await sue.createPaymentMethod({
    tenant_id: 2,
    payment_platform: 'apex',
    body: { api_key: 'k', secret_key: 's', merchant_id: 'm' },
  });
  secret = (
    await sue.revealWebhookSecret({ tenant_id: 2, platform: 'apex', body: { rotate: false, password: PASSWORD } })
  ).secret;
});
test.after.each(async () => assert.equal(await verifyLedger(sql), []));

test('a late event of a payment that came in as the past credits nobody again', async () => {
  const before = await credit();
  await importFile(
    await as('ann'),
    'transactions',
    buildFile('A,PAM,TOP_UP,success,25.50,Apex,,,2026-01-31,2026-01-31,pay-1'),
  );
  assert.is((await report('pay-1')).outcome, 'unchanged');
  assert.equal(await made(), [['success', 25.5]]);
  assert.is(await credit(), before);
});

test('an event of a payment that came in while it was pending settles that one', async () => {
  const before = await credit();
  await importFile(await as('ann'), 'transactions', buildFile('A,PAM,TOP_UP,pending,25.50,apex,,,2026-01-31,,pay-1'));
  assert.is((await report('pay-1')).outcome, 'applied');
  assert.equal(await made(), [['success', 25.5]]);
  assert.is(await credit(), before + 25.5);
});

test('a top-up that a system announces by the name of the processor is the one the processor settles', async () => {
  const before = await credit(),
    shop = withKey((await newKey()).key);
  await shop.pushTopUp({
    body: { email: pam.email, amount: '25.50', payment_method: 'Apex Processing', payment_reference: 'pay-1' },
  });
  assert.is((await report('pay-1')).outcome, 'applied');
  assert.equal(await made(), [['success', 25.5]]);
  assert.is(await credit(), before + 25.5);
});

test('of a payment that failed first and then succeeded the success is what its reference means', async () => {
  const ann = await as('ann');
  await importFile(
    ann,
    'transactions',
    buildFile(
      'A,PAM,TOP_UP,failed,25.50,apex,,,2026-01-30,2026-01-30,pay-1',
      'B,PAM,TOP_UP,success,25.50,apex,,,2026-01-31,2026-01-31,pay-1',
    ),
  );
  assert.is((await report('pay-1')).outcome, 'unchanged');
  assert.is((await made()).length, 2);
});

test('a payment that a processor has already reported is a reject, however it stands in the file', async () => {
  const ann = await as('ann'),
    before = await credit();
  await report('pay-1');
  const [{ id }] = [
    ...(await sql<{ id: number }[]>`select id from transactions where payment_reference = 'pay-1'`),
  ] as [{ id: number }];
  const text = buildFile(
    'A,PAM,TOP_UP,success,25.50,APEX,,,2026-01-31,2026-01-31,pay-1',
    'B,PAM,TOP_UP,pending,25.50,apex,,,2026-01-31,,pay-1',
    'C,PAM,TOP_UP,success,1,Card,,,2026-01-31,2026-01-31,pay-1',
  );
  const wanted = {
    created: 1,
    existing: 0,
    rejects: [2, 3].map((line) => `${line} payment_reference: already belongs to transaction ${id}`),
  };
  assert.equal(summary(await importFile(ann, 'transactions', text, { isCheck: true })), wanted);
  assert.equal(summary(await importFile(ann, 'transactions', text)), wanted);
  assert.is(await credit(), before + 25.5);
});

test('what came in is there for the keys of other systems too', async () => {
  const ann = await as('ann');
  await importFile(
    ann,
    'transactions',
    buildFile(
      'A,PAM,TOP_UP,success,5,Shop,,,2026-01-31,2026-01-31,r-1',
      'B,PAM,REDEEM,success,100,,yolo,,2026-01-31,2026-01-31,r-2',
      'C,PAM,DEPOSIT,pending,5,,vblink,CREDIT,2026-01-31,,r-3',
    ),
  );
  const shop = withKey((await newKey()).key),
    named = { email: pam.email, payment_reference: 'r-1' };
  const tries = [
    () => shop.pushTopUp({ body: { ...named, amount: '5', payment_method: 'Shop' } }),
    () => shop.pushRedeem({ body: { ...named, amount: '100', platform: 'yolo', payment_reference: 'r-2' } }),
    () => shop.pushDeposit({ body: { ...named, amount: '5', platform: 'vblink', payment_reference: 'r-3' } }),
  ];
  for (const push of tries)
    assert.match((await refusal(push())).detail, /^This payment_reference belongs to transaction \d+$/);
});

test('of two rows with one payment of a processor only the first comes in, settled or pending, also from two files', async () => {
  const ann = await as('ann');
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
  assert.equal(summary(await importFile(ann, 'transactions', twice)), { created: 4, existing: 0, rejects });
  const again = buildFile(
    'G,PAM,TOP_UP,pending,25.50,apex,,,2026-01-31,,pay-1',
    'H,PAM,TOP_UP,success,25.50,apex,,,2026-01-31,2026-01-31,pay-2',
  );
  const { created, rejects: second } = summary(await importFile(ann, 'transactions', again));
  assert.is(created, 0);
  assert.match(
    second.join('; '),
    /^2 .*: already belongs to transaction \d+; 3 .*: already belongs to transaction \d+$/,
  );
});

test('a pending purchase takes over the reference of an attempt that failed in the past', async () => {
  const before = await credit(),
    ann = await as('ann');
  await importFile(ann, 'transactions', buildFile('A,PAM,TOP_UP,failed,25.50,apex,,,2026-01-30,2026-01-30,pay-1'));
  await importFile(ann, 'transactions', buildFile('B,PAM,TOP_UP,pending,25.50,apex,,,2026-01-31,,pay-1'));
  assert.is((await report('pay-1')).outcome, 'applied');
  assert.equal(await made(), [
    ['failed', 25.5],
    ['success', 25.5],
  ]);
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
  assert.equal(summary(await importFile(await as('ann'), 'transactions', text)), {
    created: 0,
    existing: 0,
    rejects: ids.map((id, n) => `${n + 2} payment_reference: already belongs to transaction ${id}`),
  });
});

test('a rejected row leaves its reference free', async () => {
  const text = buildFile('A,PAM,DEPOSIT,pending,99999,,vblink,CREDIT,2026-01-31,,pay-1');
  assert.match(summary(await importFile(await as('ann'), 'transactions', text)).rejects.join(), /Insufficient credit/);
  assert.is((await sql`select 1 from payment_references where reference = 'pay-1'`).length, 0);
});

test('the database refuses a second purchase of a payment, and verify finds one that came in before it did', async () => {
  const owner = { tenant_id: pam.tenant_id, id: pam.id },
    payment = { payment_method: 'Apex Processing', payment_reference: 'pay-1' };
  const first = await topUp(owner, '25.50', 'pending', payment);
  assert.match(String(await catchError(topUp(owner, '25.50', 'pending', payment))), /transactions_payment/);
  await topUp(owner, '25.50', 'pending', { ...payment, payment_method: 'Card' });
  await sql`update transactions set processor = null where id = ${first}`;
  const second = await topUp(owner, '25.50', 'failed', payment);
  assert.equal(await verifyLedger(sql), [
    `Purchases ${first}, ${second} of tenant 2 have the same payment reference 'pay-1' of apex.`,
  ]);
  await sql`update transactions set payment_reference = null where id = ${first}`;
});

test('a processor that is written with other letters gets no second purchase for its payment', async () => {
  const before = await credit();
  await report('pay-1');
  const shop = withKey((await newKey()).key);
  const push = (payment_method: string) =>
    shop.pushTopUp({ body: { email: pam.email, amount: 25.5, payment_method, payment_reference: 'pay-1' } });
  for (const [method, why] of [
    ['Ａｐｅｘ', /^409: This payment_reference belongs to transaction \d+$/],
    ['𝐀𝐩𝐞𝐱', /^409: This payment_reference belongs to transaction \d+$/],
    ['аpex', /^422: body\.payment_method: mixes letters of different alphabets$/],
    ['Apeх Processing', /^422: body\.payment_method: mixes letters of different alphabets$/],
    ['арех', /^422: body\.payment_method: looks like the name of a payment processor, but has other letters$/],
    ['ᴀpex', /^422: body\.payment_method: looks like the name of a payment processor, but has other letters$/],
    ['Αpex', /^422: body\.payment_method: mixes letters of different alphabets$/],
  ] as const)
    assert.match(await refusal(push(method)).then(({ status, detail }) => `${status}: ${detail}`), why, method);
  const lines = ['Ａｐｅｘ', 'аpex', 'арех'].map(
    (method, n) => `L${n},PAM,TOP_UP,success,25.50,${method},,,2026-01-31,2026-01-31,pay-1`,
  );
  const { rejects } = await importFile(await as('ann'), 'transactions', buildFile(...lines));
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
