/** Keys of tenants' own systems: who makes them, and where they open a door. */
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../../src/contract/calls';
import { scopes } from '../../../src/contract/integrations';
import { KEY_CALLS } from '../../../src/server/auth/rateLimits';
import { newKey, withKey } from '../../integrations';
import { as, PASSWORD, pam, people, refusal, refused, reset, send, services, sql, tokenOf } from '../../world';

const all = Object.entries(calls) as [CallName, CallSpec][];
const forKeys = all.filter(([, { who }]) => who === 'key');
const push = (key: string | undefined, call: CallName = 'pushTopUp', headers: Record<string, string> = {}) =>
  send(calls[call].method, calls[call].path.replace('{id}', '3'), {
    token: key,
    headers: { 'Idempotency-Key': randomUUID(), ...headers },
    ...(calls[call].method !== 'GET' && {
      body: { email: pam.email, amount: '5', payment_method: 'card', payment_reference: 'r', status: 'pending' },
    }),
  });
const readRefusal = async (response: Response | Promise<Response>) => {
  const { status, ...rest } = await response,
    { detail } = await (await response).json();
  assert.ok(rest);
  return [status, detail];
};

test.before.each(reset);

// ---- managing them

test('a key without a name, a scope or a future, or of no tenant that has players, is refused', async () => {
  const ann = await as('ann'),
    sue = await as('sue');
  const tries: [() => Promise<unknown>, number, RegExp][] = [
    [
      () => ann.createApiKey({ body: { password: PASSWORD, name: 'Sh\u202eop', scopes: ['players:write'] } }),
      422,
      /^body\.name: contains an invisible character/,
    ],
    [
      () => ann.createApiKey({ body: { password: PASSWORD, name: ' ', scopes: ['players:write'] } }),
      422,
      /^body\.name/,
    ],
    [
      () => ann.createApiKey({ body: { password: PASSWORD, name: 'Shop', scopes: [] } }),
      422,
      /^body\.scopes: at least one/,
    ],
    [
      () => ann.createApiKey({ body: { password: PASSWORD, name: 'Shop', scopes: JSON.parse('["admin"]') } }),
      422,
      /^body\.scopes\.0: expected players:write or players:read or transactions:write or transactions:settle/,
    ],
    [
      () =>
        ann.createApiKey({
          body: { password: PASSWORD, name: 'Shop', scopes: ['players:write'], expires_on: '2020-01-01' },
        }),
      422,
      /^body\.expires_on: must not be in the past/,
    ],
    [
      () =>
        ann.createApiKey({ body: { password: PASSWORD, name: 'Shop', scopes: ['players:write'], expires_on: 'soon' } }),
      422,
      /^body\.expires_on/,
    ],
    [
      () => sue.createApiKey({ body: { password: PASSWORD, name: 'Shop', scopes: ['players:write'] } }),
      422,
      /^body\.tenant_id: is required/,
    ],
    [
      () => sue.createApiKey({ body: { password: PASSWORD, name: 'Shop', scopes: ['players:write'], tenant_id: 1 } }),
      400,
      /platform's own tenant/,
    ],
    [
      () => sue.createApiKey({ body: { password: PASSWORD, name: 'Shop', scopes: ['players:write'], tenant_id: 99 } }),
      404,
      /Tenant not found/,
    ],
  ];
  for (const [work, status, words] of tries) {
    const refusedWith = await refusal(work());
    assert.is(refusedWith.status, status);
    assert.match(refusedWith.detail, words);
  }
  assert.equal([...(await sql`select 1 from api_keys`)], []);
});

test('the key is shown once, kept as a hash, and its list tells who made it and when it was used', async () => {
  const { key, ...made } = await newKey('ann', ['transactions:write']);
  assert.match(key, /^gbk_[\w-]{43}$/);
  assert.equal(
    [made.prefix, made.created_by, made.scopes, made.last_used_at, made.revoked_at, made.tenant_id],
    [key.slice(0, 10), people.ann.email, ['transactions:write'], null, null, 2],
  );
  const rows = JSON.stringify([
    ...(await sql`select to_jsonb(k) as row from api_keys k`),
    ...(await sql`select to_jsonb(a) as row from audit_log a`),
  ]);
  assert.not.ok(rows.includes(key.slice(10)));
  const ann = await as('ann'),
    [listed] = await ann.listApiKeys();
  assert.equal(listed, made);
  assert.is((await push(key)).status, 200);
  assert.ok((await ann.listApiKeys())[0]!.last_used_at);
});

test('a super admin makes one for a tenant and sees those of all', async () => {
  const sue = await as('sue');
  const { key } = await newKey('sue', scopes, { tenant_id: 2 });
  await newKey('ben');
  assert.equal(
    (await sue.listApiKeys()).map(({ tenant_id }) => tenant_id),
    [3, 2],
  );
  assert.equal(
    (await sue.listApiKeys({ tenant_id: 2 })).map(({ created_by }) => created_by),
    [people.sue.email],
  );
  assert.is((await push(key)).status, 200);
});

// ---- using them

test('malformed, unknown, revoked and expired keys, and those of inactive tenants, all get one 401', async () => {
  const ann = await as('ann'),
    made = await newKey(),
    expired = await newKey('ann', scopes, { expires_on: '2099-12-31' }),
    live = await newKey();
  await ann.revokeApiKey({ id: made.id });
  await ann.revokeApiKey({ id: made.id });
  assert.is((await push(expired.key, 'pushTopUp')).status, 200);
  await sql`update api_keys set expires_at = now() where id = ${expired.id}`;
  const no = [401, 'Not a valid API key'];
  for (const [name] of forKeys) {
    for (const key of [
      undefined,
      '',
      'gbk_',
      `gbk_${'A'.repeat(43)}`,
      made.key,
      expired.key,
      live.key.slice(0, -1),
      live.key.slice(4),
      await tokenOf('ann'),
      await tokenOf('sue'),
    ])
      assert.equal(await readRefusal(push(key, name)), no, name);
  }
  await sql`update tenants set is_active = false where id = 2`;
  assert.equal(await readRefusal(push(live.key)), no);
});

test('a key without the scope of the call is 403, for each call', async () => {
  for (const [name, { scopes: needed = [] }] of forKeys) {
    const { key } = await newKey(
      'ann',
      scopes.filter((one) => !needed.includes(one)),
    );
    assert.equal(await readRefusal(push(key, name)), [
      403,
      `This API key does not have the scope ${needed.join(' or ')}`,
    ]);
  }
});

test('a key is not accepted by any other call [ASVS 8.2.1]', async () => {
  const { key } = await newKey();
  for (const [name, { who, method, path }] of all) {
    if (who === 'key' || who === 'anyone' || who === 'checkout') continue;
    const response = await send(method, path.replace(/\{\w+\}/g, '2'), {
      token: key,
      ...(method !== 'GET' && { body: {} }),
    });
    assert.is(response.status, 401, name);
  }
  assert.is(
    (
      await send('POST', calls.submitRedeem.path, {
        token: key,
        body: { platform_name: 'vblink', amount: 100 },
        headers: { Cookie: `checkout=${key}` },
      })
    ).status,
    403,
  );
});

test('another tenant, wherever its id stands, and its things are out of reach of a key', async () => {
  const { key } = await newKey('ben'),
    bravo = withKey(key);
  assert.is(await refused(bravo.readTransaction({ id: pam.purchase })), 404);
  assert.is(await refused(bravo.readTransaction({ id: pam.redeem })), 404);
  assert.is(await refused(bravo.pushStatus({ id: pam.purchase, body: { status: 'success' } })), 404);
  assert.is(
    await refused(
      bravo.pushTopUp({ body: { user_id: pam.id, amount: 5, payment_method: 'card', payment_reference: 'a' } }),
    ),
    404,
  );
  assert.is(
    await refused(
      bravo.pushTopUp({ body: { email: pam.email, amount: 5, payment_method: 'card', payment_reference: 'a' } }),
    ),
    404,
  );
  for (const where of [
    { url: '?tenant_id=2', body: {} },
    { url: '', body: { tenant_id: 2 } },
  ]) {
    const response = await send('POST', calls.pushTopUp.path + where.url, {
      token: key,
      headers: { 'Idempotency-Key': 'k' },
      body: { email: pam.email, amount: 5, payment_method: 'card', payment_reference: 'a', ...where.body },
    });
    assert.equal(await readRefusal(response), [403, 'Tenant access violation']);
  }
});

test('the calls of all keys of a tenant are counted together: too many are 429 with Retry-After', async () => {
  const made = await newKey(),
    second = await newKey(),
    other = await newKey('ben');
  for (let n = 0; n < KEY_CALLS; n++) await services.rateLimits.keyCall(made.tenant_id);
  const response = await push(made.key);
  assert.equal([response.status, Number(response.headers.get('Retry-After')) > 0], [429, true]);
  assert.is((await push(second.key)).status, 429, 'a second key gives no more calls');
  assert.is((await push(other.key, 'pushPlayer')).status, 200, 'another tenant goes on');
});

test.run();
