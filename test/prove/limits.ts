/**
 * Clients that are slow, silent, too many, too large or talk no HTTP: each is cut off in its time, the others are
 * served meanwhile, and memory stays bounded.
 */

import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { eventually, type Running } from '../server/running';
import { withServer } from './marks';
import { count, inWords, type ProveOptions, Random } from './random';

const MiB = 1024 * 1024;

/** Of what the server holds on to: with more it ends. */
const HEAP_MIB = 128;
/**
 * Of the whole process: 64 MiB that 1,000 connections may have read, 64 MiB of read buffers that V8 keeps before it
 * collects them, and a heap that may fill from 30 to HEAP_MIB. The allocator keeps it for the next.
 */
const MEMORY_BYTES = (64 + 64 + HEAP_MIB - 30) * MiB;
/** What is still held, once collected, after the same crowds came again: a leak would add as much each time. */
const [WAVES, HELD_BYTES] = [4, 4 * MiB];
/** A request's head has 10 s, the whole of it 30 s, looked at every 5 s. */
const [HEAD_MS, BODY_MS] = [17_000, 37_000];
const ANSWER_MS = 3_000;
/** Whoever sends more than is asked for is cut off soon, however quickly it sends. */
const HUGE_MS = 3_000;
/** Requests that each of so many connections sends without waiting for an answer. */
const [AHEAD_LINES, AHEAD] = [20, 8_000];
const AHEAD_MS = 10_000;
/** Running requests get 15 s, the database 5 s. */
const STOP_MS = 21_000;
/** Connections to the database that were not open at the start. */
const MORE_FILES = 20;

export async function prove({ seed, long, say, rounds = long ? 5_000 : 400 }: ProveOptions): Promise<void> {
  const random = new Random(seed);
  const node = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB} --inspect=127.0.0.1:0` };
  await withServer(node, async (server) => {
    const memory = watchMemory(server),
      service = watchService(server),
      files = countFiles(server),
      held: number[] = [];
    for (let wave = 1; wave <= WAVES; wave++) {
      const told = wave === 1 ? say : () => {};
      told(`huge: ${await sendHuge(server)}; ${await crowdIn(server)}`);
      told(`sent ahead: ${await sendAhead(server)}`);
      told(`raw bytes: ${await sendBytes(server, random, rounds)}`);
      if (wave === 1) {
        const times = long ? 400 : 150;
        const [slow, silent] = await Promise.all([dripRequests(server, times), stayIdle(server, times)]);
        say(`slow: ${slow}; silent: ${silent}`);
        say(`others meanwhile: ${await service.stop()}`);
      }
      told(`too many: ${await comeTogether(server)}`);
      held.push(await heldBytes(server));
    }
    say(`memory: ${memory.stop()}`);
    const more = (held.at(-1) ?? 0) - (held[0] ?? 0),
      told = `${held.map((bytes) => (bytes / MiB).toFixed(1)).join(', ')} MiB after each of ${WAVES} such waves`;
    assert.ok(more < HELD_BYTES, `held: ${told}`);
    say(`held: ${told}`);
    await isServed(server);
    const left = countFiles(server) - files;
    assert.ok(left <= MORE_FILES, `${left} more files are open than at the start`);
    for (let n = 0; n < AHEAD_LINES; n++) open(server).socket.write(ahead(n));
    const stopping = performance.now();
    assert.is(await server.end('SIGTERM'), 0);
    const stopped = performance.now() - stopping;
    assert.ok(stopped < STOP_MS, `the stop took ${Math.round(stopped)} ms`);
    say(`stopped in ${Math.round(stopped)} ms, with ${left} more open files than at the start`);
  });
}

const memoryOf = ({ pid }: Running) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
function watchMemory(server: Running) {
  const before = memoryOf(server);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(server));
  }, 50);
  void server.ended.then(() => clearInterval(timer));
  return {
    stop() {
      clearInterval(timer);
      const [first, peak] = [before, most].map((bytes) => Math.round(bytes / MiB));
      const told = `${first} MiB at the start, ${peak} MiB at most`;
      assert.ok(most - before < MEMORY_BYTES, told);
      return told;
    },
  };
}

/** What the server still refers to. What the process keeps besides is the allocator's choice, and by chance. */
async function heldBytes(server: Running): Promise<number> {
  const inspector = new WebSocket(/ws:\/\/\S+/.exec(server.stderr())?.[0] ?? '');
  const ask = (method: string, params = {}) =>
    new Promise<{ result: { result: { value: number } } }>((resolve) => {
      inspector.onmessage = ({ data }) => resolve(JSON.parse(String(data)));
      inspector.send(JSON.stringify({ id: 1, method, params }));
    });
  await once(inspector, 'open');
  await ask('HeapProfiler.collectGarbage');
  const expression = 'process.memoryUsage().heapUsed + process.memoryUsage().external';
  const { result } = await ask('Runtime.evaluate', { expression });
  inspector.close();
  return result.result.value;
}

async function isServed({ url }: Running): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${url}readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
  assert.is(response.status, 200);
  await response.arrayBuffer();
  return performance.now() - started;
}
/** Everybody else is served all the while. */
function watchService(server: Running) {
  let isOver = false,
    slowest = 0,
    times = 0;
  const watching = (async () => {
    while (!isOver) {
      slowest = Math.max(slowest, await isServed(server));
      times++;
      await setTimeout(100);
    }
  })();
  watching.catch(() => {}); // told by stop
  return {
    async stop() {
      isOver = true;
      await watching;
      return `${times} times served, the slowest in ${Math.round(slowest)} ms`;
    },
  };
}

/** Each client may have a hundred connections, so these come from many. */
const CLIENTS = 20;
let opened = 0;
function open({ url }: Running) {
  let answer = '',
    isClosed = false;
  const port = Number(new URL(url).port),
    localAddress = `127.0.1.${1 + (opened++ % CLIENTS)}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const line = {
    socket,
    sent: 0,
    answer: () => answer,
    isClosed: () => isClosed,
    closed: new Promise<void>((resolve) =>
      socket.on('close', () => {
        isClosed = true;
        resolve();
      }),
    ),
  };
  socket
    .setEncoding('latin1')
    .on('data', (text: string) => {
      answer += text.slice(0, 4000);
    })
    .on('error', () => {});
  return line;
}
type Line = ReturnType<typeof open>;
const within = async (work: Promise<void>, ms: number, what: string): Promise<void> => {
  const timer = new AbortController();
  const late = setTimeout(ms, true, { signal: timer.signal }).catch(() => false);
  if (await Promise.race([work.then(() => false), late])) assert.unreachable(what);
  timer.abort();
};
const head = (method: string, path: string, ...lines: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...lines].join('\r\n')}\r\n\r\n`;
const [LOGIN, LOGOUT] = ['/api/v1/auth/login/json', '/api/v1/auth/logout'] as const;
const [HUGE, CHUNKED] = [`Content-Length: ${2 ** 40}`, 'Transfer-Encoding: chunked'] as const;

/** Sends until the other side has had enough. */
async function pour(line: Line, piece: Buffer): Promise<void> {
  for (line.sent = 0; !line.isClosed(); line.sent += piece.length) {
    if (!line.socket.write(piece))
      await Promise.race([new Promise((resolve) => line.socket.once('drain', resolve)), line.closed]);
  }
}

const piece = Buffer.alloc(64 * 1024, 'a'),
  chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]);
async function sendHuge(server: Running): Promise<string> {
  const cases: [string, string, Buffer, RegExp][] = [
    ['a body that says it is huge', head('POST', LOGIN, HUGE), piece, /^HTTP\/1\.1 413 /],
    ['a body without end', head('POST', LOGIN, CHUNKED), chunk, /^HTTP\/1\.1 413 /],
    ['a body where none belongs', head('POST', LOGOUT, HUGE), piece, /^HTTP\/1\.1 413 /],
    ['a body for a file', head('GET', '/', CHUNKED), chunk, /^HTTP\/1\.1 \d/],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: `, piece, /^HTTP\/1\.1 431 /],
    ['an address without end', 'GET /', piece, /^HTTP\/1\.1 431 /],
  ];
  const taken = [];
  let answered = 0;
  for (const [what, start, each, answer] of cases) {
    const line = open(server);
    line.socket.write(start);
    const started = performance.now(),
      pouring = pour(line, each);
    try {
      await within(line.closed, HUGE_MS, `${what} is listened to for more than ${HUGE_MS} ms`);
    } finally {
      line.socket.destroy();
      await pouring;
    }
    // The answer is lost when the line is cut while we still send.
    if (line.answer() !== '') {
      assert.match(line.answer(), answer, what);
      answered++;
    }
    taken.push(`${what} after ${Math.round(performance.now() - started)} ms`);
    await isServed(server);
  }
  assert.ok(answered >= 2, `only ${answered} were told why`);
  return `cut off ${taken.join(', ')}`;
}

/** Bodies without end from many at once, each poured as fast as it is taken. */
async function crowdIn(server: Running): Promise<string> {
  const kinds: [string, Buffer][] = [
    [head('POST', LOGIN, CHUNKED), chunk],
    [head('POST', LOGOUT, HUGE), piece],
    [head('GET', '/', CHUNKED), chunk],
  ];
  const lines = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const line = open(server),
        [start, each] = kinds[n % kinds.length] ?? ['', piece];
      line.socket.write(start);
      await within(pour(line, each), HEAD_MS, 'one of many huge bodies is never cut off');
      return line;
    }),
  );
  await isServed(server);
  const most = Math.max(...lines.map(({ sent }) => sent));
  return `${lines.length} at once, cut off after ${Math.round(most / MiB)} MiB at most`;
}

const countFiles = ({ pid }: Running) => readdirSync(`/proc/${pid}/fd`).length;
const aheadPaths = ['/api/v1/auth/account', '/readyz', '/api/openapi.json', '/', LOGIN];
const ahead = (n: number) =>
  head('GET', aheadPaths[n % aheadPaths.length] ?? '/', `Authorization: Bearer ${'x'.repeat(43)}`).repeat(AHEAD);

/** Thousands of requests at once on each connection, of clients that read nothing. */
async function sendAhead(server: Running): Promise<string> {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: AHEAD_LINES }, async (_, n) => {
      const line = open(server);
      line.socket.pause();
      line.socket.write(ahead(n));
      const timer = setInterval(() => line.socket.write('\r\n'), 50); // finds out that it was cut off
      line.socket.on('close', () => clearInterval(timer));
      await within(line.closed, AHEAD_MS, 'a client that sends requests ahead is never cut off');
    }),
  );
  const ms = performance.now() - started;
  await isServed(server);
  return `${AHEAD_LINES} connections with ${AHEAD} requests each, cut off within ${Math.round(ms)} ms`;
}

async function sendBytes(server: Running, random: Random, times: number): Promise<string> {
  const answers: Record<string, number> = {};
  const starts = [
    '',
    'GET / HTTP/1.1\r\n',
    'POST /api/v1/auth/login/json HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nContent-Type: application/json\r\n\r\n',
    'GET /%00%ff/../..//api/v1 HTTP/1.1\r\nHost: x\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01',
    'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET http://other/ HTTP/1.1\r\nHost: x\r\n\r\n',
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '0\r\n\r\nGET /x HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  ];
  for (let done = 0; done < times; done += 20) {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const line = open(server);
        line.socket.write(random.pick(starts), 'latin1');
        line.socket.end(
          Buffer.from(
            Uint8Array.from({ length: random.from(0, 400) }, () =>
              random.from(1, 8) === 1 ? random.pick([13, 10, 58, 32]) : random.from(0, 255),
            ),
          ),
        );
        await within(line.closed, HEAD_MS, 'raw bytes hold a connection');
        const status = /^HTTP\/1\.1 (\d+)/.exec(line.answer())?.[1] ?? 'none';
        count(answers, status);
        assert.not.ok(/^5/.test(status), line.answer());
      }),
    );
  }
  await isServed(server);
  return `${times} connections, answers ${inWords(answers)}`;
}

/** One byte at a time, in the head and in the body. */
async function dripRequests(server: Running, times: number): Promise<string> {
  const lines = Array.from({ length: times }, (_, n) => {
    const line = open(server),
      isBody = n % 2 === 0;
    line.socket.write(isBody ? head('POST', LOGIN, 'Content-Length: 60000') : 'GET / HTTP/1.1\r\nX-Slow: ');
    const timer = setInterval(() => line.socket.write('a'), 500);
    line.socket.on('close', () => clearInterval(timer));
    return { line, isBody };
  });
  const started = performance.now();
  await Promise.all(
    lines.map(({ line, isBody }) =>
      within(line.closed, isBody ? BODY_MS : HEAD_MS, `a slow ${isBody ? 'body' : 'head'} is never cut off`),
    ),
  );
  const wrong = lines.filter(({ line }) => line.answer() !== '' && !/^HTTP\/1\.1 (408|503) /.test(line.answer()));
  assert.is(wrong[0]?.line.answer(), undefined);
  return `${times} connections cut off within ${Math.round((performance.now() - started) / 1000)} s`;
}

/** Connected without a word, or silent after an answer. */
async function stayIdle(server: Running, times: number): Promise<string> {
  const lines = Array.from({ length: times }, (_, n) => {
    const line = open(server);
    if (n % 2 === 0) line.socket.write(head('GET', '/healthz'));
    return line;
  });
  const started = performance.now();
  await Promise.all(lines.map((line) => within(line.closed, BODY_MS, 'a silent connection is never cut off')));
  return `${times} connections cut off within ${Math.round((performance.now() - started) / 1000)} s`;
}

/** More than are taken: silent ones make room for the next, and when these have gone there is room for all. */
async function comeTogether(server: Running): Promise<string> {
  const lines: ReturnType<typeof open>[] = [];
  while (lines.length < 1_300) {
    for (let n = 0; n < 100; n++) lines.push(open(server));
    await isServed(server); // has taken these: the kernel drops what comes while 511 wait, and they try again later
  }
  const turnedAway = () => lines.filter((line) => line.isClosed()).length;
  await eventually(() => turnedAway() >= 290, 9); // silent ones have longer than that
  const refused = turnedAway();
  assert.ok(refused >= 280 && refused <= 400, `${refused} of ${lines.length} were turned away`);
  for (const { socket } of lines) socket.destroy();
  await setTimeout(300);
  const ms = await isServed(server);
  return `${lines.length} connections, ${refused} turned away; served ${Math.round(ms)} ms after they had gone`;
}
