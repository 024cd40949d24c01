/** What whoever manages a team can do, and above all what they cannot (docs/permissions.md, "Permissions"). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Permission, permissions, usualPermissions } from '../../../src/contract/permissions';
import { isRefused, lines, table } from '../../answers';
import { ann, hire, sue } from '../../callers';
import { guest, PASSWORD, pam, people, refusal, reset, sql } from '../../world';

const allow = (id: number, held: readonly Permission[]) =>
  sql`update admins set permissions = ${[...held]} where id = ${id}`;
const permissionsOf = async (id: number) =>
  (await sql<{ permissions: Permission[] }[]>`select permissions from admins where id = ${id}`)[0]?.permissions;
const confirmed = { current_password: PASSWORD };
const colleague = { email: 'new@acme.test', password: 'A-secret-1' };

test.before.each(async () => {
  await reset();
  await allow(people.ann.id, permissions);
});

test('admins from before, and those for whom nothing is chosen, may do everything but manage the team', async () => {
  await reset();
  const made = await sue.createAdmin({ body: { ...colleague, tenant_id: 2, role_id: 2 } });
  assert.equal([await permissionsOf(people.ann.id), made.permissions], [[...usualPermissions], [...usualPermissions]]);
  const login = await guest.login({ body: { email: people.ann.email, password: PASSWORD } });
  assert.equal(login.user.permissions, [...usualPermissions]);
  assert.ok(login.features?.includes('permissions'));
  assert.is((await guest.login({ body: { email: people.sue.email, password: PASSWORD } })).user.permissions, undefined);
});

test('a super admin chooses the permissions of an admin, and sees those of all', async () => {
  const made = await sue.createAdmin({ body: { ...colleague, tenant_id: 2, role_id: 2, permissions: ['queue'] } });
  assert.equal(made.permissions, ['queue']);
  const chosen: Permission[] = ['money', 'queue', 'money'];
  const changed = await sue.updateAdmin({ id: made.id, body: { email: made.email, permissions: chosen } });
  assert.equal(changed.permissions, ['queue', 'money'], 'once each, in the order of the contract');
  const listed = await sue.listAdmins({ tenant_id: 2 });
  assert.equal(table(listed, 'email', 'permissions'), [
    [people.ann.email, [...permissions]],
    [made.email, ['queue', 'money']],
  ]);
  assert.equal((await sue.listAdmins({ tenant_id: 1 }))[0]?.permissions, null, 'a super admin may do everything');
  const own = { id: people.sue.id, body: { email: people.sue.email, permissions: [] } };
  await isRefused(sue.updateAdmin(own), 422, 'body.permissions: a super admin may do everything');
});

test('whoever manages the team hires, changes and disables colleagues of the own tenant', async () => {
  const made = await ann.createTeamMember({ body: { ...colleague, permissions: ['support', 'queue'], ...confirmed } });
  assert.equal(made.permissions, ['support', 'queue']);
  assert.equal([made.tenant_id, made.may_change, made.is_self], [2, true, false]);
  assert.ok(await guest.login({ body: colleague }), 'the colleague can sign in');
  const body = { email: 'newer@acme.test', permissions: ['queue' as const], ...confirmed };
  assert.equal((await ann.updateTeamMember({ id: made.id, body })).permissions, ['queue']);
  assert.not.ok((await ann.updateTeamMember({ id: made.id, body: { is_active: false, ...confirmed } })).is_active);
  assert.equal(lines(await ann.listTeam({}), 'email', 'is_active', 'is_self', 'may_change'), [
    `${people.ann.email} true true false`,
    'newer@acme.test false false true',
  ]);
});

test('a change counts from the next request on, in sessions that are open', async () => {
  const bob = await hire('bob@acme.test', ['money']);
  const edit = { id: pam.id, body: { credit: '1' } };
  await bob.adjustBalances(edit);
  await ann.updateTeamMember({ id: bob.id, body: { permissions: [], ...confirmed } });
  await isRefused(bob.adjustBalances(edit), 403, 'You need the permission Money for this');
});

test('nobody can give what they do not have, nor change a colleague who may do more', async () => {
  const { id: boss } = await hire('boss@acme.test');
  await allow(people.ann.id, ['support', 'team']);
  const beyond = 'You can give only permissions that you have yourself';
  const strong = { ...colleague, permissions: ['support' as const, 'money' as const], ...confirmed };
  await isRefused(ann.createTeamMember({ body: strong }), 403, beyond);
  const { id: low } = await hire('low@acme.test', ['support']);
  await isRefused(ann.updateTeamMember({ id: low, body: { permissions: ['payouts'], ...confirmed } }), 403, beyond);
  const stronger = 'You can change only colleagues who may not do more than you';
  const takeover = [{ password: 'Taken-over-1' }, { email: 'mine@acme.test' }];
  for (const body of [...takeover, { is_active: false }, { permissions: [] }])
    await isRefused(ann.updateTeamMember({ id: boss, body: { ...body, ...confirmed } }), 403, stronger);
  assert.equal(await permissionsOf(boss), [...permissions]);
});

test('nobody can raise, lower or disable themselves', async () => {
  await allow(people.ann.id, ['team']);
  const change = (body: object) => ann.updateTeamMember({ id: people.ann.id, body: { ...body, ...confirmed } });
  for (const body of [{ permissions: [...permissions] }, { permissions: [] }, { is_active: false }])
    await isRefused(change(body), 409, 'You cannot change your own account here');
});

test('two who take the team from each other at once do not both succeed', async () => {
  for (const body of [{ permissions: [] }, { is_active: false }]) {
    await reset();
    await allow(people.ann.id, permissions);
    const bob = await hire('bob@acme.test');
    await ann.listTeam({}); // begins her session
    const results = await Promise.allSettled([
      ann.updateTeamMember({ id: bob.id, body: { ...body, ...confirmed } }),
      bob.updateTeamMember({ id: people.ann.id, body: { ...body, ...confirmed } }),
    ]);
    assert.is(results.filter(({ status }) => status === 'fulfilled').length, 1);
    const left = await sql`select 1 from admins where tenant_id = 2 and is_active and 'team' = any (permissions)`;
    assert.is(left.length, 1);
  }
});

test('a colleague of another tenant, a super admin and another role do not exist', async () => {
  for (const id of [people.ben.id, people.sue.id, people.oli.id, 99])
    await isRefused(
      ann.updateTeamMember({ id, body: { is_active: false, ...confirmed } }),
      404,
      'Team member not found',
    );
});

test('an API key can do no more than whoever makes it, and ends when they may do less', async () => {
  await allow(people.ann.id, ['settings', 'queue']);
  const key = { name: 'Site', password: PASSWORD };
  const settles = { ...key, scopes: ['transactions:settle' as const] };
  await isRefused(ann.createApiKey({ body: settles }), 403, 'You need the permission Payouts for this');
  await allow(people.ann.id, ['settings', 'queue', 'payouts', 'support']);
  await ann.createApiKey({ body: settles });
  await ann.createApiKey({ body: { ...key, name: 'Players', scopes: ['players:write'] } });
  const { id, email } = people.ann;
  await sue.updateAdmin({ id, body: { email, permissions: ['settings', 'support'], keep_api_keys: true } });
  const left = (await ann.listApiKeys({})).map(({ name, revoked_at }) => `${name} ${revoked_at !== null}`);
  assert.equal(left, ['Players false', 'Site true']);
});

test('whose accounts other tenants have can be asked only so often', async () => {
  const ask = (email: string) =>
    refusal(ann.createTeamMember({ body: { ...colleague, email, permissions: [], ...confirmed } }));
  const { id } = await ann.createTeamMember({ body: { ...colleague, permissions: [], ...confirmed } });
  const taken = { status: 409, detail: 'An admin with this email already exists' };
  for (let n = 0; n < 18; n++) assert.equal(await ask('ben@bravo.test'), taken);
  const rename = (email: string) => refusal(ann.updateTeamMember({ id, body: { email, ...confirmed } }));
  assert.equal(await rename('ben@bravo.test'), taken);
  const over = { status: 429, detail: 'Only 20 accounts are added or renamed in an hour. Try again later.' };
  for (const email of ['ben@bravo.test', 'unknown@bravo.test']) {
    assert.equal(await ask(email), over);
    assert.equal(await rename(email), over);
  }
  await ann.updateTeamMember({ id, body: { email: colleague.email, is_active: false, ...confirmed } });
  const more = { ...colleague, email: 'more@acme.test', tenant_id: 2, permissions: [] };
  await sue.createTeamMember({ body: { ...more, ...confirmed } });
});

test.run();
