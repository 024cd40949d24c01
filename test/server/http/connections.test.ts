/** What senders do to connections: hang up early, open too many, leave them idle. */
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { createApp } from '../../../src/server/app';
import { toSite } from '../../../src/server/http/connectionLimits';
import { type Listener, listen } from '../../../src/server/http/listen';
import { db, pam, reset, services, sql, tokenOf } from '../../world';
import { newGate } from '../gate';
import { eventually } from '../running';
import { hangUp, type Line, onLinux, openLine } from './wireLine';

let listener: Listener;
let lines: { level: number; msg: string; address?: string; status?: number; path?: string }[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });

test.before.each(async () => {
  await reset();
  lines = [];
  listener = await listen('127.0.0.1', 0, createApp({ db, services, log, trustProxy: 0, corsOrigins: [] }).fetch);
});
test.after.each(async () => {
  hangUp();
  await listener.close(0);
});

const open = (localAddress: string, bytes = '') => openLine(listener.address, bytes, localAddress);
const request = (method: string, path: string, body = '', ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n');
const health = request('GET', '/healthz');

/** Whether a client with a connection of its own is answered. */
async function getsIn(localAddress: string): Promise<boolean> {
  const line = open(localAddress, health);
  await eventually(() => line.isClosed || line.received !== '');
  const isAnswered = line.received.startsWith('HTTP/1.1 200');
  line.socket.destroy();
  return isAnswered;
}

test('whoever hangs up at once leaves an address, or nothing', async () => {
  const by = `Authorization: Bearer ${await tokenOf('ann')}`,
    json = 'Content-Type: application/json';
  const edit = request('POST', calls.adjustBalances.path.replace('{id}', String(pam.id)), '{"bonus":"1"}', by, json);
  const guess = request('POST', calls.login.path, '{"email":"nobody@x.test","password":"a guess"}', json);
  for (let n = 0; n < 120; n++) {
    const { socket } = open('127.0.0.1');
    socket.on('connect', () => {
      socket.write(n % 2 ? edit : guess);
      const hangUp = () => socket.resetAndDestroy();
      if (n % 3 === 0) hangUp();
      else globalThis.setTimeout(hangUp, n % 40);
    });
    await setTimeout(5);
  }
  await eventually(async () => {
    const before = lines.length;
    await setTimeout(500);
    return lines.length === before;
  }, 20);
  const audited = await sql<{ address: string }[]>`select address from audit_log`;
  assert.ok(lines.length > 5 && audited.length > 0, `${lines.length} requests, ${audited.length} of them done`);
  for (const { address } of [...audited, ...lines.filter(({ msg }) => msg === 'request')])
    assert.is(address, '127.0.0.1');
  const counted =
    await sql`select 1 from rate_limits where key = ${`address:${services.secrets.pseudonym('unknown')}`}`;
  assert.is(counted.length, 0);
});

test('a sender that hangs up in the middle of a body is no failure of the database', async () => {
  const heads = [
    ['POST', calls.login.path],
    ['PUT', calls.updatePlayer.path.replace('{id}', String(pam.id))],
    ['POST', calls.receiveWebhook.path.replace('{tenant_id}', '2').replace('{platform}', 'apex')],
  ];
  const token = await tokenOf('ann');
  for (let n = 0; n < 30; n++) {
    const [method, path] = heads[n % heads.length]!;
    const length = n % 2 ? 'Content-Length: 1000' : 'Transfer-Encoding: chunked';
    const head = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', length];
    const rest = ['Expect: 100-continue', `Authorization: Bearer ${token}`, '', n % 2 ? '{"email":' : '5\r\n{"ema\r\n'];
    const line = open('127.0.0.1', [...head, ...rest].join('\r\n'));
    assert.ok(await eventually(() => line.received.startsWith('HTTP/1.1 100 ')), 'the server has the head');
    if (n % 4 < 2) line.socket.resetAndDestroy();
    else line.socket.end();
  }
  assert.ok(await eventually(() => lines.filter(({ msg }) => msg === 'request').length === 30), String(lines.length));
  assert.ok(lines.every(({ level }) => level < 40));
  assert.equal([...new Set(lines.map(({ status }) => status))], [499]);
});

const begun = `POST ${calls.login.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
const crowds: [what: string, bytes: string][] = [
  ['silent', ''],
  ['idle after an answer', health],
  ['in the middle of a header', 'GET / HTTP/1.1\r\nX-Slow: '],
  ['in the middle of a body', `${begun}Content-Length: 60000\r\n\r\n{`],
];
for (const [what, bytes] of crowds) {
  onLinux(`1,100 connections of one client, ${what}, keep no other out`, async () => {
    const crowd = Array.from({ length: 1_100 }, () => open('127.0.0.1', bytes));
    assert.ok(await eventually(() => crowd.filter(({ isClosed }) => isClosed).length >= 1_000), 'at most 100 are kept');
    for (let n = 0; n < 20; n++) assert.ok(await getsIn('127.0.0.2'), `${n} times`);
    // On a busy machine the first of these 100 have reached the time limit of their headers by now.
    const kept = crowd.filter(({ isClosed }) => !isClosed).length;
    assert.ok(kept > 0 && kept <= 100, `${kept} are kept`);
  });
}

onLinux('a client that sends small requests on 1,100 connections keeps no other out [ASVS 2.4.1]', async () => {
  const crowd = Array.from({ length: 1_100 }, () => open('127.0.0.1', health));
  const again = setInterval(() => {
    for (const { socket, isClosed } of crowd) if (!isClosed) socket.write(health);
  }, 200);
  try {
    assert.ok(await eventually(() => crowd.some(({ received }) => received !== '')));
    for (let n = 0; n < 20; n++) assert.ok(await getsIn('127.0.0.2'), `${n} times`);
  } finally {
    clearInterval(again);
  }
});

onLinux(
  'when nearly all connections are taken, idle ones are closed, first those of the client with the most',
  async () => {
    const crowd = Array.from({ length: 1_080 }, (_, n) => open(`127.0.1.${1 + (n % 12)}`, n % 2 ? health : ''));
    const modest = open('127.0.0.3', health);
    await eventually(() => crowd.filter(({ isClosed }) => isClosed).length >= 100);
    for (let n = 0; n < 20; n++) assert.ok(await getsIn('127.0.0.2'), `${n} times`);
    assert.ok(!modest.isClosed);
    modest.received = '';
    modest.socket.write(health);
    assert.ok(await eventually(() => modest.received !== ''), 'and its connection works');
  },
);

onLinux('ten clients that hold a hundred bodies open each keep no other out, nor a slow line of another', async () => {
  const body = '{"email":"nobody@x.test","password":"a guess"}';
  const login = request('POST', calls.login.path, body, 'Content-Type: application/json');
  const slow = login.slice(0, -body.length + 1);
  const addresses = Array.from({ length: 1_000 }, (_, n) => `127.0.1.${1 + (n % 10)}`);
  const crowd: Line[] = [];
  let isOver = false;
  const hold = (address: string) => {
    if (isOver) return;
    const held = open(address, slow);
    held.socket.on('close', () => globalThis.setTimeout(hold, 200, address)); // it comes back
    crowd.push(held);
  };
  try {
    for (const address of addresses) hold(address);
    assert.ok(await eventually(() => crowd.length > 1_000), 'some were cut off');
    const line = open('127.0.0.3', slow);
    for (let n = 0; n < 10; n++) assert.ok(await getsIn('127.0.0.2'), `${n} times`);
    line.socket.write(body.slice(1));
    assert.ok(await eventually(() => line.received.startsWith('HTTP/1.1 401')), line.received);
  } finally {
    isOver = true;
  }
});

onLinux('what the server is at work on is not cut off to make room', async () => {
  await listener.close(0);
  const gate = newGate();
  listener = await listen('127.0.0.1', 0, () => gate.opened.then(() => new Response('done')));
  const busy = Array.from({ length: 100 }, () => open('127.0.0.3', health));
  assert.ok(await eventually(() => busy.every(({ socket }) => socket.bytesWritten > 0)));
  const silent = Array.from({ length: 1_100 }, (_, n) => open(`127.0.1.${1 + (n % 20)}`));
  assert.ok(await eventually(() => silent.filter(({ isClosed }) => isClosed).length >= 200));
  gate.open();
  assert.ok(await eventually(() => busy.every(({ received }) => received.endsWith('done'))));
});

test('the many IPv6 networks that one customer gets count as one', () => {
  assert.is(toSite('2001:db8:0:ab00::1'), '2001:db8:0:ab00::/56');
  assert.is(toSite('2001:db8:0:abf7:1:2:3:4'), '2001:db8:0:ab00::/56');
  assert.is(toSite('2001:db8::1'), '2001:db8:0:0::/56');
  assert.is.not(toSite('2001:db8:0:ac00::1'), toSite('2001:db8:0:ab00::1'));
  assert.is(toSite('192.0.2.1'), '192.0.2.1');
});

test('behind a proxy all connections may come from one address', async () => {
  await listener.close(0);
  const answer = createApp({ db, services, log, trustProxy: 1, corsOrigins: [] }).fetch;
  listener = await listen('127.0.0.1', 0, answer, { isProxy: () => true });
  const crowd = Array.from({ length: 500 }, () => open('127.0.0.1', health));
  assert.ok(await eventually(() => crowd.every(({ received }) => received.startsWith('HTTP/1.1 200'))));
  assert.ok(crowd.every(({ isClosed }) => !isClosed));
});

test.run();
