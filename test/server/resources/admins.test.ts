import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { usualPermissions } from '../../../src/contract/permissions';
import { isRefused, statusOf, table } from '../../answers';
import { apiOf, stillIn, sue } from '../../callers';
import { guest, PASSWORD, people, reset, send, signIn, sql, tokenOf } from '../../world';

const ADMIN = 2; // the role's id
const newAdmin = { email: 'amy@acme.test', password: 'long enough', tenant_id: 2, role_id: ADMIN };
const secondSuper = async () =>
  (
    await sql<{ id: number }[]>`
      insert into admins (tenant_id, role_id, email, password_hash)
      select 1, role_id, 'sid@platform.test', password_hash from admins where id = ${people.sue.id}
      returning id`.one()
  ).id;

test.before.each(reset);

test('the roles are listed, the one for new admins among them', async () => {
  const roles = await sue.listRoles();
  assert.is(roles.find(({ name }) => name === 'admin')?.id, ADMIN);
});

test("a tenant's admins are listed, without accounts of other roles or tenants", async () => {
  assert.equal(await sue.listAdmins({ tenant_id: 2 }), [
    {
      ...{ ...people.ann, is_active: true, has_two_factor: false, has_passkeys: false, is_self: false },
      ...{ api_keys: [], permissions: [...usualPermissions], last_sign_in_at: null },
    },
  ]);
  assert.equal(table(await sue.listAdmins({ tenant_id: 1 }), 'email', 'is_self'), [[people.sue.email, true]]);
  await isRefused(sue.listAdmins({ tenant_id: 99 }), 404);
});

test("an admin's last sign-in is told, wherever it was from", async () => {
  const last = async () => (await sue.listAdmins({ tenant_id: 2 }))[0]!.last_sign_in_at;
  await signIn('ann');
  await sql`update known_networks set seen_at = now() - interval '3 hours'`;
  const before = await last();
  await signIn('ann');
  assert.ok(Date.parse((await last())!) - Date.parse(before!) > 3_500_000 * 3);
  await sql`insert into known_networks values (${people.ann.id}, '10.0.0.9', now() - interval '1 day')`;
  assert.ok((await last())! > before!);
});

test('a new admin can sign in, to their own tenant', async () => {
  const made = await sue.createAdmin({ body: newAdmin });
  const permissions = [...usualPermissions];
  assert.equal(made, { id: 5, email: 'amy@acme.test', is_active: true, tenant_id: 2, permissions });
  const body = { email: 'amy@acme.test', password: 'long enough' };
  const { user } = await guest.loginToTenant({ tenant_id: 2, body });
  assert.equal([user.email, user.tenant_id, user.role.name], ['amy@acme.test', 2, 'admin']);
});

test('an e-mail belongs to one admin of all tenants, whatever its case', async () => {
  const taken = 'An admin with this email already exists';
  await isRefused(sue.createAdmin({ body: { ...newAdmin, email: ' ANN@acme.test', tenant_id: 3 } }), 409, taken);
  await isRefused(sue.updateAdmin({ id: people.ben.id, body: { email: 'Oli@Acme.test' } }), 409, taken);
});

test('only the role admin can be given', async () => {
  for (const role_id of [1, 3, 99])
    await isRefused(sue.createAdmin({ body: { ...newAdmin, role_id } }), 422, 'body.role_id: must be the role admin');
});

test('a short password or no e-mail is 422 [ASVS 6.2.1]', async () => {
  const short = 'body.password: at least 8 characters';
  const { id, email } = people.ann;
  await isRefused(sue.createAdmin({ body: { ...newAdmin, password: 'short' } }), 422, short);
  await isRefused(sue.updateAdmin({ id, body: { email, password: 'short' } }), 422, short);
  await isRefused(sue.createAdmin({ body: { ...newAdmin, email: 'amy' } }), 422);
});

test('a blank or missing password keeps the current one and the sessions', async () => {
  const token = await tokenOf('ann');
  const email = 'ann.a@acme.test';
  for (const body of [{ email, password: '' }, { email }])
    assert.is((await sue.updateAdmin({ id: people.ann.id, body })).email, email);
  assert.ok((await guest.login({ body: { email, password: PASSWORD } })).access_token);
  assert.is(await stillIn(token), true);
});

test('a new password replaces the old one and ends the sessions [ASVS 7.4.5]', async () => {
  const token = await tokenOf('ann');
  await sue.updateAdmin({ id: people.ann.id, body: { email: people.ann.email, password: 'brand new one' } });
  assert.is(await stillIn(token), false);
  await isRefused(signIn('ann'), 401);
  assert.ok((await guest.login({ body: { email: people.ann.email, password: 'brand new one' } })).access_token);
});

test('a stolen session of a super admin cannot set the own password without the current one', async () => {
  const [thief, there] = [await tokenOf('sue'), await tokenOf('sue')];
  const put = (body: object) => send('PUT', `/api/v1/admin/admin-users/${people.sue.id}/`, { token: thief, body });
  for (const password of ['password1', 'violet harbour 42 lanterns']) {
    const response = await put({ email: people.sue.email, password });
    const { detail } = await response.json();
    assert.equal([response.status, detail], [409, 'Change your own password under Account'], password);
    await isRefused(guest.login({ body: { email: people.sue.email, password } }), 401);
  }
  assert.ok((await signIn('sue')).access_token, 'the password is what it was');
  assert.is(await stillIn(there), true, 'and nobody was signed out');
  assert.is((await put({ email: people.sue.email, password: '' })).status, 200);
});

test('another super admin can only be taken over with a recent sign-in [ASVS 7.5.1]', async () => {
  const sid = await secondSuper(),
    thief = await tokenOf('sue'),
    api = apiOf(thief);
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
  for (const attack of tries) await isRefused(attack(), 403);
  assert.equal(await row(), before);
  assert.is(await stillIn(thief), true, 'a 403 signs nobody out');
  await api.updateAdmin({ id: sid, body: { email: 'sid@platform.test' } });
  await api.updateAdmin({ id: people.ann.id, body: { email: people.ann.email, password: 'brand new one' } });

  await sql`update sessions set created_at = now()`;
  for (const change of tries) await change();
});

test('a stolen session of a super admin does not change the own e-mail either, without a recent sign-in', async () => {
  const thief = await tokenOf('sue'),
    api = apiOf(thief),
    take = (email: string) => api.updateAdmin({ id: people.sue.id, body: { email } });
  await sql`update sessions set created_at = now() - interval '11 minutes'`;
  const words = 'Sign out and in again first: this needs a sign-in of the last 10 minutes';
  await isRefused(take('thief@platform.test'), 403, words);
  assert.ok((await signIn('sue')).access_token);
  assert.is((await take(people.sue.email)).email, people.sue.email, 'what changes nothing is no takeover');
  await sql`update sessions set created_at = now()`;
  assert.is((await take('susan@platform.test')).email, 'susan@platform.test');
});

test('disabling, by either call, ends the sessions at once, and can be undone [ASVS 7.4.2]', async () => {
  const { id, email } = people.ann;
  const ways = [() => sue.disableAdmin({ id }), () => sue.updateAdmin({ id, body: { email, is_active: false } })];
  for (const disable of ways) {
    const token = await tokenOf('ann');
    for (let time = 0; time < 2; time++) await disable();
    assert.is(await stillIn(token), false);
    await isRefused(signIn('ann'), 401);
    assert.is((await sue.listAdmins({ tenant_id: 2 }))[0]!.is_active, false);
    assert.is((await sue.updateAdmin({ id, body: { email } })).is_active, false);
    assert.is((await sue.updateAdmin({ id, body: { email, is_active: true } })).is_active, true);
    assert.is(await stillIn(token), false, 'nor do they come back');
    assert.ok((await signIn('ann')).access_token);
  }
});

test('nobody disables themselves', async () => {
  await secondSuper();
  await isRefused(sue.disableAdmin({ id: people.sue.id }), 409, 'You cannot disable your own account');
  await isRefused(sue.updateAdmin({ id: people.sue.id, body: { email: people.sue.email, is_active: false } }), 409);
});

test('another super admin can be disabled, and of two who disable each other one remains', async () => {
  const sid = await secondSuper();
  const tokenOfSid = (await guest.login({ body: { email: 'sid@platform.test', password: PASSWORD } })).access_token;
  const asSid = apiOf(tokenOfSid);
  await sue.listRoles(); // begins her session
  const outcomes = await Promise.all([
    statusOf(sue.disableAdmin({ id: sid })),
    statusOf(asSid.disableAdmin({ id: people.sue.id })),
  ]);
  assert.is(outcomes.filter((outcome) => outcome === 200).length, 1, String(outcomes));
  assert.is((await sql`select 1 from admins where role_id = 1 and is_active`).length, 1);
});

test('an account of another role, and an unknown one, are 404', async () => {
  for (const id of [people.oli.id, 99]) {
    await isRefused(sue.updateAdmin({ id, body: { email: 'x@y.test' } }), 404, 'Admin not found');
    await isRefused(sue.disableAdmin({ id }), 404);
  }
});

test.run();
