/** Requests that a client sends before the ones in front of them are answered, and clients that do not wait. */
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { createApp } from '../../../src/server/app';
import { Sessions } from '../../../src/server/auth/sessions';
import type { Refusal } from '../../../src/server/http/connectionLimits';
import { type Answer, type Listener, listen } from '../../../src/server/http/listen';
import { staticFiles } from '../../../src/server/http/staticFiles';
import { db, reset, services, tokenOf } from '../../world';
import { newGate } from '../gate';
import { eventually } from '../running';
import { hangUp, type Line, onLinux, openLine } from './wireLine';

let listener: Listener,
  answer: Answer,
  refusals: Refusal[] = [];

test.before.each(async () => {
  await reset();
  refusals = [];
  listener = await listen('127.0.0.1', 0, (request, env) => answer(request, env), {
    onRefused: (refusal) => refusals.push(refusal),
  });
});
test.after.each(async () => {
  hangUp();
  await listener.close(0);
});

const open = (bytes: string, localAddress?: string) => openLine(listener.address, bytes, localAddress);
const get = (path: string, ...headers: string[]) =>
  `${[`GET ${path} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`;
const account = (token: string) => get(calls.getAccount.path, `Authorization: Bearer ${token}`);
const statuses = (line: Line) => [...line.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

test('what is sent ahead is answered in turn, each when the one before it has been', async () => {
  let running = 0,
    most = 0;
  answer = async (request) => {
    most = Math.max(most, ++running);
    await setTimeout(20);
    running--;
    return new Response(`answer ${new URL(request.url).pathname}`);
  };
  const paths = Array.from({ length: 9 }, (_, n) => `/${n}`);
  const line = open(paths.map((path) => get(path)).join(''));
  assert.ok(await eventually(() => statuses(line).length === 9), line.received);
  assert.is([...line.received.matchAll(/answer (\S\d)/g)].map(([, path]) => path).join(), paths.join());
  assert.is(most, 1);
  line.socket.write(get('/next'));
  assert.ok(await eventually(() => statuses(line).length === 10), 'and the connection goes on');
});

test('a body sent ahead is read when its turn comes', async () => {
  answer = async (request) => new Response(`got ${await request.text()}`);
  const post = (body: string) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const line = open(post('one') + post('two') + post('three'));
  assert.ok(await eventually(() => statuses(line).length === 3));
  assert.match(line.received, /got one.*got two.*got three/s);
});

test('a client that sends more than eight ahead is cut off, and nothing of the rest is begun', async () => {
  let begun = 0;
  answer = async () => {
    begun++;
    return new Promise(() => undefined);
  };
  const line = open(get('/').repeat(8_000));
  assert.ok(await eventually(() => line.isClosed));
  assert.is(begun, 1);
  assert.equal(refusals, [{ address: '127.0.0.1', status: 0 }]);
});

test('refused expectations cannot be sent ahead without end either', async () => {
  answer = () => new Promise(() => undefined);
  const line = open(get('/') + get('/', 'Expect: miracles').repeat(1_000));
  assert.ok(await eventually(() => line.isClosed));
});

onLinux('a thousand invented tokens on each of ten connections keep no other client waiting', async () => {
  let checked = 0;
  class CountedSessions extends Sessions {
    override findCaller(...args: Parameters<Sessions['findCaller']>) {
      checked++;
      return super.findCaller(...args);
    }
  }
  const counted = { ...services, sessions: new CountedSessions({ idleMinutes: 30, hours: 12 }) };
  const log = pino({ level: 'silent' });
  answer = createApp({ db, services: counted, log, trustProxy: 0, corsOrigins: [] }).fetch;
  const token = await tokenOf('ann');
  const crowd = Array.from({ length: 10 }, () => open(account('x'.repeat(43)).repeat(1_000), '127.0.0.2'));
  const other = open(account(token));
  assert.ok(await eventually(() => statuses(other)[0] === '200'), other.received);
  assert.ok(await eventually(() => crowd.every(({ isClosed }) => isClosed)));
  assert.ok(checked <= 100, `${checked} tokens were looked up`);
});

onLinux('whoever waits to be known keeps no other network waiting, and can hang up', async () => {
  const begun: string[] = [];
  const gate = newGate();
  class SlowSessions extends Sessions {
    override async findCaller(...args: Parameters<Sessions['findCaller']>) {
      begun.push(args[1]);
      if (args[1] === 'invented') await gate.opened;
      return super.findCaller(...args);
    }
  }
  const slow = { ...services, sessions: new SlowSessions({ idleMinutes: 30, hours: 12 }) };
  const lines: { status: number }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  answer = createApp({ db, services: slow, log, trustProxy: 0, corsOrigins: [] }).fetch;
  const token = await tokenOf('ann'),
    places = db.poolSize;
  const crowd = Array.from({ length: 60 }, () => open(account('invented'), '127.0.0.2'));
  assert.ok(await eventually(() => begun.length === places));
  const other = open(account(token));
  assert.ok(await eventually(() => statuses(other)[0] === '200'), 'from another network');
  for (const { socket } of crowd) socket.destroy();
  assert.ok(await eventually(() => lines.filter(({ status }) => status === 499).length === 60 - places));
  gate.open();
  assert.ok(await eventually(() => lines.length === 61));
  assert.is(begun.length, places + 1, 'nobody else was looked up');
});

onLinux('files that nobody waits for are closed, and a stop does not wait for them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ahead-')),
    name = 'assets/main-ABCD1234.js';
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<base href="/">');
  writeFileSync(join(folder, name), 'x'.repeat(60_000));
  const log = pino({ level: 'silent' });
  const app = createApp({ db, services, log, trustProxy: 0, corsOrigins: [] });
  app.get('*', staticFiles(folder));
  answer = app.fetch;
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
      } catch {
        return false; // the one that lists them
      }
    }).length;
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, openFiles());
  }, 1);
  try {
    for (const times of [9, 1_000]) {
      const crowd = Array.from({ length: 50 }, () => open(get(`/${name}`).repeat(times)));
      for (const { socket } of crowd) socket.pause(); // nobody reads
      await eventually(() => crowd.some(({ socket, isClosed }) => isClosed || socket.bytesRead > 0));
      for (const { socket } of crowd) socket.destroy();
      assert.ok(await eventually(() => openFiles() === 0), `${openFiles()} files are open`);
    }
    assert.ok(most < 50, `${most} files were open at once`);
    const started = performance.now();
    await listener.close(15_000);
    assert.ok(performance.now() - started < 5_000);
  } finally {
    clearInterval(watching);
    rmSync(folder, { recursive: true });
  }
});

test.run();
