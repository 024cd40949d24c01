import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { features } from '../../../src/contract/constants';
import { usualPermissions } from '../../../src/contract/permissions';
import { checkPassword, hashPassword } from '../../../src/server/auth/passwords';
import { Sessions } from '../../../src/server/auth/sessions';
import { isRefused, statusOf } from '../../answers';
import { apiOf, stillIn } from '../../callers';
import { createApi } from '../../createApi';
import { fetch, guest, newBrowser, overTls, PASSWORD, people, reset, send, signIn, sql, tokenOf } from '../../world';

const login = (email: string, password: string = PASSWORD) => guest.login({ body: { email, password } });

test.before.each(reset);

test('a sign-in answers with a token, the role, the tenant and what this server offers', async () => {
  const ann = await signIn('ann');
  assert.match(ann.access_token, /^[\w-]{43}$/);
  assert.equal(ann.user, {
    ...{ role: { name: 'admin', is_super_admin: false }, permissions: usualPermissions },
    ...{ tenant_id: 2, email: people.ann.email, tenant_name: 'Acme', time_zone: 'UTC' },
  });
  const offered = features.filter((name) => !['two_factor_setup', 'mail_links', 'passkeys', 'sso'].includes(name));
  assert.equal(ann.features, offered);
  assert.equal((await signIn('sue')).user, {
    role: { name: 'super_admin', is_super_admin: true },
    ...{ tenant_id: 1, email: people.sue.email, tenant_name: 'Platform', time_zone: 'UTC' },
  });
});

test('a role that may not enter is told its role, and its session can do nothing but log out', async () => {
  const { access_token: token, user, features: offered } = await signIn('oli');
  assert.equal([user.role, offered], [{ name: 'support', is_super_admin: false }, ['logout']]);
  const oli = apiOf(token);
  for (const attack of [
    () => oli.getAccount(),
    () => oli.listSessions(),
    () => oli.changePassword({ body: { current_password: PASSWORD, new_password: 'violet harbour 42 lanterns' } }),
    () => oli.setUpTwoFactor({ body: { password: PASSWORD } }),
    () => oli.listPlayers({}),
  ])
    await isRefused(attack(), 403, 'Not allowed for your role');
  assert.is((await sql`select 1 from two_factor`).length, 0);
  assert.equal(await oli.logout(), { ok: true });
});

test('an e-mail is compared without case and surrounding blanks', async () => {
  assert.ok((await login('  ANN@acme.TEST ')).access_token);
});

test('an identifier without an at-sign is a user name', async () => {
  await sql`update admins set username = 'Ann.A' where id = ${people.ann.id}`;
  assert.is((await login('ann.a')).user.tenant_id, 2);
});

test('a wrong password, an unknown account and a disabled account get the same answer [ASVS 6.3.4]', async () => {
  await sql`update admins set is_active = false where id = ${people.ben.id}`;
  for (const [email, password] of [[people.ann.email, 'wrong'], ['nobody@acme.test'], [people.ben.email]] as const) {
    await isRefused(login(email, password), 401, 'Invalid credentials');
  }
});

test('an unknown account takes as long to refuse as a wrong password [ASVS 6.3.8]', async () => {
  const time = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  const stored = await hashPassword(PASSWORD),
    hashes: number[] = [],
    known: number[] = [],
    unknown: number[] = [];
  await sql`update admins set password_hash = ${stored} where id = ${people.ann.id}`;
  const refuse = (email: string) => isRefused(login(email, 'wrong'), 401);
  await refuse('warm@up.test');
  for (let round = 0; round < 6; round++) {
    for (let again = 0; again < 3; again++) hashes.push(await time(() => checkPassword('wrong', stored)));
    known.push(await time(() => refuse(people.ann.email)));
    unknown.push(await time(() => refuse('nobody@acme.test')));
  }
  // The quickest of each, which other work on the machine delays least. Without the hash it would take a twentieth.
  for (const refusals of [known, unknown])
    assert.ok(Math.min(...refusals) > Math.min(...hashes) / 2, `${refusals.join()} ms against ${hashes.join()} ms`);
});

test('the tenant login to another or an unknown tenant is 403, to any tenant 401 with a wrong password', async () => {
  const enter = (tenant_id: number, password: string = PASSWORD) =>
    guest.loginToTenant({ tenant_id, body: { email: people.ben.email, password } });
  await isRefused(enter(2), 403, 'Access denied: You can only access your own tenant.');
  await isRefused(enter(99), 403);
  await isRefused(enter(2, 'wrong'), 401);
  assert.is((await enter(3)).user.tenant_id, 3);
  const body = { email: people.sue.email, password: PASSWORD };
  assert.ok((await guest.loginToTenant({ tenant_id: 2, body })).user.role.is_super_admin, 'a super admin may use any');
});

test('nobody signs in to a tenant that is not active', async () => {
  await sql`update tenants set is_active = false where id = 3`;
  await isRefused(signIn('ben'), 403);
  await isRefused(login(people.ben.email, 'wrong'), 401);
});

test('guessing one account from one address ends in 429, even with the right password [ASVS 6.3.1]', async () => {
  for (let guess = 0; guess < 9; guess++) await isRefused(login(people.ann.email, 'wrong'), 401);
  const response = await send('POST', calls.login.path, { body: { email: 'Ann@Acme.test ', password: PASSWORD } });
  assert.is(response.status, 429);
  const seconds = Number(response.headers.get('Retry-After'));
  assert.ok(seconds > 0 && seconds <= 900, String(seconds));
  assert.ok((await signIn('ben')).access_token, 'others are not held up');
});

test('a right password forgets the wrong ones before it', async () => {
  for (let round = 0; round < 3; round++) {
    for (let guess = 0; guess < 5; guess++) await isRefused(login(people.ann.email, 'wrong'), 401);
    await login(people.ann.email);
  }
});

test('parallel guesses count the same as guesses in a row', async () => {
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => statusOf(login(people.ann.email, 'wrong'))));
  assert.is(outcomes.filter((status) => status === 401).length, 9);
  assert.is(outcomes.filter((status) => status === 429).length, 21);
});

test('a session ends after half an hour without a call; the metrics poll is none [ASVS 7.3.1]', async () => {
  const token = await tokenOf('ann');
  const age = (minutes: number) =>
    sql`
      update sessions set
        last_seen_at = (last_seen_at at time zone 'UTC' - make_interval(mins => ${minutes})) at time zone 'UTC'
      where admin_id = ${people.ann.id}`;
  await age(29);
  assert.is(await stillIn(token), true);
  await age(29);
  const { getDashboardMetrics, countPending, countNew } = calls;
  for (const path of [getDashboardMetrics.path, countPending.path, `${countNew.path}?list=redeems&after_id=1`])
    assert.is((await send('GET', path, { token })).status, 200);
  await age(2);
  assert.is(await stillIn(token), false);
});

test('a session ends after twelve hours, even if it is used [ASVS 7.3.2]', async () => {
  const token = await tokenOf('ann');
  const [session] = await sql`select extract(epoch from expires_at - created_at)::int as seconds from sessions`;
  assert.is(session!['seconds'], 12 * 3600);
  await sql`update sessions set expires_at = now()`;
  assert.is(await stillIn(token), false);
});

test('the settings say how long sessions last, and the sweep removes the ended ones', async () => {
  const short = new Sessions({ idleMinutes: 1, hours: 1 });
  await short.start(sql, people.ann.id, 'test');
  const kept = await short.start(sql, people.ben.id, 'test');
  await sql`update sessions set last_seen_at = now() - interval '61 seconds' where admin_id = ${people.ann.id}`;
  await short.sweep(sql);
  assert.is((await sql`select 1 from sessions`).length, 1);
  assert.is((await short.findCaller(sql, kept.token, { isActivity: true }))?.email, people.ben.email);
});

test('logout ends the session at once, and only that one', async () => {
  const [here, there] = [await tokenOf('ann'), await tokenOf('ann')];
  assert.equal(await apiOf(here).logout(), { ok: true });
  assert.is(await stillIn(here), false);
  assert.is(await stillIn(there), true);
});

test('the checkout cookie is for its call only, not for scripts and other sites [ASVS 3.3.2, 3.3.4]', async () => {
  const response = await send('POST', calls.login.path, { body: { email: people.ann.email, password: PASSWORD } });
  const [cookie, ...more] = response.headers.getSetCookie();
  assert.equal(more, []);
  assert.match(cookie!, /^checkout=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/api\/v1\/checkout$/);
});

test('over TLS the cookie is sent over TLS only [ASVS 3.3.1]', async () => {
  const body = JSON.stringify({ email: people.ann.email, password: PASSWORD }),
    init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  const response = await fetch(calls.login.path, init, overTls);
  assert.match(response.headers.getSetCookie()[0]!, /^__Secure-checkout=.+; Secure$/);
});

test('logout removes the checkout cookie from the browser', async () => {
  const browser = newBrowser();
  const body = { email: people.ann.email, password: PASSWORD };
  const { access_token } = await createApi({ fetch: browser }).login({ body });
  const headers = { Authorization: `Bearer ${access_token}` };
  const response = await browser(calls.logout.path, { method: 'POST', headers });
  assert.match(response.headers.getSetCookie()[0]!, /^checkout=; .*Path=\/api\/v1\/checkout; Max-Age=0$/);
});

test('neither tokens nor passwords are stored in plain text [ASVS 11.4.2]', async () => {
  await sql`update admins set password_hash = ${await hashPassword(PASSWORD)} where id = ${people.ann.id}`;
  const { access_token } = await signIn('ann');
  const stored = JSON.stringify([
    await sql`select *, encode(token_hash, 'escape') as text from sessions`,
    await sql`select password_hash from admins`,
  ]);
  assert.not.ok(stored.includes(access_token));
  assert.not.ok(stored.includes(`"${PASSWORD}"`));
  assert.match(stored, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('a password matches only its own hash [ASVS 6.2.8]', async () => {
  const hash = await hashPassword('correct horse');
  assert.is(await checkPassword('correct horse', hash), true);
  assert.is(await checkPassword('Correct horse', hash), false);
  assert.is(await checkPassword('no account has this', null), false);
});

const ownSessions = async (token: string): Promise<unknown[]> =>
  (await send('GET', calls.listSessions.path, { token })).json();
const atTenant = () => guest.loginToTenant({ tenant_id: 2, body: { email: people.ann.email, password: PASSWORD } });

test('the two logins of one sign-in are one session to the person', async () => {
  await signIn('ann');
  const { access_token } = await atTenant();
  assert.is((await ownSessions(access_token)).length, 1);
  await signIn('ann');
  await atTenant();
  assert.is((await ownSessions(access_token)).length, 2);
});

test('a general login that no tenant login follows is shown before it carries a call', async () => {
  const own = await signIn('sue');
  await signIn('sue');
  assert.is((await ownSessions(own.access_token)).length, 2);
});

test('without a second factor the tenant login ends no session; a general one is shown once it is used', async () => {
  const general = await signIn('ann'),
    own = await atTenant();
  assert.is(await stillIn(general.access_token), true);
  assert.is(await stillIn(own.access_token), true);
  assert.is((await ownSessions(own.access_token)).length, 2);
});

test.run();
