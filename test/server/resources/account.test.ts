/** One's own account: password, sessions, the second factor on and off; and the reset of another's. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { features } from '../../../src/contract/constants';
import { usualPermissions } from '../../../src/contract/permissions';
import { CODE_WRONG } from '../../../src/server/auth/twoFactor';
import { isRefused, pluck, table } from '../../answers';
import { ann, apiOf, ben, stillIn, sue } from '../../callers';
import { currentCode, forgetCodes, login, RECOVERY_CODE, SECOND_RECOVERY_CODE, withFactor } from '../../twoFactor';
import { as, PASSWORD, type Person, people, refused, reset, send, services, sql, tokenOf } from '../../world';

const NEW = 'violet harbour 42 lanterns';
const lastEntry = () =>
  sql`
  select call, kind, object_id, tenant_id, admin_id, before, after from audit_log order by id desc limit 1`.one();
const countEntries = async () => (await sql`select 1 from audit_log`).length;
/** Through the calls, as somebody would. */
async function enrol(person: Person) {
  const token = await tokenOf(person),
    api = apiOf(token);
  const { secret } = await api.setUpTwoFactor({ body: { password: PASSWORD } });
  return { token, api, secret, ...(await api.confirmTwoFactor({ body: { code: currentCode(secret) } })) };
}

test.before.each(reset);

test('the account says whose it is and how it signs in', async () => {
  const usual = { email: people.ann.email, api_keys: [], permissions: usualPermissions };
  assert.equal(await ann.getAccount(), {
    ...{ ...usual, has_two_factor: false, two_factor_at: null },
    ...{ must_have_two_factor: false, recovery_codes_left: 0 },
  });
  await withFactor('ann');
  await sql`update tenants set require_two_factor = true where id = 2`;
  const { two_factor_at, ...rest } = await ann.getAccount();
  assert.equal(rest, { ...usual, has_two_factor: true, must_have_two_factor: true, recovery_codes_left: 2 });
  assert.ok(Math.abs(Date.parse(two_factor_at ?? '') - Date.now()) < 60_000);
});

test('a new password needs the current one, replaces it, and ends all other sessions [ASVS 6.2.3]', async () => {
  const [here, there, ofBen] = [await tokenOf('ann'), await tokenOf('ann'), await tokenOf('ben')];
  const change = (current_password: string, new_password: string) =>
    apiOf(here).changePassword({ body: { current_password, new_password } });
  await isRefused(change('wrong', NEW), 400, 'The password is wrong');
  assert.is(await countEntries(), 1);
  const { ok, access_token: renewed = '' } = await change(PASSWORD, NEW);
  assert.equal([ok, await stillIn(renewed)], [true, true]);
  assert.equal([await stillIn(here), await stillIn(there), await stillIn(ofBen)], [false, false, true]);
  await isRefused(login('ann'), 401);
  assert.ok((await login('ann', undefined, NEW)).access_token);
  const [entry] = await sql`
    select before, after, object_id from audit_log where call = 'changePassword' and kind = 'admin'`;
  assert.equal({ ...entry }, { before: { password: '••••••••' }, after: { password: '••••••••' }, object_id: '2' });
});

test('a token that a thief has too is worth nothing after the new password [ASVS 7.2.4]', async () => {
  const { token, checkout } = await services.sessions.start(sql, people.ann.id, '10.0.0.1');
  await sql`update sessions set created_at = now() - interval '3 hours', expires_at = now() + interval '9 hours'`;
  const change = () =>
    send('PUT', calls.changePassword.path, { token, body: { current_password: PASSWORD, new_password: NEW } });
  const before = (await sql`select id, created_at, expires_at from sessions`)[0];
  const response = await change(),
    { access_token } = await response.json();
  const cookie = /^checkout=([\w-]{43});.*HttpOnly/.exec(response.headers.get('Set-Cookie') ?? '')?.[1] ?? '';
  assert.equal([await stillIn(token), await stillIn(access_token)], [false, true]);
  assert.is(await services.sessions.findCheckoutCaller(sql, checkout), null);
  assert.is((await services.sessions.findCheckoutCaller(sql, cookie))?.admin_id, people.ann.id);
  assert.equal((await sql`select id, created_at, expires_at from sessions`)[0], before, 'it lasts no longer for that');
  assert.is((await change()).status, 401);
});

test('a password that is easy to guess, or the same again, is refused', async () => {
  const change = async (current_password: string, new_password: string) =>
    (await as('ann')).changePassword({ body: { current_password, new_password } });
  const easy = 'The new password is too easy to guess';
  for (const weak of ['P@ssw0rd!', 'Ann12345', people.ann.email]) await isRefused(change(PASSWORD, weak), 400, easy);
  await isRefused(change(PASSWORD, 'short'), 422, 'body.new_password: at least 8 characters');
  await isRefused(change(PASSWORD, 'x'.repeat(1001)), 422);
  await change(PASSWORD, 'пароль из слов');
  const same = 'The new password is the same as the current one';
  await isRefused(change('пароль из слов', 'пароль из слов'), 400, same);
});

test('a stolen session cannot be used to guess the password: failures are counted [ASVS 6.2.3]', async () => {
  const guess = () => ann.changePassword({ body: { current_password: 'wrong', new_password: NEW } });
  for (let n = 0; n < 9; n++) await isRefused(guess(), 400);
  await isRefused(guess(), 429);
  await isRefused(ann.setUpTwoFactor({ body: { password: PASSWORD } }), 429);
  await isRefused(login('ann'), 429);
});

test('a stolen session does not guess the code either: the right password does not reset the count', async () => {
  await withFactor('ann');
  const guess = () => refused(ann.turnOffTwoFactor({ body: { password: PASSWORD, code: '000000' } }));
  for (let n = 0; n < 9; n++) {
    assert.is(await guess(), 400);
    await isRefused(ann.setUpTwoFactor({ body: { password: PASSWORD } }), 409);
  }
  assert.is(await guess(), 429);
});

test('with two-factor sign-in a new password takes a code, and changing it resets no count of wrong codes', async () => {
  await withFactor('ann');
  const entered: number[] = [],
    change = (new_password: string, code?: string) =>
      ann.changePassword({ body: { current_password: PASSWORD, new_password, ...(code !== undefined && { code }) } });
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 4; n++) entered.push(await refused(login('ann', '000000')));
    assert.is(await refused(change(`${NEW} ${round}`)), entered.includes(429) ? 429 : 422);
  }
  assert.equal(entered, [...Array.from({ length: 9 }, () => 401), 429, 429, 429]);
  assert.is((await sql`select 1 from audit_log where call = 'changePassword'`).length, 0);

  await sql`truncate rate_limits`;
  await isRefused(change(NEW, '000000'), 400, CODE_WRONG);
  await change(NEW, RECOVERY_CODE);
  await isRefused(login('ann', SECOND_RECOVERY_CODE), 401);
  assert.ok((await login('ann', SECOND_RECOVERY_CODE, NEW)).access_token);
});

test('a wrong code of a set-up is in the audit log like a failed sign-in', async () => {
  await ann.setUpTwoFactor({ body: { password: PASSWORD } });
  await isRefused(ann.confirmTwoFactor({ body: { code: '000000' } }), 400);
  const why = 'That code is wrong. Enter the code that your authenticator app shows now';
  assert.equal(await lastEntry(), {
    ...{ call: 'confirmTwoFactor', kind: 'sign-in', object_id: '2', tenant_id: 2, admin_id: 2 },
    ...{ before: null, after: { identity_confirmed: false, why } },
  });
});

test('people see their own sessions, with this one marked, and can end each of them [ASVS 7.5.2]', async () => {
  const token = (await services.sessions.start(sql, people.ann.id, '10.0.0.1', { browser: 'Firefox on Linux' })).token,
    ann = apiOf(token);
  const other = await tokenOf('ann'),
    ofBen = await tokenOf('ben');
  await tokenOf('ann');
  await sql`update sessions set last_seen_at = now() - interval '31 minutes' where id = 4`;
  const list = await ann.listSessions();
  assert.equal(table(list, 'id', 'address', 'browser', 'is_current'), [
    [2, 'test', '', false],
    [1, '10.0.0.1', 'Firefox on Linux', true],
  ]);
  assert.not.match(JSON.stringify(list), /token|hash/);

  await isRefused(ann.endSession({ id: 3 }), 404, 'Session not found');
  await isRefused(ann.endSession({ id: 99 }), 404, 'Session not found');
  assert.is(await stillIn(ofBen), true);
  assert.is(await countEntries(), 0);
  await ann.endSession({ id: 2 });
  assert.equal([await stillIn(other), await stillIn(token)], [false, true]);
  assert.equal(await lastEntry(), {
    ...{ call: 'endSession', kind: 'sign-in', object_id: '2', tenant_id: 2, admin_id: 2 },
    ...{ before: { session: 2, address: 'test', browser: '' }, after: null },
  });
});

test('people can end all other sessions at once [ASVS 7.4.3]', async () => {
  const [here, there, ofBen] = [await tokenOf('ann'), await tokenOf('ann'), await tokenOf('ben')];
  await apiOf(here).endOtherSessions();
  assert.equal([await stillIn(here), await stillIn(there), await stillIn(ofBen)], [true, false, true]);
  assert.equal((await lastEntry())['after'], { sessions_ended: 1 });
});

test('a sign-in keeps the browser in words of ours', async () => {
  const agent = (system: string, kit: string, rest: string) =>
    `Mozilla/5.0 (${system}) AppleWebKit/${kit} (KHTML, like Gecko) ${rest}`;
  const ios = 'iPhone; CPU iPhone OS 17_5 like Mac OS X',
    chrome = 'Chrome/126.0.0.0';
  const agents = {
    [agent('Windows NT 10.0; Win64; x64', '537.36', `${chrome} Safari/537.36 Edg/126.0`)]: 'Edge on Windows',
    [agent(ios, '605.1.15', 'Version/17.5 Mobile/15E148 Safari/604.1')]: 'Safari on iOS',
    [agent('Linux; Android 14', '537.36', `${chrome} Mobile Safari/537.36`)]: 'Chrome on Android',
    'curl/8 <script>': 'Unknown',
  };
  for (const agent of Object.keys(agents))
    await send('POST', calls.login.path, {
      body: { email: people.ann.email, password: PASSWORD },
      headers: { 'User-Agent': agent },
    });
  assert.equal(pluck(await sql`select browser from sessions order by id`, 'browser'), Object.values(agents));
});

test('turning it on takes the password and a code, gives ten recovery codes, and ends all other sessions', async () => {
  const [here, there] = [await tokenOf('ann'), await tokenOf('ann')],
    ann = apiOf(here);
  await isRefused(ann.confirmTwoFactor({ body: { code: '123456' } }), 409);
  await isRefused(ann.setUpTwoFactor({ body: { password: 'wrong' } }), 400, 'The password is wrong');
  const old = await ann.setUpTwoFactor({ body: { password: PASSWORD } }),
    { secret, uri, qr } = await ann.setUpTwoFactor({ body: { password: PASSWORD } });
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.is.not(old.secret, secret);
  assert.ok(uri.includes(secret) && qr.size > 30);
  assert.ok((await login('ann')).access_token, 'not in force before it is confirmed');

  for (const code of [currentCode(old.secret), '000000', 'x', '１２３４５６'])
    await isRefused(ann.confirmTwoFactor({ body: { code } }), 400);
  const code = currentCode(secret),
    done = await ann.confirmTwoFactor({ body: { code: code.replace(/^.../, '$& ') } });
  const offered = features.filter((name) => !['two_factor_setup', 'mail_links', 'passkeys', 'sso'].includes(name));
  assert.equal(done.features, offered);
  assert.is(new Set(done.recovery_codes).size, 10);
  for (const each of done.recovery_codes) assert.match(each, /^\d{4}-\d{4}-\d{4}-\d{4}$/);
  assert.equal([await stillIn(here), await stillIn(there)], [true, false]);
  assert.equal(await lastEntry(), {
    ...{ call: 'confirmTwoFactor', kind: 'admin', object_id: '2', tenant_id: 2, admin_id: 2 },
    ...{ before: { two_factor: false }, after: { two_factor: true } },
  });

  await isRefused(login('ann', code), 401, undefined, 'the code that confirmed it is used up');
  assert.ok((await login('ann', done.recovery_codes[9])).access_token);
  await isRefused(ann.setUpTwoFactor({ body: { password: PASSWORD } }), 409, 'Two-factor sign-in is already on');
  await isRefused(ann.confirmTwoFactor({ body: { code: currentCode(secret, 1) } }), 409);
});

test('a stolen session does not guess the code of a set-up that somebody began and left', async () => {
  const { secret } = await ann.setUpTwoFactor({ body: { password: PASSWORD } });
  const thief = await as('ann');
  const guesses: number[] = [];
  for (let n = 0; n < 12; n++) guesses.push(await refused(thief.confirmTwoFactor({ body: { code: '000000' } })));
  assert.equal(guesses, [...Array.from({ length: 9 }, () => 400), 429, 429, 429]);
  await isRefused(thief.confirmTwoFactor({ body: { code: currentCode(secret) } }), 429);
  assert.is((await sql`select 1 from recovery_codes`).length, 0);
});

test('a set-up that nobody confirms ends after ten minutes', async () => {
  const ann = await as('ann'),
    { secret } = await ann.setUpTwoFactor({ body: { password: PASSWORD } });
  await sql`update two_factor set begun_at = now() - interval '601 seconds'`;
  const words = 'The set-up was not finished in 10 minutes. Start again';
  await isRefused(ann.confirmTwoFactor({ body: { code: currentCode(secret) } }), 409, words);
  const again = await ann.setUpTwoFactor({ body: { password: PASSWORD } });
  await services.sessions.sweep(sql);
  assert.ok((await ann.confirmTwoFactor({ body: { code: currentCode(again.secret) } })).recovery_codes);
  await services.sessions.sweep(sql);
  assert.is((await sql`select 1 from two_factor`).length, 1, 'one that is confirmed stays');

  await ben.setUpTwoFactor({ body: { password: PASSWORD } });
  await sql`update two_factor set begun_at = now() - interval '601 seconds'`;
  await services.sessions.sweep(sql);
  assert.is((await sql`select 1 from two_factor where confirmed_at is null`).length, 0, 'its secret is deleted');
});

test('turning it off needs the password and a code, and ends all other sessions [ASVS 7.5.1]', async () => {
  const [here, there] = [await tokenOf('ann'), await tokenOf('ann')],
    ann = apiOf(here),
    off = (password: string, code: string) => ann.turnOffTwoFactor({ body: { password, code } });
  await isRefused(off(PASSWORD, '123456'), 409, 'Two-factor sign-in is off');
  const secret = await withFactor('ann');
  await off(PASSWORD, currentCode(secret));
  assert.equal([await stillIn(here), await stillIn(there)], [true, false]);
  assert.ok((await login('ann')).access_token);
  assert.equal((await sql`select 1 from two_factor`).length + (await sql`select 1 from recovery_codes`).length, 0);
});

test('where it is required it cannot be turned off', async () => {
  const secret = await withFactor('ann');
  await sql`update tenants set require_two_factor = true where id = 2`;
  const words = 'Two-factor sign-in is required for this account';
  await isRefused(ann.turnOffTwoFactor({ body: { password: PASSWORD, code: currentCode(secret) } }), 409, words);
});

test('new recovery codes take the password and a code, and replace the old ones', async () => {
  const { api, secret, recovery_codes } = await enrol('ann');
  await login('ann', recovery_codes[1]);
  await forgetCodes();
  const renewed = await api.renewRecoveryCodes({ body: { password: PASSWORD, code: currentCode(secret) } });
  assert.is(new Set([...recovery_codes, ...renewed.recovery_codes]).size, 20);
  await isRefused(login('ann', recovery_codes[0]), 401);
  assert.ok((await login('ann', renewed.recovery_codes[0])).access_token);
  assert.is((await api.getAccount()).recovery_codes_left, 9);
  const [entry, ...more] = await sql`
    select before, after from audit_log where call = 'renewRecoveryCodes' and kind = 'admin'`;
  const change = { before: { recovery_codes: 9, renewed: false }, after: { recovery_codes: 10, renewed: true } };
  assert.equal([entry, more], [change, []]);
});

test('who must set it up goes on in the same session', async () => {
  await sql`update tenants set require_two_factor = true where id = 2`;
  const { access_token: token } = await login('ann'),
    ann = apiOf(token);
  await isRefused(ann.listPlayers({}), 403);
  const { secret } = await ann.setUpTwoFactor({ body: { password: PASSWORD } });
  await ann.confirmTwoFactor({ body: { code: currentCode(secret) } });
  assert.ok((await ann.listPlayers({})).users);
});

test('a super admin can reset it for another admin, whose sessions end [ASVS 6.4.4, 6.5.6]', async () => {
  await isRefused(sue.resetTwoFactor({ id: people.ann.id }), 409, 'This admin has no two-factor sign-in');
  await withFactor('sue');
  await isRefused(sue.resetTwoFactor({ id: people.sue.id }), 409);
  await withFactor('oli');
  await isRefused(sue.resetTwoFactor({ id: people.oli.id }), 404);
  await isRefused(sue.resetTwoFactor({ id: 99 }), 404);
  await withFactor('ann');
  const token = await tokenOf('ann');
  assert.equal(pluck(await sue.listAdmins({ tenant_id: 2 }), 'has_two_factor'), [true]);
  assert.equal(await sue.resetTwoFactor({ id: people.ann.id }), { ok: true });
  assert.is(await stillIn(token), false);
  assert.ok((await login('ann')).access_token);
  const [entry] = await sql`select object_id, admin_id, before, after from audit_log where call = 'resetTwoFactor'`;
  const change = { before: { two_factor: true }, after: { two_factor: false } };
  assert.equal({ ...entry }, { object_id: '2', admin_id: people.sue.id, ...change });
});

test('each of these writes leaves exactly one entry, and no secret in any', async () => {
  const { api, secret, recovery_codes } = await enrol('ann');
  await forgetCodes();
  const code = currentCode(secret);
  const { recovery_codes: renewed } = await api.renewRecoveryCodes({ body: { password: PASSWORD, code } });
  await api.turnOffTwoFactor({ body: { password: PASSWORD, code: renewed[0]! } });
  await api.changePassword({ body: { current_password: PASSWORD, new_password: NEW } });
  await tokenOf('ann');
  await ann.endOtherSessions();
  await ann.endSession({ id: (await ann.listSessions())[0]!.id });
  await withFactor('ben');
  await sue.resetTwoFactor({ id: people.ben.id });
  const entries = await sql`select * from audit_log order by id`,
    all = JSON.stringify(entries);
  assert.equal(pluck(entries, 'call'), [
    ...['setUpTwoFactor', 'confirmTwoFactor', 'renewRecoveryCodes', 'turnOffTwoFactor', 'changePassword'],
    ...['endOtherSessions', 'endSession', 'resetTwoFactor'],
  ]);
  for (const kept of [secret, ...recovery_codes, ...renewed, NEW]) assert.not.ok(all.includes(kept));
});

test.run();
