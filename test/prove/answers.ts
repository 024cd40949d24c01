/**
 * COMMIT takes long, the line to the database or to the client is cut before and after it, and the server is killed:
 * nobody is told "not done" of what was done, and what is sent again with its key is done once.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { ApiError } from '../../src/app/api/client';
import { callUntilKnown } from '../../src/app/api/repeat';
import { UNKNOWN_OUTCOME } from '../../src/contract/constants';
import { verifyLedger } from '../../src/server/books/verify';
import { createApi } from '../createApi';
import { eventually, killTree, type Running } from '../server/running';
import { type Behind, behindLine } from './behindLine';
import { type Line, openLine } from './line';
import { amountOf, apiAt, type Marks, signInAt, startMarks } from './marks';
import { count, inWords, type ProveOptions, Random } from './random';

globalThis.navigator ??= { onLine: true } as Navigator; // Node 20 has none

/** Longer than the server waits for anything but a COMMIT, and longer than it waits for a COMMIT. */
const SLOW_SECONDS = 17,
  ENDLESS_SECONDS = 33;

/** What somebody was told about a write. */
type Told = 'done' | 'not done' | 'unknown';
interface Write {
  /** Its amount in cents, by which it is found again. */
  mark: number;
  kind: 'edit' | 'redeem';
  player: Marks['players'][number];
  /** Sent by the app's own code, with this key until its outcome is known. */
  key?: string;
  told: Told;
}
interface World extends Behind<Line> {
  server: Running;
  token: string;
  players: Marks['players'];
  writes: Write[];
}

export async function prove({ seed, long, say, rounds = long ? 40 : 5, workers = 8 }: ProveOptions): Promise<void> {
  const random = new Random(seed);
  await behindLine(openLine, async (behind) => {
    const world = await prepare(behind, workers);
    say(await commitSlowly(world));
    const counts: Record<string, number> = {};
    for (let round = 0; round < rounds; round++) {
      const disturbances = await disturb(world, random, workers);
      for (const what of disturbances) count(counts, `${what}:`);
      await sendUnknownAgain(world);
      await check(world);
    }
    say(`${describe(world.writes)}; ${inWords(counts)}`);
    for (const told of ['done', 'not done', 'unknown'] as const)
      assert.ok(
        world.writes.some((write) => !write.key && write.told === told),
        `nobody was told: ${told}`,
      );
    assert.is(await world.server.end('SIGTERM'), 0);
  });
}

function describe(writes: readonly Write[]): string {
  const count = (isKeyed: boolean, told: Told) =>
    writes.filter((write) => (write.key !== undefined) === isKeyed && write.told === told).length;
  const words = (isKeyed: boolean) =>
    (['done', 'not done', 'unknown'] as const).map((told) => `${count(isKeyed, told)} ${told}`).join(', ');
  return `sent once: ${words(false)}; sent by the app with a key: ${words(true)}; every word of it true`;
}

async function prepare(behind: Behind<Line>, workers: number): Promise<World> {
  const server = await behind.start(),
    token = await signInAt(server.url),
    api = apiAt(server.url, token),
    { players } = await startMarks(api, workers);
  for (const { id } of players) await api.adjustBalances({ id, body: { credit: '10000000' } });
  await behind.db.sql.unsafe(`
    create table prove_delays (amount numeric primary key, seconds float8 not null);
    create function prove_wait() returns trigger language plpgsql as
      $$ begin perform pg_sleep(seconds) from prove_delays d where d.amount = new.amount; return null; end $$;
    create constraint trigger prove_wait after insert on transfers deferrable initially deferred
    for each row execute function prove_wait()`);
  return { ...behind, server, token, players, writes: [] };
}

/** A new write whose COMMIT takes so long. */
type What = Pick<Write, 'kind' | 'player' | 'key'>;
async function newWrite({ db, writes }: World, seconds: number, what: What): Promise<Write> {
  const write: Write = { ...what, mark: writes.length + 1, told: 'unknown' };
  writes.push(write);
  if (seconds > 0) await db.sql`insert into prove_delays values (${amountOf(write.mark)}, ${seconds})`;
  return write;
}

const requestOf = ({ mark, kind, player: { id, email } }: Write): [path: string, body: object] =>
  kind === 'edit'
    ? [`/api/v1/admin/user/${id}/update-balances`, { bonus: amountOf(mark) }]
    : [
        '/api/v1/admin/redeems/manual',
        { user_email: email, amount: amountOf(mark), platform: 'yolo', payout_method: 'PayPal', payout_address: 'x' },
      ];

/** Sends it once and believes the answer. */
async function sendOnce(world: World, write: Write, hangUp = 60_000): Promise<void> {
  const [path, body] = requestOf(write);
  const response = await fetch(new URL(path, world.server.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${world.token}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(hangUp),
  }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (!response || !answer) return;
  if (response.status === 200) write.told = 'done';
  else if (response.status === 503) write.told = 'not done';
  else {
    assert.equal([response.status, answer.code], [500, UNKNOWN_OUTCOME], JSON.stringify(answer));
    assert.is(response.headers.get('retry-after'), null);
  }
}

/** Sends it as the app does, and believes what the app would tell the person. */
async function sendAsApp(world: World, write: Write, hangUp = () => 60_000): Promise<void> {
  const api = createApi({
    fetch: (path, init) => fetch(new URL(path, world.server.url), { ...init, signal: AbortSignal.timeout(hangUp()) }),
    token: () => world.token,
  });
  const [, body] = requestOf(write);
  const call = write.kind === 'edit' ? api.adjustBalances : api.createManualRedeem;
  await callUntilKnown(
    (options) => (call as (input: object, options: object) => Promise<unknown>)({ id: write.player.id, body }, options),
    { idempotencyKey: write.key ?? '', onRepeat: () => {}, pauses: [100, 300, 600, 1000] },
  ).then(
    () => {
      write.told = 'done';
    },
    (error: unknown) => {
      assert.ok(error instanceof ApiError, String(error));
      assert.ok(error.code === UNKNOWN_OUTCOME || error.status === 503, `${error.status} ${error.message}`);
      write.told = error.code === UNKNOWN_OUTCOME ? 'unknown' : 'not done';
    },
  );
}

/** A COMMIT that takes longer than every other limit is waited for; one that does not end has an unknown outcome. */
async function commitSlowly(world: World): Promise<string> {
  const slow = await newWrite(world, SLOW_SECONDS, { kind: 'edit', player: world.players[0]! }),
    endless = await newWrite(world, ENDLESS_SECONDS, { kind: 'redeem', player: world.players[1]! });
  const started = performance.now();
  const ended: number[] = [];
  await Promise.all(
    [slow, endless].map(async (write, n) => {
      await sendOnce(world, write);
      ended[n] = Math.round((performance.now() - started) / 1000);
    }),
  );
  assert.equal([slow.told, endless.told], ['done', 'unknown']);
  await check(world);
  return `a COMMIT of ${SLOW_SECONDS} s was answered after ${ended[0]} s with 200, one of ${ENDLESS_SECONDS} s after ${ended[1]} s with unknown_outcome`;
}

/** Some seconds of writes, while lines are cut, backends end in the middle of COMMIT and the server is killed. */
async function disturb(world: World, random: Random, workers: number): Promise<string[]> {
  const happened: string[] = [];
  let isOver = false;
  const work = async (worker: number) => {
    const player = world.players[worker]!;
    while (!isOver) {
      const seconds = random.pick([0, 0, 0.05, 0.2, 0.6]),
        kind = random.pick(['edit', 'redeem'] as const);
      const hangUp = () => (random.from(1, 4) === 1 ? random.from(5, 300) : 60_000);
      const key = random.from(0, 1) ? randomUUID() : undefined;
      const write = await newWrite(world, seconds, { kind, player, ...(key && { key }) });
      await (key ? sendAsApp(world, write, hangUp) : sendOnce(world, write, hangUp()));
      if (write.told !== 'done') await setTimeout(50);
    }
  };
  const working = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  for (let n = 0; n < 8; n++) {
    await setTimeout(random.from(100, 600));
    const what = random.pick(['the line was cut', 'backends were ended in COMMIT', 'the server was killed'] as const);
    happened.push(what);
    if (what === 'the line was cut') {
      world.line.become('refused');
      await setTimeout(random.from(0, 300));
      world.line.become('open');
    } else if (what === 'the server was killed') {
      killTree(world.server.pid);
      await world.server.ended;
      world.server = await world.start();
    } else {
      await world.db.sql`
        select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and query = 'commit'`;
    }
  }
  isOver = true;
  await working;
  return happened;
}

/** A person who looks and does the same again: the same key, so it is done once. */
async function sendUnknownAgain(world: World): Promise<void> {
  for (const write of world.writes) {
    if (!write.key || write.told !== 'unknown') continue;
    for (let tries = 0; write.told === 'unknown' && tries < 5; tries++) await sendAsApp(world, write);
    assert.is(write.told, 'done');
  }
}

/** Compares what was told with what is in the books, once no transaction is open any more. */
async function check({ db, writes }: World): Promise<void> {
  const isQuiet = async () => {
    const [row] = await db.sql<{ open: number }[]>`
      select count(*)::int as open from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
    return row!.open === 0;
  };
  assert.ok(await eventually(isQuiet, 40), 'transactions are still open');
  const rows = await db.sql<{ kind: Write['kind']; mark: number; times: number }[]>`
    select case to_account when 'bonus' then 'edit' else 'redeem' end as kind, (amount * 100)::int as mark,
      count(*)::int as times
    from transfers where to_account in ('bonus', 'held') group by 1, 2`;
  const times = new Map(rows.map((row) => [`${row.kind} ${row.mark}`, row.times]));
  for (const { kind, mark, key, told } of writes) {
    const found = times.get(`${kind} ${mark}`) ?? 0,
      words = `${kind} ${mark}${key ? ' with a key' : ''} was told to be ${told} and is there ${found} times`;
    assert.ok(told === 'unknown' ? found <= 1 : found === (told === 'done' ? 1 : 0), words);
  }
  assert.equal(await verifyLedger(db.sql), []);
}
