/** Attacks that need no broken pipe: other sites, planted cookies, races with a revocation, names of code. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import type { CallSpec } from '../../src/contract/calls';
import { balanceKinds } from '../../src/contract/constants';
import { createApp } from '../../src/server/app';
import { hashPassword } from '../../src/server/auth/passwords';
import { sue } from '../callers';
import {
  db,
  fetch,
  hashOfPassword,
  overTls,
  PASSWORD,
  pam,
  people,
  reset,
  send,
  services,
  signIn,
  sql,
  tokenOf,
} from '../world';

test.before.each(reset);

test("another site's form can neither sign in nor redeem [ASVS 3.5.1, 3.5.2]", async () => {
  const { checkout } = await services.sessions.start(sql, people.ann.id, 'test');
  await sql`insert into players (tenant_id, email) values (2, ${people.ann.email})`;
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    undefined,
  ]) {
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
  const account = { id: people.ann.id, password_hash: hashOfPassword };
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
    await sql`update admins set password_hash = ${hashOfPassword}, is_active = true where id = ${people.ann.id}`;
  }
  assert.ok(await services.sessions.startWith(sql, account, 'test'));
});

test('a new password, disabling and logout end sessions, checkout cookies too [ASVS 7.4.1]', async () => {
  const redeem = (checkout: string) =>
    send('POST', calls.submitRedeem.path, {
      body: { platform_name: 'vblink', amount: '100' },
      headers: { Cookie: `checkout=${checkout}` },
    });
  const ways: [string, (token: string) => Promise<unknown>][] = [
    ['logout', (token) => send('POST', calls.logout.path, { token })],
    [
      'a new password',
      () => sue.updateAdmin({ id: people.ann.id, body: { email: people.ann.email, password: 'a new password' } }),
    ],
    ['disabling', () => sue.disableAdmin({ id: people.ann.id })],
  ];
  for (const [name, way] of ways) {
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
  await send('GET', `${calls.listPlayers.path}?__proto__[x]=1&constructor=1&sort_by=__proto__&hasOwnProperty=1`, {
    token,
  });
  await send('POST', '/api/v1/admin/payment-methods/2?payment_platform=__proto__', {
    token,
    body: '{"__proto__":"x"}',
  });
  await send('POST', '/api/v1/admin/payment-methods/2/__proto__/toggle', { token });
  await send('POST', '/api/v1/admin/payment-methods/2?payment_platform=apex', {
    token,
    body: '{"__proto__":"x","api_key":"k","secret_key":"s","merchant_id":"m"}',
  });
  assert.is(Reflect.get({}, 'x'), undefined);
  assert.is(Reflect.get({}, 'is_super_admin'), undefined);
  assert.is((await send('GET', calls.listTenants.path, { token: await tokenOf('ann') })).status, 403);
});

const injections = [
  "' or '1'='1",
  "'; drop table players; --",
  "\\'; select pg_sleep(5); --",
  '" or ""="',
  '$1',
  '${1}',
  "') union select password_hash from admins --",
  '%',
  '_',
  '\\',
];
test('SQL in any text is only text [ASVS 1.2.4]', async () => {
  const token = await tokenOf('ann');
  for (const text of injections) {
    const q = encodeURIComponent(text);
    const { users } = await (await send('GET', `${calls.listPlayers.path}?search=${q}`, { token })).json();
    assert.equal(users, [], text);
    assert.is((await send('GET', `${calls.listPlayers.path}?sort_by=${q}`, { token })).status, 422, text);
    assert.is((await send('GET', `${calls.listPlayers.path}?sort_order=${q}`, { token })).status, 422, text);
    assert.equal(await (await send('GET', `${calls.searchPlayers.path}?email=${q}${q}`, { token })).json(), [], text);
    assert.equal(
      await (
        await send(
          'GET',
          `${calls.getAffiliateStats.path}?affiliate_id=${q}&start_date=2020-01-01&end_date=2099-01-01`,
          { token },
        )
      ).json(),
      { total_players: 0, total_ggr: 0 },
    );
    const saved = await send('PUT', `/api/v1/users/${pam.id}`, {
      token,
      body: { email: pam.email, first_name: text, affiliate_id: text },
    });
    assert.is((await saved.json()).first_name, text);
    await send('PUT', `/api/v1/users/${pam.id}`, {
      token,
      body: { email: pam.email, first_name: 'Pam', affiliate_id: 'AFF1' },
    });
    for (const kind of balanceKinds)
      assert.is(
        (await send('POST', `/api/v1/admin/user/${pam.id}/update-balances`, { token, body: { [kind]: text } })).status,
        422,
      );
  }
  assert.is((await sql`select 1 from players`).length, 2);
});

test('no nesting and no regular expression slows the server down [ASVS 1.2.9]', async () => {
  const token = await tokenOf('sue');
  const long = 'a'.repeat(60_000);
  const attempts: [string, string, unknown?, Record<string, string>?][] = [
    ['POST', calls.login.path, { email: `${'a@'.repeat(120)}`, password: 'x' }],
    ['POST', calls.createAdmin.path, { email: `${long}@`, password: long, tenant_id: 2, role_id: 2 }],
    ['POST', calls.createTenant.path, `{"name":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`],
    ['POST', calls.createTenant.path, `[${'['.repeat(60_000)}`],
    [
      'GET',
      `${calls.getAffiliateStats.path}?affiliate_id=x&start_date=${'1'.repeat(5000)}&end_date=${'-'.repeat(5000)}`,
    ],
    ['GET', `${calls.listPlayers.path}?search=${'%20%25_'.repeat(33)}`],
    ['GET', calls.listTenants.path, undefined, { Authorization: `Bearer${' '.repeat(8000)}x y` }],
    [
      'GET',
      calls.listTenants.path,
      undefined,
      { 'If-None-Match': `${'W/"x",'.repeat(2000)}`, 'Accept-Encoding': 'gzip;q='.repeat(1000) },
    ],
    ['POST', calls.submitRedeem.path, {}, { Cookie: `${'checkout; '.repeat(1500)}=` }],
  ];
  for (const [method, url, body, headers] of attempts) {
    const started = performance.now();
    const { status } = await send(method, url, { token, body, ...(headers && { headers }) });
    const ms = performance.now() - started;
    assert.ok(status < 500 && ms < 10_000, `${method} ${url.slice(0, 60)}: ${status} in ${ms} ms`);
  }
});

test('the log never contains the input or line breaks from it [ASVS 16.4.1]', async () => {
  let logged = '';
  const log = pino(
    { level: 'trace' },
    new Writable({
      write: (part, _, done) => {
        logged += String(part);
        done();
      },
    }),
  );
  const server = createApp({ db, services, log, trustProxy: 0, corsOrigins: [] });
  const canary = 'canary\r\n{"level":60,"msg":"forged"}';
  const encoded = encodeURIComponent(canary);
  for (const { method, path } of Object.values(calls) as CallSpec[]) {
    await server.fetch(
      new Request(`http://test${path.replace(/\{\w+\}/g, encoded)}?search=${encoded}&email=${encoded}`, {
        method,
        headers: {
          'Content-Type': 'application/json',
          Authorization: 'Bearer canary',
          'User-Agent': 'canary',
          Referer: 'canary',
        },
        ...(method !== 'GET' &&
          method !== 'DELETE' && { body: JSON.stringify({ email: canary, password: canary, name: canary }) }),
      }),
    );
  }
  await sql`alter table tenants rename column description to gone`;
  try {
    const response = await server.fetch(
      new Request(`http://test${calls.createTenant.path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf('sue')}` },
        body: JSON.stringify({ name: 'canary', description: canary }),
      }),
    );
    assert.is(response.status, 500);
    assert.equal(Object.keys(await response.json()).sort(), ['code', 'detail', 'request_id']);
  } finally {
    await sql`alter table tenants rename column gone to description`;
  }
  const lines = logged.trim().split('\n');
  assert.ok(lines.length > Object.keys(calls).length && lines.some((line) => line.includes('unexpected error')));
  for (const line of lines) assert.is(typeof JSON.parse(line), 'object');
  assert.not.match(logged, /canary|forged/);
});

test('a log line has the account, the address and the refusal [ASVS 16.3.2]', async () => {
  let logged = '';
  const log = pino(
    new Writable({
      write: (part, _, done) => {
        logged += String(part);
        done();
      },
    }),
  );
  const server = createApp({ db, services, log, trustProxy: 1, corsOrigins: [] });
  const get = async (headers: Record<string, string>) =>
    server.fetch(
      new Request(`http://test${calls.listTenants.path}`, {
        headers: { 'X-Forwarded-For': '203.0.113.9', ...headers },
      }),
    );
  await get({ Authorization: `Bearer ${await tokenOf('ann')}` });
  await get({});
  const lines = logged
    .trim()
    .split('\n')
    .map((line) => {
      const { admin_id, address, status, path } = JSON.parse(line);
      return { admin_id, address, status, path };
    });
  const path = calls.listTenants.path.replace(/\/$/, '');
  assert.equal(lines, [
    { admin_id: people.ann.id, address: '203.0.113.9', status: 403, path },
    { admin_id: undefined, address: '203.0.113.9', status: 401, path },
  ]);
});

test('a page of another origin can read nothing [ASVS 3.4.2]', async () => {
  for (const origin of [
    'https://evil.example.test',
    'null',
    'https://app.example.test.evil.test',
    'http://app.example.test',
    'https://app.example.test:8443',
  ]) {
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
  const { stdout, status, stderr } = spawnSync('npm', ['run', '--silent', 'sbom'], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  assert.is(status, 0, stderr);
  const list: {
    bomFormat: string;
    components: { name: string; version: string; licenses?: unknown[]; hashes?: unknown[] }[];
  } = JSON.parse(stdout);
  assert.is(list.bomFormat, 'CycloneDX');
  const manifest: { dependencies: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    const found = list.components.find((component) => component.name === name || component.name === name.split('/')[1]);
    assert.is(found?.version, version, name);
    assert.ok(found?.licenses?.length && found.hashes?.length, name);
  }
});

test.run();
