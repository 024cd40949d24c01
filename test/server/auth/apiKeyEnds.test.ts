/** API keys end: with the person who made them, by their last day; and no stolen session makes new ones. */
import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { KEYS_MAX } from '../../../src/contract/integrations';
import { createApi } from '../../createApi';
import { newKey, withKey } from '../../integrations';
import { currentCode, RECOVERY_CODE, withFactor } from '../../twoFactor';
import {
  as,
  countLockWaits,
  db,
  fetch,
  PASSWORD,
  pam,
  people,
  refusal,
  refused,
  reset,
  send,
  services,
  sql,
  tokenOf,
} from '../../world';

const NEW = 'violet harbour 42 lanterns';
const works = async (key: string): Promise<boolean> =>
  (await send('GET', calls.readTransaction.path.replace('{id}', String(pam.purchase)), { token: key })).status === 200;
const body = { name: 'Shop', scopes: ['players:write' as const], password: PASSWORD };
const keysOf = async () => (await sql`select 1 from api_keys`).length;
const lastEntry = async () =>
  (await sql`select call, after from audit_log order by id desc limit 1`).map(({ call, after }) => [call, after])[0];

test.before.each(reset);

// ---- with their person

test("disabling an admin revokes the keys that this person made, and nobody else's", async () => {
  const sue = await as('sue');
  const [first, second, ofSue, ofBen] = [
    await newKey('ann'),
    await newKey('ann'),
    await newKey('sue', undefined, { tenant_id: 2 }),
    await newKey('ben'),
  ];
  assert.equal(
    (await sue.listAdmins({ tenant_id: 2 })).map(({ api_keys }) => api_keys),
    [['Shop', 'Shop']],
  );
  await sue.disableAdmin({ id: people.ann.id });
  assert.equal([await works(first.key), await works(second.key), await works(ofSue.key)], [false, false, true]);
  assert.is((await withKey(ofBen.key).pushPlayer({ body: { email: 'x@mail.test' } })).is_new, true);
  const [, after] = (await sql`select after from audit_log where call = 'disableAdmin'`).map(({ after }) => [
    '',
    after,
  ])[0]!;
  assert.equal(after, {
    is_active: false,
    revoked_api_keys: [`Shop (${first.prefix}…)`, `Shop (${second.prefix}…)`],
  });
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
  assert.is(await refused(sue.disableAdmin({ id: people.ann.id, ...JSON.parse('{"keep_api_keys": "perhaps"}') })), 422);
});

test('a key that a thief made with a stolen session does not survive the new password of its owner', async () => {
  const thief = await newKey('ann'),
    ann = await as('ann');
  assert.equal((await ann.getAccount()).api_keys, ['Shop']);
  await ann.changePassword({ body: { current_password: PASSWORD, new_password: NEW } });
  assert.is(await works(thief.key), false);
  assert.equal((await (await as('ann')).getAccount()).api_keys, []);
  assert.equal(await lastEntry(), [
    'changePassword',
    { password: '••••••••', revoked_api_keys: [`Shop (${thief.prefix}…)`] },
  ]);

  await reset();
  const own = await newKey('ann');
  await (await as('ann')).changePassword({
    body: { current_password: PASSWORD, new_password: NEW, keep_api_keys: true },
  });
  assert.is(await works(own.key), true);
});

test('a key that is being made while its maker is disabled does not come to be', async () => {
  const ann = await as('ann');
  let making: Promise<unknown> | undefined;
  await db.tx(async (tx) => {
    await tx`select 1 from admins where id = ${people.ann.id} for update`;
    making = ann.createApiKey({ body }).catch((error: { status: number }) => error.status);
    // It has the right password by now and waits for the lock.
    for (let tries = 0; tries < 100 && !(await countLockWaits()); tries++) await setTimeout(25);
    await tx`update admins set is_active = false where id = ${people.ann.id}`;
    await tx`update api_keys set revoked_at = now() where admin_id = ${people.ann.id}`;
  });
  assert.is(await making, 401);
  assert.is(await keysOf(), 0);
});

// ---- nobody makes them with a stolen session

test('a stolen session makes no key: the password is needed, and guesses are counted [ASVS 7.5.1]', async () => {
  const token = await tokenOf('ann'),
    post = async (more: object) => (await send('POST', calls.createApiKey.path, { token, body: more })).status;
  const { password: _, ...bare } = body;
  assert.is(await post(bare), 422);
  for (let n = 0; n < 9; n++) assert.is(await post({ ...bare, password: 'a guess' }), 400);
  assert.is(await post(body), 429);
  assert.is(await keysOf(), 0);
});

test('with two-factor sign-in a key takes a code as well, which is then used up', async () => {
  const secret = await withFactor('ann'),
    ann = await as('ann');
  assert.equal(await refusal(ann.createApiKey({ body })), {
    status: 422,
    detail: 'body.code: is required, because you use two-factor sign-in',
  });
  assert.is(await refused(ann.createApiKey({ body: { ...body, code: '000000' } })), 400);
  assert.is(await keysOf(), 0);
  const code = currentCode(secret);
  assert.ok((await ann.createApiKey({ body: { ...body, code } })).key);
  assert.is(await refused(ann.createApiKey({ body: { ...body, code } })), 400);
  assert.ok((await ann.createApiKey({ body: { ...body, code: RECOVERY_CODE } })).key);
  assert.is(await refused(ann.createApiKey({ body: { ...body, code: RECOVERY_CODE } })), 400);
  assert.is(await keysOf(), 2);
});

test('a refusal for another reason uses up no code', async () => {
  const secret = await withFactor('ann'),
    ann = await as('ann'),
    code = currentCode(secret);
  assert.is(await refused(ann.createApiKey({ body: { ...body, code, expires_on: '2020-01-01' } })), 422);
  assert.ok((await ann.createApiKey({ body: { ...body, code } })).key);
});

// ---- bounds

test('a key without a last day ends after a year, in the time zone of its tenant', async () => {
  await sql`update tenants set time_zone = 'Pacific/Auckland' where id = 2`;
  const { expires_at } = await newKey('ann');
  const [{ wanted } = { wanted: null }] = await sql<{ wanted: Date }[]>`
    select (((now() at time zone 'Pacific/Auckland') + interval '1 year')::date + 1)::timestamp
      at time zone 'Pacific/Auckland' as wanted`;
  assert.is(expires_at, wanted!.toISOString());
});

test('a tenant has at most twenty active keys, also when all are asked for at once', async () => {
  const ann = await as('ann'),
    token = await tokenOf('ann');
  await sql`
    insert into api_keys (tenant_id, name, prefix, key_hash, scopes, admin_id)
    select 2, 'Old', 'gbk_x', sha256(n::text::bytea), '{players:write}', ${people.ann.id}
    from generate_series(1, ${KEYS_MAX - 2}) as n`;
  const statuses = await Promise.all(
    Array.from(
      { length: 8 },
      async () =>
        await createApi({ fetch, token: () => token })
          .createApiKey({ body })
          .then(
            () => 200,
            (e) => e.status,
          ),
    ),
  );
  assert.equal(statuses.sort(), [200, 200, 409, 409, 409, 409, 409, 409]);
  assert.equal(await refusal(ann.createApiKey({ body })), {
    status: 409,
    detail: 'A tenant can have 20 active API keys. Revoke one that nobody needs',
  });
  assert.ok(await newKey('ben'), 'another tenant has its own');
  await ann.revokeApiKey({ id: 1 });
  await sql`update api_keys set expires_at = now() where id = 2`;
  for (let n = 0; n < 2; n++) await ann.createApiKey({ body });
  assert.is(await refused(ann.createApiKey({ body })), 409);
});

test('who creates a redeem with one key cannot decide it with the same', async () => {
  const creates = withKey((await newKey('ann', ['players:write', 'transactions:write'])).key),
    settles = withKey((await newKey('ann', ['transactions:settle'])).key);
  const { id } = await creates.pushTopUp({
    body: { user_id: pam.id, amount: 5000, payment_method: 'card', payment_reference: 'big' },
  });
  for (const status of ['success', 'failed', 'pending'] as const)
    assert.is(await refused(creates.pushStatus({ id, body: { status } })), 403);
  assert.is((await creates.readTransaction({ id })).status, 'pending');
  assert.is(
    await refused(
      settles.pushTopUp({ body: { user_id: pam.id, amount: 5, payment_method: 'card', payment_reference: 'small' } }),
    ),
    403,
  );
  assert.is((await settles.readTransaction({ id })).status, 'pending');
  assert.is((await settles.pushStatus({ id, body: { status: 'success' } })).status, 'success');
  assert.ok(services);
});

test.run();
