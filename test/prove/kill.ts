/**
 * kill -9 of the server, its database and everything below them in the middle of writes: what was acknowledged is
 * there, once, and the books agree.
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { type Api, ApiError } from '../../src/app/api/client';
import { readKeyFile } from '../../src/server/auth/keyFile';
import { createSecrets } from '../../src/server/auth/secrets';
import { ROLE } from '../../src/server/db/embedded/configFiles';
import { readPostmaster } from '../../src/server/db/embedded/postgresProcess';
import { type Database, openDatabase } from '../../src/server/db/open';
import { newGate } from '../server/gate';
import { killTree, newFolder, type Running } from '../server/running';
import { startReceiver } from './heard';
import { admin, amountOf, apiAt, signInAt, startMarks, startServer, verifyBooks } from './marks';
import { type ProveOptions, Random } from './random';

const READY_MS = 10_000;
const PLAYERS = 6;

/** A write and what became of it: sent without an answer, it may have happened or not. */
interface Write {
  mark: number;
  what: 'addition' | 'redeem' | 'return' | 'player' | 'settlement';
  isDone: boolean;
  id?: number;
  status?: 'success' | 'failed';
  /** What a settlement is of. */
  of?: 'redeem' | 'return';
}
interface World {
  players: { id: number; email: string }[];
  tenant_id: number;
  writes: Write[];
  mark: number;
}

export async function prove({ seed, long, say, rounds = long ? 100 : 6, workers = 8 }: ProveOptions): Promise<void> {
  const random = new Random(seed),
    folder = newFolder('kill'),
    dataDir = join(folder, 'data');
  const env = {
    ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, LOG_LEVEL: 'silent' },
    NOTIFY_PRIVATE_ADDRESSES: 'true',
  };
  const receiver = await startReceiver();
  let server: Running | undefined,
    slowest = 0;
  try {
    server = await startServer({ dataDir, env });
    const world = await prepare(await signIn(server));
    const target = { kind: 'events', target: receiver.url } as const;
    await (await signIn(server)).addNotificationChannel({ body: { tenant_id: world.tenant_id, ...target } });
    for (let round = 1; round <= rounds; round++) {
      await writeUntilKilled(server, world, random, workers);
      const started = performance.now();
      server = await startServer({ dataDir, env });
      assert.is((await fetch(`${server.url}readyz`)).status, 200);
      const took = performance.now() - started;
      slowest = Math.max(slowest, took);
      assert.ok(took < READY_MS, `round ${round}: ready after ${took} ms`);
      await check(dataDir, world, `round ${round}`);
    }
    const done = world.writes.filter(({ isDone }) => isDone).length;
    say(
      `${rounds} kills, ${done} acknowledged writes all exist, ${world.writes.length - done} were interrupted; ` +
        `ready after ${Math.round(slowest)} ms at most`,
    );
    assert.ok(done >= rounds * 5 && world.writes.length - done >= rounds, 'the kills came in the middle of writes');
    const { events, repeats } = await inDatabase(dataDir, ({ sql }) => receiver.check(sql));
    say(`${events} events of committed writes all came, those of a player in order; ${repeats} came again`);
    assert.is(await server.end('SIGTERM'), 0);
  } finally {
    receiver.close();
    if (server) killTree(server.pid);
    await server?.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

const signIn = async ({ url }: Running): Promise<Api> => apiAt(url, await signInAt(url), 20_000);

async function prepare(api: Api): Promise<World> {
  const { tenant_id, players } = await startMarks(api, PLAYERS);
  for (const { id } of players) await api.adjustBalances({ id, body: { credit: '1000000' } });
  return { players, tenant_id, writes: [], mark: 0 };
}

async function writeUntilKilled(server: Running, world: World, random: Random, workers: number): Promise<void> {
  const api = await signIn(server);
  let isKilled = false,
    toGo = random.from(5, 120);
  const enough = newGate();
  const work = async () => {
    while (!isKilled) {
      const write = nextWrite(world, random);
      try {
        await send(api, world, write);
        write.isDone = true;
        if (--toGo === 0) enough.open();
      } catch (error) {
        if (!(error instanceof ApiError) || (error.status > 0 && error.status < 500)) throw error;
        if (!isKilled) await setTimeout(1);
      }
    }
  };
  const working = Promise.all(Array.from({ length: workers }, work));
  await Promise.race([working, enough.opened]);
  await setTimeout(random.from(0, 10));
  isKilled = true; // no new ones; those under way are cut off
  killTree(server.pid);
  await server.ended;
  await working;
}

function nextWrite(world: World, random: Random): Write {
  const open = world.writes.filter(
    ({ what, isDone, id }) =>
      (what === 'redeem' || what === 'return') &&
      isDone &&
      !world.writes.some((other) => other.what === 'settlement' && other.id === id),
  );
  const kind = random.from(1, 20),
    next = open.at(0);
  const mark = ++world.mark;
  const write: Write =
    kind === 1
      ? { mark, what: 'player', isDone: false }
      : kind <= 9
        ? { mark, what: 'addition', isDone: false }
        : kind <= 14 && next?.id !== undefined
          ? settlementOf(mark, next, random.pick(['success', 'failed']))
          : { mark, what: kind <= 17 ? 'return' : 'redeem', isDone: false };
  world.writes.push(write);
  return write;
}

const settlementOf = (mark: number, { id, what }: Write, status: 'success' | 'failed'): Write => ({
  ...{ mark, what: 'settlement', isDone: false, status, of: what === 'return' ? what : 'redeem' },
  ...(id !== undefined && { id }),
});

/**
 * An addition is known again by its amount, a return by its description, a redeem by its address, a player by the
 * e-mail.
 */
async function send(api: Api, { players, tenant_id }: World, write: Write): Promise<void> {
  const { mark, what } = write,
    player = players[mark % players.length]!,
    name = `mark${mark}`,
    body = { user_email: player.email, amount: '1.01', platform: 'yolo' } as const;
  switch (what) {
    case 'addition':
      await api.adjustBalances({ id: player.id, body: { bonus: amountOf(mark) } });
      break;
    case 'player':
      await api.createPlayer({ body: { email: `mark${mark}@mail.test`, password: 'x', tenant_id } });
      break;
    case 'redeem':
      write.id = (
        await api.createManualRedeem({ body: { ...body, payout_method: 'PayPal', payout_address: name } })
      ).id;
      break;
    case 'return':
      write.id = (await api.createReturn({ body: { ...body, description: name } })).id;
      break;
    case 'settlement': {
      const input = { id: write.id!, body: { status: write.status! } };
      await (write.of === 'return' ? api.changePurchaseStatus(input) : api.changeRedeemStatus(input));
      break;
    }
  }
}

async function inDatabase<T>(dataDir: string, work: (db: Database) => Promise<T>): Promise<T> {
  const { socketFolder } = readPostmaster(join(dataDir, 'postgres'))!;
  const db: Database = await openDatabase({ socketFolder, port: 5432, user: ROLE, database: ROLE }, { poolSize: 2 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

const check = (dataDir: string, { writes }: World, round: string): Promise<void> =>
  inDatabase(dataDir, async (db) => {
    const { sql } = db;
    const counted = (rows: readonly { mark: string }[]) =>
      rows.reduce((all, { mark }) => all.set(mark, (all.get(mark) ?? 0) + 1), new Map<string, number>());
    const there = {
      addition: counted(
        await sql<{ mark: string }[]>`select amount::text as mark from transfers where to_account = 'bonus'`,
      ),
      player: counted(await sql<{ mark: string }[]>`select email as mark from players`),
      redeem: counted(await sql<{ mark: string }[]>`select payout_address as mark from redeems`),
      return: counted(
        await sql<{ mark: string }[]>`select description as mark from transactions where transaction_type = 'RETURN'`,
      ),
      settlement: counted(
        await sql<{ mark: string }[]>`
          select id || ' ' || status as mark from redeems where status <> 'pending'
          union all select id || ' ' || status from transactions where status <> 'pending'`,
      ),
    };
    const key = ({ what, mark, id, status }: Write) =>
      ({
        addition: amountOf(mark),
        player: `mark${mark}@mail.test`,
        redeem: `mark${mark}`,
        return: `mark${mark}`,
        settlement: `${id} ${status}`,
      })[what];
    for (const write of writes) {
      const times = there[write.what].get(key(write)) ?? 0;
      assert.ok(times <= 1, `${round}: ${write.what} ${key(write)} is there ${times} times`);
      if (write.isDone) assert.is(times, 1, `${round}: the acknowledged ${write.what} ${key(write)} is lost`);
    }
    for (const what of ['addition', 'redeem', 'return', 'settlement'] as const) {
      const sent = new Set(writes.filter((write) => write.what === what).map(key));
      assert.equal(
        [...there[what].keys()].filter((mark) => !sent.has(mark)),
        [],
        `${round}: nobody sent this ${what}`,
      );
    }
    await verifyBooks(db, createSecrets(readKeyFile(dataDir)), round);
  });
