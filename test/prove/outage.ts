/**
 * The database out of reach, refused and then silent: a 503 that says when to come back, no acknowledged write twice or
 * lost, and health soon after.
 */
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { UNKNOWN_OUTCOME } from '../../src/contract/constants';
import { verifyLedger } from '../../src/server/books/verify';
import type { Database } from '../../src/server/db/open';
import { behindLine } from './behindLine';
import { type Line, openLine } from './line';
import { amountOf, apiAt, signInAt, startMarks } from './marks';
import type { ProveOptions } from './random';

const HEALTHY_MS = 5_000;
/** The longest a client waits for the word that the database is away, and for the answer to a COMMIT that was sent. */
const WORD_MS = 20_000,
  COMMIT_MS = 32_000;

export async function prove({ long, say, workers = 8 }: ProveOptions): Promise<void> {
  const seconds = long ? 30 : 5;
  await behindLine(openLine, async ({ db, line, start }) => {
    const server = await start(),
      client = await prepare(server.url);
    for (const how of ['refused', 'silent'] as const)
      say(`${how} for ${seconds} s: ${await goAway(how, seconds, { line, client, db, workers })}`);
    assert.is(await server.end('SIGTERM'), 0);
  });
}

interface Client {
  url: string;
  token: string;
  player: number;
  mark: number;
}
const call = ({ url, token }: Client, method: string, path: string, body?: object): Promise<Response> =>
  fetch(new URL(path, url), {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(60_000),
  });

async function prepare(url: string): Promise<Client> {
  const token = await signInAt(url),
    { players } = await startMarks(apiAt(url, token), 1);
  return { url, token, player: players[0]!.id, mark: 0 };
}

interface Sent {
  mark: number;
  status: number;
  startedAway: boolean;
  endedAway: boolean;
  ms: number;
}

interface World {
  line: Line;
  client: Client;
  db: Database;
  workers: number;
}
async function goAway(how: 'refused' | 'silent', seconds: number, world: World): Promise<string> {
  const { line, client, db, workers } = world;
  let isOver = false,
    isAway = false;
  const sent: Sent[] = [];
  const work = async (worker: number) => {
    while (!isOver) {
      const mark = ++client.mark,
        startedAway = isAway,
        started = performance.now();
      const isRead = worker % 4 === 3,
        balances = `/api/v1/admin/user/${client.player}/update-balances`;
      const response = isRead
        ? await call(client, 'GET', '/api/v1/admin/redeems')
        : await call(client, 'POST', balances, { bonus: amountOf(mark) });
      await checkAnswer(response);
      const { status } = response;
      sent.push({ mark: isRead ? 0 : mark, status, startedAway, endedAway: isAway, ms: performance.now() - started });
      if (status === 503) await setTimeout(100);
    }
  };
  const working = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  const phases = (async () => {
    await setTimeout(500);
    line.become(how);
    isAway = true;
    await setTimeout(seconds * 1000);
    isAway = false;
    line.become('open');
    const returned = performance.now();
    while (
      (await call(client, 'GET', '/readyz')).status !== 200 ||
      (await call(client, 'GET', '/api/v1/admin/redeems')).status !== 200
    ) {
      assert.ok(performance.now() - returned < HEALTHY_MS, `not healthy ${HEALTHY_MS} ms after its return`);
      await setTimeout(50);
    }
    const healthyAfter = performance.now() - returned;
    assert.ok(healthyAfter < HEALTHY_MS, `healthy after ${healthyAfter} ms`);
    await setTimeout(500);
    return healthyAfter;
  })().finally(() => {
    isOver = true;
  });
  const [healthyAfter] = await Promise.all([phases, working]);

  const during = sent.filter(({ startedAway, endedAway }) => startedAway && endedAway);
  for (const { status } of during) assert.is(status, 503, 'answered while the database was away');
  if (how === 'refused') assert.ok(during.length >= workers, 'requests ended while the database was away');
  assert.ok(sent.filter(({ status }) => status === 200).length > 20, 'it worked before and after');
  const slowest = Math.max(...sent.map(({ ms }) => ms));
  for (const { ms, status } of sent)
    assert.ok(ms < (status === 503 ? WORD_MS : COMMIT_MS), `the answer ${status} took ${ms} ms`);
  await checkWrites(db, sent);
  const count = (of: number) => sent.filter(({ status }) => status === of).length;
  return (
    `${sent.length} requests, ${count(503)} of them 503, ${count(500)} with an unknown outcome, the slowest ${Math.round(slowest)} ms; ` +
    `healthy ${Math.round(healthyAfter)} ms after its return`
  );
}

async function checkAnswer(response: Response): Promise<void> {
  const body: unknown = await response.json();
  assert.ok([200, 500, 503].includes(response.status), `${response.status} ${JSON.stringify(body)}`);
  if (response.status === 200) return;
  if (response.status === 500) {
    assert.equal([Reflect.get(Object(body), 'code'), response.headers.get('retry-after')], [UNKNOWN_OUTCOME, null]);
    return;
  }
  assert.ok(Number(response.headers.get('retry-after')) > 0, 'says when to come back');
  assert.match(Reflect.get(Object(body), 'detail'), /.{11}/);
}

/** Acknowledged: there once. Refused: not there. Unknown: at most once. */
async function checkWrites({ sql }: Database, sent: readonly Sent[]): Promise<void> {
  const rows = await sql<
    { amount: string; times: number }[]
  >`select amount::text as amount, count(*)::int as times from transfers where to_account = 'bonus' group by 1`;
  const times = new Map(rows.map((row) => [row.amount, row.times]));
  for (const { mark, status } of sent.filter((each) => each.mark > 0)) {
    const found = times.get(amountOf(mark)) ?? 0;
    if (status === 200) assert.is(found, 1, `the acknowledged ${amountOf(mark)}`);
    else if (status === 503) assert.is(found, 0, `the refused ${amountOf(mark)}`);
    else assert.ok(found <= 1, `${amountOf(mark)} is there ${found} times`);
  }
  assert.equal(await verifyLedger(sql), []);
}
