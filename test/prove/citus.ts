/**
 * Nodes of a Citus cluster are killed in the middle of writes, most of them between the two phases of a commit: money
 * and its audit entry are there together or not at all.
 */
import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../src/server/db/open';
import { eventually, killTree, newFolder, type Running } from '../server/running';
import { type CitusCluster, type CitusNode, startCitus } from './citusCluster';
import { addPurchases, checkWrites, createWorld, sendUnknownAgain, type World, writeOn } from './citusWrites';
import { serverEnv, signInAt, startServer, verifyBooks } from './marks';
import { hasCitus } from './nodes';
import { type ProveOptions, Random } from './random';

const targets = ['a worker', 'the coordinator', 'both'] as const;
type Target = (typeof targets)[number];
/** The last kills are recovered by the daemon of Citus, all before by the function that it calls. */
const BY_DAEMON = 3;
/** The whole books are verified after every so many kills, and at the end. */
const VERIFIED_EVERY = 10;
const HOLD_MS = 5_000;

/** A transaction that is prepared on a worker, and the process of the coordinator that would finish it. */
interface Held {
  gid: string;
  pid: number;
  worker: CitusNode;
}
const countNothing = () => ({
  killed: { 'a worker': 0, 'the coordinator': 0, both: 0 },
  /** Kills after which a worker held a transaction in doubt, and what became of it. */
  inDoubt: 0,
  committed: 0,
  rolledBack: 0,
  byDaemon: 0,
  /** Writes of unknown outcome that were sent again. */
  again: 0,
});
type Count = ReturnType<typeof countNothing>;

export async function prove({ seed, long, say, kills = long ? 500 : 50, workers = 8 }: ProveOptions) {
  if (!hasCitus) return 'Citus is not installed for PostgreSQL 15 here (/usr/lib/postgresql/15/lib/citus.so)';
  const folder = newFolder('citus'),
    random = new Random(seed);
  let cluster: CitusCluster | undefined, server: Running | undefined;
  try {
    cluster = await startCitus(folder, 'citus.recover_2pc_interval = -1');
    server = await startServer({
      env: { ...serverEnv, LOG_LEVEL: 'error', DATABASE_URL: cluster.url, POOL_SIZE: '8' },
    });
    const world = await createWorld(server.url, await signInAt(server.url));
    const places = await cluster.coordinator.db.sql`
      select distinct nodeport from citus_shards where table_name = 'wallets'::regclass`;
    assert.is(places.length, cluster.workers.length, 'both workers have tenants');
    const count = countNothing();
    for (let kill = 1; kill <= kills; kill++) {
      const target = targets[kill % targets.length]!,
        isLast = kill > kills - BY_DAEMON;
      if (kill === kills - BY_DAEMON + 1) await startDaemon(cluster.coordinator);
      world.purchases = await addPurchases(world);
      await killDuringWrites(cluster, world, { random, target, workers, count, isLast });
      // On connections of its own: older ones of the coordinator to a worker may be those from before it was killed.
      const db = await openDatabase(cluster.url, { poolSize: 2 });
      try {
        await checkWrites(db, world);
        if (kill % VERIFIED_EVERY === 0 || kill === kills) await verifyBooks(db);
      } finally {
        await db.close();
      }
    }
    say(cluster.version);
    say(describe(kills, count, world));
    const logged = server
      .stdout()
      .split('\n')
      .filter((line) => line.includes('unexpected error'));
    assert.equal([...world.unexpected, ...logged], [], 'every refusal was a 503');
    assert.ok(count.inDoubt * 2 >= kills, `only ${count.inDoubt} of ${kills} kills left a transaction in doubt`);
    assert.is(await server.end('SIGTERM'), 0);
  } finally {
    if (server) killTree(server.pid);
    await server?.ended;
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function describe(kills: number, count: Count, { writes, unseen }: World): string {
  const told = (what: string) => writes.filter((write) => write.told === what).length,
    { killed, inDoubt, committed, rolledBack, byDaemon, again } = count;
  return (
    `${kills} kills (${targets.map((target) => `${target} ${killed[target]}`).join(', ')}), ${inDoubt} of them ` +
    `with a transaction in doubt: recover_prepared_transactions committed ${committed} and rolled back ` +
    `${rolledBack}, the daemon decided ${byDaemon}; ` +
    `${told('done')} acknowledged writes are there once, ${told('refused')} refused are not, ${again} of unknown ` +
    `outcome were done once when sent again, ${unseen} redeems could not be settled before they were recovered`
  );
}

interface Kill {
  random: Random;
  target: Target;
  workers: number;
  count: Count;
  isLast: boolean;
}

async function killDuringWrites(cluster: CitusCluster, world: World, kill: Kill): Promise<void> {
  const { random, target, count } = kill,
    { coordinator, workers } = cluster,
    before = world.writes.length;
  let isOver = false;
  const writing = Promise.all(Array.from({ length: kill.workers }, () => writeOn(world, random, () => isOver)));
  const killing = (async () => {
    const isBusy = () => world.writes.slice(before).filter(({ told }) => told === 'done').length >= kill.workers;
    assert.ok(await eventually(isBusy, 30), 'there were writes before');
    const held = await hold(workers);
    const victims = [
      ...(target === 'the coordinator' ? [] : [held?.worker ?? random.pick(workers)]),
      ...(target === 'a worker' ? [] : [coordinator]),
    ];
    count.killed[target]++;
    const way = random.pick(['SIGQUIT', 'SIGKILL'] as const);
    const stopping = Promise.all(victims.map((node) => node.stop(way)));
    if (target === 'a worker')
      await stopping; // only then does the coordinator go on
    else if (held) signal(held.pid, 'SIGQUIT'); // it sees it when it goes on
    if (held) signal(held.pid, 'SIGCONT');
    await stopping;
    await setTimeout(random.from(0, 200));
    for (const node of victims) if (node !== coordinator) await node.start();
    const isInDoubt = held !== undefined && (await listPrepared([held.worker])).includes(held.gid);
    if (victims.includes(coordinator)) await coordinator.start();
    if (isInDoubt) {
      count.inDoubt++;
      count[kill.isLast ? 'byDaemon' : (await isCommitted(coordinator, held.gid)) ? 'committed' : 'rolledBack']++;
    }
    await recover(cluster, kill, held ? [held.gid] : []);
  })().finally(() => {
    isOver = true;
  });
  await Promise.all([writing, killing]);
  count.again += await sendUnknownAgain(world);
  await recover(cluster, kill);
}

/** Stops the process of the coordinator that is between the two phases of a commit. */
async function hold(workers: readonly CitusNode[]): Promise<Held | undefined> {
  for (const until = Date.now() + HOLD_MS; Date.now() < until; )
    for (const worker of workers) {
      const [gid] = await listPrepared([worker]);
      if (gid === undefined) continue;
      const pid = Number(gid.split('_')[2]); // citus_<node>_<process>_<transaction>_<connection>
      if (!signal(pid, 'SIGSTOP')) continue;
      if ((await listPrepared([worker])).includes(gid)) return { gid, pid, worker };
      signal(pid, 'SIGCONT');
    }
}

/** False if the process has ended. */
function signal(pid: number, ...signals: NodeJS.Signals[]): boolean {
  try {
    for (const each of signals) process.kill(pid, each);
    return true;
  } catch {
    return false;
  }
}

async function listPrepared(workers: readonly CitusNode[]): Promise<string[]> {
  const found = await Promise.all(
    workers.map(({ db }) => db.sql<{ gid: string }[]>`select gid from pg_prepared_xacts where gid like 'citus%'`),
  );
  return found.flat().map(({ gid }) => gid);
}

/** Whether the coordinator has recorded that a transaction is to be finished. */
const isCommitted = async ({ db }: CitusNode, gid: string): Promise<boolean> =>
  (await db.sql`select 1 from pg_dist_transaction where gid = ${gid}`).length === 1;

/** Waits until nothing is in doubt: of the given transactions, or of all. */
async function recover({ coordinator, workers }: CitusCluster, { isLast }: Kill, only?: string[]): Promise<void> {
  const isDone = async () => {
    // It may still have the connections to a worker from before that was killed.
    if (!isLast) await coordinator.db.sql`select recover_prepared_transactions()`.catch(() => {});
    const prepared = await listPrepared(workers);
    return only ? !prepared.some((gid) => only.includes(gid)) : prepared.length === 0;
  };
  assert.ok(await eventually(isDone, 30), 'everything in doubt was decided');
}

async function startDaemon({ db }: CitusNode): Promise<void> {
  await db.sql`alter system set citus.recover_2pc_interval = '1s'`;
  await db.sql`select pg_reload_conf()`;
}
