/** Attacks that need no broken pipe: other sites, planted cookies, races with a revocation, names of code. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import type { CallSpec } from '../../src/contract/calls';
import { balanceKinds } from '../../src/contract/constants';
import { createApp } from '../../src/server/app';
import { hashPassword } from '../../src/server/auth/passwords';
import { isRefused, table } from '../answers';
import { ann, sue } from '../callers';
import { db, fetch, overTls, PASSWORD, pam, people, reset, send, services, signIn, sql, tokenOf } from '../world';

test.before.each(reset);

test("another site's form can neither sign in nor redeem [ASVS 3.5.1, 3.5.2]", async () => {
  const { checkout } = await services.sessions.start(sql, people.ann.id, 'test');
  await sql`insert into players (tenant_id, email) values (2, ${people.ann.email})`;
  const forms = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
  for (const type of [...forms, 'application/jsonx', undefined]) {
    const post = (path: string, body: object) =>
      fetch(path, {
        method: 'POST',
        headers: { ...(type && { 'Content-Type': type }), Cookie: `checkout=${checkout}` },
        body: new TextEncoder().encode(JSON.stringify(body)),
      });
    assert.is((await post(calls.submitRedeem.path, { platform_name: 'vblink', amount: '100' })).status, 422, type);
    assert.is((await post(calls.login.path, { email: people.ann.email, password: PASSWORD })).status, 422, type);
  }
  const ours = await send('POST', calls.submitRedeem.path, {
    body: { platform_name: 'vblink', amount: '100' },
    headers: { Cookie: `checkout=${checkout}`, 'Content-Type': 'application/json; charset=utf-8' },
  });
  assert.not.ok([403, 422].includes(ours.status), String(ours.status));
});

test('over TLS a cookie without the prefix, which anybody on the network can plant, is ignored', async () => {
  const { checkout } = await services.sessions.start(sql, people.ann.id, 'test');
  const redeem = async (cookie: string) => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: cookie },
      body: JSON.stringify({ platform_name: 'vblink', amount: '100' }),
    };
    return (await fetch(calls.submitRedeem.path, init, overTls)).status;
  };
  assert.is(await redeem(`checkout=${checkout}`), 403);
  assert.is(await redeem(`checkout=${checkout}; __Secure-checkout=made-up`), 403);
  assert.is(await redeem(`checkout=planted; __Secure-checkout=${checkout}`), 400, 'known, but no player');
});

test('a sign-in gets no session if the password changes or the account is disabled while it runs', async () => {
  const account = await sql<{ id: number; password_hash: string }[]>`
    select id, password_hash from admins where id = ${people.ann.id}`.one();
  for (const change of [sql`password_hash = ${await hashPassword('another one')}`, sql`is_active = false`]) {
    let started: Promise<unknown> | undefined;
    await db.tx(async (tx) => {
      await tx`update admins set ${change} where id = ${people.ann.id}`;
      await tx`delete from sessions where admin_id = ${people.ann.id}`;
      // The old password was right a moment ago. This waits for the lock.
      started = services.sessions.startWith(sql, account, 'test');
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
    assert.is(await started, null);
    assert.is((await sql`select 1 from sessions`).length, 0);
    await sql`update admins set ${sql({ ...account, is_active: true })} where id = ${people.ann.id}`;
  }
  assert.ok(await services.sessions.startWith(sql, account, 'test'));
});

test('a new password, disabling and logout end sessions, checkout cookies too [ASVS 7.4.1]', async () => {
  const redeem = (checkout: string) =>
    send('POST', calls.submitRedeem.path, {
      body: { platform_name: 'vblink', amount: '100' },
      headers: { Cookie: `checkout=${checkout}` },
    });
  const { id, email } = people.ann;
  const ways: Record<string, (token: string) => Promise<unknown>> = {
    logout: (token) => send('POST', calls.logout.path, { token }),
    'a new password': () => sue.updateAdmin({ id, body: { email, password: 'a new password' } }),
    disabling: () => sue.disableAdmin({ id }),
  };
  for (const [name, way] of Object.entries(ways)) {
    const { token, checkout } = await services.sessions.start(sql, people.ann.id, 'test');
    assert.is((await send('GET', calls.listRedeems.path, { token })).status, 200);
    assert.is((await redeem(checkout)).status, 400);
    await way(token);
    assert.is((await send('GET', calls.listRedeems.path, { token })).status, 401, name);
    assert.is((await redeem(checkout)).status, 403, name);
  }
});

test('names such as __proto__ in bodies, queries and paths have no effect [ASVS 1.5.2, 15.3.6]', async () => {
  const token = await tokenOf('sue');
  const evil =
    '{"__proto__":{"is_super_admin":true,"status":500},"constructor":{"prototype":{"x":1}},' +
    '"name":"Delta","toString":"x"}';
  assert.is((await send('POST', calls.createTenant.path, { token, body: evil })).status, 200);
  const query = '__proto__[x]=1&constructor=1&sort_by=__proto__&hasOwnProperty=1',
    methods = '/api/v1/admin/payment-methods/2',
    apex = '{"__proto__":"x","api_key":"k","secret_key":"s","merchant_id":"m"}';
  await send('GET', `${calls.listPlayers.path}?${query}`, { token });
  await send('POST', `${methods}?payment_platform=__proto__`, { token, body: '{"__proto__":"x"}' });
  await send('POST', `${methods}/__proto__/toggle`, { token });
  await send('POST', `${methods}?payment_platform=apex`, { token, body: apex });
  assert.is(Reflect.get({}, 'x'), undefined);
  assert.is(Reflect.get({}, 'is_super_admin'), undefined);
  assert.is((await send('GET', calls.listTenants.path, { token: await tokenOf('ann') })).status, 403);
});

const injections = [
  ...["' or '1'='1", "'; drop table players; --", "\\'; select pg_sleep(5); --", '" or ""="', '$1', '${1}'],
  ...["') union select password_hash from admins --", '%', '_', '\\'],
];
test('SQL in any text is only text [ASVS 1.2.4]', async () => {
  const ever = { start_date: '2020-01-01', end_date: '2099-01-01' };
  for (const text of injections) {
    assert.equal((await ann.listPlayers({ search: text })).users, [], text);
    for (const name of ['sort_by', 'sort_order'])
      await isRefused(ann.listPlayers({ [name]: text }), 422, undefined, text);
    assert.equal(await ann.searchPlayers({ email: text + text }), [], text);
    assert.equal(await ann.getAffiliateStats({ ...ever, affiliate_id: text }), { total_players: 0, total_ggr: 0 });
    const body = { email: pam.email, first_name: text, affiliate_id: text };
    assert.is((await ann.updatePlayer({ id: pam.id, body })).first_name, text);
    await ann.updatePlayer({ id: pam.id, body: { email: pam.email, first_name: 'Pam', affiliate_id: 'AFF1' } });
    for (const kind of balanceKinds) await isRefused(ann.adjustBalances({ id: pam.id, body: { [kind]: text } }), 422);
  }
  assert.is((await sql`select 1 from players`).length, 2);
});

test('no nesting and no regular expression slows the server down [ASVS 1.2.9]', async () => {
  const token = await tokenOf('sue');
  const long = 'a'.repeat(60_000);
  const range = `start_date=${'1'.repeat(5000)}&end_date=${'-'.repeat(5000)}`,
    read = { 'If-None-Match': `${'W/"x",'.repeat(2000)}`, 'Accept-Encoding': 'gzip;q='.repeat(1000) };
  const attempts: [string, string, unknown?, Record<string, string>?][] = [
    ['POST', calls.login.path, { email: `${'a@'.repeat(120)}`, password: 'x' }],
    ['POST', calls.createAdmin.path, { email: `${long}@`, password: long, tenant_id: 2, role_id: 2 }],
    ['POST', calls.createTenant.path, `{"name":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`],
    ['POST', calls.createTenant.path, `[${'['.repeat(60_000)}`],
    ['GET', `${calls.getAffiliateStats.path}?affiliate_id=x&${range}`],
    ['GET', `${calls.listPlayers.path}?search=${'%20%25_'.repeat(33)}`],
    ['GET', calls.listTenants.path, undefined, { Authorization: `Bearer${' '.repeat(8000)}x y` }],
    ['GET', calls.listTenants.path, undefined, read],
    ['POST', calls.submitRedeem.path, {}, { Cookie: `${'checkout; '.repeat(1500)}=` }],
  ];
  for (const [method, url, body, headers] of attempts) {
    const started = performance.now();
    const { status } = await send(method, url, { token, body, ...(headers && { headers }) });
    const ms = performance.now() - started;
    assert.ok(status < 500 && ms < 10_000, `${method} ${url.slice(0, 60)}: ${status} in ${ms} ms`);
  }
});

/** A server that logs everything, and its log so far. */
function logging(trustProxy = 0) {
  let logged = '';
  const log = pino({ level: 'trace' }, { write: (part: string) => void (logged += part) });
  return { server: createApp({ db, services, log, trustProxy, corsOrigins: [] }), logged: () => logged };
}

test('the log never contains the input or line breaks from it [ASVS 16.4.1]', async () => {
  const { server, logged } = logging();
  const canary = 'canary\r\n{"level":60,"msg":"forged"}',
    json = { 'Content-Type': 'application/json' };
  const encoded = encodeURIComponent(canary);
  for (const { method, path } of Object.values(calls) as CallSpec[]) {
    const url = `http://test${path.replace(/\{\w+\}/g, encoded)}?search=${encoded}&email=${encoded}`;
    const headers = { ...json, Authorization: 'Bearer canary', 'User-Agent': 'canary', Referer: 'canary' };
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const body = hasBody ? JSON.stringify({ email: canary, password: canary, name: canary }) : null;
    await server.fetch(new Request(url, { method, headers, body }));
  }
  await sql`alter table tenants rename column description to gone`;
  try {
    const headers = { ...json, Authorization: `Bearer ${await tokenOf('sue')}` };
    const body = JSON.stringify({ name: 'canary', description: canary });
    const created = new Request(`http://test${calls.createTenant.path}`, { method: 'POST', headers, body });
    const response = await server.fetch(created);
    assert.is(response.status, 500);
    assert.equal(Object.keys(await response.json()).sort(), ['code', 'detail', 'request_id']);
  } finally {
    await sql`alter table tenants rename column gone to description`;
  }
  const lines = logged().trim().split('\n');
  assert.ok(lines.length > Object.keys(calls).length && lines.some((line) => line.includes('unexpected error')));
  for (const line of lines) assert.is(typeof JSON.parse(line), 'object');
  assert.not.match(logged(), /canary|forged/);
});

test('a log line has the account, the address and the refusal [ASVS 16.3.2]', async () => {
  const { server, logged } = logging(1);
  const address = '203.0.113.9';
  for (const by of [`Bearer ${await tokenOf('ann')}`, '']) {
    const headers = { 'X-Forwarded-For': address, ...(by && { Authorization: by }) };
    await server.fetch(new Request(`http://test${calls.listTenants.path}`, { headers }));
  }
  const path = calls.listTenants.path.replace(/\/$/, '');
  const entries: Record<string, unknown>[] = JSON.parse(`[${logged().trim().split('\n').join()}]`);
  assert.equal(table(entries, 'admin_id', 'address', 'status', 'path'), [
    [people.ann.id, address, 403, path],
    [undefined, address, 401, path],
  ]);
});

test('a page of another origin can read nothing [ASVS 3.4.2]', async () => {
  const alike = ['https://app.example.test.evil.test', 'http://app.example.test', 'https://app.example.test:8443'];
  for (const origin of ['https://evil.example.test', 'null', ...alike]) {
    for (const path of [calls.listTenants.path, calls.listPlatformNames.path, '/api/openapi.json']) {
      const { headers } = await send('GET', path, { headers: { Origin: origin } });
      assert.is(headers.get('Access-Control-Allow-Origin'), null, origin);
      assert.match(headers.get('Vary') ?? '', /Origin/);
    }
  }
});

test('sessions cannot be exchanged, and no two secrets are equal [ASVS 7.2.3]', async () => {
  const tokens = new Set<string>();
  for (let n = 0; n < 50; n++) {
    const { token, checkout } = await services.sessions.start(sql, people.ann.id, 'test');
    for (const secret of [token, checkout]) {
      assert.is(Buffer.from(secret, 'base64url').length, 32);
      tokens.add(secret);
    }
  }
  assert.is(tokens.size, 100);
  assert.is.not((await signIn('ann')).access_token, (await signIn('ann')).access_token);
});

test('the list of components has every package with its version, license and checksum [ASVS 15.1.2]', () => {
  const options = { encoding: 'utf8', maxBuffer: 1e8 } as const;
  const { stdout, status, stderr } = spawnSync('npm', ['run', '--silent', 'sbom'], options);
  assert.is(status, 0, stderr);
  const list = JSON.parse(stdout);
  assert.is(list.bomFormat, 'CycloneDX');
  const manifest: { dependencies: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    const found = list.components.find((one: { name: string }) => [name, name.split('/')[1]].includes(one.name));
    assert.is(found?.version, version, name);
    assert.ok(found?.licenses?.length && found.hashes?.length, name);
  }
});

test.run();
