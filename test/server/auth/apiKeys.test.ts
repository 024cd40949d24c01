/** Keys of tenants' own systems: who makes them, and where they open a door. */
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { calls } from '../../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../../src/contract/calls';
import { KEYS_MAX, scopes } from '../../../src/contract/integrations';
import { KEY_CALLS } from '../../../src/server/auth/rateLimits';
import { isRefused, pluck, statusOf } from '../../answers';
import { ann, sue } from '../../callers';
import { newKey, withKey } from '../../integrations';
import { currentCode, RECOVERY_CODE, withFactor } from '../../twoFactor';
import { as, PASSWORD, pam, people, reset, send, services, sql, tokenOf } from '../../world';

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
const readRefusal = async (answered: Response | Promise<Response>) => {
  const response = await answered;
  return [response.status, (await response.json()).detail];
};

test.before.each(reset);

test('a key without a name, a scope or a future, or of no tenant, is refused', async () => {
  const tries: [Api, object, RegExp][] = [
    [ann, { name: 'Sh\u202eop' }, /^body\.name: contains an invisible character/],
    [ann, { name: ' ' }, /^body\.name/],
    [ann, { scopes: [] }, /^body\.scopes: at least one/],
    [ann, { scopes: ['admin'] }, /^body\.scopes\.0: expected players:write or players:read or transactions:write/],
    [ann, { expires_on: '2020-01-01' }, /^body\.expires_on: must not be in the past/],
    [ann, { expires_on: 'soon' }, /^body\.expires_on/],
    [sue, {}, /^body\.tenant_id: is required/],
  ];
  for (const [api, more, words] of tries) {
    const body = { password: PASSWORD, name: 'Shop', scopes: ['players:write' as const], ...more };
    await isRefused(api.createApiKey({ body }), 422, words);
  }
  assert.equal([...(await sql`select 1 from api_keys`)], []);
});

test('the key is shown once, kept as a hash, and its list tells who made it and when it was used', async () => {
  const { key, ...made } = await newKey('ann', ['transactions:write']);
  assert.match(key, /^gbk_[\w-]{43}$/);
  const facts = [made.prefix, made.created_by, made.scopes, made.last_used_at, made.revoked_at, made.tenant_id];
  assert.equal(facts, [key.slice(0, 10), people.ann.email, ['transactions:write'], null, null, 2]);
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
  const { key } = await newKey('sue', scopes, { tenant_id: 2 });
  await newKey('ben');
  assert.equal(pluck(await sue.listApiKeys(), 'tenant_id'), [3, 2]);
  assert.equal(pluck(await sue.listApiKeys({ tenant_id: 2 }), 'created_by'), [people.sue.email]);
  assert.is((await push(key)).status, 200);
});

test('malformed, unknown, revoked and expired keys, and those of inactive tenants, all get one 401', async () => {
  const made = await newKey(),
    expired = await newKey('ann', scopes, { expires_on: '2099-12-31' }),
    live = await newKey();
  await ann.revokeApiKey({ id: made.id });
  await ann.revokeApiKey({ id: made.id });
  assert.is((await push(expired.key, 'pushTopUp')).status, 200);
  await sql`update api_keys set expires_at = now() where id = ${expired.id}`;
  const no = [401, 'Not a valid API key'];
  for (const [name] of forKeys) {
    for (const key of [
      ...[undefined, '', 'gbk_', `gbk_${'A'.repeat(43)}`, made.key, expired.key],
      ...[live.key.slice(0, -1), live.key.slice(4), await tokenOf('ann'), await tokenOf('sue')],
    ])
      assert.equal(await readRefusal(push(key, name)), no, name);
  }
  await sql`update tenants set is_active = false where id = 2`;
  assert.equal(await readRefusal(push(live.key)), no);
});

test('a key without the scope of the call is 403, for each call', async () => {
  for (const [name, { scopes: needed = [] }] of forKeys) {
    const others = scopes.filter((one) => !needed.includes(one));
    const { key } = await newKey('ann', others);
    const words = `This API key does not have the scope ${needed.join(' or ')}`;
    assert.equal(await readRefusal(push(key, name)), [403, words]);
  }
});

test('a key is not accepted by any other call [ASVS 8.2.1]', async () => {
  const { key } = await newKey();
  for (const [name, { who, method, path }] of all) {
    if (who === 'key' || who === 'anyone' || who === 'checkout') continue;
    const sent = { token: key, ...(method !== 'GET' && { body: {} }) };
    assert.is((await send(method, path.replace(/\{\w+\}/g, '2'), sent)).status, 401, name);
  }
  const redeem = { body: { platform_name: 'vblink', amount: 100 }, headers: { Cookie: `checkout=${key}` } };
  assert.is((await send('POST', calls.submitRedeem.path, { token: key, ...redeem })).status, 403);
});

test('another tenant, wherever its id stands, and its things are out of reach of a key', async () => {
  const { key } = await newKey('ben'),
    bravo = withKey(key);
  await isRefused(bravo.readTransaction({ id: pam.purchase }), 404);
  await isRefused(bravo.readTransaction({ id: pam.redeem }), 404);
  await isRefused(bravo.pushStatus({ id: pam.purchase, body: { status: 'success' } }), 404);
  const money = { amount: 5, payment_method: 'card', payment_reference: 'a' };
  for (const whose of [{ user_id: pam.id }, { email: pam.email }])
    await isRefused(bravo.pushTopUp({ body: { ...whose, ...money } }), 404);
  for (const where of [
    { url: '?tenant_id=2', body: {} },
    { url: '', body: { tenant_id: 2 } },
  ]) {
    const body = { email: pam.email, ...money, ...where.body },
      headers = { 'Idempotency-Key': 'k' };
    const response = await send('POST', calls.pushTopUp.path + where.url, { token: key, headers, body });
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

const NEW = 'violet harbour 42 lanterns';
const works = async (key: string): Promise<boolean> =>
  (await send('GET', calls.readTransaction.path.replace('{id}', String(pam.purchase)), { token: key })).status === 200;
const body = { name: 'Shop', scopes: ['players:write' as const], password: PASSWORD };

const lastEntry = async () =>
  (await sql`select call, after from audit_log order by id desc limit 1`).map(({ call, after }) => [call, after])[0];

test("disabling an admin revokes the keys that this person made, and nobody else's", async () => {
  const [first, second] = [await newKey('ann'), await newKey('ann')];
  const [ofSue, ofBen] = [await newKey('sue', undefined, { tenant_id: 2 }), await newKey('ben')];
  assert.equal(pluck(await sue.listAdmins({ tenant_id: 2 }), 'api_keys'), [['Shop', 'Shop']]);
  await sue.disableAdmin({ id: people.ann.id });
  const [, after] = (await lastEntry())!;
  assert.equal([await works(first.key), await works(second.key), await works(ofSue.key)], [false, false, true]);
  assert.is((await withKey(ofBen.key).pushPlayer({ body: { email: 'x@mail.test' } })).is_new, true);
  const revoked_api_keys = [`Shop (${first.prefix}…)`, `Shop (${second.prefix}…)`];
  assert.equal(after, { is_active: false, revoked_api_keys });
  assert.equal((await sue.listAdmins({ tenant_id: 2 }))[0]!.api_keys, []);
});

test('a call as other clients send it revokes them as well: a new password, or is_active false', async () => {
  const token = await tokenOf('sue'),
    url = `/api/v1/admin/admin-users/${people.ann.id}/`;
  for (const change of [{ password: NEW }, { is_active: false }]) {
    await sql`update admins set is_active = true, password_hash = (select password_hash from admins where id = 1)`;
    const { key } = await newKey('ann');
    const { status } = await send('PUT', url, { token, body: { email: people.ann.email, ...change } });
    assert.equal([status, await works(key)], [200, false], JSON.stringify(change));
  }
  await sql`update admins set is_active = true, password_hash = (select password_hash from admins where id = 1)`;
  const { key } = await newKey('ann');
  await send('PUT', url, { token, body: { email: 'anna@acme.test', password: '' } });
  assert.is(await works(key), true, 'a new e-mail ends nothing');
});

test('who asks to keep them keeps them, and the list says that their maker is disabled', async () => {
  const sue = await as('sue'),
    { key } = await newKey('ann');
  await sue.updateAdmin({ id: people.ann.id, body: { email: people.ann.email, password: NEW, keep_api_keys: true } });
  assert.is(await works(key), true);
  await sue.disableAdmin({ id: people.ann.id, keep_api_keys: true });
  assert.is(await works(key), true);
  const [listed] = await sue.listApiKeys({ tenant_id: 2 });
  assert.equal([listed!.created_by, listed!.created_by_active], [people.ann.email, false]);
  await isRefused(sue.disableAdmin({ id: people.ann.id, ...JSON.parse('{"keep_api_keys": "perhaps"}') }), 422);
});

test('a key that a thief made with a stolen session does not survive the new password of its owner', async () => {
  const thief = await newKey('ann');
  assert.equal((await ann.getAccount()).api_keys, ['Shop']);
  await ann.changePassword({ body: { current_password: PASSWORD, new_password: NEW } });
  assert.is(await works(thief.key), false);
  assert.equal((await (await as('ann')).getAccount()).api_keys, []);
  const revoked_api_keys = [`Shop (${thief.prefix}…)`];
  assert.equal(await lastEntry(), ['changePassword', { password: '••••••••', revoked_api_keys }]);

  await reset();
  const own = await newKey('ann');
  await ann.changePassword({ body: { current_password: PASSWORD, new_password: NEW, keep_api_keys: true } });
  assert.is(await works(own.key), true);
});

test('a code that made a key is used up', async () => {
  const code = currentCode(await withFactor('ann'));
  for (const once of [code, RECOVERY_CODE]) {
    assert.ok((await ann.createApiKey({ body: { ...body, code: once } })).key);
    await isRefused(ann.createApiKey({ body: { ...body, code: once } }), 400);
  }
});

test('a refusal for another reason uses up no code', async () => {
  const secret = await withFactor('ann'),
    code = currentCode(secret);
  await isRefused(ann.createApiKey({ body: { ...body, code, expires_on: '2020-01-01' } }), 422);
  assert.ok((await ann.createApiKey({ body: { ...body, code } })).key);
});

test('a key without a last day ends after a year, in the time zone of its tenant', async () => {
  await sql`update tenants set time_zone = 'Pacific/Auckland' where id = 2`;
  const { expires_at } = await newKey('ann');
  const [{ wanted } = { wanted: null }] = await sql<{ wanted: Date }[]>`
    select (((now() at time zone 'Pacific/Auckland') + interval '1 year')::date + 1)::timestamp
      at time zone 'Pacific/Auckland' as wanted`;
  assert.is(expires_at, wanted!.toISOString());
});

test('a tenant has at most twenty active keys, also when all are asked for at once', async () => {
  await sql`
    insert into api_keys (tenant_id, name, prefix, key_hash, scopes, admin_id)
    select 2, 'Old', 'gbk_x', sha256(n::text::bytea), '{players:write}', ${people.ann.id}
    from generate_series(1, ${KEYS_MAX - 2}) as n`;
  const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(ann.createApiKey({ body }))));
  assert.equal(statuses.sort(), [200, 200, 409, 409, 409, 409, 409, 409]);
  const words = 'A tenant can have 20 active API keys. Revoke one that nobody needs';
  await isRefused(ann.createApiKey({ body }), 409, words);
  assert.ok(await newKey('ben'), 'another tenant has its own');
  await ann.revokeApiKey({ id: 1 });
  await sql`update api_keys set expires_at = now() where id = 2`;
  for (let n = 0; n < 2; n++) await ann.createApiKey({ body });
  await isRefused(ann.createApiKey({ body }), 409);
});

test.run();
