import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MASK } from '../../../src/contract/constants';
import { secretContext } from '../../../src/server/auth/secrets';
import { isRefused, pluck, statusOf } from '../../answers';
import { sue } from '../../callers';
import { reset, send, services, sql, tokenOf } from '../../world';

const apex = { api_key: 'key-1', secret_key: 'secret-1', merchant_id: 'm-1' };
const acmeApex = { tenant_id: 2, payment_platform: 'apex' as const, body: apex };
const stored = async (): Promise<unknown> => {
  const [row] = await sql`select * from payment_methods`;
  const place = secretContext.paymentMethod(row!['tenant_id'], row!['payment_platform']);
  return JSON.parse(services.secrets.decrypt(row!['credentials_secret'], place));
};
const atApex = { tenant_id: 2, platform: 'apex' } as const;

test.before.each(reset);

test('a new method is active and listed under its tenant, its secrets masked', async () => {
  assert.equal(await sue.listPaymentMethods(), []);
  const webhook_url = 'https://hooks.acme.test/apex';
  const { created_at, ...made } = await sue.createPaymentMethod({ ...acmeApex, webhook_url });
  assert.equal(made, {
    ...{ id: 1, tenant_id: 2, tenant_name: 'Acme', payment_platform: 'apex', is_active: true, webhook_url },
    credentials: { api_key: MASK, secret_key: MASK, merchant_id: 'm-1' },
  });
  assert.equal(await sue.listPaymentMethods(), [{ ...made, created_at }]);
});

test('the credentials are stored encrypted, bound to their tenant and processor [ASVS 11.3.2]', async () => {
  await sue.createPaymentMethod(acmeApex);
  const [row] = await sql<{ credentials_secret: string }[]>`select credentials_secret from payment_methods`;
  assert.not.match(row!.credentials_secret, /key-1|secret-1/);
  assert.throws(() => services.secrets.decrypt(row!.credentials_secret, secretContext.paymentMethod(3, 'apex')));
  assert.equal(await stored(), apex);
});

test('each processor needs its own keys', async () => {
  const create = (payment_platform: 'flikpay' | 'apex' | 'btcpay', body: Record<string, string>) =>
    sue.createPaymentMethod({ tenant_id: 2, payment_platform, body });
  const flikpay = { api_key: 'a', merchant_id: 'b' },
    btc = { server_url: 'https://pay.test', api_key: 'a' };
  const fields = 'body: Apex Processing takes only api_key, secret_key, merchant_id';
  await isRefused(create('flikpay', flikpay), 422, 'body.webhook_secret: is required for FlikPay');
  const blank = { ...apex, secret_key: '  ' };
  await isRefused(create('apex', blank), 422, 'body.secret_key: is required for Apex Processing');
  await isRefused(create('btcpay', btc), 422, 'body.store_id: is required for BTC Pay');
  await isRefused(create('btcpay', { ...btc, server_url: 'nowhere', store_id: 's' }), 422);
  await isRefused(create('apex', { ...apex, api_key: MASK }), 422);
  await isRefused(create('apex', { ...apex, iban: 'x' }), 422, fields);
  assert.equal(await sue.listPaymentMethods(), []);
  await create('flikpay', { ...flikpay, webhook_secret: 'c' });
  await create('btcpay', { ...btc, store_id: 's' });
  assert.equal(pluck(await sue.listPaymentMethods(), 'credentials'), [
    { server_url: 'https://pay.test', api_key: MASK, store_id: 's' },
    { api_key: MASK, merchant_id: 'b', webhook_secret: MASK },
  ]);
});

test('a webhook address is https, or none', async () => {
  const words = 'query.webhook_url: expected an https address';
  for (const webhook_url of ['http://hooks.test', 'ftp://hooks.test', 'hooks.test', 'javascript:alert(1)'])
    await isRefused(sue.createPaymentMethod({ ...acmeApex, webhook_url }), 422, words);
  assert.is((await sue.createPaymentMethod(acmeApex)).webhook_url, null);
});

test('a tenant has each processor once', async () => {
  assert.equal((await Promise.all([1, 2].map(() => statusOf(sue.createPaymentMethod(acmeApex))))).sort(), [200, 409]);
  await isRefused(sue.createPaymentMethod(acmeApex), 409, 'This tenant already has this payment method');
  assert.is((await sue.createPaymentMethod({ ...acmeApex, tenant_id: 3 })).tenant_name, 'Bravo');
});

test('an update keeps every credential that is empty, masked or left out', async () => {
  await sue.createPaymentMethod(acmeApex);
  const body = { api_key: MASK, secret_key: 'secret-2', merchant_id: '' };
  const { credentials } = await sue.updatePaymentMethod({ ...atApex, body });
  assert.equal(credentials, { api_key: MASK, secret_key: MASK, merchant_id: 'm-1' });
  assert.equal(await stored(), { ...apex, secret_key: 'secret-2' });
  await sue.updatePaymentMethod({ ...atApex, body: {} });
  assert.equal(await stored(), { ...apex, secret_key: 'secret-2' });
  await isRefused(sue.updatePaymentMethod({ ...atApex, body: { store_id: 's' } }), 422);
});

const btcpay = { server_url: 'https://pay.acme.test/btc', api_key: 'PLANTED-KEY', store_id: 's' };
const acmeBtcpay = { tenant_id: 2, payment_platform: 'btcpay' as const, body: btcpay };

test('a stored key does not follow its server to another address, however it is kept [ASVS 1.3.6]', async () => {
  const token = await tokenOf('sue');
  await sue.createPaymentMethod(acmeBtcpay);
  const put = async (body: object) => {
    const response = await send('PUT', '/api/v1/admin/payment-methods/2/btcpay', { token, body });
    return [response.status, (await response.json()).detail];
  };
  const refusedWith = [422, 'body.api_key: enter the key again, because the server has changed'];
  for (const server_url of [
    ...['https://thief.test/btc', 'https://pay.acme.test.thief.test/btc', 'https://pay.acme.test@thief.test/btc'],
    ...['https://pay.acme.test:8443/btc', 'http://127.0.0.1:9999/'],
  ]) {
    for (const api_key of [MASK, ` ${MASK} `, '', '  '])
      assert.equal(await put({ server_url, api_key, store_id: 's' }), refusedWith, `${server_url} ${api_key}`);
    assert.equal(await put({ server_url }), refusedWith, server_url);
    assert.is((await put({ server_url, api_key: null, store_id: 's' }))[0], 422, server_url);
  }
  assert.equal(await stored(), btcpay);
  for (const server_url of ['https://PAY.acme.test/btc/', 'https://pay.acme.test:443/other'])
    assert.is((await put({ server_url, api_key: MASK }))[0], 200, 'the same server');
  await put({ server_url: 'https://new.acme.test', api_key: 'typed anew' });
  assert.equal(await stored(), { server_url: 'https://new.acme.test', api_key: 'typed anew', store_id: 's' });
});

test('a key never travels in clear beyond the machine and its network', async () => {
  const create = (server_url: string) => sue.createPaymentMethod({ ...acmeBtcpay, body: { ...btcpay, server_url } });
  const clear = 'body.server_url: must begin with https://, except on this machine or a private network';
  for (const server_url of [
    ...['http://pay.acme.test', 'http://203.0.113.7/', 'http://8.8.8.8', 'http://[2001:db8::1]/'],
    ...['http://localhost.thief.test', 'http://127.0.0.1.thief.test/', 'http://10.0.0.1@pay.acme.test/'],
  ])
    await isRefused(create(server_url), 422, clear, server_url);
  for (const server_url of [
    ...['http://127.0.0.1:23000', 'http://localhost:49392/', 'http://[::1]/', 'http://10.1.2.3/', 'http://192.168.1.5'],
    ...['http://btcpayserver:49392', 'http://btcpay.internal./', 'https://pay.acme.test'],
  ]) {
    await create(server_url);
    await sue.deletePaymentMethod({ tenant_id: 2, platform: 'btcpay' });
  }
});

test('an update keeps a webhook it leaves out, and removes a blank one', async () => {
  const token = await tokenOf('sue');
  await sue.createPaymentMethod({ ...acmeApex, webhook_url: 'https://hooks.acme.test' });
  const update = async (more: object) => (await sue.updatePaymentMethod({ ...atApex, ...more, body: {} })).webhook_url;
  assert.is(await update({}), 'https://hooks.acme.test');
  assert.is(await update({ webhook_url: 'https://new.acme.test' }), 'https://new.acme.test');
  const response = await send('PUT', '/api/v1/admin/payment-methods/2/apex?webhook_url=', { token, body: {} });
  assert.is((await response.json()).webhook_url, null);
});

test('the switch turns it off and on again; a deleted one is gone, and can be made anew', async () => {
  await sue.createPaymentMethod(acmeApex);
  assert.is((await sue.togglePaymentMethod(atApex)).is_active, false);
  assert.is((await sue.listPaymentMethods())[0]!.is_active, false);
  assert.is((await sue.togglePaymentMethod(atApex)).is_active, true);
  assert.equal(await sue.deletePaymentMethod(atApex), { ok: true });
  assert.equal(await sue.listPaymentMethods(), []);
  await isRefused(sue.deletePaymentMethod(atApex), 404);
  await sue.createPaymentMethod(acmeApex);
});

test('what is not there is 404, what cannot be is 400 or 422', async () => {
  for (const work of [
    () => sue.updatePaymentMethod({ ...atApex, body: apex }),
    () => sue.togglePaymentMethod(atApex),
    () => sue.togglePaymentMethod({ tenant_id: 2, platform: 'constructor' }),
    () => sue.deletePaymentMethod({ tenant_id: 99, platform: 'apex' }),
  ])
    await isRefused(work(), 404, 'Payment method not found');
  const token = await tokenOf('sue');
  for (const query of ['?payment_platform=paypal', ''])
    assert.is((await send('POST', `/api/v1/admin/payment-methods/2${query}`, { token, body: apex })).status, 422);
});

test.run();
