/** Payloads as other clients than our app send them: empty values count as none, and other spellings are accepted. */
import { createHmac } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/calls';
import { secretContext } from '../../src/server/auth/secrets';
import { newKey, nowSeconds } from '../integrations';
import { addPlayer } from '../seed';
import { as, fetch, guest, pam, people, reset, send, services, sql, tokenOf } from '../world';

const put = async (who: 'ann' | 'sue', url: string, body: unknown, status = 200) => {
  const response = await send('PUT', url, { token: await tokenOf(who), body });
  assert.is(response.status, status, `${url} ${JSON.stringify(body)} ${await response.clone().text()}`);
  return (await response.json()) as Record<string, unknown>;
};
const post = async (who: 'ann' | 'sue', url: string, body: unknown, status = 200) => {
  const response = await send('POST', url, { token: await tokenOf(who), body });
  assert.is(response.status, status, `${url} ${JSON.stringify(body)} ${await response.clone().text()}`);
  return (await response.json()) as Record<string, unknown>;
};

test.before.each(reset);

// ---- null says the same as left out

test('a null password or is_active of an edit changes neither', async () => {
  const hashes = () =>
    sql`
      select password_hash, is_active from admins where id = ${people.ann.id}
      union all
      select password_hash, is_active from players where id = ${pam.id}`;
  await put('ann', `/api/v1/users/${pam.id}`, { email: pam.email, password: 'her own', is_active: false });
  const before = await hashes();
  await put('sue', `/api/v1/admin/admin-users/${people.ann.id}/`, {
    email: people.ann.email,
    password: null,
    is_active: null,
  });
  await put('ann', `/api/v1/users/${pam.id}`, { email: pam.email, password: null, is_active: null });
  assert.equal(await hashes(), before);
});

test('an edit of a player may name one field alone, or none', async () => {
  const url = `/api/v1/users/${pam.id}`;
  const { email, first_name, last_name } = await put('ann', url, { first_name: 'Pamela' });
  assert.equal([email, first_name, last_name], [pam.email, 'Pamela', 'Poe']);
  for (const body of [{}, { email: null }]) assert.is((await put('ann', url, body)).email, pam.email);
  await put('ann', url, { email: '' }, 422);
});

test('a new player with a null is_active is active, and without a password is none', async () => {
  const form = { email: 'zoe@mail.test', password: 'her own', tenant_id: 2, is_active: null };
  assert.is((await post('ann', '/api/v1/users', form)).is_active, true);
  await post('ann', '/api/v1/users', { ...form, email: 'zed@mail.test', password: null }, 422);
});

test('a balance edit takes the amounts that are there, whatever blanks and nulls stand beside them', async () => {
  const url = `/api/v1/admin/user/${pam.id}/update-balances`;
  const { credit_balance, bonus_balance } = await post('ann', url, {
    credit: '5',
    credit_op: null,
    bonus: '2.50',
    bonus_op: '',
    vip: '',
    vip_op: 'remove',
    loyalty: null,
    loyalty_op: null,
    reason: null,
    note: null,
  });
  assert.equal([credit_balance, bonus_balance], [355, 2.5]);
  for (const none of ['', null]) {
    assert.is(
      (await post('ann', url, { credit: none, bonus: none }, 422)).detail,
      'body: at least one of credit, bonus, vip, loyalty is required',
    );
  }
});

test('a null or blank tenant of a manual redeem is none', async () => {
  const form = {
    user_email: pam.email,
    amount: '1.00',
    platform: 'yolo',
    payout_method: 'PayPal',
    payout_address: 'x',
    description: null,
  };
  for (const tenant_id of [null, ''])
    assert.is((await post('ann', calls.createManualRedeem.path, { ...form, tenant_id })).user_email, pam.email);
  await addPlayer(3, { email: pam.email });
  assert.is(
    (await post('sue', calls.createManualRedeem.path, { ...form, tenant_id: null }, 409)).detail,
    'E-mail exists in several tenants',
  );
});

test("null in a player's platform login changes nothing", async () => {
  const password = services.secrets.encrypt('pa55', secretContext.playerCredential(2, pam.id, 'yolo'));
  await sql`insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, ${pam.id}, 'yolo', 'pammy', ${password})`;
  const [before] = await sql`select id, platform_username, password_secret from player_credentials`;
  await put('ann', `/api/v1/admin/user/${pam.id}/platform-credentials/${before!.id}`, {
    platform_username: null,
    platform_password: null,
  });
  assert.equal((await sql`select id, platform_username, password_secret from player_credentials`)[0], before);
});

test('a null credential of a payment method keeps what is stored, and is none of a new one', async () => {
  const url = '/api/v1/admin/payment-methods/2';
  assert.is(
    (await post('sue', `${url}?payment_platform=apex`, { api_key: null, secret_key: 's', merchant_id: 'm' }, 422))
      .detail,
    'body.api_key: is required for Apex Processing',
  );
  await post('sue', `${url}?payment_platform=apex`, { api_key: 'k', secret_key: 's', merchant_id: 'm' });
  assert.equal((await put('sue', `${url}/apex`, { api_key: null, secret_key: null, merchant_id: 'n' })).credentials, {
    api_key: '••••••••',
    secret_key: '••••••••',
    merchant_id: 'n',
  });
});

test('a null reason and note of a decision are none', async () => {
  assert.is(
    (await post('ann', `/api/v1/admin/redeems/${pam.redeem}/status`, { status: 'failed', reason: null, note: null }))
      .status,
    'failed',
  );
});

test('what other systems leave null is left out: names of a player, fees, descriptions', async () => {
  const { key } = await newKey();
  const push = async (url: string, body: unknown) => {
    const response = await send('POST', url, { token: key, body, headers: { 'Idempotency-Key': url } });
    assert.is(response.status, 200, await response.clone().text());
    return (await response.json()) as Record<string, unknown>;
  };
  await push(calls.pushPlayer.path, { email: 'zoe@mail.test', external_id: 'crm-9', is_active: false });
  const { external_id, is_active } = await push(`${calls.pushPlayer.path}/`, {
    email: 'zoe@mail.test',
    external_id: null,
    first_name: null,
    is_active: null,
  });
  assert.equal([external_id, is_active], ['crm-9', false]);
  const money = {
    user_id: null,
    email: pam.email,
    external_id: null,
    amount: '12.50',
    payment_method: 'card',
    payment_reference: 'r-1',
    description: null,
    net_amount: null,
  };
  assert.is((await push(calls.pushTopUp.path, money)).user_id, pam.id);
});

// ---- what is right

test('an e-mail address may have an apostrophe, of a player, an admin and a tenant', async () => {
  const email = "pat.o'brien@mail.test";
  assert.is((await post('ann', '/api/v1/users', { email, password: 'his own', tenant_id: 2 })).email, email);
  assert.equal(
    (await (await as('ann')).listPlayers({ search: "O'BRIEN@" })).users.map((player) => player.email),
    [email],
  );
  assert.is(
    (await post('sue', '/api/v1/admin/admin-users/', { email, password: 'long enough', tenant_id: 2, role_id: 2 }))
      .email,
    email,
  );
  assert.is((await guest.login({ body: { email: email.toUpperCase(), password: 'long enough' } })).user.tenant_id, 2);
  assert.is((await put('sue', '/api/v1/admin/tenants/2/', { name: 'Acme', email })).email, email);
});

test('letters sent in parts, a letter and its accent, are the letters they make', async () => {
  const parts = 'Zoe\u0308',
    whole = 'Zo\u00eb';
  assert.is(
    (
      await post('ann', '/api/v1/users', {
        email: `${parts}@mail.test`,
        first_name: parts,
        password: 'her own',
        tenant_id: 2,
      })
    ).first_name,
    whole,
  );
  await post('ann', '/api/v1/users', { email: `${whole}@mail.test`, password: 'her own', tenant_id: 2 }, 409);
  const ann = await as('ann');
  for (const search of [parts, whole]) {
    assert.is((await ann.listPlayers({ search })).users.length, 1);
    assert.is((await ann.searchPlayers({ email: search })).length, 1);
  }
});

// ---- what is not

test('a body that is not UTF-8 is refused, not stored with other letters', async () => {
  const headers = { Authorization: `Bearer ${await tokenOf('sue')}`, 'Content-Type': 'application/json' };
  const response = await fetch(calls.createTenant.path, {
    method: 'POST',
    headers,
    body: Buffer.from('{"name":"Caf\xe9"}', 'latin1'),
  });
  assert.is(response.status, 422);
  assert.is(((await response.json()) as { detail: string }).detail, 'body: not UTF-8');
  assert.not.ok((await (await as('sue')).listTenants()).some(({ name }) => name.startsWith('Caf')));
});

test('a signed body in another encoding than UTF-8 is 422, and nothing of it becomes other letters', async () => {
  const body = Buffer.from('{"reference":"Caf\xe9"}', 'latin1'),
    at = nowSeconds(),
    sue = await as('sue');
  await sue.createPaymentMethod({
    tenant_id: 2,
    payment_platform: 'apex',
    body: { api_key: 'k', secret_key: 's', merchant_id: 'm' },
  });
  const { secret } = await sue.revealWebhookSecret({ tenant_id: 2, platform: 'apex', body: { rotate: false } });
  const signed = createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex');
  const response = await fetch('/api/v1/webhooks/2/apex', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Signature': `t=${at},v1=${signed}` },
    body,
  });
  assert.is(response.status, 422);
  assert.is(((await response.json()) as { detail: string }).detail, 'body: not UTF-8');
  assert.equal(
    (await sue.getWebhook({ tenant_id: 2, platform: 'apex' })).deliveries.map(({ event_type, outcome }) => [
      event_type,
      outcome,
    ]),
    [['unreadable', 'attention']],
  );
});

test('a path with a slash too many is no call, whatever the method', async () => {
  for (const path of ['/api/v1/platforms/all//', '/api/v1/platforms//all'])
    assert.is((await send('GET', path)).status, 404, path);
});

test.run();
