/** One's own account: password, sessions, the second factor on and off; and the reset of another's. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import type { CallSpec } from '../../../src/contract/calls';
import { features } from '../../../src/contract/constants';
import { usualPermissions } from '../../../src/contract/permissions';
import { CODE_WRONG } from '../../../src/server/auth/twoFactor';
import { createApi } from '../../createApi';
import { currentCode, forgetCodes, login, RECOVERY_CODE, SECOND_RECOVERY_CODE, withFactor } from '../../twoFactor';
import {
  as,
  fetch,
  guest,
  PASSWORD,
  type Person,
  people,
  refusal,
  refused,
  reset,
  send,
  services,
  sql,
  tokenOf,
} from '../../world';

const NEW = 'violet harbour 42 lanterns';
const stillIn = async (token: string): Promise<boolean> =>
  (await send('GET', calls.getAccount.path, { token })).status === 200;
const createApiFor = (token: string) => createApi({ fetch, token: () => token });
const lastEntry = async () =>
  (
    await sql`select call, kind, object_id, tenant_id, admin_id, before, after from audit_log order by id desc limit 1`
  )[0];
const countEntries = async () => (await sql`select 1 from audit_log`).length;
/** Through the calls, as somebody would. */
async function enrol(person: Person) {
  const token = await tokenOf(person),
    api = createApiFor(token);
  const { secret } = await api.setUpTwoFactor({ body: { password: PASSWORD } });
  return { token, api, secret, ...(await api.confirmTwoFactor({ body: { code: currentCode(secret) } })) };
}

test.before.each(reset);

for (const [name, { method, path, who }] of Object.entries<CallSpec>(calls).filter(
  ([, { feature }]) => feature === 'account',
)) {
  test(`${name} is for who is signed in${who === 'super' ? ' as a super admin' : ''}`, async () => {
    const url = path.replace('{id}', '99'),
      status = async (token?: string) =>
        (await send(method, url, { token, ...(method !== 'GET' && { body: {} }) })).status;
    assert.is(await status(), 401);
    assert.is(await status('x'), 401);
    assert.is(await status(await tokenOf('oli')), 403, 'a role that may not enter');
    if (who === 'super') assert.is(await status(await tokenOf('ann')), 403);
    else assert.not.ok([401, 403].includes(await status(await tokenOf('ann'))));
  });
}

test('the account says whose it is and how it signs in', async () => {
  const ann = await as('ann');
  assert.equal(await ann.getAccount(), {
    email: people.ann.email,
    has_two_factor: false,
    two_factor_at: null,
    must_have_two_factor: false,
    recovery_codes_left: 0,
    api_keys: [],
    permissions: usualPermissions,
  });
  await withFactor('ann');
  await sql`update tenants set require_two_factor = true where id = 2`;
  const { two_factor_at, ...rest } = await ann.getAccount();
  assert.equal(rest, {
    email: people.ann.email,
    has_two_factor: true,
    must_have_two_factor: true,
    recovery_codes_left: 2,
    api_keys: [],
    permissions: usualPermissions,
  });
  assert.ok(Math.abs(Date.parse(two_factor_at ?? '') - Date.now()) < 60_000);
});

test('a new password needs the current one, replaces it, and ends all other sessions [ASVS 6.2.3]', async () => {
  const [here, there, ofBen] = [await tokenOf('ann'), await tokenOf('ann'), await tokenOf('ben')];
  const change = (current_password: string, new_password: string) =>
    createApiFor(here).changePassword({ body: { current_password, new_password } });
  assert.equal(await refusal(change('wrong', NEW)), { status: 400, detail: 'The password is wrong' });
  assert.is(await countEntries(), 1);
  const { ok, access_token: renewed = '' } = await change(PASSWORD, NEW);
  assert.equal([ok, await stillIn(renewed)], [true, true]);
  assert.equal([await stillIn(here), await stillIn(there), await stillIn(ofBen)], [false, false, true]);
  assert.is(await refused(login('ann')), 401);
  assert.ok((await login('ann', undefined, NEW)).access_token);
  const entry = (
    await sql`select before, after, kind, object_id from audit_log where call = 'changePassword' and kind = 'admin'`
  )[0];
  assert.equal(
    { ...entry },
    { before: { password: '••••••••' }, after: { password: '••••••••' }, kind: 'admin', object_id: '2' },
  );
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

test('a password that is easy to guess is refused', async () => {
  const ann = await as('ann');
  for (const new_password of [
    'password1',
    'P@ssw0rd!',
    '12345678',
    'qwertyuiop',
    'qwerty123456',
    'aaaaaaaa',
    'abcabcabc',
    'Welcome2026!',
    '1qaz2wsx',
    'letmein!!',
    'ann@acme.test',
    'Ann12345',
    'adminadmin',
    'iloveyou1',
  ]) {
    assert.equal(
      await refusal(ann.changePassword({ body: { current_password: PASSWORD, new_password } })),
      { status: 400, detail: 'The new password is too easy to guess' },
      new_password,
    );
  }
  assert.equal(await refusal(ann.changePassword({ body: { current_password: PASSWORD, new_password: 'short' } })), {
    status: 422,
    detail: 'body.new_password: at least 8 characters',
  });
  assert.is(
    await refused(ann.changePassword({ body: { current_password: PASSWORD, new_password: 'x'.repeat(1001) } })),
    422,
  );
  await ann.changePassword({ body: { current_password: PASSWORD, new_password: 'пароль из слов' } });
  const again = await as('ann');
  assert.equal(
    await refusal(
      again.changePassword({ body: { current_password: 'пароль из слов', new_password: 'пароль из слов' } }),
    ),
    { status: 400, detail: 'The new password is the same as the current one' },
  );
});

test('a stolen session cannot be used to guess the password: failures are counted [ASVS 6.2.3]', async () => {
  const ann = await as('ann'),
    guess = () => ann.changePassword({ body: { current_password: 'wrong', new_password: NEW } });
  for (let n = 0; n < 9; n++) assert.is(await refused(guess()), 400);
  assert.is(await refused(guess()), 429);
  assert.is(await refused(ann.setUpTwoFactor({ body: { password: PASSWORD } })), 429);
  assert.is(await refused(login('ann')), 429);
});

test('a stolen session does not guess the code either: the right password does not reset the count', async () => {
  const ann = await as('ann');
  await withFactor('ann');
  const guess = () => refused(ann.turnOffTwoFactor({ body: { password: PASSWORD, code: '000000' } }));
  for (let n = 0; n < 9; n++) {
    assert.is(await guess(), 400);
    assert.is(await refused(ann.setUpTwoFactor({ body: { password: PASSWORD } })), 409);
  }
  assert.is(await guess(), 429);
});

test('with two-factor sign-in a new password takes a code, and changing it resets no count of wrong codes', async () => {
  const ann = await as('ann');
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
  assert.equal(await refusal(change(NEW, '000000')), { status: 400, detail: CODE_WRONG });
  await change(NEW, RECOVERY_CODE);
  assert.is(await refused(login('ann', SECOND_RECOVERY_CODE)), 401);
  assert.ok((await login('ann', SECOND_RECOVERY_CODE, NEW)).access_token);
});

test('a wrong password or code in a session is in the audit log like a failed sign-in, without what was typed', async () => {
  const ann = await as('ann'),
    typed = 'typed by mistake';
  const calls = [
    () => ann.changePassword({ body: { current_password: typed, new_password: NEW } }),
    () => ann.setUpTwoFactor({ body: { password: typed } }),
    () => ann.createApiKey({ body: { name: 'Shop', scopes: ['players:write'], password: typed } }),
    () => ann.confirmTwoFactor({ body: { code: '000000' } }),
  ];
  await ann.setUpTwoFactor({ body: { password: PASSWORD } });
  for (const attack of calls) assert.is(await refused(attack()), 400);
  await sql`delete from two_factor`;
  await withFactor('ann');
  for (const attack of [ann.turnOffTwoFactor, ann.renewRecoveryCodes]) {
    assert.is(await refused(attack({ body: { password: typed, code: '000000' } })), 400);
    assert.is(await refused(attack({ body: { password: PASSWORD, code: '000000' } })), 400);
  }
  const entries = await sql`select * from audit_log where call <> 'setUpTwoFactor' or kind = 'sign-in' order by id`;
  const wrong = { identity_confirmed: false, why: 'The password is wrong' },
    wrongCode = { identity_confirmed: false, why: CODE_WRONG };
  assert.equal(
    entries.map(({ call, kind, object_id, tenant_id, admin_id, after }) => [
      call,
      `${kind} ${object_id} ${tenant_id} ${admin_id}`,
      after,
    ]),
    [
      ['changePassword', wrong],
      ['setUpTwoFactor', wrong],
      ['createApiKey', wrong],
      [
        'confirmTwoFactor',
        { ...wrong, why: 'That code is wrong. Enter the code that your authenticator app shows now' },
      ],
      ['turnOffTwoFactor', wrong],
      ['turnOffTwoFactor', wrongCode],
      ['renewRecoveryCodes', wrong],
      ['renewRecoveryCodes', wrongCode],
    ].map(([call, after]) => [call, 'sign-in 2 2 2', after]),
  );
  assert.not.ok(JSON.stringify(entries).includes(typed));
});

test('people see their own sessions, with this one marked, and can end each of them [ASVS 7.5.2]', async () => {
  const token = (await services.sessions.start(sql, people.ann.id, '10.0.0.1', { browser: 'Firefox on Linux' })).token,
    ann = createApiFor(token);
  const other = await tokenOf('ann'),
    ofBen = await tokenOf('ben');
  await tokenOf('ann');
  await sql`update sessions set last_seen_at = now() - interval '31 minutes' where id = 4`;
  const list = await ann.listSessions();
  assert.equal(
    list.map(({ id, address, browser, is_current }) => ({ id, address, browser, is_current })),
    [
      { id: 2, address: 'test', browser: '', is_current: false },
      { id: 1, address: '10.0.0.1', browser: 'Firefox on Linux', is_current: true },
    ],
  );
  assert.not.match(JSON.stringify(list), /token|hash/);

  assert.equal(await refusal(ann.endSession({ id: 3 })), { status: 404, detail: 'Session not found' });
  assert.equal(await refusal(ann.endSession({ id: 99 })), { status: 404, detail: 'Session not found' });
  assert.is(await stillIn(ofBen), true);
  assert.is(await countEntries(), 0);
  await ann.endSession({ id: 2 });
  assert.equal([await stillIn(other), await stillIn(token)], [false, true]);
  assert.equal(
    { ...(await lastEntry()) },
    {
      call: 'endSession',
      kind: 'sign-in',
      object_id: '2',
      tenant_id: 2,
      admin_id: 2,
      before: { session: 2, address: 'test', browser: '' },
      after: null,
    },
  );
});

test('people can end all other sessions at once [ASVS 7.4.3]', async () => {
  const [here, there, ofBen] = [await tokenOf('ann'), await tokenOf('ann'), await tokenOf('ben')];
  await createApiFor(here).endOtherSessions();
  assert.equal([await stillIn(here), await stillIn(there), await stillIn(ofBen)], [true, false, true]);
  assert.equal((await lastEntry())?.['after'], { sessions_ended: 1 });
});

test('a sign-in keeps the browser in words of ours', async () => {
  const edge =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/126.0.0.0 Safari/537.36 Edg/126.0';
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
    'Version/17.5 Mobile/15E148 Safari/604.1';
  const agents = {
    [edge]: 'Edge on Windows',
    [safari]: 'Safari on iOS',
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36':
      'Chrome on Android',
    'curl/8 <script>': 'Unknown',
  };
  for (const agent of Object.keys(agents))
    await send('POST', calls.login.path, {
      body: { email: people.ann.email, password: PASSWORD },
      headers: { 'User-Agent': agent },
    });
  assert.equal(
    (await sql`select browser from sessions order by id`).map(({ browser }) => browser),
    Object.values(agents),
  );
});

test('turning it on takes the password and a code, gives ten recovery codes, and ends all other sessions', async () => {
  const [here, there] = [await tokenOf('ann'), await tokenOf('ann')],
    ann = createApiFor(here);
  assert.is(await refused(ann.confirmTwoFactor({ body: { code: '123456' } })), 409);
  assert.equal(await refusal(ann.setUpTwoFactor({ body: { password: 'wrong' } })), {
    status: 400,
    detail: 'The password is wrong',
  });
  const old = await ann.setUpTwoFactor({ body: { password: PASSWORD } }),
    { secret, uri, qr } = await ann.setUpTwoFactor({ body: { password: PASSWORD } });
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.is.not(old.secret, secret);
  assert.ok(uri.includes(secret) && qr.size > 30);
  assert.ok((await login('ann')).access_token, 'not in force before it is confirmed');

  for (const code of [currentCode(old.secret), '000000', 'x', '１２３４５６'])
    assert.is(await refused(ann.confirmTwoFactor({ body: { code } })), 400);
  const code = currentCode(secret),
    done = await ann.confirmTwoFactor({ body: { code: code.replace(/^.../, '$& ') } });
  assert.equal(
    done.features,
    features.filter((name) => !['two_factor_setup', 'mail_links', 'passkeys', 'sso'].includes(name)),
  );
  assert.is(new Set(done.recovery_codes).size, 10);
  for (const each of done.recovery_codes) assert.match(each, /^\d{4}-\d{4}-\d{4}-\d{4}$/);
  assert.equal([await stillIn(here), await stillIn(there)], [true, false]);
  assert.equal(
    { ...(await lastEntry()) },
    {
      call: 'confirmTwoFactor',
      kind: 'admin',
      object_id: '2',
      tenant_id: 2,
      admin_id: 2,
      before: { two_factor: false },
      after: { two_factor: true },
    },
  );

  assert.is(await refused(login('ann', code)), 401, 'the code that confirmed it is used up');
  assert.ok((await login('ann', done.recovery_codes[9])).access_token);
  assert.equal(await refusal(ann.setUpTwoFactor({ body: { password: PASSWORD } })), {
    status: 409,
    detail: 'Two-factor sign-in is already on',
  });
  assert.is(await refused(ann.confirmTwoFactor({ body: { code: currentCode(secret, 1) } })), 409);
});

test('a stolen session does not guess the code of a set-up that somebody began and left', async () => {
  const { secret } = await (await as('ann')).setUpTwoFactor({ body: { password: PASSWORD } });
  const thief = await as('ann');
  const guesses: number[] = [];
  for (let n = 0; n < 12; n++) guesses.push(await refused(thief.confirmTwoFactor({ body: { code: '000000' } })));
  assert.equal(guesses, [...Array.from({ length: 9 }, () => 400), 429, 429, 429]);
  assert.is(await refused(thief.confirmTwoFactor({ body: { code: currentCode(secret) } })), 429);
  assert.is((await sql`select 1 from recovery_codes`).length, 0);
});

test('a set-up that nobody confirms ends after ten minutes', async () => {
  const ann = await as('ann'),
    { secret } = await ann.setUpTwoFactor({ body: { password: PASSWORD } });
  await sql`update two_factor set begun_at = now() - interval '601 seconds'`;
  assert.equal(await refusal(ann.confirmTwoFactor({ body: { code: currentCode(secret) } })), {
    status: 409,
    detail: 'The set-up was not finished in 10 minutes. Start again',
  });
  const again = await ann.setUpTwoFactor({ body: { password: PASSWORD } });
  await services.sessions.sweep(sql);
  assert.ok((await ann.confirmTwoFactor({ body: { code: currentCode(again.secret) } })).recovery_codes);
  await services.sessions.sweep(sql);
  assert.is((await sql`select 1 from two_factor`).length, 1, 'one that is confirmed stays');

  await (await as('ben')).setUpTwoFactor({ body: { password: PASSWORD } });
  await sql`update two_factor set begun_at = now() - interval '601 seconds'`;
  await services.sessions.sweep(sql);
  assert.is((await sql`select 1 from two_factor where confirmed_at is null`).length, 0, 'its secret is deleted');
});

test('turning it off needs the password and a code, and ends all other sessions [ASVS 7.5.1]', async () => {
  const [here, there] = [await tokenOf('ann'), await tokenOf('ann')],
    ann = createApiFor(here),
    off = (password: string, code: string) => ann.turnOffTwoFactor({ body: { password, code } });
  assert.equal(await refusal(off(PASSWORD, '123456')), { status: 409, detail: 'Two-factor sign-in is off' });
  const secret = await withFactor('ann');
  assert.equal(await refusal(off('wrong', currentCode(secret))), { status: 400, detail: 'The password is wrong' });
  assert.equal(await refusal(off(PASSWORD, '000000')), { status: 400, detail: CODE_WRONG });
  assert.is(await countEntries(), 2);
  await off(PASSWORD, currentCode(secret));
  assert.equal([await stillIn(here), await stillIn(there)], [true, false]);
  assert.ok((await login('ann')).access_token);
  assert.equal((await sql`select 1 from two_factor`).length + (await sql`select 1 from recovery_codes`).length, 0);
});

test('where it is required it cannot be turned off', async () => {
  const secret = await withFactor('ann'),
    ann = await as('ann');
  await sql`update tenants set require_two_factor = true where id = 2`;
  assert.equal(await refusal(ann.turnOffTwoFactor({ body: { password: PASSWORD, code: currentCode(secret) } })), {
    status: 409,
    detail: 'Two-factor sign-in is required for this account',
  });
});

test('new recovery codes take the password and a code, and replace the old ones', async () => {
  const { api, secret, recovery_codes } = await enrol('ann');
  await login('ann', recovery_codes[1]);
  await forgetCodes();
  assert.is(await refused(api.renewRecoveryCodes({ body: { password: 'wrong', code: currentCode(secret) } })), 400);
  const renewed = await api.renewRecoveryCodes({ body: { password: PASSWORD, code: currentCode(secret) } });
  assert.is(new Set([...recovery_codes, ...renewed.recovery_codes]).size, 20);
  assert.is(await refused(login('ann', recovery_codes[0])), 401);
  assert.ok((await login('ann', renewed.recovery_codes[0])).access_token);
  assert.is((await api.getAccount()).recovery_codes_left, 9);
  assert.equal(
    (await sql`select before, after from audit_log where call = 'renewRecoveryCodes' and kind = 'admin'`).map(
      (row) => ({ ...row }),
    ),
    [{ before: { recovery_codes: 9, renewed: false }, after: { recovery_codes: 10, renewed: true } }],
  );
  assert.not.ok(
    (
      await as('ben').then((ben) =>
        refusal(ben.renewRecoveryCodes({ body: { password: PASSWORD, code: RECOVERY_CODE } })),
      )
    ).status === 200,
  );
});

test('who must set it up goes on in the same session', async () => {
  await sql`update tenants set require_two_factor = true where id = 2`;
  const { access_token: token } = await login('ann'),
    ann = createApiFor(token);
  assert.is(await refused(ann.listPlayers({})), 403);
  const { secret } = await ann.setUpTwoFactor({ body: { password: PASSWORD } });
  await ann.confirmTwoFactor({ body: { code: currentCode(secret) } });
  assert.ok((await ann.listPlayers({})).users);
});

test('a super admin can reset it for another admin, whose sessions end [ASVS 6.4.4, 6.5.6]', async () => {
  const sue = await as('sue');
  assert.equal(await refusal(sue.resetTwoFactor({ id: people.ann.id })), {
    status: 409,
    detail: 'This admin has no two-factor sign-in',
  });
  await withFactor('sue');
  assert.is(await refused(sue.resetTwoFactor({ id: people.sue.id })), 409);
  await withFactor('oli');
  assert.is(await refused(sue.resetTwoFactor({ id: people.oli.id })), 404);
  assert.is(await refused(sue.resetTwoFactor({ id: 99 })), 404);
  await withFactor('ann');
  const token = await tokenOf('ann');
  assert.equal(
    (await sue.listAdmins({ tenant_id: 2 })).map(({ has_two_factor }) => has_two_factor),
    [true],
  );
  assert.equal(await sue.resetTwoFactor({ id: people.ann.id }), { ok: true });
  assert.is(await stillIn(token), false);
  assert.ok((await login('ann')).access_token);
  const entry = (
    await sql`select kind, object_id, admin_id, before, after from audit_log where call = 'resetTwoFactor'`
  )[0];
  assert.equal(
    { ...entry },
    {
      kind: 'admin',
      object_id: '2',
      admin_id: people.sue.id,
      before: { two_factor: true },
      after: { two_factor: false },
    },
  );
  assert.ok(guest);
});

test('each of these writes leaves exactly one entry, and no secret in any', async () => {
  const { api, secret, recovery_codes } = await enrol('ann');
  await forgetCodes();
  const { recovery_codes: renewed } = await api.renewRecoveryCodes({
    body: { password: PASSWORD, code: currentCode(secret) },
  });
  await api.turnOffTwoFactor({ body: { password: PASSWORD, code: renewed[0]! } });
  await api.changePassword({ body: { current_password: PASSWORD, new_password: NEW } });
  await tokenOf('ann');
  const later = await as('ann');
  await later.endOtherSessions();
  const { id } = (await later.listSessions())[0]!;
  await later.endSession({ id });
  await withFactor('ben');
  await (await as('sue')).resetTwoFactor({ id: people.ben.id });
  const entries = await sql`select * from audit_log order by id`,
    all = JSON.stringify(entries);
  assert.equal(
    entries.map(({ call }) => call),
    [
      'setUpTwoFactor',
      'confirmTwoFactor',
      'renewRecoveryCodes',
      'turnOffTwoFactor',
      'changePassword',
      'endOtherSessions',
      'endSession',
      'resetTwoFactor',
    ],
  );
  for (const kept of [secret, ...recovery_codes, ...renewed, NEW]) assert.not.ok(all.includes(kept));
});

test.run();
