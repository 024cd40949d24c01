/** Single sign-on: what it means for accounts. Who can be two people, what a hand-over ends, what confirms. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { permissions } from '../../../src/contract/permissions';
import { isRefused } from '../../answers';
import { readAuditLog } from '../../audit';
import { ann, apiOf, sue } from '../../callers';
import { CLIENT } from '../../identityProviders';
import { withKey } from '../../integrations';
import { addPasskey, PARTY } from '../../passkey';
import { withFactor } from '../../twoFactor';
import { as, guest, PASSWORD, pam, people, refusal, refused, services, sql, tokenOf } from '../../world';
import { enter, evil, forge, provide, real, resetProviders, startProviders } from './singleSignOn';

const BEN = 'ben@acme.test',
  NEW = 'violet harbour 42 lanterns';
const pay = { id: pam.redeem, body: { status: 'success' as const } };
const provider = ', and whoever chose the identity provider can be both of you. Somebody else must approve it';

test.before(startProviders);
test.before.each(resetProviders);

/** Ann has chosen the provider; Ben is her colleague, and both have large payouts to agree on. */
async function colleagues(row: object = {}): Promise<void> {
  await provide(2, { set_by: people.ann.id, ...row });
  await sql`update admins set tenant_id = 2, email = ${BEN} where id = ${people.ben.id}`;
  await sql`update admins set permissions = ${[...permissions]} where tenant_id = 2`;
  await sql`update tenants set payout_approval_from = 150 where id = 2`;
  real.people.known['ben'] = { email: BEN, email_verified: true };
}
const off = () => ({
  ...{ ...CLIENT, issuer: real.issuer, groups_claim: 'groups', groups: [], is_active: false, only_sso: false },
  ...{ break_glass_admin_id: null, current_password: PASSWORD },
});
const enterAsBen = async () => apiOf((await enter('ben', { tenant_id: 2 }, { again: true })).access_token);
const setBy = async () =>
  (await sql`select sign_in_set_by from admins where id = ${people.ben.id}`)[0]?.['sign_in_set_by'];

test('whoever chose the provider is no second person for those it names, whatever password they set', async () => {
  await colleagues();
  const ben = await enterAsBen();
  assert.is(await setBy(), null, 'a sign-in says nothing of the password');
  const { access_token } = await ben.changePassword({ body: { current_password: 'sso', new_password: NEW } });
  const changed = apiOf(access_token ?? '');
  assert.is((await changed.changeRedeemStatus(pay)).status, 'pending');
  await isRefused(ann.changeRedeemStatus(pay), 409, `${BEN} has approved this${provider}`);
  await changed.endApproval({ id: (await changed.listApprovals({}))[0]!.id });
  assert.is((await ann.changeRedeemStatus(pay)).status, 'pending');
  await isRefused(changed.changeRedeemStatus(pay), 409, `${people.ann.email} has approved this${provider}`);
});

test('what they could have approved as another is refused once they let go of the provider', async () => {
  await colleagues();
  const ben = await enterAsBen();
  const kites = 'nine purple kites',
    first = await ben.changePassword({ body: { current_password: 'sso', new_password: kites } });
  const body = { current_password: kites, new_password: NEW };
  const { access_token } = await apiOf(first.access_token ?? '').changePassword({ body });
  assert.is(await setBy(), people.ann.id, 'also by the password that she may have set before');
  await apiOf(access_token ?? '').changeRedeemStatus(pay);
  await ann.saveIdentityProvider({ body: off() });
  assert.equal(await ann.listApprovals({}), []);
  assert.is((await ann.changeRedeemStatus(pay)).status, 'pending', 'she is the first again');
  const { access_token: token } = await guest.login({ body: { email: BEN, password: NEW } });
  assert.match((await refusal(apiOf(token).changeRedeemStatus(pay))).detail, 'has set your password');
});

for (const [what, letGo] of [
  ['the provider', async () => (await as('ann')).saveIdentityProvider({ body: off() })],
  ['the email', async () => sue.updateAdmin({ id: people.ben.id, body: { email: 'b@acme.test' } })],
] as const)
  test(`an API key that was made as another is no other person, once they let go of ${what}`, async () => {
    await colleagues();
    const made = { name: 'Shop', scopes: ['transactions:settle' as const], password: 'sso' };
    const { key } = await (await enterAsBen()).createApiKey({ body: made });
    await letGo();
    assert.is((await withKey(key).pushStatus(pay)).status, 'pending');
    const words = /has approved this with a password that you have set/;
    await isRefused((await as('ann')).changeRedeemStatus(pay), 409, words);
  });

test('two colleagues whom nobody of the tenant can be are two, by whatever provider of a super admin', async () => {
  await colleagues({ set_by: people.sue.id });
  const ben = await enterAsBen();
  await ben.changeRedeemStatus(pay);
  assert.is((await refusal(sue.changeRedeemStatus(pay))).detail, `${BEN} has approved this${provider}`);
  const ann = apiOf((await enter('ann')).access_token);
  assert.is((await ann.changeRedeemStatus(pay)).status, 'success');
});

test('no passkey is added where somebody else could add one by the provider', async () => {
  await colleagues();
  services.passkeys = { id: 'office.test', origin: 'https://office.test' };
  const detail = 'Somebody else chose the identity provider that signs you in, and could add one too';
  const begin = { body: { password: 'sso' } };
  await isRefused((await enterAsBen()).beginNewPasskey(begin), 409, detail);
  const ann = apiOf((await enter('ann', { tenant_id: 2 }, { again: true })).access_token);
  assert.ok((await ann.beginNewPasskey(begin)).challenge, 'she chose it herself');
});

for (const [what, change] of [
  ['a password', { email: people.ann.email, password: NEW }],
  ['an email', { email: 'anna@acme.test' }],
] as const)
  test(`${what} that somebody else sets unlinks the account, and removes its passkeys`, async () => {
    services.passkeys = PARTY;
    await addPasskey(await as('ann'));
    await provide();
    await enter('ann');
    await sue.updateAdmin({ id: people.ann.id, body: { email: people.ann.email, is_active: true } });
    assert.is((await sql`select 1 from identities`).length, 1);
    await sue.updateAdmin({ id: people.ann.id, body: change });
    assert.equal([...(await sql`select 1 from identities union all select 1 from passkeys`)], []);
    const { after } = (await readAuditLog()).at(-1)!;
    assert.equal([after?.['removed_identities'], [after?.['removed_passkeys']].flat().length], [[real.issuer], 1]);
  });

const add = (token: string, password = 'sso') =>
  apiOf(token).createApiKey({ body: { name: 'Shop', scopes: ['players:write'], password } });

test('who came by it confirms with a sign-in of the last ten minutes, or with a password', async () => {
  await provide();
  const { access_token } = await enter('ann', { tenant_id: 2 }, { again: true });
  assert.ok((await add(access_token)).key);
  await withFactor('ann');
  const renew = (password: string) => apiOf(access_token).renewRecoveryCodes({ body: { password } });
  assert.ok((await renew('sso')).recovery_codes.length, 'without a code, which nobody would check');
  await isRefused(renew(PASSWORD), 422, 'body.code: is required, because you use two-factor sign-in');
  await sql`delete from two_factor`;
  await sql`update sessions set created_at = now() - interval '11 minutes'`;
  const detail = 'Sign in again by single sign-on first, or use your password: this needs it anew';
  await isRefused(add(access_token), 403, detail);
  await isRefused(add(access_token, 'wrong'), 400);
  assert.ok((await add(access_token, PASSWORD)).key);
  await isRefused(add(await tokenOf('ann')), 400, undefined, 'nobody else does without the password');
});

const askedAgo = (seconds: number) => ({ auth_time: Math.floor(Date.now() / 1000) - seconds });
for (const [what, claims, after, words] of [
  ['says nothing of when it asked', {}, 0, /^Your identity provider does not say when it asked you \(auth_time\)/],
  ['asked longer ago', askedAgo(700), 0, /^Sign in again by single sign-on first/],
  ['asked five minutes before the sign-in, six ago', askedAgo(300), 6, /^Sign in again by single sign-on first/],
] as const)
  test(`a provider that ${what} has not asked the person just now`, async () => {
    await provide(2, { issuer: evil.issuer });
    const { access_token } = await (await forge({ claims, again: true })).finished;
    if (after) assert.ok((await add(access_token)).key, 'before that');
    await sql`
      update sessions set created_at = ${new Date(Date.now() - after * 60_000)}, proof = regexp_replace(
        proof, '[0-9]+$', (coalesce(substring(proof from '[0-9]+$'), '0')::bigint - ${after * 60})::text)`;
    await isRefused(add(access_token), 403, words);
    assert.ok((await add(access_token, PASSWORD)).key);
  });

test('a super admin takes over another only if the provider has asked them just now', async () => {
  await provide(1);
  const { access_token } = await enter('sue', { tenant_id: 1 });
  const [other] = await sql`
    insert into admins (tenant_id, role_id, email, password_hash)
    select 1, role_id, 'two@demo.test', password_hash from admins where id = ${people.sue.id} returning id`;
  const takes = async (proof: string) => {
    await sql`update sessions set proof = ${proof}`;
    return apiOf(access_token).updateAdmin({ id: other!['id'], body: { email: 'two@demo.test', password: NEW } });
  };
  const now = Math.floor(Date.now() / 1000);
  assert.match((await refusal(takes('sso'))).detail, 'does not say when it asked you');
  assert.match((await refusal(takes(`sso, asked ${now - 700}`))).detail, 'Sign in again by single sign-on first');
  assert.is((await takes(`sso, asked ${now}`)).email, 'two@demo.test');
});

test('a password alone sets up no codes while the provider is the second factor', async () => {
  await provide();
  await enter('ann');
  await sql`update tenants set require_two_factor = true where id = 2`;
  const ann = apiOf(await tokenOf('ann'));
  const first = { status: 409, detail: 'Sign in by single sign-on first' };
  const setUp = () => ann.setUpTwoFactor({ body: { password: PASSWORD } });
  assert.equal(await refusal(setUp()), first);
  assert.equal(await refusal(ann.changePassword({ body: { current_password: PASSWORD, new_password: NEW } })), first);
  await sql`update identity_providers set is_active = false`;
  assert.ok((await setUp()).secret);
});

test('an email counts as verified only by what the same answer says of it', async () => {
  await provide(2, { issuer: evil.issuer });
  evil.metadata = { userinfo_endpoint: `${evil.issuer}/userinfo` };
  const verified = (email: string) => ({ sub: 'the-subject', email, email_verified: true });
  evil.userinfo = verified('mallory@acme.test');
  const unsaid = { email_verified: undefined, groups: undefined };
  assert.match((await refusal((await forge({ claims: unsaid })).finished)).detail, 'does not confirm your email');
  evil.userinfo = verified(people.ann.email);
  const elsewhere = await forge({ claims: { ...unsaid, email: undefined } });
  assert.is((await elsewhere.finished).user.email, people.ann.email);
});

test('a tenant cannot try by its own provider which emails other tenants have', async () => {
  const groups = [{ group: 'cashiers', permissions: ['queue'] }];
  await provide(2, { issuer: evil.issuer, group_permissions: JSON.stringify(groups) });
  const tries = (email: string, subject: string) =>
    forge({ claims: { email, sub: subject, groups: ['cashiers'] } }).then(({ finished }) => finished);
  assert.ok((await tries('cy@acme.test', 'cy')).access_token);
  for (let n = 0; n < 198; n++) await services.rateLimits.ssoNewcomer(2);
  assert.is(await refused(tries(people.ben.email, 'x')), 403);
  const tooMany = { status: 429, detail: 'Only 200 new people come by single sign-on in an hour. Try again later.' };
  assert.equal(await refusal(tries(people.ben.email, 'x')), tooMany);
  assert.equal(await refusal(tries('nobody@acme.test', 'y')), tooMany);
  assert.equal((await readAuditLog()).at(-1)?.after, { signed_in: false, why: tooMany.detail });
  await services.rateLimits.teamEmail(2); // a counter of its own
  assert.ok((await tries('cy@acme.test', 'cy')).access_token, 'who has an account is not counted');
});

test.run();
