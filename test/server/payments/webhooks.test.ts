import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { booksAddUp, creditOf, isRefused, lines, pluck, table } from '../../answers';
import { sue } from '../../callers';
import { createApi } from '../../createApi';
import { addApex, deliver, nowSeconds, post, revealSecret, signature } from '../../integrations';
import { addPlayer } from '../../seed';
import { fetch, PASSWORD, pam, pat, people, reset, send, sql } from '../../world';

const path = '/api/v1/webhooks/2/apex';
let secret = '',
  n = 0;
const event = (more: object = {}) => ({
  ...{ id: `evt-${++n}`, type: 'payment.succeeded', reference: `pay-${n}`, amount: '25.50', email: pam.email },
  ...{ occurred_at: '2026-01-31T10:00:00Z', ...more },
});
const report = (more: object = {}) => deliver(path, secret, event(more));
const purchases = () => sql<{ id: number; status: string }[]>`
  select id, player_id, status, amount, payment_method, payment_reference from transactions
  where payment_method = 'apex' order by id`;
const statusesOf = async () => (await purchases()).map(({ status }) => status);
const deliveries = async () => (await sue.getWebhook({ tenant_id: 2, platform: 'apex' })).deliveries;

test.before.each(async () => {
  await reset();
  secret = await addApex();
});
test.after.each(booksAddUp);

test('unknown tenants, processors and secrets, inactive ones and wrong signatures get the same answer', async () => {
  const store = { server_url: 'https://btc.test', api_key: 'k', store_id: 's' };
  await sue.createPaymentMethod({ tenant_id: 2, payment_platform: 'btcpay', body: store });
  const body = JSON.stringify(event()),
    good = signature(secret, body);
  const tries: [string, string, Record<string, string>][] = [
    ['wrong signature', path, { 'X-Signature': signature('another', body) }],
    ['none', path, {}],
    ['not one', path, { 'X-Signature': 'yes' }],
    ['no secret yet', '/api/v1/webhooks/2/btcpay', { 'BTCPay-Sig': `sha256=${'0'.repeat(64)}` }],
    ['unknown tenant', '/api/v1/webhooks/99/apex', { 'X-Signature': good }],
    ['another tenant, which has no such method', '/api/v1/webhooks/3/apex', { 'X-Signature': good }],
    ['a processor not set up', '/api/v1/webhooks/2/flikpay', { 'X-Signature': good }],
    ['no processor', '/api/v1/webhooks/2/visa', { 'X-Signature': good }],
    ['too old', path, { 'X-Signature': signature(secret, body, nowSeconds() - 301) }],
    ['from the future', path, { 'X-Signature': signature(secret, body, nowSeconds() + 900) }],
    ['another body', path, { 'X-Signature': signature(secret, `${body} `) }],
    ["BTCPay's header", path, { 'BTCPay-Sig': good }],
  ];
  const isNone = async (what: string, where: string, headers: Record<string, string>) => {
    const { status, body: told } = await post(where, body, headers);
    assert.equal([status, told.detail], [401, 'Unknown webhook or wrong signature'], what);
  };
  for (const one of tries) await isNone(...one);
  await sue.togglePaymentMethod({ tenant_id: 2, platform: 'apex' });
  await isNone('switched off', path, { 'X-Signature': good });
  await sue.togglePaymentMethod({ tenant_id: 2, platform: 'apex' });
  await sql`update tenants set is_active = false where id = 2`;
  await isNone('closed tenant', path, { 'X-Signature': good });
  assert.equal(await purchases(), []);
  assert.equal([...(await sql`select 1 from webhook_deliveries`)], [], 'what nobody has signed is not kept');
});

test('a signed body that is no event is 422, names the field, and is shown to admins', async () => {
  for (const [body, detail] of [
    ['{', /^body: not JSON$/],
    ['', /^body: is required$/],
    [JSON.stringify(event({ type: 'payment.refunded' })), /^body\.type: expected payment\.pending/],
    [JSON.stringify(event({ user_id: 1 })), /^body: exactly one of user_id and email is required$/],
    [JSON.stringify(event({ email: undefined })), /^body: exactly one of user_id and email is required$/],
    [JSON.stringify(event({ occurred_at: 'yesterday' })), /^body\.occurred_at: /],
    [JSON.stringify(event({ id: '' })), /^body\.id: /],
  ] as const) {
    const answer = await post(path, body, { 'X-Signature': signature(secret, body) });
    assert.is(answer.status, 422, body);
    assert.match(String(answer.body.detail), detail);
  }
  const [last] = await deliveries();
  assert.equal([last!.event_type, last!.outcome], ['unreadable', 'attention']);
  assert.match(last!.detail!, /^body\.id/);
  assert.equal(await purchases(), []);
});

test('a body over 64 KiB is 413, signed or not', async () => {
  const body = JSON.stringify(event({ padding: 'x'.repeat(70_000) }));
  assert.is((await post(path, body, { 'X-Signature': signature(secret, body) })).status, 413);
});

test('too many wrong signatures end in 429 for the address, but not for senders that signed correctly', async () => {
  const wrong = () => post(path, '{}', { 'X-Signature': signature('guess', '{}') });
  const statuses = await Promise.all(Array.from({ length: 61 }, wrong));
  assert.equal(pluck(statuses, 'status').sort().slice(-2), [401, 429]);
  const late = await report();
  const refusal = [late.status, Number(late.headers.get('Retry-After')) > 0];
  assert.equal(refusal, [429, true], 'the right one too: it might be the next guess');

  await reset(); // which is a restart, too
  secret = await addApex();
  assert.is((await report()).status, 200);
  await Promise.all(Array.from({ length: 70 }, wrong));
  assert.is((await report()).status, 200);
});

test('the calls about a webhook know no method that is not there', async () => {
  const acme = { tenant_id: 2, platform: 'flikpay' },
    bravo = { tenant_id: 3, platform: 'apex' };
  for (const at of [acme, bravo, { ...bravo, tenant_id: 99 }]) {
    await isRefused(sue.getWebhook(at), 404);
    await isRefused(sue.revealWebhookSecret({ ...at, body: { rotate: false, password: PASSWORD } }), 404);
  }
});

test('a payment that succeeded credits the player once, by the call as the contract has it', async () => {
  const sent = event();
  const api = createApi({
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...init.headers, 'X-Signature': signature(secret, String(init.body)) } }),
  });
  const body = { ...sent, type: 'payment.succeeded' } as const;
  const answer = await api.receiveWebhook({ tenant_id: 2, platform: 'apex', body });
  assert.equal(answer, { outcome: 'applied', detail: null });
  const [made] = await purchases();
  const paid = { amount: 25.5, payment_method: 'apex', payment_reference: sent.reference, status: 'success' };
  assert.equal({ ...made }, { id: made!.id, player_id: pam.id, ...paid });
  assert.is(await creditOf(), 375.5);
  const [entry] = await sql`
    select admin_id, email, call, kind, object_id, tenant_id, player_id, before, after from audit_log
    where call = 'receiveWebhook'`;
  assert.equal(entry, {
    ...{ admin_id: null, email: 'webhook apex', call: 'receiveWebhook', kind: 'purchase' },
    ...{ object_id: String(made!.id), tenant_id: 2, player_id: pam.id, before: null, after: paid },
  });
});

test('pending, then settled, either way', async () => {
  for (const [type, status] of Object.entries({ 'payment.succeeded': 'success', 'payment.failed': 'failed' })) {
    const common = { reference: `two-${type}`, amount: 10, email: undefined, user_id: pam.id };
    for (const [news, becomes] of Object.entries({ 'payment.pending': 'pending', [type]: status })) {
      assert.equal((await report({ ...common, type: news })).body, { outcome: 'applied', detail: null });
      assert.is((await statusesOf()).at(-1), becomes);
    }
    assert.is(await creditOf(), 360);
  }
});

test('a settlement that comes before its beginning counts, and the beginning then changes nothing', async () => {
  for (const type of ['payment.succeeded', 'payment.failed']) {
    const reference = `early-${type}`;
    assert.is((await report({ reference, type })).body.outcome, 'applied');
    assert.is((await report({ reference, type: 'payment.pending' })).body.outcome, 'unchanged');
  }
  assert.equal(await statusesOf(), ['success', 'failed']);
  assert.is(await creditOf(), 375.5);
});

test('the same delivery again, and the same news in another delivery, change nothing', async () => {
  const sent = event();
  for (let again = 0; again < 3; again++)
    assert.equal((await deliver(path, secret, sent)).body, { outcome: 'applied', detail: null });
  assert.equal((await report({ reference: sent.reference })).body, { outcome: 'unchanged', detail: null });
  assert.is((await purchases()).length, 1);
  assert.is(await creditOf(), 375.5);
  const shown = await deliveries();
  assert.equal(lines(shown, 'outcome', 'attempts', 'reference'), [
    `unchanged 1 ${sent.reference}`,
    `applied 3 ${sent.reference}`,
  ]);
  const entries = await sql`select 1 from audit_log where call = 'receiveWebhook'`;
  assert.is(entries.length, 1, 'one entry for the one change');
});

test('forty simultaneous deliveries of one settlement have one effect [ASVS 2.3.4]', async () => {
  const sent = event({ amount: 10 });
  const answers = await Promise.all(Array.from({ length: 40 }, () => deliver(path, secret, sent)));
  assert.equal([...new Set(answers.map(({ status, body }) => `${status} ${body.outcome}`))], ['200 applied']);
  assert.is((await purchases()).length, 1);
  assert.is(await creditOf(), 360);
  const moved = await sql`
    select 1 from transfers t join transactions m on m.tenant_id = t.tenant_id and m.id = t.money_id
    where m.payment_method = 'apex'`;
  assert.is(moved.length, 1);
});

test('of twenty settlements and twenty beginnings of one payment at once, all different, one settles it', async () => {
  const types = Array.from({ length: 40 }, (_, nth) => (nth % 2 ? 'payment.succeeded' : 'payment.pending'));
  const answers = await Promise.all(types.map((type) => report({ type, reference: 'storm' })));
  const outcomes = answers.map(({ status, body }, nth) => `${status} ${types[nth]} ${body.outcome}`);
  const settled = outcomes.filter((told) => told === '200 payment.succeeded applied');
  assert.is(settled.length, 1, outcomes.join('\n'));
  assert.equal([...new Set(pluck(answers, 'status'))], [200]);
  assert.equal(await statusesOf(), ['success']);
  assert.is(await creditOf(), 375.5);
});

test('what a person must decide moves nothing, says why, is shown to admins, and may be sent again', async () => {
  await report({ reference: 'known', type: 'payment.pending', amount: '25.50' });
  const other = await addPlayer(2, { email: 'other@mail.test' });
  const cases: [object, number, string | RegExp][] = [
    [{ reference: 'known', amount: '25.51' }, 200, 'The event reports $25.51, but the purchase is for $25.50'],
    [{ reference: 'known', currency: 'EUR' }, 200, 'Paid in EUR, not in USD'],
    [{ reference: 'new-1', currency: 'EUR' }, 200, 'Paid in EUR, not in USD'],
    [{ reference: 'known', email: other.email }, 200, 'The event names a different player than the purchase'],
    [{ reference: 'new-2', email: 'nobody@mail.test' }, 404, 'Unknown player'],
    [{ reference: 'new-3', email: undefined, user_id: pat.id }, 404, 'Unknown player'],
    [{ reference: 'new-4', email: pat.email }, 404, 'Unknown player'],
  ];
  const before = await creditOf();
  for (const [more, status, detail] of cases) {
    const answer = await report(more);
    assert.equal([answer.status, answer.body.detail], [status, detail]);
    const [shown] = await deliveries();
    assert.equal([shown!.outcome, shown!.detail], ['attention', detail]);
  }
  assert.is((await purchases()).length, 1);
  assert.is(await creditOf(), before);

  const late = event({ reference: 'new-5', email: 'late@mail.test' });
  assert.is((await deliver(path, secret, late)).status, 404);
  const made = await addPlayer(2, { email: 'late@mail.test' });
  const again = (await deliver(path, secret, late)).body;
  assert.equal(again, { outcome: 'applied', detail: null }, 'the same delivery, once the player is there');
  assert.is(await creditOf(made.id), 25.5);
});

test('what the books refuse is kept with its reason, and may be sent again', async () => {
  const sent = event({ amount: '99999999999.99' });
  assert.is((await deliver(path, secret, sent)).status, 200, 'the most there can be');
  const more = event({ amount: '99999999999.99' });
  for (let n = 0; n < 9; n++) await report({ amount: '99999999999.99' });
  const answer = await deliver(path, secret, more);
  assert.equal([answer.status, answer.body.detail], [400, 'The balance would become too large']);
  const [shown] = await deliveries();
  assert.equal([shown!.outcome, shown!.detail], ['attention', 'The balance would become too large']);
});

test('what is settled the other way round stays as it is, and a person is asked', async () => {
  await report({ reference: 'paid' });
  const detail = 'The event reports failed, but the purchase is already success';
  const { body } = await report({ reference: 'paid', type: 'payment.failed' });
  assert.equal(body, { outcome: 'attention', detail });
  assert.is(await creditOf(), 375.5);
});

test("one tenant's references and deliveries are nothing to another's", async () => {
  const theirs = await addApex(3);
  assert.is.not(theirs, secret);
  const sent = event();
  assert.is((await deliver(path, secret, sent)).body.outcome, 'applied');
  assert.is((await deliver('/api/v1/webhooks/3/apex', theirs, { ...sent, email: pat.email })).body.outcome, 'applied');
  assert.equal([await creditOf(pam.id), await creditOf(pat.id)], [375.5, 375.5]);
  const stray = await deliver('/api/v1/webhooks/3/apex', theirs, { ...sent, id: 'x', reference: 'x' });
  assert.is(stray.status, 404, "another tenant's player");
});

test('a signed call needs neither a session nor a content type, and is never kept by a cache', async () => {
  const body = JSON.stringify(event());
  const headers = { 'X-Signature': signature(secret, body), 'Content-Type': 'text/plain' };
  const response = await send('POST', path, { body, headers });
  assert.equal([response.status, response.headers.get('Cache-Control')], [200, 'no-store']);
});

test('an event that names another account than the purchase is not applied, however alike the letters are', async () => {
  const [upper, lower] = ['Ა@mail.test', 'ა@mail.test'];
  await addPlayer(2, { email: lower });
  const isOne = await addPlayer(2, { email: upper }).then(
    () => false,
    () => true, // the database takes both for one
  );
  await report({ type: 'payment.pending', email: lower, reference: 'alike' });
  const { body } = await report({ email: upper, reference: 'alike' });
  assert.is(body.outcome, isOne ? 'applied' : 'attention');
});

test('a secret is stored encrypted and bound to its row, shown again on request, and replaced at once', async () => {
  assert.match(secret, /^[\w-]{43}$/);
  assert.is(await revealSecret(), secret);
  const [row] = await sql<{ webhook_secret: string }[]>`select webhook_secret from payment_methods`;
  assert.ok(!row!.webhook_secret.includes(secret) && row!.webhook_secret.startsWith('v2.'));
  const newer = await revealSecret('apex', true);
  assert.is.not(newer, secret);
  assert.is((await deliver(path, secret, event())).status, 401);
  assert.is((await deliver(path, newer, event())).status, 200);
  const entries = await sql`select email, before, after from audit_log where call = 'revealWebhookSecret' order by id`;
  const masked = { webhook_secret: '••••••••' };
  assert.equal(table(entries, 'email', 'before', 'after'), [
    [people.sue.email, { webhook_secret: null }, masked],
    [people.sue.email, null, null],
    [people.sue.email, masked, masked],
  ]);
});

test('a processor with a webhook_secret among its credentials signs with that', async () => {
  const at = { tenant_id: 2, platform: 'flikpay' };
  const body = { api_key: 'k', merchant_id: 'm', webhook_secret: 'from flikpay' };
  await sue.createPaymentMethod({ tenant_id: 2, payment_platform: 'flikpay', body });
  const { path: there, header, has_secret } = await sue.getWebhook(at);
  assert.equal([there, header, has_secret], ['/api/v1/webhooks/2/flikpay', 'X-Signature', true]);
  assert.is((await deliver(there, 'from flikpay', event())).status, 200);
  const newer = await revealSecret('flikpay', true);
  assert.is((await deliver(there, 'from flikpay', event())).status, 401);
  assert.is((await deliver(there, newer, event())).status, 200);
  await sue.updatePaymentMethod({ ...at, body: { api_key: '', merchant_id: 'm', webhook_secret: 'set by hand' } });
  assert.is((await deliver(there, 'set by hand', event())).status, 200);
});

test.run();
