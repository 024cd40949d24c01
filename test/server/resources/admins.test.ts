import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { usualPermissions } from '../../../src/contract/permissions';
import { createApi } from '../../createApi';
import { as, fetch, guest, PASSWORD, people, refusal, refused, reset, send, signIn, sql, tokenOf } from '../../world';

const ADMIN = 2; // the role's id
const newAdmin = { email: 'amy@acme.test', password: 'long enough', tenant_id: 2, role_id: ADMIN };
const isIn = async (token: string): Promise<boolean> =>
  (await send('GET', calls.listRedeems.path, { token })).status === 200;
const secondSuper = async (): Promise<number> => {
  const [admin] = await sql<{ id: number }[]>`
    insert into admins (tenant_id, role_id, email, password_hash)
    select 1, role_id, 'sid@platform.test', password_hash from admins where id = ${people.sue.id}
    returning id`;
  return admin!.id;
};

test.before.each(reset);

test('the roles are listed, the one for new admins among them', async () => {
  const roles = await (await as('sue')).listRoles();
  assert.equal(
    roles.find(({ name }) => name === 'admin'),
    { id: ADMIN, name: 'admin' },
  );
});

test("a tenant's admins are listed, without accounts of other roles or tenants", async () => {
  const sue = await as('sue');
  assert.equal(await sue.listAdmins({ tenant_id: 2 }), [
    {
      id: people.ann.id,
      email: people.ann.email,
      is_active: true,
      tenant_id: 2,
      has_two_factor: false,
      has_passkeys: false,
      is_self: false,
      api_keys: [],
      permissions: [...usualPermissions],
    },
  ]);
  assert.equal(
    (await sue.listAdmins({ tenant_id: 1 })).map(({ email, is_self }) => [email, is_self]),
    [[people.sue.email, true]],
  );
  assert.is(await refused(sue.listAdmins({ tenant_id: 99 })), 404);
});

test('a new admin can sign in, to their own tenant', async () => {
  const made = await (await as('sue')).createAdmin({ body: newAdmin });
  assert.equal(made, {
    id: 5,
    email: 'amy@acme.test',
    is_active: true,
    tenant_id: 2,
    permissions: [...usualPermissions],
  });
  const { user } = await guest.loginToTenant({
    tenant_id: 2,
    body: { email: 'amy@acme.test', password: 'long enough' },
  });
  assert.equal(user, {
    role: { name: 'admin', is_super_admin: false },
    tenant_id: 2,
    email: 'amy@acme.test',
    tenant_name: 'Acme',
    time_zone: 'UTC',
    permissions: usualPermissions,
  });
});

test('an answer never holds a password or its hash', async () => {
  const token = await tokenOf('sue');
  const text = await (await send('POST', calls.createAdmin.path, { token, body: newAdmin })).text();
  assert.not.match(text, /password|argon2|long enough/);
});

test('an e-mail belongs to one admin of all tenants, whatever its case', async () => {
  const sue = await as('sue');
  const taken = { status: 409, detail: 'An admin with this email already exists' };
  assert.equal(await refusal(sue.createAdmin({ body: { ...newAdmin, email: ' ANN@acme.test', tenant_id: 3 } })), taken);
  assert.equal(await refusal(sue.updateAdmin({ id: people.ben.id, body: { email: 'Oli@Acme.test' } })), taken);
});

test('only the role admin can be given', async () => {
  const sue = await as('sue');
  for (const role_id of [1, 3, 99])
    assert.equal(await refusal(sue.createAdmin({ body: { ...newAdmin, role_id } })), {
      status: 422,
      detail: 'body.role_id: must be the role admin',
    });
});

test("an unknown tenant is 404, and the platform's own takes no tenant admins", async () => {
  const sue = await as('sue');
  assert.is(await refused(sue.createAdmin({ body: { ...newAdmin, tenant_id: 99 } })), 404);
  assert.is(await refused(sue.createAdmin({ body: { ...newAdmin, tenant_id: 1 } })), 400);
});

test('a short password or no e-mail is 422 [ASVS 6.2.1]', async () => {
  const sue = await as('sue');
  assert.equal(await refusal(sue.createAdmin({ body: { ...newAdmin, password: 'short' } })), {
    status: 422,
    detail: 'body.password: at least 8 characters',
  });
  assert.is(await refused(sue.createAdmin({ body: { ...newAdmin, email: 'amy' } })), 422);
  assert.is(
    await refused(sue.updateAdmin({ id: people.ann.id, body: { email: people.ann.email, password: 'short' } })),
    422,
  );
});

test('a blank or missing password keeps the current one and the sessions', async () => {
  const [sue, token] = [await as('sue'), await tokenOf('ann')];
  assert.is(
    (await sue.updateAdmin({ id: people.ann.id, body: { email: 'ann.a@acme.test', password: '' } })).email,
    'ann.a@acme.test',
  );
  await sue.updateAdmin({ id: people.ann.id, body: { email: 'ann.a@acme.test' } });
  assert.ok((await guest.login({ body: { email: 'ann.a@acme.test', password: PASSWORD } })).access_token);
  assert.is(await isIn(token), true);
});

test('a new password replaces the old one and ends the sessions [ASVS 7.4.5]', async () => {
  const [sue, token] = [await as('sue'), await tokenOf('ann')];
  await sue.updateAdmin({ id: people.ann.id, body: { email: people.ann.email, password: 'brand new one' } });
  assert.is(await isIn(token), false);
  assert.is(await refused(signIn('ann')), 401);
  assert.ok((await guest.login({ body: { email: people.ann.email, password: 'brand new one' } })).access_token);
});

test('a stolen session of a super admin cannot set the own password without the current one', async () => {
  const [thief, there] = [await tokenOf('sue'), await tokenOf('sue')];
  const put = (body: object) => send('PUT', `/api/v1/admin/admin-users/${people.sue.id}/`, { token: thief, body });
  for (const password of ['password1', 'violet harbour 42 lanterns']) {
    const response = await put({ email: people.sue.email, password });
    assert.equal(
      [response.status, (await response.json()).detail],
      [409, 'Change your own password under Account'],
      password,
    );
    assert.is(await refused(guest.login({ body: { email: people.sue.email, password } })), 401);
  }
  assert.ok((await signIn('sue')).access_token, 'the password is what it was');
  assert.is(await isIn(there), true, 'and nobody was signed out');
  assert.is((await put({ email: people.sue.email, password: '' })).status, 200);
});

test('another super admin can only be taken over with a recent sign-in [ASVS 7.5.1]', async () => {
  const sid = await secondSuper(),
    thief = await tokenOf('sue'),
    api = createApi({ fetch, token: () => thief });
  await sql`
    insert into two_factor (admin_id, secret, confirmed_at, recovery_salt) values (${sid}, 'x', now(), '')`;
  const tries = [
    () => api.updateAdmin({ id: sid, body: { email: 'sid@platform.test', password: 'violet harbour 42' } }),
    () => api.updateAdmin({ id: sid, body: { email: 'thief@platform.test' } }),
    () => api.resetTwoFactor({ id: sid }),
  ];
  const row = () =>
    sql`select email, password_hash, exists (select 1 from two_factor) as factor from admins where id = ${sid}`;
  const before = await row();
  await sql`update sessions set created_at = now() - interval '11 minutes'`;
  for (const attack of tries) assert.is(await refused(attack()), 403);
  assert.equal(await row(), before);
  assert.is(await isIn(thief), true, 'a 403 signs nobody out');
  await api.updateAdmin({ id: sid, body: { email: 'sid@platform.test' } });
  await api.updateAdmin({ id: people.ann.id, body: { email: people.ann.email, password: 'brand new one' } });

  await sql`update sessions set created_at = now()`;
  for (const change of tries) await change();
});

test('a stolen session of a super admin does not change the own e-mail either, without a recent sign-in', async () => {
  const thief = await tokenOf('sue'),
    api = createApi({ fetch, token: () => thief }),
    take = (email: string) => api.updateAdmin({ id: people.sue.id, body: { email } });
  await sql`update sessions set created_at = now() - interval '11 minutes'`;
  assert.equal(await refusal(take('thief@platform.test')), {
    status: 403,
    detail: 'Sign out and in again first: this needs a sign-in of the last 10 minutes',
  });
  assert.ok((await signIn('sue')).access_token);
  assert.is((await take(people.sue.email)).email, people.sue.email, 'what changes nothing is no takeover');
  await sql`update sessions set created_at = now()`;
  assert.is((await take('susan@platform.test')).email, 'susan@platform.test');
});

test('disabling ends the sessions at once, keeps the row, and can be repeated [ASVS 7.4.2]', async () => {
  const [sue, token] = [await as('sue'), await tokenOf('ann')];
  for (let time = 0; time < 2; time++) assert.equal(await sue.disableAdmin({ id: people.ann.id }), { ok: true });
  assert.is(await isIn(token), false);
  assert.is(await refused(signIn('ann')), 401);
  assert.is((await sue.listAdmins({ tenant_id: 2 }))[0]!.is_active, false);
});

test('a disabled admin can be enabled again', async () => {
  const sue = await as('sue');
  await sue.disableAdmin({ id: people.ann.id });
  assert.is((await sue.updateAdmin({ id: people.ann.id, body: { email: people.ann.email } })).is_active, false);
  assert.is(
    (await sue.updateAdmin({ id: people.ann.id, body: { email: people.ann.email, is_active: true } })).is_active,
    true,
  );
  assert.ok((await signIn('ann')).access_token);
});

test('an update that disables ends the sessions too', async () => {
  const [sue, token] = [await as('sue'), await tokenOf('ann')];
  await sue.updateAdmin({ id: people.ann.id, body: { email: people.ann.email, is_active: false } });
  await sue.updateAdmin({ id: people.ann.id, body: { email: people.ann.email, is_active: true } });
  assert.is(await isIn(token), false);
});

test('nobody disables themselves', async () => {
  const sue = await as('sue');
  await secondSuper();
  assert.equal(await refusal(sue.disableAdmin({ id: people.sue.id })), {
    status: 409,
    detail: 'You cannot disable your own account',
  });
  assert.is(
    await refused(sue.updateAdmin({ id: people.sue.id, body: { email: people.sue.email, is_active: false } })),
    409,
  );
});

test('another super admin can be disabled, and of two who disable each other one remains', async () => {
  const sid = await secondSuper();
  const sue = await as('sue');
  const tokenOfSid = (await guest.login({ body: { email: 'sid@platform.test', password: PASSWORD } })).access_token;
  const asSid = createApi({ fetch, token: () => tokenOfSid });
  const status = (work: Promise<unknown>) =>
    work.then(
      () => 200,
      (error: { status: number }) => error.status,
    );
  const outcomes = await Promise.all([
    status(sue.disableAdmin({ id: sid })),
    status(asSid.disableAdmin({ id: people.sue.id })),
  ]);
  assert.is(outcomes.filter((outcome) => outcome === 200).length, 1, String(outcomes));
  assert.is((await sql`select 1 from admins where role_id = 1 and is_active`).length, 1);
});

test('an account of another role, and an unknown one, are 404', async () => {
  const sue = await as('sue');
  for (const id of [people.oli.id, 99]) {
    assert.equal(await refusal(sue.updateAdmin({ id, body: { email: 'x@y.test' } })), {
      status: 404,
      detail: 'Admin not found',
    });
    assert.is(await refused(sue.disableAdmin({ id })), 404);
  }
});

test.run();
