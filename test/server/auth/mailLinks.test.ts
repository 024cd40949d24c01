/** Links by e-mail: an invitation, a forgotten password, and the notice of a sign-in from a new place. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { permissions } from '../../../src/contract/permissions';
import { watchLogin } from '../../../src/server/auth/loginOffers';
import { createMailer } from '../../../src/server/notifications/email';
import { sendSignInMail, sweepSignInMail } from '../../../src/server/notifications/signInMail';
import { isRefused, pluck, table } from '../../answers';
import { readAuditLog } from '../../audit';
import { ann, apiOf, ben, from, sue } from '../../callers';
import { addPasskey, PARTY, signInWith } from '../../passkey';
import { RECOVERY_CODE, withFactor } from '../../twoFactor';
import {
  as,
  asServer,
  db,
  guest,
  openAnother,
  PASSWORD,
  pam,
  people,
  refusal,
  reset,
  services,
  signIn,
  sql,
} from '../../world';
import { startMailServer } from '../notifications/receivers';
import { eventually } from '../running';

const NEW = 'nine purple lanterns';
const DEAD = { status: 400, detail: 'This link was used before or is too old. Ask for a new one' };
const mail = await startMailServer();
test.after(() => mail.close());
test.before.each(async () => {
  await reset();
  services.outgoing = { hasEmail: true, hasLinks: true, mayBeOwn: false };
  await sql`update tenants set mail_links = true where id = 2`;
  await sql`update admins set permissions = ${[...permissions]} where id = ${people.ann.id}`;
  mail.state.refuse = false;
  mail.mails.length = mail.recipients.length = 0;
});

const deliver = () => {
  const sendEmail = createMailer(mail.url, 'Back-office <alerts@office.test>');
  const appUrl = 'https://office.test/admin/';
  return asServer(() => sendSignInMail({ db, secrets: services.secrets, sendEmail, appUrl, mayBeOwn: false }));
};
const readable = (text: string) => text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
const lastMail = () => readable(mail.mails.at(-1)!);
const LINK = /https:\/\/office\.test\/admin\/#password=([\w-]{43})/;
/** Of the last link: a notice that waited too is sent at the same moment. */
const readToken = () => LINK.exec(mail.mails.map(readable).findLast((text) => LINK.test(text)) ?? '')![1]!;
const ask = (email: string = people.ann.email) => guest.askForPasswordLink({ body: { email } });
async function linkFor(email: string = people.ann.email): Promise<string> {
  await ask(email);
  await deliver();
  return readToken();
}
const choose = (token: string, new_password = NEW) => guest.choosePassword({ body: { token, new_password } });
const login = (password: string, email: string = people.ann.email) => guest.login({ body: { email, password } });
const setBy = async (id: number) =>
  (await sql`select sign_in_set_by from admins where id = ${id}`)[0]?.['sign_in_set_by'];
const loginFrom = (address: string, email: string = people.ann.email) =>
  from(address).login({ body: { email, password: PASSWORD } });
const later = () => sql`update mail_queue set next_at = now()`;

test('a forgotten password is replaced by a link, once; all sessions and keys of the account end', async () => {
  const old = await as('ann');
  await old.createApiKey({ body: { name: 'Shop', scopes: ['players:write'], password: PASSWORD } });
  await sql`update admins set sign_in_set_by = ${people.sue.id} where id = ${people.ann.id}`;
  const token = await linkFor();
  assert.equal(mail.recipients, [people.ann.email]);
  assert.match(lastMail(), /^Subject: Choose a new password/m);
  await choose(token);
  await isRefused(login(PASSWORD), 401);
  assert.is((await login(NEW)).user.email, people.ann.email);
  await isRefused(old.getAccount(), 401);
  const [row] = await sql`
    select sign_in_set_by, (select count(*)::int from api_keys where revoked_at is null) as keys
    from admins where id = ${people.ann.id}`;
  assert.equal({ ...row }, { sign_in_set_by: null, keys: 0 });
  assert.equal(await refusal(choose(token)), DEAD);
  const entries = (await readAuditLog()).filter(({ call, kind }) => call === 'choosePassword' && kind === 'admin');
  assert.equal(table(entries, 'admin_id', 'object_id'), [[people.ann.id, String(people.ann.id)]]);
  assert.is(entries[0]?.after?.['password'], '••••••••');
});

test('of several uses of a link at once exactly one is', async () => {
  const token = await linkFor();
  const done = await Promise.allSettled(['one', 'two', 'three'].map((word) => choose(token, `${NEW} ${word}`)));
  assert.is(done.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('a link is dead after half an hour, a change of the account or its tenant, and when it is made up', async () => {
  const ends: (() => PromiseLike<unknown>)[] = [
    () => sql`update mail_links set created_at = now() - interval '31 minutes'`,
    async () => sue.updateAdmin({ id: people.ann.id, body: { email: people.ann.email, password: 'x-set-by-sue' } }),
    async () => sue.updateAdmin({ id: people.ann.id, body: { email: 'anna@acme.test' } }),
    async () => sue.disableAdmin({ id: people.ann.id }),
    () => sql`update tenants set mail_links = false where id = 2`,
    () => sql`update tenants set is_active = false where id = 2`,
    () => sql`update admins set role_id = (select role_id from admins where id = 1) where id = ${people.ann.id}`,
  ];
  for (const end of ends) {
    const token = await linkFor();
    await end();
    assert.equal(await refusal(choose(token)), DEAD);
    await sql`
      update admins set email = ${people.ann.email}, is_active = true,
        role_id = (select id from roles where name = 'admin') where id = ${people.ann.id}`;
    await sql`update tenants set mail_links = true, is_active = true where id = 2`;
    await sql`delete from mail_links`;
    await sql`delete from rate_limits`;
  }
  assert.equal(await refusal(choose('a'.repeat(43))), DEAD);
  assert.is((await login('x-set-by-sue')).user.tenant_id, 2, 'no dead link has changed anything');
});

test('the second factor is asked for after a new password, too [ASVS 6.4.3]', async () => {
  await withFactor('ann');
  await choose(await linkFor());
  assert.equal((await refusal(login(NEW))).status, 401);
  assert.ok(await guest.login({ body: { email: people.ann.email, password: NEW, code: RECOVERY_CODE } }));
});

test('a link removes passkeys, unless they are the second factor that must be [ASVS 6.4.3]', async () => {
  services.passkeys = PARTY;
  const passkey = await addPasskey(ann);
  await sql`update tenants set require_two_factor = true where id = 2`;
  await choose(await linkFor());
  const { access_token: token, features } = await login(NEW);
  assert.ok(features?.includes('two_factor_setup'));
  const words = 'Sign in with your passkey first';
  await isRefused(apiOf(token).setUpTwoFactor({ body: { password: NEW } }), 409, words);
  await signInWith(passkey);
  await sql`update tenants set require_two_factor = false where id = 2`;
  await choose(await linkFor(), `${NEW} 42`);
  const { after } = (await readAuditLog()).filter(({ call }) => call === 'choosePassword').at(-1)!;
  assert.equal(after?.['removed_passkeys'], ['Laptop']);
  await isRefused(signInWith(passkey), 401);
});

test('an easy password is refused and leaves the link as it was', async () => {
  const token = await linkFor();
  assert.is((await refusal(choose(token, 'password1'))).detail, 'The new password is too easy to guess');
  await choose(token);
});

test('a link opens nothing from a network that is not allowed, and stays for one that is', async () => {
  const token = await linkFor();
  await sql`update tenants set allowed_networks = '{192.0.2.0/24}' where id = 2`;
  await isRefused(choose(token), 403, 'Your network is not one of those from which this account may be used');
  await sql`update tenants set allowed_networks = '{}' where id = 2`;
  await choose(token);
});

test('who asks learns nothing: the same answer, row and entry for all, and mail for those alone who may', async () => {
  await sql`update admins set is_active = false where id = ${people.oli.id}`;
  const others = [people.sue.email, people.ben.email, people.oli.email, 'nobody@acme.test', 'x@y.test'];
  for (const email of [people.ann.email, ...others]) assert.equal(await ask(email), { ok: true });
  const rows = await sql`select kind, detail from mail_queue`;
  assert.equal(new Set(rows.map((row) => JSON.stringify(row))).size, 1);
  assert.is(rows.length, 6);
  const entries = await readAuditLog();
  const written = table(entries, 'email', 'kind', 'object_id', 'after').map((row) => JSON.stringify(row));
  assert.equal(new Set(written).size, 1);
  assert.is(await deliver(), 1);
  assert.equal(mail.recipients, [people.ann.email], 'no super admin, nobody whose tenant has it off, nobody disabled');
  assert.is((await sql`select 1 from mail_queue`).length, 0);
});

test('the time to ask is the same for an address with and without an account, within noise [ASVS 6.3.8]', async () => {
  const times: [known: number[], unknown: number[]] = [[], []];
  for (let round = 0; round < 30; round++) {
    for (const [n, email] of [people.ann.email, 'nobody@acme.test'].entries()) {
      await sql`delete from rate_limits`;
      const started = performance.now();
      await ask(email);
      times[n]!.push(performance.now() - started);
    }
  }
  const [known = 0, unknown = 0] = times.map((list) => list.sort((a, b) => a - b)[15]!);
  assert.ok(Math.abs(known - unknown) < Math.max(known, unknown) / 2, `${known} ms and ${unknown} ms`);
});

test('asking and trying are limited, and one account has five good links at most', async () => {
  for (let n = 0; n < 3; n++) await ask();
  await isRefused(ask(), 429);
  await isRefused(ask(people.ann.email.toUpperCase()), 429, undefined, 'another spelling is the same');
  await ask('nobody@acme.test');
  await sql`delete from rate_limits`;
  for (let n = 0; n < 3; n++) await ask();
  assert.is(await deliver(), 5);
  await sql`delete from rate_limits`;
  await ask();
  assert.is(await deliver(), 0);
  await sql`update mail_links set created_at = now() - interval '31 minutes'`;
  for (let n = 0; n < 2; n++) await ask();
  assert.is(await deliver(), 2, 'what is too old does not count');
  await sql`update mail_links set created_at = now()`;
  await sql`delete from rate_limits`;
  await choose(readToken());
  await ask();
  assert.is(await deliver(), 1, 'nor what a new password has ended');
  await sql`delete from rate_limits`;
  for (let n = 0; n < 30; n++) await isRefused(choose('b'.repeat(43)), 400);
  await isRefused(choose('b'.repeat(43)), 429);
});

test('a mail server that is away gets it later, with one link; after half an hour nothing is sent', async () => {
  mail.state.refuse = true;
  await ask();
  assert.is(await deliver(), 0);
  assert.is((await sql`select 1 from mail_links`).length, 0);
  assert.is(await deliver(), 0, 'not at once');
  mail.state.refuse = false;
  await later();
  assert.is(await deliver(), 1);
  await choose(readToken());
  await ask();
  await sql`update mail_queue set created_at = now() - interval '31 minutes'`;
  await sql`update mail_links set created_at = now() - interval '2 days'`;
  await sweepSignInMail(sql);
  assert.equal([(await sql`select 1 from mail_queue`).length, (await sql`select 1 from mail_links`).length], [0, 0]);
});

test('an invited colleague chooses the password, which nobody else has known', async () => {
  const body = { email: 'nina@acme.test', permissions: ['queue' as const], current_password: PASSWORD };
  const { id } = await ann.inviteTeamMember({ body });
  assert.is(await setBy(id), people.ann.id, 'one person with Ann until the link was used');
  await deliver();
  assert.equal(mail.recipients, ['nina@acme.test']);
  assert.match(lastMail(), /^Subject: You are invited to the back-office/m);
  await choose(readToken());
  assert.is(await setBy(id), null);
  assert.equal((await login(NEW, 'nina@acme.test')).user.permissions, ['queue']);
});

test('whoever changed the e-mail counts as who set a password chosen by a link: the two are one person', async () => {
  const email = 'mine@acme.test',
    current_password = PASSWORD;
  const body = { email: 'bob@acme.test', permissions: [...permissions], current_password };
  const { id } = await ann.inviteTeamMember({ body });
  await deliver();
  await choose(readToken());
  await ann.updateTeamMember({ id, body: { email, current_password } });
  assert.is(await setBy(id), null, 'Bob alone knows his password');
  await choose(await linkFor(email));
  await sql`update tenants set payout_approval_from = 150 where id = 2`;
  const payout = { id: pam.redeem, body: { status: 'success' as const } };
  await ann.changeRedeemStatus(payout);
  const token = (await login(NEW, email)).access_token,
    bob = apiOf(token);
  const words = `${people.ann.email} has approved this and has set your password. Change it under Account first`;
  await isRefused(bob.changeRedeemStatus(payout), 409, words);
  await bob.changePassword({ body: { current_password: NEW, new_password: `${NEW} 42` } });
  await choose(await linkFor(email));
  assert.is(await setBy(id), null, 'ended by Bob under Account');
});

test('whoever changes their own e-mail leaves no mark', async () => {
  await sue.updateAdmin({ id: people.sue.id, body: { email: 'susan@platform.test' } });
  await sue.updateAdmin({ id: people.ann.id, body: { email: 'anna@acme.test' } });
  const setBy =
    await sql`select email_set_by from admins where id in (${people.sue.id}, ${people.ann.id}) order by email`;
  assert.equal(pluck(setBy, 'email_set_by'), [people.sue.id, null]);
});

test('nobody is invited without a mail server, or where the tenant has it off', async () => {
  const body = { email: 'nina@bravo.test', permissions: [], tenant_id: 3, current_password: PASSWORD };
  await isRefused(sue.inviteTeamMember({ body }), 409, 'This tenant does not send links by email');
  await sue.updateTenant({ id: 3, body: { name: 'Bravo', mail_links: true } });
  await sue.inviteTeamMember({ body });
  services.outgoing = { hasEmail: true, mayBeOwn: false };
  const none = { status: 409, detail: 'This server sends no links by email' };
  assert.equal(await refusal(sue.inviteTeamMember({ body: { ...body, email: 'nick@bravo.test' } })), none);
  assert.equal(await refusal(ask()), none);
  await isRefused(sue.updateTenant({ id: 1, body: { name: 'Platform', mail_links: true } }), 400);
});

test('it is offered where the tenant has it on, and to super admins', async () => {
  const offered = async (person: 'ann' | 'ben' | 'sue') => (await signIn(person)).features?.includes('mail_links');
  assert.equal([await offered('ann'), await offered('ben'), await offered('sue')], [true, false, true]);
  services.outgoing = { hasEmail: true, mayBeOwn: false };
  assert.equal([await offered('ann'), await offered('sue')], [false, false]);
});

test('the owner is told of a sign-in from a new place, not of the first and not of the next', async () => {
  for (const address of ['192.0.2.1', '192.0.2.1', '198.51.100.7', '198.51.100.7']) await loginFrom(address);
  assert.is(await deliver(), 1);
  assert.equal(mail.recipients, [people.ann.email]);
  assert.match(lastMail(), '198.51.100.7');
  assert.not.match(lastMail(), '#password');
});

test('the owner is told of a new passkey, where the e-mails are on', async () => {
  services.passkeys = PARTY;
  await addPasskey(ann, { name: 'Call +1 555 0100' });
  await addPasskey(sue);
  await addPasskey(ben);
  assert.is(await deliver(), 2);
  assert.equal([...mail.recipients].sort(), [people.ann.email, people.sue.email]);
  for (const text of mail.mails) {
    assert.match(text, /^Subject: A passkey was added to your account/m);
    assert.not.match(text, /#password|Call \+1/);
  }
});

test('super admins are told of a new place as soon as one tenant has the e-mails on', async () => {
  await sql`update tenants set mail_links = false`;
  for (const address of ['192.0.2.1', '198.51.100.7']) await loginFrom(address, people.sue.email);
  assert.is((await sql`select 1 from mail_queue`).length, 0);
  await sql`update tenants set mail_links = true where id = 3`;
  await loginFrom('203.0.113.9', people.sue.email);
  await deliver();
  assert.equal(mail.recipients, [people.sue.email]);
});

test('the login offers a link while some tenant has it on and the database answers', async () => {
  const other = await openAnother();
  let at = Date.now();
  const listOffers = await watchLogin(other.sql, services, () => at),
    offers = () => listOffers().includes('data-mail');
  assert.ok(offers());
  await sql`update tenants set mail_links = false`;
  at += 9_000;
  assert.not.ok(await eventually(() => !offers(), 0.2), 'known for ten seconds');
  at += 1_000;
  assert.ok(await eventually(() => !offers()));
  await sql`update tenants set mail_links = true where id = 3`;
  at += 60_000;
  assert.ok(await eventually(offers));
  await other.close();
  at += 60_000;
  assert.ok(await eventually(() => !offers()));
  services.outgoing = { hasEmail: true, mayBeOwn: false };
  assert.equal((await watchLogin(sql, services))(), [], 'never without a mail server and the address of the app');
});

test.run();
