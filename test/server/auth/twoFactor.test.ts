/** Two-factor sign-in: the code comes after the right password only, works once, and guesses are limited. */
import { Secret } from 'otpauth';
import { pino } from 'pino';
import { encode } from 'uqr';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { createApp } from '../../../src/server/app';
import { RateLimits } from '../../../src/server/auth/rateLimits';
import { Sessions } from '../../../src/server/auth/sessions';
import { buildTwoFactorSetup, CODE_ASKED, CODE_WRONG, findTimeStep } from '../../../src/server/auth/twoFactor';
import { isRefused, pluck, statusOf } from '../../answers';
import { from, stillIn, sue } from '../../callers';
import { currentCode, login, loginToTenant, RECOVERY_CODE, SECOND_RECOVERY_CODE, withFactor } from '../../twoFactor';
import { db, PASSWORD, people, refusal, reset, send, services, signIn, sql, tokenOf, whileHeld } from '../../world';

const asked = { status: 401, detail: CODE_ASKED },
  wrong = { status: 401, detail: CODE_WRONG };
const wireLogin = (body: object) =>
  send('POST', calls.login.path, { body: { email: people.ann.email, password: PASSWORD, ...body } });

test.before.each(reset);

test('the codes of RFC 6238 are accepted, each in its time step [ASVS 6.5.5]', () => {
  const secret = Secret.fromLatin1('12345678901234567890').base32;
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const) {
    const other = code.replace(/.$/, (last) => String((Number(last) + 1) % 10));
    assert.is(findTimeStep(secret, code, seconds * 1000), Math.floor(seconds / 30), code);
    assert.is(findTimeStep(secret, other, seconds * 1000), null);
  }
});

test('a code is accepted in its own time step and in the next one, not before and not later', () => {
  const secret = Secret.fromLatin1('12345678901234567890').base32,
    of = 59_000;
  const steps = [-60_000, -30_000, 0, 30_000, 60_000].map((drift) => findTimeStep(secret, '287082', of + drift));
  assert.equal(steps, [null, null, 1, 1, null]);
  for (const code of ['28708', '2870820', 'abcdef', '', ' 287082', '２８７０８２'])
    assert.is(findTimeStep(secret, code, of), null, code);
});

test('what an authenticator app is given says whose it is, and is drawn as squares', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const { uri, qr } = buildTwoFactorSetup(secret, people.ann.email);
  const { protocol, pathname, searchParams } = new URL(uri);
  assert.equal([protocol, decodeURIComponent(pathname)], ['otpauth:', '/Gaming Management:ann@acme.test']);
  const parameters = { issuer: 'Gaming Management', secret, algorithm: 'SHA1', digits: '6', period: '30' };
  assert.equal(Object.fromEntries(searchParams), parameters);
  assert.match(qr.path, /^(M\d+ \d+\.5h\d+)+$/);
  // The strokes are the very squares of the code, behind a quiet edge of four.
  const drawn = Array.from({ length: qr.size }, () => Array.from({ length: qr.size }, () => false));
  for (const [, x, y, run] of qr.path.matchAll(/M(\d+) (\d+)\.5h(\d+)/g))
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(run));
  assert.equal(drawn, encode(uri, { ecc: 'M', border: 4 }).data);
  assert.ok(qr.path.startsWith('M4 4.5h7'));
});

test('without a second factor nothing changes, and a code that nobody asked for is overlooked', async () => {
  const answer = await signIn('ann');
  assert.equal(Object.keys(answer).sort(), ['access_token', 'features', 'user']);
  assert.not.ok(answer.features?.includes('two_factor_setup'));
  assert.ok((await login('ann', '123456')).access_token);
});

test('the code is asked for only after the right password [ASVS 6.3.3]', async () => {
  await withFactor('ann');
  const response = await wireLogin({});
  assert.is(response.status, 401);
  const { detail, code } = await response.json();
  assert.equal([detail, code], [CODE_ASKED, 'second_factor']);
  assert.equal(await refusal(loginToTenant('ann')), asked);
  const password = 'wrong',
    code6 = { code: '123456' };
  for (const body of [{ password }, { password, ...code6 }, { email: 'nobody@acme.test', ...code6 }]) {
    const other = await wireLogin(body);
    assert.equal([other.status, (await other.json()).code], [401, 'not_signed_in']);
  }
  await sql`update admins set is_active = false where id = ${people.ann.id}`;
  assert.is((await (await wireLogin({})).json()).code, 'not_signed_in');
});

test('with the code of the moment one is in, typed with a blank within or not', async () => {
  const secret = await withFactor('ann');
  assert.ok(await stillIn((await login('ann', currentCode(secret))).access_token));
  const ofBen = currentCode(await withFactor('ben')).replace(/^.../, '$& ');
  assert.ok((await login('ben', ` ${ofBen} `)).access_token);
});

test('a code is taken once, and one of an earlier time step not after it', async () => {
  const secret = await withFactor('ann'),
    now = currentCode(secret),
    before = currentCode(secret, -1);
  assert.equal(await refusal(login('ann', currentCode(secret, 2))), wrong, 'not shown yet');
  await login('ann', now);
  assert.equal(await refusal(login('ann', now)), wrong);
  assert.equal(await refusal(login('ann', before)), wrong);
  const ofBen = currentCode(await withFactor('ben'));
  for (const code of ['000000', 'x', '1111222233334444', '12345', ofBen])
    assert.equal(await refusal(login('ann', code)), wrong);
});

test('of twenty simultaneous sign-ins with one code exactly one succeeds, also on several servers', async () => {
  const secret = await withFactor('ann');
  for (const code of [currentCode(secret), RECOVERY_CODE]) {
    const log = pino({ level: 'silent' });
    const servers = [1, 2, 3, 4].map(() => {
      const own = { ...services, rateLimits: new RateLimits(sql, services.secrets) };
      return createApp({ db, services: own, log, trustProxy: 1, corsOrigins: [] });
    });
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const body = JSON.stringify({ email: people.ann.email, password: PASSWORD, code });
        const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': `10.0.0.${n}` };
        const request = new Request(`http://test${calls.login.path}`, { method: 'POST', headers, body });
        return (await servers[n % 4]!.fetch(request)).status;
      }),
    );
    assert.equal(statuses.filter((status) => status !== 401).join(), '200', code);
  }
});

test('the two logins of one sign-in use one code, and it cannot be used a third time [ASVS 6.5.1]', async () => {
  const secret = await withFactor('ann');
  for (const code of [currentCode(secret), RECOVERY_CODE]) {
    const first = await login('ann', code),
      second = await loginToTenant('ann', code);
    assert.equal([await stillIn(first.access_token), await stillIn(second.access_token)], [false, true]);
    for (const again of [() => loginToTenant('ann', code), () => login('ann', code)])
      assert.equal(await refusal(again()), wrong);
    assert.ok(await stillIn(second.access_token));
  }
});

test('the second of the two logins is for the same address and code, before the first session is used', async () => {
  const secret = await withFactor('ann'),
    before = currentCode(secret, -1),
    code = currentCode(secret);
  await login('ann', code);
  if (before !== code) assert.equal(await refusal(loginToTenant('ann', before)), wrong);
  await sql`update sessions set address = '10.0.0.1'`;
  assert.equal(await refusal(loginToTenant('ann', code)), wrong);
  await sql`
    update sessions set address = 'unknown',
      created_at = (created_at at time zone 'UTC' - interval '61 seconds') at time zone 'UTC'`;
  assert.equal(await refusal(loginToTenant('ann', code)), wrong);

  await reset();
  const fresh = currentCode(await withFactor('ann')),
    { access_token } = await login('ann', fresh);
  assert.ok(await stillIn(access_token));
  assert.equal(await refusal(loginToTenant('ann', fresh)), wrong);
  assert.ok(await stillIn(access_token));
});

test('the entry of a sign-in says which second factor was used', async () => {
  const secret = await withFactor('ann');
  for (const code of [currentCode(secret), RECOVERY_CODE]) await login('ann', code);
  await loginToTenant('ann', SECOND_RECOVERY_CODE);
  await login('ben');
  const wanted = ['code', 'recovery code', 'recovery code', 'none'].map((factor) => ({ signed_in: true, factor }));
  assert.equal(pluck(await sql`select after from audit_log where kind = 'sign-in' order by id`, 'after'), wanted);
});

test('a recovery code lets in once, however it is grouped', async () => {
  await withFactor('ann');
  assert.ok((await login('ann', RECOVERY_CODE.replaceAll('-', ' '))).access_token);
  assert.equal(await refusal(login('ann', RECOVERY_CODE)), wrong);
  assert.ok((await login('ann', SECOND_RECOVERY_CODE.replaceAll('-', ''))).access_token);
  assert.is((await sql`select 1 from recovery_codes`).length, 0);
});

test('after too many wrong codes even the right one gets 429, and a new password prompt resets nothing', async () => {
  const secret = await withFactor('ann');
  for (let guess = 0; guess < 9; guess++) {
    assert.is((await wireLogin({ code: '000000' })).status, 401);
    if (guess < 8) assert.equal(await refusal(login('ann')), asked);
  }
  const response = await wireLogin({ code: currentCode(secret) });
  assert.is(response.status, 429);
  assert.ok(Number(response.headers.get('retry-after')) > 60);
  await isRefused(login('ann'), 429);
});

test('a right password without its code is counted too, and the owner elsewhere is not kept out', async () => {
  const secret = await withFactor('ann');
  for (let n = 0; n < 25; n++) assert.is((await wireLogin({})).status, n < 21 ? 401 : 429, String(n));
  assert.is((await sql`select 1 from audit_log where call = 'login'`).length, 21, 'the log does not grow without end');
  await isRefused(loginToTenant('ann'), 429);
  assert.is((await signIn('ben')).user.tenant_id, 3);
  assert.ok((await login('ann', currentCode(secret))).access_token, 'with the code one is in');
  assert.is((await wireLogin({})).status, 401, 'which starts the count again');

  // From many addresses: not where nobody knows the owner, still where they signed in before.
  await services.sessions.remember(sql, people.ann.id, '10.1.0.1');
  const ask = (address: string) =>
    statusOf(from(address).login({ body: { email: people.ann.email, password: PASSWORD } }));
  const statuses = [];
  for (let n = 0; n < 62; n++) statuses.push(await ask(`10.9.0.${n}`));
  assert.is(statuses.at(-1), 429);
  assert.is(await ask('10.1.0.1'), 401);
});

test('a sign-in that is under way while a second factor is turned on ends without a session', async () => {
  const [row] = await sql<{ password_hash: string }[]>`select password_hash from admins where id = ${people.ann.id}`;
  const account = { id: people.ann.id, password_hash: row!.password_hash };
  // A moment ago no code was required.
  const started = await whileHeld(
    (tx) => tx`select 1 from admins where id = ${people.ann.id} for update`,
    () => db.tx((other) => services.sessions.startWith(other, account, 'test')),
    (tx) => tx`
      insert into two_factor (admin_id, secret, confirmed_at, recovery_salt)
      values (${people.ann.id}, 'x', now(), '')`,
  );
  assert.is(started, null);
  assert.ok(await services.sessions.startWith(sql, { ...account, has_two_factor: true }, 'test'));
  await sql`delete from two_factor`;
  assert.is(await services.sessions.startWith(sql, { ...account, has_two_factor: true }, 'test'), null);
});

test('where a tenant requires it, its admins reach only their account until it is set up [ASVS 6.3.3]', async () => {
  const [ann, oli, ben] = [await tokenOf('ann'), await tokenOf('oli'), await tokenOf('ben')];
  await withFactor('oli');
  await sue.updateTenant({ id: 2, body: { name: 'Acme', require_two_factor: true } });
  const me = (token: string) => send('GET', calls.getAccount.path, { token }).then(({ status }) => status);
  const statuses = await Promise.all([ann, oli, ben].map(me));
  assert.equal(statuses, [401, 403, 200], 'the sessions of who has none have ended at once');

  const { access_token: token, features } = await signIn('ann');
  assert.equal(features, ['logout', 'account', 'two_factor_setup']);
  const response = await send('GET', calls.listPlayers.path, { token });
  assert.is(response.status, 403);
  const { detail, code } = await response.json();
  assert.equal([detail, code], ['Set up two-factor sign-in first', 'second_factor_setup']);
  assert.is(await me(token), 200);
  assert.not.ok((await signIn('ben')).features?.includes('two_factor_setup'));
  await sue.updateTenant({ id: 2, body: { name: 'Acme', require_two_factor: false } });
  assert.ok(await stillIn(token));
});

test('the checkout cookie of a session that must set it up redeems nothing', async () => {
  const { checkout } = await services.sessions.start(sql, people.ann.id, 'test');
  await sql`update tenants set require_two_factor = true where id = 2`;
  const response = await send('POST', calls.submitRedeem.path, {
    body: { platform_name: 'vblink', amount: '100' },
    headers: { Cookie: `checkout=${checkout}` },
  });
  assert.equal([response.status, (await response.json()).code], [403, 'second_factor_setup']);
});

test('a setting requires it of super admins', async () => {
  const words = 'For super admins use the REQUIRE_TWO_FACTOR setting';
  await isRefused(sue.updateTenant({ id: 1, body: { name: 'Platform', require_two_factor: true } }), 400, words);
  services.sessions = new Sessions({ idleMinutes: 30, hours: 12, requireTwoFactor: true });
  const get = async (path: string, token: string) => (await send('GET', path, { token })).status;
  const [ofSue, ofAnn] = [await tokenOf('sue'), await tokenOf('ann')];
  assert.is(await get(calls.listTenants.path, ofSue), 403);
  assert.equal([await get(calls.getAccount.path, ofSue), await get(calls.listRedeems.path, ofAnn)], [200, 200]);
  await services.sessions.endWithoutTwoFactor(sql);
  assert.equal([await get(calls.getAccount.path, ofSue), await get(calls.listRedeems.path, ofAnn)], [401, 200]);
  await withFactor('sue');
  assert.is(await get(calls.listTenants.path, await tokenOf('sue')), 200);
});

test('secrets are encrypted and bound to their account, and recovery codes are hashed [ASVS 6.5.2]', async () => {
  const secret = await withFactor('ann');
  const stored = JSON.stringify([
    await sql`select * from two_factor`,
    await sql`select encode(code_hash, 'escape') as text, encode(code_hash, 'hex') as hex from recovery_codes`,
  ]);
  const plain = RECOVERY_CODE.replaceAll('-', '');
  for (const known of [secret, RECOVERY_CODE, plain, Buffer.from(plain).toString('hex')])
    assert.not.ok(stored.includes(known));
  await sql`
    insert into two_factor (admin_id, secret, confirmed_at, recovery_salt)
    select ${people.ben.id}, secret, now(), recovery_salt from two_factor`;
  await isRefused(login('ben', currentCode(secret)), 500);
});

test.run();
