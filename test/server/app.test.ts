/** How every call is answered and refused, whatever it does. */
import { gunzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import type { CallSpec } from '../../src/contract/calls';
import { VERSION } from '../../src/contract/version';
import { ann, sue } from '../callers';
import { fetch, people, reset, send, sql, tokenOf } from '../world';

const tenants = calls.listTenants.path;
/** Every refusal reads alike. */
async function refusedWith(response: Response, status: number): Promise<string> {
  assert.is(response.status, status);
  assert.match(response.headers.get('Content-Type')!, /^application\/json/);
  assert.is(response.headers.get('Cache-Control'), 'no-store');
  const body = await response.json();
  assert.equal(Object.keys(body).sort(), ['code', 'detail', 'request_id']);
  assert.is(body.request_id, response.headers.get('X-Request-Id'));
  assert.is(typeof body.detail, 'string');
  return body.detail;
}

test.before.each(reset);

test('an unknown path is 404, a known one by another method 405 with those it has, both as JSON', async () => {
  assert.is(await refusedWith(await send('GET', '/api/v1/nothing'), 404), 'No such call');
  for (const [method, path, allowed] of [
    ['PATCH', tenants, 'GET, POST'],
    ['OPTIONS', tenants.replace(/\/$/, ''), 'GET, POST'],
    ['GET', '/api/v1/users/7', 'PUT, DELETE'],
    ['GET', calls.submitRedeem.path, 'POST'],
  ] as const) {
    const response = await send(method, path);
    assert.is(response.headers.get('Allow'), allowed);
    assert.is(await refusedWith(response, 405), `Method not allowed; allowed: ${allowed}`);
  }
  assert.is(await refusedWith(await send('GET', '/api'), 404).catch(() => 'not ours'), 'No such call');
});

test('every call answers with its trailing slash and without, and never redirects', async () => {
  for (const { method, path } of Object.values(calls) as CallSpec[]) {
    const url = path
      .replace(/\{platform\}/g, 'apex')
      .replace(/\{\w+\}/g, '1')
      .replace(/\/$/, '');
    const [bare, slashed] = await Promise.all([url, `${url}/`].map((form) => send(method, form)));
    assert.is(bare!.status, slashed!.status, path);
    assert.not.ok(bare!.status === 404 || (bare!.status >= 300 && bare!.status < 400), `${path} ${bare!.status}`);
  }
});

test('an error has a status, a detail, a code and the request id [ASVS 16.5.1]', async () => {
  await refusedWith(await send('GET', tenants), 401);
  await refusedWith(await send('GET', tenants, { token: await tokenOf('ann') }), 403);
  const token = await tokenOf('sue');
  await refusedWith(await send('PUT', '/api/v1/admin/tenants/99/', { token, body: { name: 'x' } }), 404);
  await refusedWith(await send('POST', tenants, { token, body: { name: 'Acme' } }), 409);
  await refusedWith(await send('POST', tenants, { token, body: {} }), 422);
  await refusedWith(await send('POST', tenants, { token, body: { name: 'x'.repeat(70_000) } }), 413);
});

test("a good answer is nobody else's to keep", async () => {
  const token = await tokenOf('sue');
  const response = await send('GET', tenants, { token });
  assert.is(response.headers.get('Cache-Control'), 'private, no-cache');
  const vary = response.headers.get('Vary') ?? '';
  assert.match(vary, /\bAuthorization\b/, 'what a browser keeps is for this session alone');
  const written = await send('POST', tenants, { token, body: { name: 'Charlie' } });
  assert.is(written.headers.get('Cache-Control'), 'no-store');
});

test('a body over 64 KiB is 413, with or without Content-Length [ASVS 15.2.2]', async () => {
  const token = await tokenOf('sue');
  const big = JSON.stringify({ name: 'Big', description: 'x'.repeat(64 * 1024) });
  const length = { 'Content-Length': String(big.length) };
  assert.is((await send('POST', tenants, { token, body: big, headers: length })).status, 413);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const init = { method: 'POST', body: new Blob([big]).stream(), duplex: 'half', headers };
  assert.is((await fetch(tenants, init)).status, 413);
});

test('the detail names the field and never repeats the value', async () => {
  const token = await tokenOf('sue');
  const canary = 'canary-0815';
  const paid = { user_email: 'x@y.test', amount: canary, payout_address: canary };
  const attempts: [string, string, unknown?][] = [
    ['POST', tenants, { name: { canary } }],
    ['POST', tenants, { name: 'x', email: canary }],
    ['POST', calls.login.path, { email: 7, password: canary }],
    ['POST', calls.login.path, { email: canary, password: canary }],
    ['POST', calls.createAdmin.path, { email: canary, password: canary, tenant_id: canary, role_id: 2 }],
    ['GET', `${calls.listPurchases.path}?limit=${canary}`],
    ['GET', `${calls.listPurchases.path}?transaction_type=${canary}`],
    ['GET', `${calls.listRedeems.path}?tenant_id=${canary}`],
    ['GET', `${calls.getAffiliateStats.path}?affiliate_id=x&start_date=${canary}&end_date=${canary}`],
    ['PUT', `/api/v1/users/${canary}`, { email: 'x@y.test' }],
    ['POST', `/api/v1/admin/payment-methods/2?payment_platform=${canary}`, {}],
    ['POST', `/api/v1/admin/payment-methods/2?payment_platform=apex`, { [canary]: canary }],
    ['GET', `/api/v1/${canary}`],
    ['POST', calls.createManualRedeem.path, { ...paid, platform: canary, payout_method: canary }],
  ];
  for (const [method, url, body] of attempts) {
    const response = await send(method, url, { token, body });
    assert.ok(response.status >= 400 && response.status < 500, `${method} ${url} ${response.status}`);
    assert.not.ok(`${[...response.headers].join()}${await response.text()}`.includes(canary), `${method} ${url}`);
  }
});

test('a missing field is named', async () => {
  const token = await tokenOf('sue');
  const admin = { email: 'x@y.test', password: 'long enough', role_id: 2 };
  for (const [words, method, path, body] of [
    ['body.tenant_id: is required', 'POST', calls.createAdmin.path, admin],
    ['query.tenant_id: is required', 'GET', calls.listAdmins.path, undefined],
    ['path.id: expected a whole number', 'PUT', '/api/v1/users/abc', { email: 'x@y.test' }],
  ] as const)
    assert.is(await refusedWith(await send(method, path, { token, body }), 422), words);
});

test('huge numbers never break the server', async () => {
  const token = await tokenOf('sue');
  const attempts: [string, string, string?][] = [
    ['PUT', '/api/v1/users/999999999999999', '{"email":"x@y.test"}'],
    ['PUT', '/api/v1/users/9999999999999999999999', '{"email":"x@y.test"}'],
    ['GET', '/api/v1/admin/redeems?tenant_id=999999999999999'],
    ['GET', '/api/v1/admin/user-management/users/?page=1000000'],
  ];
  for (const [method, url, body] of attempts) {
    const { status } = await send(method, url, { token, body });
    assert.ok(status < 500, `${method} ${url} ${status}`);
  }
});

test('answers contain only what the contract names: no hash, no stored secret [ASVS 8.2.3, 15.3.1]', async () => {
  const token = await tokenOf('sue');
  await sue.saveAssignment({ tenant_id: 2, platform_id: 3, body: { username: 'u', password: 'pa55-canary' } });
  const apex = { api_key: 'key-canary', secret_key: 'sec-canary', merchant_id: 'm' };
  await sue.createPaymentMethod({ tenant_id: 2, payment_platform: 'apex', body: apex });
  const gets = (Object.values(calls) as CallSpec[]).filter(({ method }) => method === 'GET');
  for (const path of gets.map(({ path }) => path.replace(/\{\w+\}/g, '2'))) {
    const query = 'tenant_id=2&affiliate_id=x&start_date=2026-01-01&end_date=2026-01-02&email=mail';
    const text = await (await send('GET', `${path}?${query}`, { token })).text();
    const shown = text.replace('"client_secret":""', ''); // a masked field of a form, which is empty here
    assert.not.match(shown, /argon2|password_hash|_secret"|v1\.[\w-]{16}\.|canary/, path);
  }
});

test('an answer the browser already has is 304 without a body', async () => {
  const token = await tokenOf('sue');
  const first = await send('GET', tenants, { token });
  const tag = first.headers.get('ETag')!;
  assert.ok(tag);
  const again = await send('GET', tenants, { token, headers: { 'If-None-Match': tag } });
  assert.is(again.status, 304);
  assert.is(await again.text(), '');
  await sql`update tenants set name = 'Acme Games' where id = 2`;
  assert.is((await send('GET', tenants, { token, headers: { 'If-None-Match': tag } })).status, 200);
});

test('a 304 is for who may see it [ASVS 14.3.2]', async () => {
  const tag = (await send('GET', tenants, { token: await tokenOf('sue') })).headers.get('ETag')!;
  assert.is((await send('GET', tenants, { headers: { 'If-None-Match': tag } })).status, 401);
  const asAnn = { token: await tokenOf('ann'), headers: { 'If-None-Match': tag } };
  assert.is((await send('GET', tenants, asAnn)).status, 403);
});

test('a long answer is compressed when the browser takes that', async () => {
  await sql`insert into tenants (name, time_zone) select 'Tenant ' || n, 'UTC' from generate_series(1, 200) n`;
  const token = await tokenOf('sue');
  for (const taken of ['gzip', '*', 'br;q=0.5, GZIP ; q=0.1', '*;q=0, gzip']) {
    const { headers } = await send('GET', tenants, { token, headers: { 'Accept-Encoding': taken } });
    assert.is(headers.get('Content-Encoding'), 'gzip', taken);
  }
  for (const taken of ['gzip;q=0', 'gzip;q=0.00, *', '*; q=0', 'x-gzip', 'identity', 'br', undefined]) {
    const { headers } = await send('GET', tenants, { token, headers: { ...(taken && { 'Accept-Encoding': taken }) } });
    assert.is(headers.get('Content-Encoding'), null, taken);
    assert.match(headers.get('Vary') ?? '', /\bAccept-Encoding\b/);
  }
});

test('a compressed answer is the plain one, and its tag stands for both', async () => {
  await sql`insert into tenants (name, time_zone) select 'Tenant ' || n, 'UTC' from generate_series(1, 200) n`;
  const token = await tokenOf('sue');
  const plain = await send('GET', tenants, { token }),
    small = await send('GET', tenants, { token, headers: { 'Accept-Encoding': 'br, gzip' } });
  assert.is(gunzipSync(await small.arrayBuffer()).toString(), await plain.text());
  assert.is(small.headers.get('ETag'), `W/${plain.headers.get('ETag')}`);
  for (const [tag, takes] of [
    [small.headers.get('ETag')!, 'gzip'],
    [plain.headers.get('ETag')!, 'gzip'],
    [`"x", ${small.headers.get('ETag')}`, 'identity'],
  ] as const) {
    const headers = { 'If-None-Match': tag, 'Accept-Encoding': takes };
    assert.is((await send('GET', tenants, { token, headers })).status, 304, tag);
  }
});

test('what a packet holds is not compressed', async () => {
  const asked = { token: await tokenOf('sue'), headers: { 'Accept-Encoding': 'gzip' } };
  assert.is((await send('GET', tenants, asked)).headers.get('Content-Encoding'), null);
});

test('only the origins in the settings may make calls, and never with cookies', async () => {
  const preflight = (origin: string) =>
    send('OPTIONS', tenants, { headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' } });
  const app = 'https://app.example.test',
    readers = ({ headers }: Response) => headers.get('Access-Control-Allow-Origin');
  const allowed = await preflight(app);
  assert.equal([allowed.status, readers(allowed)], [204, app]);
  assert.is(allowed.headers.get('Access-Control-Allow-Credentials'), null);
  assert.is(readers(await preflight('https://evil.example.test')), null);
  const response = await send('GET', tenants, { headers: { Origin: app } });
  assert.equal([response.status, readers(response)], [401, app], 'a refusal must be readable too');
});

test('the server says that it is alive, and whether its database answers', async () => {
  assert.equal(await (await send('GET', '/healthz')).json(), { ok: true, version: VERSION });
  assert.equal(await (await send('GET', '/readyz')).json(), { ok: true });
});

test('moments are ISO 8601 in UTC', async () => {
  const [redeem] = await ann.listRedeems();
  assert.match(redeem!.initiated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('a call that fails halfway leaves nothing behind [ASVS 2.3.3]', async () => {
  const token = await tokenOf('ann');
  const response = await send('POST', '/api/v1/admin/user/1/update-balances', {
    token,
    body: { credit: '1', bonus: '1', bonus_op: 'remove' },
  });
  assert.is(response.status, 400);
  assert.is((await sql`select 1 from transfers where admin_id = ${people.ann.id}`).length, 0);
});

test.run();
