/** Single sign-on: who gets in by an identity provider, and every answer that is not believed. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { permissions } from '../../../src/contract/permissions';
import { watchLogin } from '../../../src/server/auth/loginOffers';
import type { Sql } from '../../../src/server/db/open';
import { isRefused, table } from '../../answers';
import { readAuditLog } from '../../audit';
import { apiOf, sue } from '../../callers';
import { CLIENT, newKey, type Person, sign } from '../../identityProviders';
import { newKey as newApiKey, nowSeconds } from '../../integrations';
import { withFactor } from '../../twoFactor';
import {
  fetch,
  guest,
  hashOfPassword,
  overTls,
  PASSWORD,
  pam,
  people,
  refusal,
  services,
  signIn,
  sql,
  tokenOf,
  whileHeld,
} from '../../world';
import {
  APP,
  enter,
  evil,
  type Forged,
  forge,
  newBrowser,
  provide,
  real,
  resetProviders,
  startProviders,
} from './singleSignOn';

const AGAIN = 'This sign-in was used before or took too long. Start again',
  INVALID = 'The answer of the identity provider is not valid, so nobody is signed in. Tell whoever looks after it',
  NOBODY = 'There is no account here for you. Ask whoever manages your team';
test.before(startProviders);
test.before.each(resetProviders);

const lastWhy = async () => (await readAuditLog()).at(-1)?.after?.['why'];
/** A refusal as the person reads it, and as the log has it. */
async function refusedAs(attempt: Promise<unknown>): Promise<[unknown, unknown]> {
  const { status, detail } = await refusal(attempt);
  assert.is(status, 403);
  return [detail, await lastWhy()];
}
test('the verified email finds the account the first time, the subject from then on', async () => {
  await provide();
  const answer = await enter('ann', { email: people.ann.email.toUpperCase() });
  assert.is(answer.user.email, people.ann.email);
  assert.is(answer.return_to, '/admin/users?search=pam');
  assert.is(answer.user.signed_in_by, 'sso');
  assert.ok(answer.features?.includes('sso'));
  assert.is((await apiOf(answer.access_token).getAccount()).email, people.ann.email);
  const entry = (await readAuditLog()).find(({ kind, after }) => kind === 'admin' && after?.['identity'])!;
  assert.equal(table([entry], 'admin_id', 'email', 'object_id', 'after'), [
    [null, 'identity provider', String(people.ann.id), { identity: real.issuer }],
  ]);
  assert.equal((await readAuditLog()).at(-1)?.after, { signed_in: true, factor: 'identity provider' });
  real.people.known = { ann: { email: 'another@acme.test', email_verified: false } };
  assert.is((await enter('ann')).user.email, people.ann.email, 'whatever the email is now');
});

test('the request has a state, a nonce and PKCE, and asks for no more than is needed', async () => {
  await provide();
  const sent = new URL(await newBrowser().begin({ email: people.ann.email })).searchParams;
  const { state, nonce, code_challenge, ...rest } = Object.fromEntries(sent);
  for (const random of [state, nonce, code_challenge]) assert.match(random!, /^[\w-]{43}$/);
  assert.equal(rest, {
    ...{ client_id: 'office', response_type: 'code', scope: 'openid email groups', code_challenge_method: 'S256' },
    ...{ redirect_uri: `${APP}/sso/2`, max_age: '43200', login_hint: people.ann.email },
  });
});

test('every email of a domain is answered alike, unless the domain is of several tenants', async () => {
  await provide();
  const start = (email: string) => newBrowser().begin({ email });
  assert.match(await start(people.ann.email), real.issuer);
  assert.match(await start('nobody@acme.test'), real.issuer);
  assert.is(await start(people.ben.email), '');
  assert.is(await start('nobody@bravo.test'), '');
  await sql`update admins set email = 'ben@acme.test' where id = ${people.ben.id}`;
  assert.is(await start('nobody@acme.test'), '', 'a domain of two tenants is of neither');
  assert.is(await start('ben@acme.test'), '');
  assert.match(await start(people.ann.email), real.issuer);
});

test('a group gives a job: an account is made by it, and changed at each sign-in', async () => {
  const groups = [
    { group: 'cashiers', permissions: ['support', 'queue'] },
    { group: 'bosses', permissions: [...permissions] },
  ];
  await provide(2, { group_permissions: JSON.stringify(groups) });
  const known = (groups: string[]): Record<string, Person> => ({
    cy: { email: 'cy@acme.test', email_verified: true, groups },
  });
  real.people.known = known(['cashiers', 'others']);
  const { user } = await enter('cy');
  assert.equal([user.email, user.permissions, user.tenant_id], ['cy@acme.test', ['support', 'queue'], 2]);
  const made = (await readAuditLog()).find(({ kind }) => kind === 'admin')!;
  assert.equal([made.email, made.after?.['permissions']], ['identity provider', ['support', 'queue']]);
  real.people.known = known(['bosses']);
  assert.equal((await enter('cy')).user.permissions, [...permissions]);
  const { access_token } = await enter('cy');
  await apiOf(access_token).createApiKey({ body: { name: 'Robot', scopes: ['events:read'], password: 'sso' } });
  real.people.known = known(['cashiers']);
  assert.equal((await enter('cy')).user.permissions, ['support', 'queue']);
  assert.is((await sql`select 1 from api_keys where revoked_at is null`).length, 0, 'it could do more');
  const changed = (await readAuditLog()).filter(({ kind }) => kind === 'admin').at(-1)!;
  assert.equal([changed.email, changed.after?.['permissions']], ['identity provider', ['support', 'queue']]);
  real.people.known = known([]);
  const none = 'None of your groups may sign in here. Ask whoever manages your team';
  assert.equal(await refusedAs(enter('cy')), [none, 'no group of the person has a job']);
  assert.is((await sql`select 1 from admins where email = 'cy@acme.test'`).length, 1);
});

test('a group never makes a super admin, and no new one comes by a provider', async () => {
  await provide(1, { group_permissions: JSON.stringify([{ group: 'bosses', permissions: [...permissions] }]) });
  real.people.known = { eve: { email: 'eve@demo.test', email_verified: true, groups: ['bosses'] } };
  assert.equal(await refusedAs(enter('eve', { tenant_id: 1 })), [NOBODY, 'no account here has the email']);
  real.people.known = { sue: { email: people.sue.email, email_verified: true } };
  assert.is((await enter('sue', { tenant_id: 1 })).user.role.is_super_admin, true);
  await provide(2);
  assert.is((await refusal(enter('sue'))).detail, NOBODY, 'nor by that of another tenant');
});

test('new people are not made where no group is named, nor with the email of a player', async () => {
  await provide();
  real.people.known = { cy: { email: 'cy@acme.test', email_verified: true, groups: ['cashiers'] } };
  assert.equal(await refusedAs(enter('cy')), [NOBODY, 'no account here has the email']);
  await sql`update identity_providers set group_permissions = '[{"group":"cashiers","permissions":["queue"]}]'`;
  real.people.known = { cy: { email: pam.email, email_verified: true, groups: ['cashiers'] } };
  assert.is((await refusal(enter('cy'))).detail, NOBODY);
  assert.is((await sql`select 1 from admins where email = ${pam.email}`).length, 0);
});

test('the provider does what a second factor is for', async () => {
  await provide();
  await sql`update tenants set require_two_factor = true where id = 2`;
  const { access_token, features } = await enter('ann');
  assert.not.ok(features?.includes('two_factor_setup'));
  await apiOf(access_token).listPlayers({});
  await services.sessions.endWithoutTwoFactor(sql);
  await apiOf(access_token).listPlayers({});
  await withFactor('ann');
  assert.ok((await enter('ann')).access_token, 'an own code is not asked for');
});

test('only single sign-on: a right password is refused in words, but for the one account that is named', async () => {
  await sql`update admins set tenant_id = 2 where id = ${people.ben.id}`;
  const { key } = await newApiKey();
  await provide(2, { only_sso: true, break_glass_admin_id: people.ben.id });
  const login = (email: string, password = PASSWORD) => guest.login({ body: { email, password } });
  const words = 'Your company lets you sign in by single sign-on only';
  await isRefused(login(people.ann.email), 403, words);
  assert.is(await lastWhy(), words);
  const toTenant = guest.loginToTenant({ tenant_id: 2, body: { email: people.ann.email, password: PASSWORD } });
  assert.is((await refusal(toTenant)).detail, words);
  await isRefused(login(people.ann.email, 'wrong'), 401);
  assert.is((await login(people.ben.email)).user.tenant_id, 2);
  assert.is((await login(people.sue.email)).user.tenant_id, 1, 'another tenant');
  assert.is((await enter('ann')).user.email, people.ann.email);
  const byKey = await fetch('/api/v1/intake/players', { headers: { Authorization: `Bearer ${key}` } });
  assert.is(byKey.status, 200);
  await sql`update identity_providers set is_active = false`;
  assert.is((await login(people.ann.email)).user.tenant_id, 2);
});

const startAsAnn = (proof: string | null, on: Sql = sql) =>
  services.sessions.startWith(on, { id: people.ann.id, password_hash: hashOfPassword }, '127.0.0.1', { proof });

test('a sign-in in progress does not outlive a switch of the provider', async () => {
  await provide();
  await enter('ann');
  const starts = async () => [await startAsAnn('sso'), await startAsAnn(null)].map(Boolean);
  const change = (row: object) => sql`update identity_providers set ${sql(row)}`;
  assert.equal(await starts(), [true, true]);
  await change({ only_sso: true, break_glass_admin_id: people.ben.id });
  assert.equal(await starts(), [true, false]);
  await change({ break_glass_admin_id: people.ann.id });
  assert.equal(await starts(), [true, true]);
  await change({ issuer: 'https://other.test' });
  assert.equal(await starts(), [false, true]);
  await change({ issuer: real.issuer, is_active: false });
  assert.equal(await starts(), [false, true]);
});

test('one that is about to begin at that moment is waited for, and ended', async () => {
  await provide();
  await enter('ann');
  const form = { ...CLIENT, tenant_id: 2, issuer: real.issuer, groups_claim: 'groups', groups: [], is_active: false };
  const body = { ...form, only_sso: false, break_glass_admin_id: null, current_password: PASSWORD };
  await whileHeld(
    async (tx) => assert.ok(await startAsAnn('sso', tx)),
    () => sue.saveIdentityProvider({ body }),
  );
  assert.is((await sql`select 1 from sessions where admin_id = ${people.ann.id}`).length, 0);
});

test('signing out says where to sign out of the provider, to whoever came by it', async () => {
  await provide(2, { end_session_url: `${real.issuer}/session/end?a=b` });
  const { access_token } = await enter('ann');
  const { sign_out_url } = await apiOf(access_token).logout();
  const back = `client_id=office&post_logout_redirect_uri=${encodeURIComponent(`${APP}/`)}`;
  assert.is(sign_out_url, `${real.issuer}/session/end?a=b&${back}`);
  await isRefused(apiOf(access_token).getAccount(), 401);
  assert.is((await apiOf(await tokenOf('ann')).logout()).sign_out_url, undefined);
});

test('the cookie of a sign-in is for its own calls, and over TLS with a prefix', async () => {
  await provide();
  const body = JSON.stringify({ tenant_id: 2, return_to: '/' });
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  const plain = await fetch('/api/v1/auth/login/sso', init);
  const form = /^sso=[\w-]{43}; HttpOnly; SameSite=Lax; Path=\/api\/v1\/auth\/login\/sso; Max-Age=600$/;
  assert.match(plain.headers.get('set-cookie')!, form);
  const secure = await fetch('/api/v1/auth/login/sso', init, overTls);
  assert.match(secure.headers.get('set-cookie')!, /^__Secure-sso=[\w-]{43}; HttpOnly.*; Secure$/);
});

test('nobody is sent anywhere but to a path of the app', async () => {
  await provide();
  for (const return_to of ['//evil.test', 'https://evil.test', '/\\evil.test', 'users', '/a\nb', ''])
    await isRefused(newBrowser().begin({ tenant_id: 2 }, { return_to }), 422, undefined, return_to);
});

/** What is wrong, what the person reads, and what the log says if not the same. */
type Attack = [what: string, how: Forged, person: string, log?: string];
const stranger = newKey('one'),
  other = newKey('other');
const OLD = 'The answer of the identity provider is too old. Start again',
  UNCONFIRMED = 'Your identity provider does not confirm your email. Ask whoever looks after it',
  TAKEN = 'Your email belongs to another person of the identity provider. Ask whoever manages your team',
  LINKED = 'the account belongs to another subject',
  USED = 'The identity provider refused this sign-in. Start again',
  CLOSED = 'Single sign-on is switched off here',
  DENIED = 'the identity provider refused the person (access_denied)',
  UNVERIFIED = 'the identity provider has not verified the email',
  FOREIGN = 'the answer is of another identity provider',
  UNMEANT = 'the ID token is for another application',
  UNSIGNED = 'the ID token is not signed with an algorithm that is taken',
  UNKNOWN_KEY = 'the ID token is not signed with a key of the identity provider',
  NO_EMAIL = 'no account here has the email',
  AWAY = 'Your network is not one of those from which this account may be used';
const linked = (subject: string, admin_id: number) => () =>
  sql`insert into identities ${sql({ issuer: evil.issuer, subject, admin_id })}`;
const elsewhere = () => sql`update tenants set allowed_networks = '{192.0.2.0/24}' where id = 2`,
  inactive = () => sql`update tenants set is_active = false where id = 2`,
  disabled = () => sql`update admins set is_active = false where id = ${people.ann.id}`,
  closed = () => sql`update identity_providers set is_active = false`,
  late = () => sql`update sso_flows set created_at = now() - interval '11 minutes'`;
const denied = (state: string) => `?error=access_denied&state=${state}`;
const refuses = () => Object.assign(evil, { refuses: 'invalid_grant' });
const ofOther = (state: string) => `?code=c&state=${state}&iss=https://other.test`;
const namesItself = () => Object.assign(evil.metadata, { authorization_response_iss_parameter_supported: true });
const attacks: Attack[] = [
  ['of another issuer', { claims: { iss: 'https://other.test' } }, INVALID, 'the ID token is of another issuer'],
  ['for another audience', { claims: { aud: 'shop' } }, INVALID, UNMEANT],
  ['for two, and not meant for us', { claims: { aud: ['office', 'shop'], azp: 'shop' } }, INVALID, UNMEANT],
  ['with another nonce', { claims: { nonce: 'x' } }, INVALID, 'the ID token is of another sign-in'],
  ['without a nonce', { claims: { nonce: undefined } }, INVALID, 'the ID token is of another sign-in'],
  ['that is not signed', { token: (claims) => sign(claims, evil.key, 'none') }, INVALID, UNSIGNED],
  ['signed with the secret of the client', { token: (claims) => sign(claims, evil.key, 'HS256') }, INVALID, UNSIGNED],
  ['signed with a key that is not published', { token: (claims) => sign(claims, other) }, INVALID, UNKNOWN_KEY],
  ['signed with another key of the same name', { token: (claims) => sign(claims, stranger) }, INVALID, UNKNOWN_KEY],
  ['that has expired', { claims: { exp: nowSeconds() - 60 } }, OLD, 'the ID token has expired'],
  ['with an email that is not verified', { claims: { email_verified: false } }, UNCONFIRMED, UNVERIFIED],
  ["with the email of another tenant's account", { claims: { email: people.ben.email } }, NOBODY, NO_EMAIL],
  ["with the subject of another tenant's account", { before: linked('the-subject', people.ben.id) }, NOBODY, NO_EMAIL],
  ['with the email of an account of another subject', { before: linked('another', people.ann.id) }, TAKEN, LINKED],
  ['for a disabled account', { before: disabled }, 'Your account is switched off', 'the account is switched off'],
  ['for a tenant that is not active', { before: inactive }, 'This tenant is not active'],
  ['from a network that is not allowed', { before: elsewhere }, AWAY],
  ['at a provider that is off by now', { before: closed }, CLOSED, 'the identity provider is switched off'],
  ['that names another provider (RFC 9207)', { query: ofOther }, INVALID, FOREIGN],
  ['that does not name the provider which always does (RFC 9207)', { before: namesItself }, INVALID, FOREIGN],
  ['with an error', { query: denied }, 'The identity provider did not sign you in', DENIED],
  ['whose code was used', { before: refuses }, USED, 'the identity provider refused the code (invalid_grant)'],
  ['later than ten minutes', { before: late }, AGAIN, 'the sign-in took longer than ten minutes'],
  ['with a state that nobody made', { query: () => '?code=c&state=made-up' }, AGAIN, 'the state is unknown'],
  ['without a state', { query: () => '?code=c' }, AGAIN, 'the state is unknown'],
];

for (const [what, how, person, log = person] of attacks)
  test(`an answer ${what} is refused, in words for the person and for the log`, async () => {
    await provide(2, { issuer: evil.issuer });
    assert.equal(await refusedAs((await forge(how)).finished), [person, log]);
    assert.is((await sql`select 1 from sessions`).length, 0);
  });

test('the same provider is believed without the attack, also after it has changed its key', async () => {
  await provide(2, { issuer: evil.issuer });
  assert.is((await (await forge()).finished).user.email, people.ann.email);
  const next = newKey('two');
  evil.keys = [evil.key, next];
  assert.is((await (await forge({ token: (claims) => sign(claims, next) })).finished).user.email, people.ann.email);
  evil.keys = [next];
  assert.is((await refusal((await forge()).finished)).detail, INVALID, 'the old key is gone');
  assert.match(evil.asked[0]!.get('code_verifier')!, /^[\w-]{43}$/);
});

test('a state is used once, also at the same time, and only in the browser that has it', async () => {
  await provide(2, { issuer: evil.issuer });
  const { browser, sent, finished } = await forge();
  await finished;
  assert.equal(await refusedAs(browser.finish(sent)), [AGAIN, 'the state was used before']);
  const ours = newBrowser();
  const state = new URL(await ours.begin({ tenant_id: 2 })).searchParams.get('state')!;
  const stolen = newBrowser();
  await stolen.begin({ tenant_id: 2 });
  const told = 'This sign-in was begun in another browser. Start again in this one';
  assert.equal(await refusedAs(stolen.finish(`?code=c&state=${state}`)), [told, 'it was begun in another browser']);
  assert.is((await refusal(ours.finish(`?code=c&state=${state}`))).detail, AGAIN);
});

test('an answer at the address of another provider is refused before the code is sent', async () => {
  await provide(2, { issuer: evil.issuer });
  await provide(3);
  const browser = newBrowser();
  const state = new URL(await browser.begin({ tenant_id: 2 })).searchParams.get('state')!;
  assert.equal(await refusedAs(browser.finish(`?code=c&state=${state}`, 3)), [INVALID, FOREIGN]);
  assert.is(evil.asked.length, 0);
});

test('a provider that cannot be reached, or leads into the own network, is told in words', async () => {
  await provide(2, { issuer: 'http://127.0.0.1:9' });
  const away = { status: 403, detail: 'The identity provider cannot be reached. Try again shortly' };
  assert.equal(await refusal(newBrowser().begin({ tenant_id: 2 })), away);
  await sql`update identity_providers set issuer = ${evil.issuer}`;
  services.outgoing = { hasEmail: false, appUrl: APP, mayBeOwn: false };
  assert.equal(await refusal(newBrowser().begin({ tenant_id: 2 })), away);
  services.outgoing = { hasEmail: false, appUrl: APP, mayBeOwn: true };
  evil.metadata = { token_endpoint: 'http://169.254.169.254/token' };
  const { finished } = await forge();
  const why = 'the identity provider cannot be reached (The address of the identity provider is not allowed)';
  assert.equal(await refusedAs(finished), [away.detail, why]);
  evil.metadata = { authorization_endpoint: 'javascript:alert(1)' };
  assert.equal(await refusal(newBrowser().begin({ tenant_id: 2 })), away);
});

test('nothing is offered on a server without APP_URL, nor while no tenant has a provider', async () => {
  const offers = async () => (await watchLogin(sql, services))().includes('data-sso');
  assert.is(await offers(), false);
  const atAddress = async () => (await watchLogin(sql, services))('/admin/sso/2').includes('data-sso');
  assert.is(await atAddress(), true, 'the way back, whatever the server knows by now');
  await provide();
  assert.is(await offers(), true);
  services.outgoing = { hasEmail: false, mayBeOwn: true };
  assert.equal([await offers(), await atAddress()], [false, false]);
  await isRefused(guest.beginSso({ body: { tenant_id: 2, return_to: '/' } }), 409);
  await isRefused(guest.finishSso({ tenant_id: 2, body: { query: '?code=c&state=s' } }), 409);
  assert.not.ok((await signIn('ann')).features?.includes('sso'));
});

test('old sign-ins are removed', async () => {
  await provide();
  await newBrowser().begin({ tenant_id: 2 });
  await services.sessions.sweep(sql);
  assert.is((await sql`select 1 from sso_flows`).length, 1);
  await sql`update sso_flows set created_at = now() - interval '2 days'`;
  await services.sessions.sweep(sql);
  assert.is((await sql`select 1 from sso_flows`).length, 0);
});

test.run();
