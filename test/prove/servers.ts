/**
 * Three servers behind nginx on one database, restarted in turn under load: nobody sees an error, nothing acknowledged
 * is lost, and what is counted is counted once for all of them.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import { KEY_CALLS } from '../../src/server/auth/rateLimits';
import type { Database } from '../../src/server/db/open';
import { freePort } from '../openPort';
import { startWebServer } from '../server/notifications/receivers';
import { eventually, type Running } from '../server/running';
import { type Behind, behindLine } from './behindLine';
import { openLine } from './line';
import { admin, apiAt, checkMarks, type Marks, signInAt, startMarks, write } from './marks';
import { hasNginx, type Nginx, startProxy } from './proxy';
import type { ProveOptions } from './random';

const SERVERS = 3;
/** After this time nginx takes a server for well again (`fail_timeout`), and the next one may be stopped. */
const AGAIN_MS = 1_500;
/** The browser's address, as nginx tells it. */
const fromClient = { 'X-Forwarded-For': '198.51.100.7' };

interface World {
  servers: Running[];
  proxy: Nginx;
  db: Database;
  tokens: string[];
  marks: Marks;
  say: ProveOptions['say'];
}

export async function prove(options: ProveOptions): Promise<string | undefined> {
  if (!hasNginx) return 'nginx is not installed (Debian: nginx-light)';
  await behindLine(openLine, (behind) => proveServers(behind, options), { poolSize: 30 });
}

async function proveServers({ db, start: startOne }: Behind<unknown>, options: ProveOptions): Promise<void> {
  const { long, say, rounds = long ? 10 : 1, workers = 12 } = options;
  const servers: Running[] = [],
    ports = await Promise.all(Array.from({ length: SERVERS }, freePort)),
    web = await startWebServer();
  const env = { POOL_SIZE: '8', TRUST_PROXY: '127.0.0.1', NOTIFY_PRIVATE_ADDRESSES: 'true' };
  const start = async (n: number) => {
    servers[n] = await startOne({ ...env, PORT: String(ports[n]) }, n);
  };
  let proxy: Nginx | undefined;
  try {
    // All at once on an empty database, as a first start may be.
    await Promise.all(ports.map((_, n) => start(n)));
    proxy = await startProxy(await freePort(), ports);
    const tokens = await Promise.all(Array.from({ length: workers }, () => signInAt(proxy!.url)));
    const marks = await startMarks(apiAt(proxy.url, tokens[0]));
    const world: World = { servers, proxy, db, tokens, marks, say };
    const bells = await setBells(world, web.url);
    await restartInTurn(world, start, rounds);
    say(await checkMarks(db, marks));
    await areValidEverywhere(world);
    say(await sendKeyTwice(world));
    say(await guess(world));
    say(await countKeyCalls(world));
    say(await bells.check(web.received));
    for (const server of servers) assert.is(await server.end('SIGTERM'), 0);
  } finally {
    await proxy?.stop();
    web.close();
  }
}

/** Reads and keyed writes through nginx, while each server is stopped and started again. */
async function restartInTurn(world: World, start: (n: number) => Promise<void>, rounds: number): Promise<void> {
  const { proxy, tokens, marks, servers, say } = world;
  let isOver = false,
    reads = 0,
    slowest = 0;
  const errors: string[] = [];
  const answeredBy = new Set<number>();
  const work = async (token: string, worker: number) => {
    const api = apiAt(proxy.url, token);
    while (!isOver) {
      const begun = performance.now();
      if (worker % 3 === 0) {
        reads++;
        // Sent once: no second try hides an error here.
        const path = reads % 2 ? calls.getDashboardMetrics.path : calls.listPurchases.path;
        const { status } = await fetch(new URL(path, proxy.url), { headers: { Authorization: `Bearer ${token}` } });
        if (status !== 200) errors.push(`a read: ${status}`);
      } else {
        const status = await write(api, marks);
        answeredBy.add(status);
        if (status === 0 || status >= 500) errors.push(`a write: ${status}`);
      }
      slowest = Math.max(slowest, performance.now() - begun);
    }
  };
  const working = Promise.all(tokens.map(work));
  const restarting = (async () => {
    for (let round = 0; round < rounds; round++) {
      for (let n = 0; n < SERVERS; n++) {
        await setTimeout(AGAIN_MS);
        assert.is(await servers[n]!.end('SIGTERM'), 0, 'the server stopped by itself');
        await start(n);
      }
    }
    await setTimeout(AGAIN_MS);
  })().finally(() => {
    isOver = true;
  });
  await Promise.all([working, restarting]);
  assert.is([...new Set(errors)].join(', '), '', `${errors.length} errors were seen`);
  assert.ok(reads > 50 && marks.writes.length > 50, 'there was load');
  say(
    `${rounds * SERVERS} restarts under ${reads} reads and ${marks.writes.length} writes: no error, ` +
      `the slowest answer took ${Math.round(slowest)} ms`,
  );
}

async function areValidEverywhere({ servers, tokens }: World): Promise<void> {
  for (const { url } of servers)
    for (const token of tokens) assert.is((await apiAt(url, token).getAccount()).email, admin.email);
  await apiAt(servers[0]!.url, tokens.pop()!).logout();
}

/** The same key at two servers at the same time: one write, and one answer for both. */
async function sendKeyTwice({ servers, tokens, db, marks }: World): Promise<string> {
  const rounds = 20,
    player = marks.players[0]!;
  for (let n = 0; n < rounds; n++) {
    const key = randomUUID(),
      body = { vip: `0.${String(n + 1).padStart(2, '0')}` };
    const answers = await Promise.all(
      servers.map(({ url }) => apiAt(url, tokens[0]).adjustBalances({ id: player.id, body }, { idempotencyKey: key })),
    );
    for (const answer of answers) assert.equal(answer, answers[0]);
  }
  const [{ count = 0 } = {}] = await db.sql<{ count: number }[]>`
    select count(*)::int as count from transfers where to_account = 'vip'`;
  assert.is(count, rounds);
  return `${rounds} keys at ${SERVERS} servers at once: ${count} writes`;
}

/** Guesses at a password are counted together, whichever server they come to. */
async function guess({ servers }: World): Promise<string> {
  const attempt = async (n: number, password: string, headers = fromClient) => {
    const response = await fetch(new URL(calls.login.path, servers[n % SERVERS]!.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ email: admin.email, password }),
    });
    return response.status;
  };
  let wrong = 0;
  while (wrong < 30 && (await attempt(wrong, 'a guess that is wrong')) === 401) wrong++;
  for (let n = 0; n < SERVERS; n++) assert.is(await attempt(n, admin.password), 429, `at server ${n}`);
  assert.is(await attempt(0, admin.password, { 'X-Forwarded-For': '198.51.100.99' }), 200);
  assert.ok(wrong >= 8 && wrong <= 10, `${wrong} guesses`);
  return `${wrong} wrong sign-ins over ${SERVERS} servers, then 429 at each of them`;
}

async function countKeyCalls({ servers, tokens, marks: { tenant_id } }: World): Promise<string> {
  const { key } = await apiAt(servers[0]!.url, tokens[0]).createApiKey({
    body: { name: 'Shop', scopes: ['transactions:write'], tenant_id, password: admin.password },
  });
  const path = calls.readTransaction.path.replace('{id}', '999999');
  const counts = new Map<number, number>();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: 12 }, async (_, worker) => {
      for (let n = 0; n < (KEY_CALLS + 60) / 12; n++) {
        const { status } = await fetch(new URL(path, servers[worker % SERVERS]!.url), {
          headers: { Authorization: `Bearer ${key}` },
        });
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    }),
  );
  assert.ok(performance.now() - began < 60_000, 'within a minute');
  const allowed = counts.get(404) ?? 0;
  assert.is(allowed + (counts.get(429) ?? 0), KEY_CALLS + 60, JSON.stringify([...counts]));
  assert.is(allowed, KEY_CALLS);
  return `${allowed} of ${KEY_CALLS + 60} calls with a key over ${SERVERS} servers were answered, the others got 429`;
}

/** Something to notify of, a digest, and a webhook; all servers look all the time. */
async function setBells({ proxy, tokens, marks, db }: World, hook: string) {
  const { tenant_id, players } = marks,
    api = apiAt(proxy.url, tokens[0]),
    rule = { tenant_id, is_active: true } as const;
  await api.addNotificationChannel({ body: { tenant_id, kind: 'webhook', target: `${hook}/bells` } });
  await api.saveNotificationRule({ body: { ...rule, kind: 'large_redeem', threshold: 100 } });
  await api.saveNotificationRule({ body: { ...rule, kind: 'digest', threshold: new Date().getUTCHours() } });
  const redeems: number[] = [];
  for (const { id, email } of players.slice(0, 3)) {
    await api.adjustBalances({ id, body: { credit: '1000' } });
    marks.otherEdits++;
    const redeem = await api.createManualRedeem({
      body: { user_email: email, amount: '150', platform: 'yolo', payout_method: 'PayPal', payout_address: 'x' },
    });
    redeems.push(redeem.id);
  }
  // The servers take turns, a minute apart; without their note each of them evaluates as soon as it looks.
  const forget = setInterval(() => void db.sql`delete from notification_runs`.catch(() => {}), 100);
  forget.unref();
  return {
    async check(received: readonly { headers: Record<string, unknown>; body: string }[]): Promise<string> {
      const states = () => db.sql<{ status: string; kind: string }[]>`
        select d.status, n.kind from notification_deliveries d
          join notifications n on n.tenant_id = d.tenant_id and n.id = d.notification_id`;
      const isSent = async () => {
        const rows = await states();
        return rows.length >= redeems.length + 1 && rows.every(({ status }) => status === 'sent');
      };
      assert.ok(await eventually(isSent, 30), JSON.stringify(await states()));
      clearInterval(forget);
      const written = await db.sql<{ kind: string; object_id: string | null }[]>`
        select kind, object_id from notifications where tenant_id = ${tenant_id} order by kind, object_id`;
      assert.equal(
        written.map(({ kind, object_id }) => `${kind} ${object_id}`),
        ['digest null', ...redeems.map((id) => `large_redeem ${id}`)],
        'each rule fired once',
      );
      const ids = received.map(({ headers }) => String(headers['webhook-id']));
      assert.is(ids.length, written.length);
      assert.is(new Set(ids).size, ids.length, 'each webhook was sent once');
      return `${written.length} notifications, a digest among them, were written once each, and each webhook was sent once`;
    },
  };
}
