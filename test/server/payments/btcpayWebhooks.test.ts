/** BTCPay Server's own events, with a small server in the place of a tenant's BTCPay. */
import { createServer, type Server } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { secretContext } from '../../../src/server/auth/secrets';
import { isBlocked } from '../../../src/server/outgoing/address';
import { booksAddUp, creditOf, lines, table } from '../../answers';
import { sue } from '../../callers';
import { deliverInvoice, newKey, revealSecret, withKey } from '../../integrations';
import { openPort, shut } from '../../openPort';
import { db, pam, reset, services, sql } from '../../world';

const path = '/api/v1/webhooks/2/btcpay';
type Invoice = Record<string, unknown>;
/** The invoices of the store, by id; what stands here in place of one is answered as it is. */
const invoices = new Map<string, Invoice | { status: number; text: string }>();
const asked: string[] = [];
let btcpay: Server,
  url = '',
  secret = '',
  n = 0,
  whileAsked: () => Promise<void> = async () => {};

test.before(async () => {
  btcpay = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    void whileAsked().then(() => {
      const [, id = ''] = /^\/pay\/api\/v1\/stores\/store-1\/invoices\/([^/]+)$/.exec(request.url ?? '') ?? [];
      const found = invoices.get(decodeURIComponent(id));
      if (found && 'text' in found)
        response.writeHead(Number(found['status']), { Location: '/elsewhere' }).end(String(found['text']));
      else
        response
          .writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' })
          .end(JSON.stringify(found ?? { code: 'invoice-not-found' }));
    });
  });
  url = `http://127.0.0.1:${await openPort(btcpay)}/pay/`;
});
test.after(() => shut(btcpay));
test.before.each(async () => {
  await reset();
  invoices.clear();
  asked.length = 0;
  whileAsked = async () => {};
  await sue.createPaymentMethod({ tenant_id: 2, payment_platform: 'btcpay', body: store() });
  secret = await revealSecret('btcpay');
});
test.after.each(booksAddUp);

const store = (more: object = {}) => ({ server_url: url, api_key: 'btcpay-key', store_id: 'store-1', ...more });
/** An invoice as the Greenfield API shows it. */
const invoice = (id: string, more: Invoice = {}): void => {
  invoices.set(id, {
    ...{ id, storeId: 'store-1', type: 'Standard', checkoutLink: 'https://x.test', checkout: {}, receipt: {} },
    ...{ amount: '25.50', paidAmount: '25.50', currency: 'USD', status: 'Settled', additionalStatus: 'None' },
    ...{ createdTime: 1, expirationTime: 2, monitoringExpiration: 3, archived: false },
    ...{ availableStatusesForManualMarking: [], metadata: { buyerEmail: pam.email, orderId: 'o-1' } },
    ...more,
  });
};
/** An event as BTCPay Server sends it. */
const event = (type: string, invoiceId: string, more: object = {}) => ({
  ...{ deliveryId: `delivery-${++n}`, webhookId: 'hook-1', originalDeliveryId: `delivery-${n}`, isRedelivery: false },
  ...{ type, timestamp: 1_593_665_700, storeId: 'store-1', invoiceId, metadata: { buyerEmail: pam.email } },
  ...{ overPaid: false, manuallyMarked: false, partiallyPaid: false, ...more },
});
const report = async (type: string, invoiceId: string, more: object = {}) => {
  const { status, body } = await deliverInvoice(path, secret, event(type, invoiceId, more));
  return [status, body.outcome ?? body.code, body.detail];
};
/** The same as one line of text. */
const said = async (...given: Parameters<typeof report>): Promise<string> => {
  const [status, outcome, detail] = await report(...given);
  return `${status} ${outcome}${detail ? `: ${detail}` : ''}`;
};
const purchases = async () => {
  const rows = await sql`
    select player_id, status, amount, payment_reference from transactions where payment_method = 'btcpay' order by id`;
  return rows.map((row) => Object.values(row));
};

test('a settled invoice credits the amount that the BTCPay Server says, to the player whom it names', async () => {
  invoice('inv-1');
  assert.is(await said('InvoiceSettled', 'inv-1', { metadata: { amount: '99999' } }), '200 applied');
  assert.equal(await purchases(), [[pam.id, 'success', 25.5, 'inv-1']]);
  assert.is(await creditOf(), 375.5);
  assert.equal(asked, ['GET /pay/api/v1/stores/store-1/invoices/inv-1 token btcpay-key']);
});

test('the player is named by user_id or external_id in the metadata, too', async () => {
  await sql`update players set external_id = 'crm-7' where id = ${pam.id}`;
  invoice('by-id', { metadata: { user_id: pam.id } });
  invoice('by-name', { metadata: { external_id: 'crm-7' } });
  for (const id of ['by-id', 'by-name']) assert.is(await said('InvoiceSettled', id), '200 applied');
  assert.is(await creditOf(), 401);
});

test('an invoice on its way is pending, and what happens to it settles it; in any order', async () => {
  for (const [last, type, status] of [
    ['Settled', 'InvoiceSettled', 'success'],
    ['Invalid', 'InvoiceInvalid', 'failed'],
    ['Expired', 'InvoiceExpired', 'failed'],
  ] as const) {
    const id = `inv-${last}`;
    invoice(id, { status: 'New' });
    assert.is((await report('InvoiceCreated', id))[1], 'ignored');
    assert.is((await report('InvoiceReceivedPayment', id))[1], 'ignored');
    invoice(id, { status: 'Processing' });
    assert.is((await report('InvoiceProcessing', id))[1], 'applied');
    assert.equal((await purchases()).at(-1), [pam.id, 'pending', 25.5, id]);
    invoice(id, { status: last });
    assert.is((await report(type, id))[1], 'applied');
    assert.is((await report('InvoiceProcessing', id))[1], 'unchanged', 'late, and out of order');
    assert.equal((await purchases()).at(-1), [pam.id, status, 25.5, id]);
  }
  assert.is(await creditOf(), 375.5);
});

test('an early event of an invoice that has moved on already finds it as it is now', async () => {
  invoice('fast', { status: 'Settled' });
  assert.is((await report('InvoiceProcessing', 'fast'))[1], 'applied');
  assert.is((await report('InvoiceSettled', 'fast'))[1], 'unchanged');
  assert.equal(await purchases(), [[pam.id, 'success', 25.5, 'fast']]);
});

test('an invoice nobody paid leaves nothing; one paid in part, too much or by hand says so', async () => {
  invoice('none', { status: 'Expired' });
  assert.is(await said('InvoiceExpired', 'none'), '200 ignored: No purchase has this reference');
  assert.equal(await purchases(), []);
  invoice('part', { status: 'Expired', additionalStatus: 'PaidPartial' });
  invoice('over', { additionalStatus: 'PaidOver', paidAmount: '30' });
  invoice('hand', { additionalStatus: 'Marked' });
  for (const [type, id, sign, words] of [
    ['InvoiceExpired', 'part', 'partiallyPaid', '200 attention: Expired after a partial payment'],
    ['InvoiceSettled', 'over', 'overPaid', '200 applied: Overpaid; the amount of the invoice was used'],
    ['InvoiceSettled', 'hand', 'manuallyMarked', '200 applied: Marked manually in BTCPay Server'],
  ] as const)
    assert.is(await said(type, id, { [sign]: true }), words);
});

test('the amount is compared with the purchase that a system of the tenant has announced', async () => {
  const shop = withKey((await newKey()).key);
  for (const [id, amount] of Object.entries({ announced: '25.50', other: '25.00' }))
    await shop.pushTopUp({ body: { email: pam.email, amount, payment_method: 'btcpay', payment_reference: id } });
  invoice('announced', { metadata: null });
  invoice('other', { metadata: null });
  assert.is(await said('InvoiceSettled', 'announced'), '200 applied');
  const off = '200 attention: The event reports $25.50, but the purchase is for $25.00';
  assert.is(await said('InvoiceSettled', 'other'), off);
  assert.is(await creditOf(), 375.5);
});

test('an invoice that names no player waits for its announcement', async () => {
  invoice('later', { metadata: {} });
  const sent = event('InvoiceSettled', 'later');
  const first = await deliverInvoice(path, secret, sent);
  assert.equal([first.status, first.headers.get('Retry-After')], [503, '60'], 'BTCPay Server sends it again by itself');
  await withKey((await newKey()).key).pushTopUp({
    body: { email: pam.email, amount: '25.50', payment_method: 'btcpay', payment_reference: 'later' },
  });
  const again = await deliverInvoice(path, secret, { ...sent, deliveryId: 'another', isRedelivery: true });
  assert.is(again.body.outcome, 'applied');
  const { deliveries } = await sue.getWebhook({ tenant_id: 2, platform: 'btcpay' });
  const one = [[sent.deliveryId, 2, 'applied']];
  assert.equal(table(deliveries, 'delivery_id', 'attempts', 'outcome'), one, 'a redelivery is the one it repeats');
});

test('what is not in dollars, or not for this store, is refused in words', async () => {
  const no = '200 attention: Not an amount in USD: it must be above 0 with at most 2 decimals',
    none = '404 not_found: The BTCPay Server has no such invoice in this store';
  for (const [id, more, answer] of [
    ['eur', { currency: 'EUR' }, '200 attention: Paid in EUR, not in USD'],
    ['btc', { currency: 'BTC', amount: '0.00012345' }, '200 attention: Paid in BTC, not in USD'],
    ['zero', { amount: '0' }, no],
    ['thirds', { amount: '33.333' }, no],
    ['theirs', { storeId: 'store-2' }, none],
  ] as const) {
    invoice(id, more);
    assert.is(await said('InvoiceSettled', id), answer);
  }
  assert.is(await said('InvoiceSettled', 'unknown'), none);
  const theirs = '409 conflict: storeId is not the store of this payment method';
  assert.is(await said('InvoiceSettled', 'eur', { storeId: 'store-2' }), theirs);
  assert.equal(await purchases(), []);
  invoice('exact', { amount: '25.5000' });
  assert.is(await said('InvoiceSettled', 'exact'), '200 applied');
});

test('states and events with the names of what every object has are unknown ones', async () => {
  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    invoice(`state-${word}`, { status: word });
    assert.is(await said('InvoiceSettled', `state-${word}`), '200 ignored: The invoice is not paid');
    invoice(`event-${word}`);
    assert.is(await said(word, `event-${word}`), '200 ignored: This event moves no money');
  }
  assert.equal(await purchases(), []);
});

test('an id that is none of an invoice leads the server to no other address', async () => {
  for (const id of ['..', '.', '../../users/me', 'a/b', 'a?b', 'ä', 'a b', '%2e%2e']) {
    invoice(id);
    assert.is(await said('InvoiceSettled', id), '409 conflict: invoiceId is not the id of an invoice');
  }
  assert.equal(asked, []);
});

test('a test of the webhook, and events about other things, are taken and ignored without a question', async () => {
  for (const [type, id] of [
    ['InvoiceSettled', '__test__1__test__'],
    ['PayoutCreated', ''],
    ['InvoicePaymentSettled', 'inv-1'],
  ] as const)
    assert.is((await report(type, id))[1], 'ignored');
  assert.equal(asked, []);
});

test('a BTCPay Server that is down, redirects or sends nonsense leads to a 503, so it delivers again', async () => {
  for (const [id, answer] of [
    ['500', { status: 500, text: '' }],
    ['nonsense', { status: 200, text: '<html>' }],
    ['other-shape', { status: 200, text: '{"id":1}' }],
    ['endless', { status: 200, text: 'x'.repeat(300_000) }],
    ['redirect', { status: 302, text: '' }],
  ] as const) {
    invoices.set(id, answer);
    assert.equal((await report('InvoiceSettled', id)).slice(0, 2), [503, 'unavailable'], id);
  }
  const followed = asked.filter((line) => line.includes('elsewhere'));
  assert.equal(followed, [], 'a redirect is not followed');
  const barred = ['https://[fe80::1]/', 'https://[::ffff:169.254.169.254]/', 'https://0.0.0.0:1'];
  for (const server_url of ['http://127.0.0.1:1', 'https://169.254.169.254/latest', ...barred]) {
    await sue.updatePaymentMethod({ tenant_id: 2, platform: 'btcpay', body: store({ server_url }) });
    assert.equal((await report('InvoiceSettled', 'inv-1')).slice(0, 2), [503, 'unavailable'], server_url);
  }
  assert.equal(await purchases(), []);
  const { deliveries } = await sue.getWebhook({ tenant_id: 2, platform: 'btcpay' });
  const reasons = [...new Set(lines(deliveries, 'outcome', 'detail'))];
  assert.equal(reasons, [
    'attention The address of the BTCPay Server is not allowed',
    'attention The BTCPay Server cannot be reached at the moment',
  ]);
});

test('addresses of no host are barred; private ones, where BTCPay often runs, are not', () => {
  for (const address of [
    ...['169.254.169.254', '0.0.0.0', '224.0.0.1', '255.255.255.255', '168.63.129.16', 'fe80::1', '::', 'ff02::1'],
    ...['::ffff:169.254.169.254', '::ffff:168.63.129.16', '::169.254.169.254', '::ffff:0:169.254.169.254'],
    ...['64:ff9b::169.254.169.254', '64:ff9b::a83f:8110', '64:ff9b:1::a9fe:a9fe', 'fd00:ec2::254', 'fd20:ce::254'],
    ...['2002:a9fe:a9fe::1', '2001:0:a9fe:a9fe::1'],
  ])
    assert.ok(isBlocked(address), address);
  const own = ['127.0.0.1', '10.1.2.3', '192.168.1.1', '172.17.0.2', '203.0.113.7', '::1', 'fd12::1', '2001:db8::1'];
  for (const address of own) assert.not.ok(isBlocked(address), address);
});

test('an address with a double slash calls its own host, and not what follows the slashes', async () => {
  await sql`delete from payment_methods`;
  const { port } = new URL(url);
  // Where the host of the address is none of ours, and the path looks like a host that is.
  const body = store({ server_url: `http://127.0.0.2:1//127.0.0.1:${port}/pay/` });
  await sue.createPaymentMethod({ tenant_id: 2, payment_platform: 'btcpay', body });
  secret = await revealSecret('btcpay');
  invoice('inv-1');
  assert.is((await report('InvoiceSettled', 'inv-1'))[0], 503);
  assert.equal(asked, []);
});

test('an address that was stored before is not called without TLS either', async () => {
  const [row] = await sql<{ credentials_secret: string }[]>`select credentials_secret from payment_methods`;
  const context = secretContext.paymentMethod(2, 'btcpay');
  const credentials = JSON.parse(services.secrets.decrypt(row!.credentials_secret, context));
  const text = JSON.stringify({ ...credentials, server_url: 'http://203.0.113.7/' });
  await sql`update payment_methods set credentials_secret = ${services.secrets.encrypt(text, context)}`;
  assert.is((await report('InvoiceSettled', 'inv-1'))[0], 503);
  const { deliveries } = await sue.getWebhook({ tenant_id: 2, platform: 'btcpay' });
  assert.equal(table(deliveries, 'outcome', 'detail'), [
    ['attention', 'The address of the BTCPay Server must begin with https://'],
  ]);
});

test('an invoice with characters that cannot be stored is no error of ours', async () => {
  for (const [id, more] of [
    ['nul', { metadata: { buyerEmail: `${pam.email}\0` } }],
    ['half', { metadata: { external_id: '\ud800' } }],
    ['money', { amount: '25.50\0' }],
    ['currency', { currency: 'US\0' }],
  ] as const) {
    invoice(id, more);
    const [status] = await report('InvoiceSettled', id);
    assert.ok(status === 404 || status === 200, `${id}: ${status}`);
  }
  assert.equal(await purchases(), []);
});

test('a key that may not read invoices: the signed event settles what is announced, and nothing else', async () => {
  await withKey((await newKey()).key).pushTopUp({
    body: { email: pam.email, amount: '12', payment_method: 'btcpay', payment_reference: 'known' },
  });
  for (const id of ['known', 'unknown']) invoices.set(id, { status: 403, text: '{}' });
  const why = 'The stored API key is not allowed to read the invoices of the store';
  assert.is(await said('InvoiceSettled', 'known'), `200 applied: ${why}`);
  assert.is(await said('InvoiceSettled', 'unknown'), `200 attention: ${why}`);
  assert.equal(await purchases(), [[pam.id, 'success', 12, 'known']]);
});

test('while we wait for the BTCPay Server, nothing is locked and no transaction is open', async () => {
  invoice('slow');
  let open = -1;
  whileAsked = async () => {
    const [row] = await db.sql<{ open: number }[]>`
      select count(*)::int as open from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`;
    open = row!.open;
  };
  assert.is((await report('InvoiceSettled', 'slow'))[1], 'applied');
  assert.is(open, 0);
});

test('a method that is switched off, deleted or changed while the BTCPay Server is asked moves no money', async () => {
  const at = { tenant_id: 2, platform: 'btcpay' as const };
  const revocations: Record<string, () => Promise<unknown>> = {
    'secret-replaced': () => revealSecret('btcpay', true),
    'other-store': () => sue.updatePaymentMethod({ ...at, body: store({ store_id: 'store-2' }) }),
    'switched-off': () => sue.togglePaymentMethod(at),
    deleted: () => sue.deletePaymentMethod(at),
  };
  for (const [what, revoke] of Object.entries(revocations)) {
    invoice(what);
    whileAsked = async () => {
      await revoke();
      whileAsked = async () => {};
    };
    assert.equal((await report('InvoiceSettled', what)).slice(0, 2), [401, 'not_signed_in'], what);
    if (what === 'secret-replaced') secret = await revealSecret('btcpay');
    if (what === 'other-store') await sue.updatePaymentMethod({ ...at, body: store() });
  }
  assert.equal(await purchases(), []);
  assert.is(await creditOf(), 350);
});

test.run();
