/** What whoever manages a team can do, and above all what they cannot (docs/permissions.md, "Permissions"). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Permission, permissions, usualPermissions } from '../../../src/contract/permissions';
import { readAuditLog } from '../../audit';
import { createApi } from '../../createApi';
import { as, fetch, guest, hashOfPassword, PASSWORD, pam, people, refusal, reset, sql } from '../../world';

const allow = (id: number, held: readonly Permission[]) =>
  sql`update admins set permissions = ${[...held]} where id = ${id}`;
/** A colleague of Ann's. */
async function hire(email: string, held: readonly Permission[]): Promise<number> {
  const [made] = await sql<{ id: number }[]>`
    insert into admins (tenant_id, role_id, email, password_hash, permissions)
    select 2, id, ${email}, ${hashOfPassword}, ${[...held]} from roles where name = 'admin' returning id`;
  return made!.id;
}
const permissionsOf = async (id: number) =>
  (await sql<{ permissions: Permission[] }[]>`select permissions from admins where id = ${id}`)[0]?.permissions;
const isRefused = async (work: Promise<unknown>, status: number, detail: string) =>
  assert.equal(await refusal(work), { status, detail });
const withToken = (token: string) => createApi({ fetch, token: () => token });
const confirmed = { current_password: PASSWORD };
const colleague = { email: 'new@acme.test', password: 'A-secret-1' };

test.before.each(async () => {
  await reset();
  await allow(people.ann.id, permissions);
});

test('admins from before, and those for whom nothing is chosen, may do everything but manage the team', async () => {
  await reset();
  const made = await (await as('sue')).createAdmin({ body: { ...colleague, tenant_id: 2, role_id: 2 } });
  assert.equal([await permissionsOf(people.ann.id), made.permissions], [[...usualPermissions], [...usualPermissions]]);
  const login = await guest.login({ body: { email: people.ann.email, password: PASSWORD } });
  assert.equal(login.user.permissions, [...usualPermissions]);
  assert.ok(login.features?.includes('permissions'));
  assert.is((await guest.login({ body: { email: people.sue.email, password: PASSWORD } })).user.permissions, undefined);
});

test('a super admin chooses the permissions of an admin, and sees those of all', async () => {
  const sue = await as('sue');
  const made = await sue.createAdmin({ body: { ...colleague, tenant_id: 2, role_id: 2, permissions: ['queue'] } });
  assert.equal(made.permissions, ['queue']);
  const chosen: Permission[] = ['money', 'queue', 'money'];
  const changed = await sue.updateAdmin({ id: made.id, body: { email: made.email, permissions: chosen } });
  assert.equal(changed.permissions, ['queue', 'money'], 'once each, in the order of the contract');
  const listed = await sue.listAdmins({ tenant_id: 2 });
  assert.equal(
    listed.map((one) => [one.email, one.permissions]),
    [
      [people.ann.email, [...permissions]],
      [made.email, ['queue', 'money']],
    ],
  );
  assert.equal((await sue.listAdmins({ tenant_id: 1 }))[0]?.permissions, null, 'a super admin may do everything');
  await isRefused(
    sue.updateAdmin({ id: people.sue.id, body: { email: people.sue.email, permissions: [] } }),
    422,
    'body.permissions: a super admin may do everything',
  );
});

test('whoever manages the team hires, changes and disables colleagues of the own tenant', async () => {
  const ann = await as('ann');
  const made = await ann.createTeamMember({ body: { ...colleague, permissions: ['support', 'queue'], ...confirmed } });
  assert.equal(
    [made.tenant_id, made.permissions, made.may_change, made.is_self],
    [2, ['support', 'queue'], true, false],
  );
  assert.ok(await guest.login({ body: colleague }), 'the colleague can sign in');
  const body = { email: 'newer@acme.test', permissions: ['queue' as const], ...confirmed };
  assert.equal((await ann.updateTeamMember({ id: made.id, body })).permissions, ['queue']);
  assert.not.ok((await ann.updateTeamMember({ id: made.id, body: { is_active: false, ...confirmed } })).is_active);
  assert.equal(
    (await ann.listTeam({})).map((one) => [one.email, one.is_active, one.is_self, one.may_change]),
    [
      [people.ann.email, true, true, false],
      ['newer@acme.test', false, false, true],
    ],
  );
  assert.equal((await readAuditLog()).map(({ call, before, after }) => [call, before, after]).slice(-2), [
    [
      'updateTeamMember',
      { email: colleague.email, permissions: ['support', 'queue'] },
      { email: 'newer@acme.test', permissions: ['queue'] },
    ],
    ['updateTeamMember', { is_active: true }, { is_active: false }],
  ]);
});

test('a change counts from the next request on, in sessions that are open', async () => {
  const bob = await hire('bob@acme.test', ['money']);
  const token = (await guest.login({ body: { email: 'bob@acme.test', password: PASSWORD } })).access_token;
  const edit = { id: pam.id, body: { credit: '1' } };
  await withToken(token).adjustBalances(edit);
  await (await as('ann')).updateTeamMember({ id: bob, body: { permissions: [], ...confirmed } });
  await isRefused(withToken(token).adjustBalances(edit), 403, 'You need the permission Money for this');
});

test('nobody can give what they do not have, nor change a colleague who may do more', async () => {
  const boss = await hire('boss@acme.test', permissions);
  await allow(people.ann.id, ['support', 'team']);
  const ann = await as('ann');
  const beyond = 'You can give only permissions that you have yourself';
  await isRefused(
    ann.createTeamMember({ body: { ...colleague, permissions: ['support', 'money'], ...confirmed } }),
    403,
    beyond,
  );
  const low = await hire('low@acme.test', ['support']);
  await isRefused(ann.updateTeamMember({ id: low, body: { permissions: ['payouts'], ...confirmed } }), 403, beyond);
  const stronger = 'You can change only colleagues who may not do more than you';
  for (const body of [
    { password: 'Taken-over-1' },
    { email: 'mine@acme.test' },
    { is_active: false },
    { permissions: [] },
  ])
    await isRefused(ann.updateTeamMember({ id: boss, body: { ...body, ...confirmed } }), 403, stronger);
  assert.equal(await permissionsOf(boss), [...permissions]);
});

test('nobody can raise, lower or disable themselves', async () => {
  await allow(people.ann.id, ['team']);
  const ann = await as('ann');
  for (const body of [{ permissions: ['team' as const] }, { permissions: [] }, { is_active: false }])
    await isRefused(
      ann.updateTeamMember({ id: people.ann.id, body: { ...body, ...confirmed } }),
      409,
      'You cannot change your own account here',
    );
  await isRefused(
    ann.updateTeamMember({ id: people.ann.id, body: { permissions: [...permissions], ...confirmed } }),
    409,
    'You cannot change your own account here',
  );
});

test('two who take the team from each other at once do not both succeed', async () => {
  for (const body of [{ permissions: [] }, { is_active: false }]) {
    await reset();
    await allow(people.ann.id, permissions);
    const bob = await hire('bob@acme.test', permissions);
    const token = (await guest.login({ body: { email: 'bob@acme.test', password: PASSWORD } })).access_token;
    const [ann, other] = [await as('ann'), withToken(token)];
    const results = await Promise.allSettled([
      ann.updateTeamMember({ id: bob, body: { ...body, ...confirmed } }),
      other.updateTeamMember({ id: people.ann.id, body: { ...body, ...confirmed } }),
    ]);
    assert.is(results.filter(({ status }) => status === 'fulfilled').length, 1);
    const left = await sql`select 1 from admins where tenant_id = 2 and is_active and 'team' = any (permissions)`;
    assert.is(left.length, 1);
  }
});

test('the own password, and a code where it is on, are asked for each change', async () => {
  const ann = await as('ann');
  const body = { ...colleague, permissions: [], current_password: 'a guess' };
  await isRefused(ann.createTeamMember({ body }), 400, 'The password is wrong');
  const low = await hire('low@acme.test', []);
  await isRefused(
    ann.updateTeamMember({ id: low, body: { password: 'Taken-over-1', current_password: 'a guess' } }),
    400,
    'The password is wrong',
  );
});

test('a colleague of another tenant, a super admin and another role do not exist', async () => {
  const ann = await as('ann');
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
  await isRefused(
    (await as('ann')).createApiKey({ body: { ...key, scopes: ['transactions:settle'] } }),
    403,
    'You need the permission Payouts for this',
  );
  await allow(people.ann.id, ['settings', 'queue', 'payouts', 'support']);
  const ann = await as('ann');
  await ann.createApiKey({ body: { ...key, scopes: ['transactions:settle'] } });
  await ann.createApiKey({ body: { ...key, name: 'Players', scopes: ['players:write'] } });
  await (await as('sue')).updateAdmin({
    id: people.ann.id,
    body: { email: people.ann.email, permissions: ['settings', 'support'], keep_api_keys: true },
  });
  assert.equal(
    (await ann.listApiKeys({})).map(({ name, revoked_at }) => [name, revoked_at !== null]),
    [
      ['Players', false],
      ['Site', true],
    ],
  );
});

test('whose accounts other tenants have can be asked only so often', async () => {
  const ann = await as('ann'),
    ask = (email: string) =>
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
  const sue = await as('sue');
  await sue.createTeamMember({
    body: { ...colleague, email: 'more@acme.test', tenant_id: 2, permissions: [], ...confirmed },
  });
});

test.run();
