/** Payloads as other clients than our app send them: what is meant is taken, and what could mean two things refused. */
import { createHmac } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import { secretContext } from '../../src/server/auth/secrets';
import { pluck, table } from '../answers';
import { ann, sue } from '../callers';
import { addApex, newKey, nowSeconds } from '../integrations';
import { addPlayer } from '../seed';
import { fetch, guest, PASSWORD, pam, people, reset, send, services, sql, tokenOf } from '../world';

type Answer = Record<string, unknown>;
const by =
  (method: string) =>
  async (who: 'ann' | 'sue', url: string, body: unknown, status = 200): Promise<Answer> => {
    const response = await send(method, url, { token: await tokenOf(who), body });
    assert.is(response.status, status, `${url} ${JSON.stringify(body)} ${await response.clone().text()}`);
    return response.json();
  };
const put = by('PUT'),
  post = by('POST');

test.before.each(reset);

test('null is refused where a field that is left out stays as it is, and nothing changes', async () => {
  const password = services.secrets.encrypt('pa55', secretContext.playerCredential(2, pam.id, 'yolo'));
  await sql`insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, ${pam.id}, 'yolo', 'pammy', ${password})`;
  const stored = async () => [
    await sql`select * from admins order by id`,
    await sql`select * from players order by id`,
    await sql`select * from player_credentials`,
  ];
  const before = await stored();
  const admin = `/api/v1/admin/admin-users/${people.ann.id}/`,
    player = `/api/v1/users/${pam.id}`,
    login = `/api/v1/admin/user/${pam.id}/platform-credentials/1`;
  for (const field of ['password', 'is_active'])
    await put('sue', admin, { email: people.ann.email, [field]: null }, 422);
  for (const field of ['email', 'password', 'is_active'])
    await put('ann', player, { first_name: 'Pamela', [field]: null }, 422);
  await put('ann', login, { platform_username: 'pam', platform_password: null }, 422);
  await put('ann', login, { platform_username: null, platform_password: 'x' }, 422);
  assert.equal(await stored(), before);
});

test('an edit of a player may name one field alone, or none', async () => {
  const url = `/api/v1/users/${pam.id}`;
  const { email, first_name, last_name } = await put('ann', url, { first_name: 'Pamela' });
  assert.equal([email, first_name, last_name], [pam.email, 'Pamela', 'Poe']);
  assert.is((await put('ann', url, {})).email, pam.email);
  await put('ann', url, { email: '' }, 422);
});

test('null empties what may be empty', async () => {
  const { first_name, last_name } = await put('ann', `/api/v1/users/${pam.id}`, { first_name: null });
  assert.equal([first_name, last_name], [null, 'Poe']);
  assert.is((await put('sue', '/api/v1/admin/tenants/2/', { name: 'Acme', description: null })).description, null);
});

test('a null or blank tenant of a manual redeem is none', async () => {
  const { path } = calls.createManualRedeem;
  const paid = { platform: 'yolo', payout_method: 'PayPal', payout_address: 'x' };
  const form = { ...paid, user_email: pam.email, amount: '1.00', description: null };
  for (const tenant_id of [null, ''])
    assert.is((await post('ann', path, { ...form, tenant_id }))['user_email'], pam.email);
  await addPlayer(3, { email: pam.email });
  const { detail } = await post('sue', path, { ...form, tenant_id: null }, 409);
  assert.is(detail, 'Email exists in several tenants');
});

test('a null credential of a payment method is refused, and what is stored stays', async () => {
  const url = '/api/v1/admin/payment-methods/2';
  const refused = { api_key: null, secret_key: 's', merchant_id: 'm' };
  assert.is((await post('sue', `${url}?payment_platform=apex`, refused, 422)).detail, 'body.api_key: expected text');
  await post('sue', `${url}?payment_platform=apex`, { api_key: 'k', secret_key: 's', merchant_id: 'm' });
  const before = await sql`select * from payment_methods`;
  assert.is((await put('sue', `${url}/apex`, refused, 422)).detail, 'body.api_key: expected text');
  assert.equal(await sql`select * from payment_methods`, before);
});

test('a null reason and note of a decision are none', async () => {
  const decision = { status: 'failed', reason: null, note: null };
  assert.is((await post('ann', `/api/v1/admin/redeems/${pam.redeem}/status`, decision)).status, 'failed');
});

test('what other systems leave null is none: the other names of a player, fees, descriptions', async () => {
  const { key } = await newKey();
  const push = async (url: string, body: unknown) => {
    const response = await send('POST', url, { token: key, body, headers: { 'Idempotency-Key': url } });
    assert.is(response.status, 200, await response.clone().text());
    return (await response.json()) as Answer;
  };
  const email = 'zoe@mail.test';
  await push(calls.pushPlayer.path, { email, external_id: 'crm-9', is_active: false });
  const { external_id, is_active } = await push(`${calls.pushPlayer.path}/`, { email, first_name: null });
  assert.equal([external_id, is_active], ['crm-9', false]);
  const money = {
    ...{ email: pam.email, amount: '12.50', payment_method: 'card', payment_reference: 'r-1' },
    ...{ user_id: null, external_id: null, description: null, net_amount: null },
  };
  assert.is((await push(calls.pushTopUp.path, money)).user_id, pam.id);
});

test('an e-mail address may have an apostrophe, of a player, an admin and a tenant', async () => {
  const email = "pat.o'brien@mail.test";
  assert.is((await post('ann', '/api/v1/users', { email, password: 'his own', tenant_id: 2 })).email, email);
  assert.equal(pluck((await ann.listPlayers({ search: "O'BRIEN@" })).users, 'email'), [email]);
  const admin = { email, password: 'long enough', tenant_id: 2, role_id: 2 };
  assert.is((await post('sue', '/api/v1/admin/admin-users/', admin)).email, email);
  assert.is((await guest.login({ body: { email: email.toUpperCase(), password: 'long enough' } })).user.tenant_id, 2);
  assert.is((await put('sue', '/api/v1/admin/tenants/2/', { name: 'Acme', email })).email, email);
});

test('letters sent in parts, a letter and its accent, are the letters they make', async () => {
  const parts = 'Zoe\u0308',
    whole = 'Zo\u00eb';
  const her = { password: 'her own', tenant_id: 2 };
  const made = await post('ann', '/api/v1/users', { ...her, email: `${parts}@mail.test`, first_name: parts });
  assert.is(made['first_name'], whole);
  await post('ann', '/api/v1/users', { ...her, email: `${whole}@mail.test` }, 409);
  for (const search of [parts, whole]) {
    assert.is((await ann.listPlayers({ search })).users.length, 1);
    assert.is((await ann.searchPlayers({ email: search })).length, 1);
  }
});

async function isNotUtf8(response: Response): Promise<void> {
  assert.is(response.status, 422);
  assert.is(((await response.json()) as Answer).detail, 'body: not UTF-8');
}
test('a body that is not UTF-8 is refused, not stored with other letters', async () => {
  const headers = { Authorization: `Bearer ${await tokenOf('sue')}`, 'Content-Type': 'application/json' };
  const body = Buffer.from('{"name":"Caf\xe9"}', 'latin1');
  await isNotUtf8(await fetch(calls.createTenant.path, { method: 'POST', headers, body }));
  assert.not.ok((await sue.listTenants()).some(({ name }) => name.startsWith('Caf')));
});

test('a signed body in another encoding than UTF-8 is 422, and nothing of it becomes other letters', async () => {
  const body = Buffer.from('{"reference":"Caf\xe9"}', 'latin1'),
    at = nowSeconds();
  const secret = await addApex();
  const signed = createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex');
  const headers = { 'Content-Type': 'application/json', 'X-Signature': `t=${at},v1=${signed}` };
  await isNotUtf8(await fetch('/api/v1/webhooks/2/apex', { method: 'POST', headers, body }));
  assert.equal(table((await sue.getWebhook({ tenant_id: 2, platform: 'apex' })).deliveries, 'event_type', 'outcome'), [
    ['unreadable', 'attention'],
  ]);
});

test('a player is found by the whole e-mail, however long; other words have at most 100 characters', async () => {
  const email = `${'a'.repeat(60)}@${'b'.repeat(58)}.test`;
  await addPlayer(2, { email });
  const token = await tokenOf('ann');
  const found = async (path: string, name: string, value: string) => {
    const response = await send('GET', `${path}?${new URLSearchParams({ [name]: value })}`, { token });
    return response.status === 200 ? (await response.text()).includes(email) : response.status;
  };
  for (const [path, name] of [
    [calls.listPlayers.path, 'search'],
    [calls.searchPlayers.path, 'email'],
    [calls.listPurchases.path, 'text'],
    [calls.search.path, 'q'],
  ] as const) {
    const isFound = path !== calls.listPurchases.path; // has no purchase
    assert.is(await found(path, name, email), isFound, path);
    assert.is(await found(path, name, 'a'.repeat(101)), 422, path);
  }
});

test('a blank password keeps the current one, and no account begins with one [ASVS 6.2.9]', async () => {
  const url = `/api/v1/admin/admin-users/${people.ann.id}/`;
  const stored = () => sql`select password_hash from admins where id = ${people.ann.id}`;
  const before = await stored();
  for (const password of ['', ' ', ' '.repeat(10), '\u00a0'.repeat(8), '\t'.repeat(9)])
    await put('sue', url, { email: people.ann.email, password });
  assert.equal(await stored(), before);
  const form = { email: 'new@acme.test', password: ' '.repeat(10), tenant_id: 2, role_id: 2 };
  assert.is((await post('sue', calls.createAdmin.path, form, 422)).detail, 'body.password: must not be blank');
});

test('a tenant admin creates a player in the own tenant without naming it; a super admin names it', async () => {
  const form = { email: 'new@mail.test', password: 'x' };
  assert.is((await post('ann', calls.createPlayer.path, form)).tenant_id, 2);
  assert.is((await post('sue', calls.createPlayer.path, form, 422)).detail, 'body.tenant_id: is required');
});

test('every 401 says how to sign in', async () => {
  for (const response of [
    await send('GET', calls.listTenants.path),
    await send('GET', calls.listTenants.path, { token: 'wrong' }),
    await send('POST', calls.login.path, { body: { email: people.ann.email, password: 'wrong' } }),
  ])
    assert.equal([response.status, response.headers.get('www-authenticate')], [401, 'Bearer']);
});

test('a super admin signs in at any tenant that exists', async () => {
  const body = { email: people.sue.email, password: PASSWORD };
  for (const [tenant, status] of Object.entries({ 1: 200, 2: 200, 999999: 404 }))
    assert.is((await send('POST', `/api/v1/auth/login/tenant/${tenant}`, { body })).status, status);
});

test('a path with a slash too many is no call, whatever the method', async () => {
  for (const path of ['/api/v1/platforms/all//', '/api/v1/platforms//all'])
    assert.is((await send('GET', path)).status, 404, path);
});

test.run();
