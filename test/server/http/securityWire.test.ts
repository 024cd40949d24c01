/** What stands in front of the app: the socket, the proxy headers, and answers given before the app is asked. */
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { createApp } from '../../../src/server/app';
import { limitRefusals, type Refusal } from '../../../src/server/http/connectionLimits';
import { type Answer, listen } from '../../../src/server/http/listen';
import { db, PASSWORD, people, reset, services, sql, tokenOf } from '../../world';

const strict = [
  ...['content-security-policy', 'x-content-type-options', 'x-frame-options', 'referrer-policy'],
  ...['strict-transport-security', 'cross-origin-opener-policy', 'permissions-policy'],
];
const silent = pino({ level: 'silent' });
const newServer = (trustProxy = 0) =>
  createApp({ db, services, log: silent, trustProxy, corsOrigins: ['https://app.example.test'] });
let answer: Answer = () => new Response('');
let refusals: Refusal[] = [];
const listener = await listen('127.0.0.1', 0, (request, env) => answer(request, env), {
  onRefused: (refusal) => refusals.push(refusal),
});
test.after(() => listener.close(0));
test.before.each(async () => {
  await reset();
  answer = newServer().fetch;
});

/** Sends bytes as they are, and reads until the server has nothing more to say. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(new URL(listener.address).port), '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket
      .setEncoding('latin1')
      .on('data', (part: string) => void (text += part))
      .on('close', () => resolve(text))
      .on('error', reject);
  });
}
const parseStatus = (text: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
const parseHeaders = (text: string): string[] =>
  (text.split('\r\n\r\n')[0] ?? '')
    .toLowerCase()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(':')[0] ?? '');

function hasHeaders(text: string): void {
  const missing = strict.filter((header) => !parseHeaders(text).includes(header));
  assert.equal(missing, []);
}

const end = 'Connection: close\r\n\r\n';
const post = `POST ${calls.login.path} HTTP/1.1\r\nHost: x\r\n`;
const bad: [name: string, bytes: string, status: number][] = [
  ['bytes that are no request', 'hello\r\n\r\n', 400],
  ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400],
  ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`, 400],
  ['a length and chunks', `${post}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ['no host', `GET /healthz HTTP/1.1\r\n${end}`, 400],
  ['a host that is none', `GET /healthz HTTP/1.1\r\nHost: a b/<script>\r\n${end}`, 400],
  ['an expectation it cannot meet', `GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n${end}`, 417],
];
for (const [name, bytes, status] of bad) {
  test(`${name}: ${status}, with the security headers [ASVS 4.2.1]`, async () => {
    const text = await raw(bytes);
    assert.is(parseStatus(text), status, text.slice(0, 200));
    hasHeaders(text);
    assert.not.match(text, /script>|xxxx|miracles/);
  });
}

test('a request that never reaches the app has one line in the log, with its address and its status', async () => {
  const cases = [
    ...bad,
    ['everything', `OPTIONS * HTTP/1.1\r\nHost: x\r\n${end}`, 400] as const,
    ['a tunnel', 'CONNECT db.internal:5432 HTTP/1.1\r\nHost: db.internal:5432\r\n\r\n', 0] as const,
  ];
  for (const [name, bytes, status] of cases) {
    refusals = [];
    await raw(bytes);
    await setImmediate();
    assert.equal(refusals, [{ address: '127.0.0.1', status }], name);
  }
  refusals = [];
  await raw(`GET /none HTTP/1.1\r\nHost: x\r\n${end}`);
  assert.equal(refusals, [], 'the app has its own line');
});

test('of many such requests sixty a minute are in the log, and how many were left out', () => {
  const logged: Refusal[] = [];
  let now = 0;
  const refused = limitRefusals(
    (refusal) => logged.push(refusal),
    () => now,
  );
  for (let n = 0; n < 1_000; n++) refused({ remoteAddress: '192.0.2.1' }, 400);
  assert.is(logged.length, 60);
  now = 60_000;
  refused({ remoteAddress: '192.0.2.2' }, 431);
  refused({ remoteAddress: '192.0.2.3' }, 400);
  assert.equal(logged.slice(60), [
    { address: '192.0.2.2', status: 431, not_logged: 940 },
    { address: '192.0.2.3', status: 400 },
  ]);
});

test('each security header is sent exactly once, also on errors [ASVS 3.4.1, 3.4.4, 3.4.5, 3.4.6]', async () => {
  const login = `POST ${calls.login.path}`;
  for (const [line, headers, status] of [
    ['GET /healthz', '', 200],
    ['GET /api/docs', '', 200],
    ['GET /none', '', 404],
    ['GET /api/v1/none', '', 404],
    [`GET ${calls.listTenants.path}`, '', 401],
    [`GET ${calls.listTenants.path}`, `Authorization: Bearer ${await tokenOf('sue')}\r\n`, 200],
    [`GET ${calls.listTenants.path}`, `Authorization: Bearer ${await tokenOf('ann')}\r\n`, 403],
    [`PATCH ${calls.listTenants.path}`, '', 405],
    [login, 'Content-Length: 0\r\n', 422],
    [login, 'Content-Length: 70000\r\n', 413],
  ] as const) {
    const text = await raw(`${line} HTTP/1.1\r\nHost: x\r\n${headers}${end}`),
      names = parseHeaders(text);
    assert.is(parseStatus(text), status, line);
    for (const header of strict) assert.is(names.filter((name) => name === header).length, 1, `${header} of ${line}`);
  }
});

test('answers while the server is starting have them too', async () => {
  answer = () => Response.json({ detail: 'The server is starting' }, { status: 503 });
  hasHeaders(await raw(`GET / HTTP/1.1\r\nHost: x\r\n${end}`));
});

test('no answer reveals the software of the server [ASVS 13.4.6]', async () => {
  const text = await raw(`GET /healthz HTTP/1.1\r\nHost: x\r\n${end}`);
  assert.not.match(text, /^(server|x-powered-by|via):/im);
});

test('line breaks in the input never become headers of the answer [ASVS 1.2.1]', async () => {
  for (const path of [
    '/%0d%0aX-Evil:%201',
    '/api/v1/platforms/all?x=%0d%0aX-Evil:%201',
    '/api/v1/admin/payment-methods/2/%0d%0aX-Evil:1/toggle',
    '//evil.example.test/%2e%2e',
  ]) {
    const text = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nOrigin: https://app.example.test\r\n${end}`);
    assert.not.ok(parseHeaders(text).includes('x-evil'), path);
    assert.not.match(text, /^location: *(\/\/|http)/im, path);
  }
});

/** The addresses of the sessions that a sign-in with these headers makes. */
async function addressSeen(trust: number, headers: Record<string, string>): Promise<string | undefined> {
  await sql`delete from sessions`;
  answer = newServer(trust).fetch;
  await fetch(listener.address.replace(/\/$/, '') + calls.login.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ email: people.ann.email, password: PASSWORD }),
  });
  const [session] = await sql<{ address: string }[]>`select address from sessions`;
  return session?.address;
}

test('forwarded headers are ignored unless a proxy is trusted; then only what it wrote is read', async () => {
  const names = ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'True-Client-IP'],
    spoofed = { Forwarded: 'for=203.0.113.9', ...Object.fromEntries(names.map((name) => [name, '203.0.113.9'])) };
  assert.is(await addressSeen(0, spoofed), '127.0.0.1');
  assert.is(await addressSeen(1, { 'X-Forwarded-For': '198.51.100.1, 203.0.113.9' }), '203.0.113.9');
  assert.is(await addressSeen(2, { 'X-Forwarded-For': '198.51.100.1, 203.0.113.9, 192.0.2.1' }), '203.0.113.9');
  assert.is(await addressSeen(1, { 'X-Forwarded-For': '[2001:db8::1]:443' }), '2001:db8::1');
  assert.is(await addressSeen(1, { 'X-Forwarded-For': '203.0.113.9:5000' }), '203.0.113.9');
  for (const nonsense of ['', 'unknown', '<script>', `${'1'.repeat(3000)}`, "1'; drop table sessions --"])
    assert.is(await addressSeen(1, { 'X-Forwarded-For': nonsense }), '127.0.0.1');
});

/** Whether a sign-in with such a request counts as one over TLS, by the cookie that it sets. */
async function countsAsTls(trust: number, forwarded: string, origin = ''): Promise<boolean> {
  answer = newServer(trust).fetch;
  const body = JSON.stringify({ email: people.ann.email, password: PASSWORD });
  const heads = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`,
    proto = forwarded && `X-Forwarded-Proto: ${forwarded}\r\n`;
  const text = await raw(`POST ${origin}${calls.login.path} HTTP/1.1\r\nHost: x\r\n${heads}${proto}${end}${body}`);
  assert.is(parseStatus(text), 200);
  const cookie = /^set-cookie: (.*)$/im.exec(text)?.[1] ?? '';
  assert.match(cookie, /^(__Secure-)?checkout=/);
  assert.is(/; Secure$/.test(cookie), cookie.startsWith('__Secure-'));
  return cookie.startsWith('__Secure-');
}

test('a header alone does not make a request count as TLS unless a proxy is trusted', async () => {
  assert.is(await countsAsTls(0, 'https'), false);
  assert.is(await countsAsTls(1, 'https'), true);
});

test('what a client writes into X-Forwarded-Proto or the request line does not make a request count as TLS', async () => {
  assert.is(await countsAsTls(0, '', 'https://127.0.0.1'), false, 'the address in the request line');
  assert.is(await countsAsTls(1, '', 'https://127.0.0.1'), false);
  assert.is(await countsAsTls(1, 'https, http'), false, 'the proxy wrote the last value');
  assert.is(await countsAsTls(1, 'http, https'), true);
  assert.is(await countsAsTls(2, 'https, http, https'), false, 'two proxies wrote the last two');
  assert.is(await countsAsTls(2, 'http, https, http'), true);
  assert.is(await countsAsTls(2, 'https'), true, 'one proxy replaced what the other wrote');
});

test('a client that sends a whole body before it reads gets the 413 and can go on', async () => {
  const post = (bytes: number) =>
    fetch(listener.address.replace(/\/$/, '') + calls.login.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: 'x'.repeat(bytes),
    });
  for (const bytes of [100_000, 1_600_000, 5_000_000, 5_000_000]) {
    assert.is((await post(bytes)).status, 413, `${bytes} bytes`);
    assert.is((await post(5)).status, 422, 'the next one on the same line');
  }
});

const chunks = 'Transfer-Encoding: chunked\r\n\r\n';
const endless: [what: string, head: string, before?: string, after?: string][] = [
  ['that nobody reads', `POST ${calls.logout.path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 ** 40}\r\n\r\n`],
  ['that is found too large', `${post}Content-Type: application/json\r\n${chunks}`, '10000\r\n', '\r\n'],
  ['where none belongs', `GET /healthz HTTP/1.1\r\nHost: x\r\n${chunks}`, '10000\r\n', '\r\n'],
];
for (const [what, head, before = '', after = ''] of endless) {
  test(`of a body without end ${what} no more than some MiB are taken, however fast it comes`, async () => {
    const socket = connect(Number(new URL(listener.address).port), '127.0.0.1')
        .resume()
        .on('error', () => {}),
      piece = Buffer.from(before + 'x'.repeat(0x10000) + after);
    let isClosed = false,
      sent = 0;
    const closed = new Promise<void>((resolve) =>
      socket.on('close', () => {
        isClosed = true;
        resolve();
      }),
    );
    socket.write(head);
    for (; !isClosed; sent += piece.length)
      if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    // 8 MiB, and what is in the system's own buffers on the way.
    assert.ok(sent < 48 * 1024 * 1024, `${sent} bytes were taken`);
  });
}

test('TRACE and CONNECT are not supported: nothing of the request comes back [ASVS 13.4.4]', async () => {
  const traced = await raw(`TRACE / HTTP/1.1\r\nHost: x\r\nX-Canary: canary\r\n${end}`);
  assert.ok([404, 405].includes(parseStatus(traced)), traced);
  assert.not.match(traced, /canary/);
  assert.is(await raw('CONNECT db.internal:5432 HTTP/1.1\r\nHost: db.internal:5432\r\n\r\n'), '');
});

test.run();
