/** Passkeys: alone, in place of a code, and everything with which nobody gets in. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { toRelyingParty, watchLogin } from '../../../src/server/auth/loginOffers';
import { isRefused, pluck, table } from '../../answers';
import { readAuditLog } from '../../audit';
import { ann, apiOf, ben, from, sue } from '../../callers';
import { addPasskey, newPasskey, PARTY, type Spoiled, signInWith } from '../../passkey';
import { currentCode, forgetCodes, login, withFactor } from '../../twoFactor';
import {
  as,
  guest,
  PASSWORD,
  type Person,
  people,
  refusal,
  reset,
  services,
  signIn,
  sql,
  whileHeld,
} from '../../world';

const REFUSED = { status: 401, detail: 'This passkey was not accepted. Try again, or sign in with your password' };
const ELSEWHERE = 'The passkey was used at another address than that of the app';
const OTHER = 'The passkey is of another account';
const GONE = 'The passkey is unknown or was removed';
const NEW = 'nine purple lanterns';
const STALE = 'The challenge is unknown, was used before or is older than 5 minutes';

test.before.each(async () => {
  await reset();
  services.passkeys = PARTY;
});

const begin = () => guest.beginPasskey({ body: {} });
const beginFor = (person: Person, password: string = PASSWORD) =>
  guest.beginPasskey({ body: { email: people[person].email, password } });
const ofAnn = async (how: Parameters<typeof addPasskey>[1] = {}) => addPasskey(ann, how);
const lastSignIn = async () => (await readAuditLog()).filter(({ kind }) => kind === 'sign-in').at(-1)!;
const countSessions = async () => (await sql`select 1 from sessions`).length;
/** Refused with the sentence for everybody; the log has this one, and nobody is signed in. */
async function refusesWith(work: Promise<unknown>, why: string, told = REFUSED): Promise<void> {
  const answered = refusal(work),
    before = await countSessions();
  assert.equal(await answered, told, why);
  assert.equal((await lastSignIn()).after, { signed_in: false, why });
  assert.is(await countSessions(), before);
}

test('a passkey signs its owner in alone, as the login does; its list says where and when', async () => {
  const passkey = await ofAnn({ isSynced: true });
  const told = await signInWith(passkey),
    { features, ...same } = await signIn('ann');
  assert.equal(told.user, same.user);
  assert.equal(told.features, features);
  assert.ok(features?.includes('passkeys'));
  const signIns = (await readAuditLog()).filter(({ kind }) => kind === 'sign-in'),
    { id, email } = people.ann;
  const logged = signIns.map((entry) => [entry.call, entry.admin_id, entry.email, entry.after?.['factor']]);
  assert.equal(logged, [
    ['finishPasskey', id, email, 'passkey'],
    ['login', id, email, 'none'],
  ]);
  const api = apiOf(told.access_token);
  const [row] = await api.listPasskeys();
  assert.equal([row?.name, row?.backed_up, typeof row?.last_used_at], ['Laptop', true, 'string']);
  assert.equal(await ben.listPasskeys(), []);
  assert.equal((await sql`select network from known_networks`).length, 1, 'the network is known from now on');
});

test('it works for a super admin, and for somebody who may not enter it is no more than the login', async () => {
  assert.ok((await signInWith(await addPasskey(sue))).user.role.is_super_admin);
  const passkey = await ofAnn();
  await sql`update admins set role_id = (select role_id from admins where id = ${people.oli.id}) where id = 2`;
  const { features, access_token } = await signInWith(passkey);
  assert.equal(features, ['logout']);
  await isRefused(apiOf(access_token).listPasskeys(), 403);
});

/** What is wrong, and what the log says; the person reads the same each time. */
const wrong: [name: string, why: string, spoiled: Spoiled][] = [
  ['another address of the app', ELSEWHERE, { origin: 'https://office.test.evil' }],
  ['another domain', 'The passkey is for another domain', { rpId: 'evil.test' }],
  ['the answer to another question', 'The passkey has answered another question', { type: 'webauthn.create' }],
  ['an owner that was not verified', 'The passkey has not verified its owner', { isUnverified: true }],
  ['a wrong signature', 'The signature is wrong', { isUnsigned: true }],
  ['a challenge that was made up', STALE, { challenge: 'A'.repeat(43) }],
  ['no challenge', STALE, { challenge: '' }],
  ["another person's handle", OTHER, { user_handle: Buffer.from('admin 3').toString('base64url') }],
];
for (const [name, why, spoiled] of wrong)
  test(`nobody is signed in with ${name}`, async () => {
    const passkey = await ofAnn();
    await refusesWith(signInWith(passkey, spoiled), why);
    await signInWith(passkey);
  });

test('what cannot be read is refused, and is no error', async () => {
  const passkey = await ofAnn(),
    unread = 'The answer of the passkey cannot be read';
  for (const [part, why] of [
    [{ authenticator_data: 'AAAA' }, unread],
    [{ authenticator_data: 'A'.repeat(8000) }, /cannot be read|another domain/],
    [{ signature: 'AAAA' }, /cannot be read|signature is wrong/],
    [{ client_data: 'AAAA' }, STALE],
    [{ client_data: Buffer.from('null').toString('base64url') }, STALE],
  ] as const) {
    const sent = passkey.sign(await begin());
    assert.equal(await refusal(guest.finishPasskey({ body: { ...sent, ...part } })), REFUSED);
    assert.match(String((await lastSignIn()).after?.['why']), why);
  }
});

test('a challenge is used up by its first answer, right or wrong, and is old after five minutes', async () => {
  const passkey = await ofAnn(),
    asked = await begin();
  const right = passkey.sign(asked);
  await refusesWith(guest.finishPasskey({ body: passkey.sign(asked, { isUnsigned: true }) }), 'The signature is wrong');
  await refusesWith(guest.finishPasskey({ body: right }), STALE);
  const again = passkey.sign(await begin());
  await guest.finishPasskey({ body: again });
  await refusesWith(guest.finishPasskey({ body: again }), STALE);
  const late = passkey.sign(await begin());
  await sql`update passkey_challenges set created_at = now() - interval '301 seconds'`;
  await refusesWith(guest.finishPasskey({ body: late }), STALE);
  assert.is((await sql`select 1 from passkey_challenges`).length, 0);
  const parallel = passkey.sign(await begin());
  const done = await Promise.allSettled([1, 2, 3].map(() => guest.finishPasskey({ body: parallel })));
  assert.is(done.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('a challenge to add a passkey signs nobody in, and the reverse', async () => {
  const passkey = await addPasskey(ann);
  const asked = await ann.beginNewPasskey({ body: { password: PASSWORD } });
  await refusesWith(guest.finishPasskey({ body: passkey.sign(asked) }), 'The challenge was given for something else');
  const other = { ...(await begin()), user_id: 'x', user_name: 'x' };
  const words = 'The challenge was given for something else';
  await isRefused(ann.addPasskey({ body: { name: 'Phone', ...newPasskey().make(other) } }), 400, words);
});

test('a counter that stays or goes back is refused; one that is always 0 is not', async () => {
  const passkey = await ofAnn({ counts: true });
  await signInWith(passkey, { counter: 7 });
  const copied = 'The passkey has counted fewer uses than before, so it may have been copied';
  for (const counter of [7, 3, 0]) await refusesWith(signInWith(passkey, { counter }), copied);
  await signInWith(passkey, { counter: 8 });
  const quiet = await addPasskey(ben);
  for (let use = 0; use < 2; use++) await signInWith(quiet);
});

test('a passkey that nobody has, or that was removed, is refused like any other', async () => {
  const passkey = await addPasskey(ann);
  await refusesWith(signInWith(newPasskey()), GONE);
  const [{ id } = { id: 0 }] = await ann.listPasskeys();
  await ann.removePasskey({ id, body: { password: PASSWORD } });
  await refusesWith(signInWith(passkey), GONE);
});

test('a disabled account, a tenant that is not active and a network that is not allowed', async () => {
  const passkey = await ofAnn();
  await sql`update admins set is_active = false where id = 2`;
  await refusesWith(signInWith(passkey), 'The account is disabled');
  await sql`update admins set is_active = true where id = 2`;
  await sql`update tenants set is_active = false where id = 2`;
  const inactive = 'This tenant is not active';
  await refusesWith(signInWith(passkey), inactive, { status: 403, detail: inactive });
  await sql`update tenants set is_active = true, allowed_networks = '{192.0.2.0/24}' where id = 2`;
  const away = 'Your network is not one of those from which this account may be used';
  await refusesWith(signInWith(passkey, {}, from('203.0.113.5')), away, { status: 403, detail: away });
  await signInWith(passkey, {}, from('192.0.2.5'));
});

test('a wrong one counts like a wrong password of the account, from where it came', async () => {
  const passkey = await ofAnn();
  for (let wrong = 0; wrong < 9; wrong++) await isRefused(signInWith(passkey, { isUnsigned: true }), 401);
  await isRefused(signInWith(passkey), 429);
  await isRefused(login('ann'), 429);
  await signIn('ben');
});

test('so many sign-ins can be begun from one network in a quarter of an hour', async () => {
  for (let turn = 0; turn < 100; turn++) await begin();
  await isRefused(begin(), 429, 'Too many sign-ins were begun. Try again later.');
  await from('203.0.113.5').beginPasskey({ body: {} });
});

test('after the password it takes the place of the code, and only that account may answer [ASVS 6.3.3]', async () => {
  const passkey = await ofAnn({ code: currentCode(await withFactor('ann')) });
  const asked = await beginFor('ann');
  assert.equal(asked.credential_ids, [passkey.id]);
  const { access_token, features } = await guest.finishPasskey({ body: passkey.sign(asked, { user_handle: null }) });
  assert.ok(features?.includes('passkeys'));
  await apiOf(access_token).listPurchases({ tenant_id: 2 });
  const bens = await addPasskey(ben);
  await refusesWith(guest.finishPasskey({ body: bens.sign(await beginFor('ann')) }), OTHER);
});

test('a wrong password gets no challenge, and nobody learns who has a passkey', async () => {
  await ofAnn();
  const none = { status: 401, detail: 'Invalid credentials' };
  assert.equal(await refusal(beginFor('ann', 'wrong')), none);
  assert.equal(await refusal(guest.beginPasskey({ body: { email: 'nobody@acme.test', password: 'wrong' } })), none);
  assert.equal((await begin()).credential_ids, []);
  await isRefused(beginFor('ben'), 409, 'This account has no passkey. Enter a code');
});

test('the right password alone is in the log, with and without a passkey, and gets in nowhere else', async () => {
  const noted = async (work: Promise<unknown>) => {
    await work;
    assert.equal((await lastSignIn()).after, { signed_in: false, why: 'A passkey is asked for' });
  };
  await noted(isRefused(beginFor('ann'), 409));
  await ofAnn();
  await noted(beginFor('ann'));
  await sql`update tenants set is_active = false where id = 2`;
  const inactive = 'This tenant is not active';
  await refusesWith(beginFor('ann'), inactive, { status: 403, detail: inactive });
  await sql`update tenants set is_active = true, allowed_networks = '{192.0.2.0/24}' where id = 2`;
  const away = 'Your network is not one of those from which this account may be used';
  await refusesWith(beginFor('ann'), away, { status: 403, detail: away });
  assert.is((await sql`select 1 from passkey_challenges where purpose = 'sign-in'`).length, 1);
});

test('another password in between ends it', async () => {
  const passkey = await ofAnn({ code: currentCode(await withFactor('ann')) });
  const asked = await beginFor('ann');
  await sql`update admins set password_hash = password_hash || ' ' where id = 2`;
  await refusesWith(guest.finishPasskey({ body: passkey.sign(asked) }), 'The password was changed meanwhile');
});

test('whoever must have a second factor needs no code after a passkey, but after a password [ASVS 6.3.3]', async () => {
  const passkey = await ofAnn();
  await sql`update tenants set require_two_factor = true where id = 2`;
  const { access_token, features } = await signInWith(passkey);
  assert.not.ok(features?.includes('two_factor_setup'));
  await services.sessions.endWithoutTwoFactor(sql);
  await apiOf(access_token).listPurchases({ tenant_id: 2 });
  assert.equal((await signIn('ann')).features, ['logout', 'account', 'two_factor_setup']);
});

test('where it is required, a stolen password changes nothing of an account with a passkey [ASVS 6.3.3]', async () => {
  const body = { password: PASSWORD };
  const { secret } = await ann.setUpTwoFactor({ body });
  const passkey = await addPasskey(ann),
    asked = await ann.beginNewPasskey({ body });
  const [{ id } = { id: 0 }] = await ann.listPasskeys();
  await sql`update tenants set require_two_factor = true where id = 2`;
  const thief = apiOf((await signIn('ann')).access_token);
  for (const attempt of [
    () => thief.beginNewPasskey({ body }),
    () => thief.addPasskey({ body: { name: 'Mine', ...newPasskey().make(asked) } }),
    () => thief.removePasskey({ id, body }),
    () => thief.setUpTwoFactor({ body }),
    () => thief.confirmTwoFactor({ body: { code: currentCode(secret) } }),
    () => change(thief),
  ])
    await isRefused(attempt(), 409, 'Sign in with your passkey first');
  assert.equal(pluck(await ann.listPasskeys(), 'name'), ['Laptop']);
  const owner = apiOf((await signInWith(passkey)).access_token);
  const own = await owner.setUpTwoFactor({ body });
  await owner.confirmTwoFactor({ body: { code: currentCode(own.secret) } });
  await forgetCodes();
  await addPasskey(owner, { name: 'Phone', code: currentCode(own.secret) });
});

test('who must set up a second factor sets up codes; a passkey is added after that', async () => {
  const asked = await ann.beginNewPasskey({ body: { password: PASSWORD } });
  await sql`update tenants set require_two_factor = true where id = 2`;
  const first = { status: 403, detail: 'Set up two-factor sign-in first' };
  assert.equal(await refusal(ann.beginNewPasskey({ body: { password: PASSWORD } })), first);
  const body = { name: 'Phone', ...newPasskey().make(asked) };
  assert.equal(await refusal(ann.addPasskey({ body })), first);
});

test('one is removed with a code where it is on, by its owner alone', async () => {
  const code = currentCode(await withFactor('ann'));
  await addPasskey(ann, { code });
  const [{ id } = { id: 0 }] = await ann.listPasskeys();
  await forgetCodes();
  await isRefused(ben.removePasskey({ id, body: { password: PASSWORD } }), 404, 'Passkey not found');
  await ann.removePasskey({ id, body: { password: PASSWORD, code } });
  assert.equal(await ann.listPasskeys(), []);
});

test('its removal ends the other sessions, and both are in the log', async () => {
  const passkey = await ofAnn(),
    mine = await as('ann');
  const { access_token } = await signInWith(passkey);
  const [{ id } = { id: 0 }] = await mine.listPasskeys();
  await mine.removePasskey({ id, body: { password: PASSWORD } });
  await isRefused(apiOf(access_token).listPasskeys(), 401);
  const ofAccount = (await readAuditLog()).filter(({ kind }) => kind === 'admin');
  assert.equal(table(ofAccount, 'call', 'object_id', 'before', 'after'), [
    ['addPasskey', '2', null, { passkey: 'Laptop' }],
    ['removePasskey', '2', { passkey: 'Laptop' }, null],
  ]);
});

/** What is wrong with a new one, and what its maker reads. */
const unfit: [why: string, spoiled: Spoiled][] = [
  [ELSEWHERE, { origin: 'http://office.test' }],
  ['The passkey is for another domain', { rpId: 'test' }],
  ['The passkey has not verified its owner', { isUnverified: true }],
  ['The passkey has answered another question', { type: 'webauthn.get' }],
  [STALE, { challenge: 'A'.repeat(43) }],
];
for (const [why, spoiled] of unfit)
  test(`none is added if: ${why}`, async () => {
    const asked = await ann.beginNewPasskey({ body: { password: PASSWORD } });
    const add = ann.addPasskey({ body: { name: 'Phone', ...newPasskey().make(asked, spoiled) } });
    await isRefused(add, 400, why);
    assert.equal((await lastSignIn()).after, { identity_confirmed: false, why });
    assert.equal(await ann.listPasskeys(), []);
  });

test('none is added with the challenge of somebody else, twice, or after twenty', async () => {
  const asked = await ann.beginNewPasskey({ body: { password: PASSWORD } });
  const made = { name: 'Phone', ...newPasskey().make(asked) };
  await isRefused(ben.addPasskey({ body: made }), 400, OTHER);
  await isRefused(ann.addPasskey({ body: made }), 400, STALE);
  const passkey = await addPasskey(ann);
  const again = await ann.beginNewPasskey({ body: { password: PASSWORD } });
  assert.equal(again.credential_ids, [passkey.id]);
  const words = 'This passkey was added before';
  await isRefused(ann.addPasskey({ body: { name: 'Twice', ...passkey.make(again) } }), 409, words);
  await sql`
    insert into passkeys (admin_id, credential_id, public_key, counter, name, backed_up)
    select 2, decode(lpad(n::text, 8, '0'), 'hex'), '', 0, 'Key ' || n, false from generate_series(1, 18) n`;
  const beginNew = () => ann.beginNewPasskey({ body: { password: PASSWORD } }),
    begun = [await beginNew(), await beginNew()];
  const add = (one: (typeof begun)[number]) => ann.addPasskey({ body: { name: 'Last', ...newPasskey().make(one) } });
  const full = { status: 409, detail: 'At most 20 passkeys. Remove one first' };
  const answers = await Promise.all(begun.map((one) => refusal(add(one)).catch(() => 'added'))),
    refusals = answers.filter((answer) => answer !== 'added');
  assert.equal(refusals, [full], 'counted again');
  assert.is((await sql`select 1 from passkeys`).length, 20);
  assert.equal(await refusal(beginNew()), full);
});

test('whoever set the password cannot add one and keep it', async () => {
  await sql`update admins set sign_in_set_by = ${people.sue.id} where id = 2`;
  const detail = 'Change your password first: somebody else has set it';
  await isRefused(ann.beginNewPasskey({ body: { password: PASSWORD } }), 409, detail);
});

const byOther = { id: 2, body: { email: people.ann.email, password: NEW } };
for (const [name, end] of [
  ['a password that somebody else sets', () => sue.updateAdmin(byOther)],
  ['a reset of the second factor', () => sue.resetTwoFactor({ id: 2 })],
] as const)
  test(`${name} removes all passkeys`, async () => {
    const passkey = await ofAnn({ code: currentCode(await withFactor('ann')) });
    const asked = await begin();
    await end();
    const { after } = (await readAuditLog()).at(-1)!;
    assert.equal(after?.['removed_passkeys'], ['Laptop']);
    await refusesWith(guest.finishPasskey({ body: passkey.sign(asked) }), GONE);
  });

test('a reset removes them where there are no codes; only those are listed who have one', async () => {
  const has = async () => (await sue.listAdmins({ tenant_id: 2 })).map(({ has_passkeys }) => has_passkeys);
  assert.equal(await has(), [false]);
  const passkey = await ofAnn();
  assert.equal(await has(), [true]);
  await sue.resetTwoFactor({ id: 2 });
  const { before, after } = (await readAuditLog()).at(-1)!;
  assert.equal([before, after], [{}, { removed_passkeys: ['Laptop'] }]);
  assert.equal(await has(), [false]);
  await refusesWith(signInWith(passkey), GONE);
  await isRefused(sue.resetTwoFactor({ id: 2 }), 409);
});

const change = (api: Api, how: { keep_passkeys?: boolean; keep_api_keys?: boolean } = {}) =>
  api.changePassword({ body: { current_password: PASSWORD, new_password: NEW, ...how } });
const lastChange = async () => (await readAuditLog()).filter(({ call }) => call === 'changePassword').at(-1)?.after;

test('a new password of their own removes them', async () => {
  const passkey = await addPasskey(ann);
  await change(ann);
  assert.equal(await lastChange(), { password: '••••••••', removed_passkeys: ['Laptop'] });
  await refusesWith(signInWith(passkey), GONE);
});

test('who asks to keep them keeps them; being disabled for a while leaves them, too', async () => {
  const passkey = await addPasskey(ann);
  await change(ann, { keep_passkeys: true });
  assert.equal(await lastChange(), { password: '••••••••' });
  await sue.disableAdmin({ id: 2 });
  await sue.updateAdmin({ id: 2, body: { email: people.ann.email, is_active: true } });
  await signInWith(passkey);
});

for (const column of ['sign_in_set_by', 'email_set_by'])
  test(`none is kept by a new password after ${column}`, async () => {
    const passkey = await addPasskey(ann);
    await sql`update admins set ${sql(column)} = ${people.sue.id} where id = 2`;
    for (const how of [{ keep_passkeys: true }, { keep_api_keys: true }])
      await isRefused(change(ann, how), 409, /^Somebody else has set your password or e-mail, so no API key and no /);
    await change(ann);
    assert.equal(await lastChange(), { password: '••••••••', removed_passkeys: ['Laptop'] });
    await refusesWith(signInWith(passkey), GONE);
  });

test('a removal that waits for a sign-in, or comes first, leaves no session', async () => {
  const sent = (await ofAnn()).sign(await begin());
  const answered = await whileHeld(
    (tx) => tx`select 1 from admins where id = 2 for update`,
    () => refusal(guest.finishPasskey({ body: sent })),
    (tx) => tx`delete from passkeys`,
  );
  assert.equal(answered, REFUSED);
  const why = 'The account or the passkey has changed meanwhile';
  assert.equal((await lastSignIn()).after, { signed_in: false, why });
});

test('without the address of the app there are none, and nothing says so', async () => {
  const passkey = await ofAnn();
  const sent = passkey.sign(await begin());
  services.passkeys = undefined;
  const none = { status: 409, detail: 'This server offers no passkeys' };
  assert.equal(await refusal(begin()), none);
  assert.equal(await refusal(guest.finishPasskey({ body: sent })), none);
  assert.equal(await refusal(ann.beginNewPasskey({ body: { password: PASSWORD } })), none);
  assert.not.ok((await signIn('ann')).features?.includes('passkeys'));
  assert.equal((await watchLogin(sql, services))(), []);
});

test('the login offers them while somebody has one', async () => {
  assert.equal((await watchLogin(sql, services))(), []);
  await ofAnn();
  assert.equal((await watchLogin(sql, services))(), ['data-passkeys']);
});

test('the domain and the origin are those of APP_URL; a browser makes none for others', () => {
  const origin = 'https://admin.example.com:8443';
  assert.equal(toRelyingParty(`${origin}/office/`), { id: 'admin.example.com', origin });
  assert.equal(toRelyingParty('http://localhost:8080'), { id: 'localhost', origin: 'http://localhost:8080' });
  for (const url of [undefined, 'http://admin.example.com', 'https://192.0.2.1', 'https://[2001:db8::1]/'])
    assert.is(toRelyingParty(url), undefined);
});

test.run();
