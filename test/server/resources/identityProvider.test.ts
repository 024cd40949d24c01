/** Setting up single sign-on: who may, what is refused, and that nobody is locked out by mistake. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { IdentityProviderForm } from '../../../src/contract/entities';
import { permissions } from '../../../src/contract/permissions';
import { isRefused, statusOf } from '../../answers';
import { readAuditLog } from '../../audit';
import { ann, ben } from '../../callers';
import { CLIENT, startEvil } from '../../identityProviders';
import { as, PASSWORD, people, refusal, reset, services, sql } from '../../world';

const MASK = '••••••••';
const evil = await startEvil();
test.before.each(async () => {
  await reset();
  services.outgoing = { hasEmail: false, appUrl: 'https://office.test/admin', mayBeOwn: true };
  evil.metadata = { end_session_endpoint: `${evil.issuer}/end` };
  await sql`update admins set permissions = ${[...permissions]} where id = ${people.ann.id}`;
});

const form = (more: Partial<IdentityProviderForm> = {}): IdentityProviderForm => ({
  ...{ ...CLIENT, issuer: evil.issuer, groups_claim: 'groups', groups: [], is_active: true, only_sso: false },
  ...{ break_glass_admin_id: null, current_password: PASSWORD, ...more },
});
const save = async (more: Partial<IdentityProviderForm> = {}, person: 'ann' | 'sue' = 'ann') =>
  (await as(person)).saveIdentityProvider({ body: form(more) });
const knows = (admin_id: number, subject = 'one') =>
  sql`insert into identities ${sql({ issuer: evil.issuer, subject, admin_id })}`;
const only = (more: Partial<IdentityProviderForm> = {}) => ({
  ...{ only_sso: true, break_glass_admin_id: people.ann.id, ...more },
});
const stored = async () => (await sql`select * from identity_providers`)[0];

test('there is none at first, and what is saved is answered without its secret', async () => {
  const none = await ann.getIdentityProvider({});
  assert.equal(none, {
    ...{ issuer: '', client_id: '', client_secret: '', groups_claim: 'groups', groups: [], is_active: true },
    ...{ only_sso: false, break_glass_admin_id: null, redirect_uri: 'https://office.test/admin/sso/2' },
    ...{ sign_out_uri: 'https://office.test/admin/', accounts: [{ id: people.ann.id, email: people.ann.email }] },
  });
  const groups = [{ group: 'cashiers', permissions: ['support' as const, 'queue' as const] }];
  const saved = await save({ groups });
  assert.equal(saved, { ...none, issuer: evil.issuer, client_id: 'office', client_secret: MASK, groups });
  assert.equal(await ann.getIdentityProvider({}), saved);
  const row = await stored();
  assert.match(row!['client_secret'], /^v2\./);
  assert.is(row!['end_session_url'], `${evil.issuer}/end`);
  const { after } = (await readAuditLog()).at(-1)!;
  assert.equal([after?.['client_secret'], after?.['issuer'], after?.['groups']], [MASK, evil.issuer, groups]);
});

test('the secret stays where it is not typed, and does not follow to another issuer', async () => {
  await isRefused(save({ client_secret: '' }), 422, 'body.client_secret: is required');
  await save();
  await save({ client_secret: MASK, client_id: 'shop' });
  const { client_id, client_secret } = (await stored()) as { client_id: string; client_secret: string };
  assert.is(client_id, 'shop');
  assert.is(services.secrets.decrypt(client_secret, ['identity_providers', 2]), CLIENT.client_secret);
  const another = await startEvil();
  const words = 'body.client_secret: is required for a new issuer';
  await isRefused(save({ client_secret: MASK, issuer: another.issuer }), 422, words);
});

test('it needs everything that anybody may do, and the password', async () => {
  await sql`update admins set permissions = '{team,settings}' where id = ${people.ann.id}`;
  const { status, detail } = await refusal(save());
  assert.is(status, 403);
  assert.match(detail, 'You need the permission Support and Queue and Payouts');
  await sql`update admins set permissions = ${[...permissions]} where id = ${people.ann.id}`;
  assert.is((await save({ tenant_id: 3 }, 'sue')).redirect_uri, 'https://office.test/admin/sso/3');
  services.outgoing = { hasEmail: false, mayBeOwn: true };
  assert.is((await refusal(save())).detail, 'Single sign-on needs the setting APP_URL');
});

test('what is wrong with a provider is said plainly before anything is saved', async () => {
  const begins = 'body.issuer: the identity provider does not answer as it should: ';
  const cases: [object, string][] = [
    [{ issuer: 'https://elsewhere.test' }, `${begins}discovered metadata issuer does not match the expected issuer`],
    [{ jwks_uri: undefined }, `${begins}it does not say its jwks_uri`],
    [
      { authorization_endpoint: 'javascript:alert(1)' },
      `${begins}its address javascript:alert(1) must begin with https://`,
    ],
    [{ authorization_endpoint: 'nowhere' }, `${begins}its address nowhere must begin with https://`],
    [{ end_session_endpoint: 'data:text/html,x' }, `${begins}its address data:text/html,x must begin with https://`],
  ];
  for (const [metadata, detail] of cases) {
    evil.metadata = { ...metadata };
    await isRefused(save(), 422, detail);
  }
  assert.match((await refusal(save({ issuer: `${evil.issuer}/nothing` }))).detail, begins);
  assert.match((await refusal(save({ issuer: 'http://127.0.0.1:9' }))).detail, 'ECONNREFUSED');
  for (const issuer of ['http://login.example.com', 'https://10.0.0.1', 'ftp://a.test', 'https://a.test?b']) {
    services.outgoing = { hasEmail: false, appUrl: 'https://office.test', mayBeOwn: false };
    await isRefused(save({ issuer }), 422, undefined, issuer);
  }
  assert.is(await stored(), undefined);
});

test('nobody is locked out by mistake', async () => {
  const detail = 'Sign in by this identity provider once before you make it the only way';
  await isRefused(save(only()), 409, detail);
  await knows(people.ben.id, 'ben');
  await isRefused(save(only()), 409, detail);
  await knows(people.ann.id);
  assert.is((await save(only())).only_sso, true);
  for (const break_glass_admin_id of [null, people.ben.id, 999])
    await isRefused(save(only({ break_glass_admin_id })), 422);
  const sue = await refusal(save(only({ break_glass_admin_id: people.sue.id }), 'sue'));
  assert.is(sue.status, 409, 'the provider of super admins has to let her in herself');
});

test('it is switched off also once the provider is gone, and without APP_URL', async () => {
  await knows(people.ann.id);
  await save(only());
  evil.metadata = { issuer: 'https://elsewhere.test' };
  await sql`delete from identities`;
  services.outgoing = { hasEmail: false, mayBeOwn: true };
  assert.is((await refusal(save(only()))).detail, 'Single sign-on needs the setting APP_URL');
  const off = await save(only({ is_active: false }));
  assert.equal([off.is_active, off.redirect_uri, off.sign_out_uri], [false, '', '']);
  assert.is((await stored())!['end_session_url'], `${evil.issuer}/end`, 'as it was');
  assert.equal(await (await as('ann')).getIdentityProvider({}), off);
});

test('no group makes a super admin', async () => {
  const words = 'body.groups: no group makes a super admin';
  await isRefused(save({ groups: [{ group: 'bosses', permissions: ['team'] }] }, 'sue'), 422, words);
  assert.is((await save({}, 'sue')).redirect_uri, 'https://office.test/admin/sso/1');
});

const hireBen = () =>
  sql`update admins set tenant_id = 2, permissions = ${[...permissions]} where id = ${people.ben.id}`;

test('who chose the issuer stays known, until a super admin enters another issuer or client', async () => {
  await save();
  await hireBen();
  await ben.saveIdentityProvider({ body: form({ client_id: 'shop' }) });
  assert.is((await stored())!['set_by'], people.ann.id);
  await save({ tenant_id: 2, client_id: 'shop', groups_claim: 'roles', only_sso: false }, 'sue');
  assert.is((await stored())!['set_by'], people.ann.id, 'of what a super admin has not entered');
  await save({ tenant_id: 2 }, 'sue');
  assert.is((await stored())!['set_by'], people.sue.id);
});

test('another issuer, and either switch, end the sessions of the tenant but that of who saves it', async () => {
  await hireBen();
  await knows(people.ann.id);
  const isOut = async (more: Partial<IdentityProviderForm>) => {
    const [bob, old, susan] = [await as('ben'), await as('ann'), await as('sue')];
    await ann.saveIdentityProvider({ body: form(more) });
    for (const api of [ann, susan]) await api.getAccount();
    const states = await Promise.all([bob, old].map((api) => statusOf(api.getAccount())));
    assert.is(states[0], states[1]);
    return states[0] === 401;
  };
  assert.is(await isOut({}), false, 'the first');
  assert.is(await isOut({ groups_claim: 'roles' }), false);
  assert.is(await isOut({ is_active: false }), true);
  assert.is(await isOut({}), true);
  assert.is(await isOut(only()), true);
  assert.is(await isOut({}), true);
  assert.is(await isOut({ issuer: (await startEvil()).issuer }), true);
});

test('the account that keeps its password cannot be disabled while others have single sign-on only', async () => {
  await hireBen();
  await knows(people.ann.id);
  await save(only({ break_glass_admin_id: people.ben.id }));
  const [ann, sue] = [await as('ann'), await as('sue')],
    { id } = people.ben;
  const ways = [
    () => ann.updateTeamMember({ id, body: { is_active: false, current_password: PASSWORD } }),
    () => sue.updateAdmin({ id, body: { email: people.ben.email, is_active: false } }),
    () => sue.disableAdmin({ id }),
  ];
  const detail = 'This account keeps its password for emergencies. Name another under Single sign-on first';
  for (const way of ways) await isRefused(way(), 409, detail);
  await ann.saveIdentityProvider({ body: form() });
  await ways[2]!();
});

test.run();
