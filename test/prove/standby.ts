/**
 * A standby that answers reads, and takes over when the primary dies in the middle of writes: nothing acknowledged is
 * lost, and the servers go on by themselves.
 */
import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../src/contract/calls';
import { factsOf } from '../../src/server/core/callFacts';
import { DATA_AGE_HEADER } from '../../src/server/core/replicaReads';
import { openDatabase } from '../../src/server/db/open';
import { eventually, killTree, newFolder, type Running } from '../server/running';
import { type Cluster, startCluster } from './cluster';
import { apiAt, checkMarks, type Marks, serverEnv, signInAt, startMarks, startServer, type Told, write } from './marks';
import { hasPostgres } from './nodes';
import type { ProveOptions } from './random';

const METRICS_TOKEN = 'the-token-of-this-proof';
/** The servers look at the replica every second, and give it up when it is 10 s behind. */
const GIVEN_UP_SECONDS = 16;
const HEALTHY_MS = 15_000;

interface World {
  /** Everything is written through the first; nobody has written through the second, so it may read old. */
  writer: Running;
  reader: Running;
  cluster: Cluster;
  token: string;
  marks: Marks;
}

export async function prove({ say, workers = 8, long }: ProveOptions): Promise<string | undefined> {
  if (!hasPostgres) return "Debian's PostgreSQL 15 is not installed (postgresql-15)";
  const folder = newFolder('standby'),
    servers: Running[] = [];
  let cluster: Cluster | undefined;
  try {
    cluster = await startCluster(folder);
    const { primary, standby } = cluster;
    const urls = { DATABASE_URL: cluster.url(primary, standby), DATABASE_REPLICA_URL: cluster.url(standby) };
    for (const n of [0, 1])
      servers[n] = await startServer({ env: { ...serverEnv, LOG_LEVEL: 'warn', ...urls, METRICS_TOKEN } });
    const [writer, reader] = servers as [Running, Running];
    const token = await signInAt(writer.url),
      marks = await startMarks(apiAt(writer.url, token));
    const world: World = { writer, reader, cluster, token, marks };
    for (let n = 0; n < 20; n++) await write(apiAt(writer.url, token), marks);
    say(await readThere(world));
    say(await fallBehind(world));
    say(await takeOver(world, workers, long ? 2_000 : 60));
    const db = await openDatabase(cluster.url(standby), { poolSize: 4 });
    say(await checkMarks(db, marks).finally(db.close));
    assert.is(await metric(reader, 'backoffice_replica_used'), 0, 'a primary is no replica');
    for (const server of servers) assert.is(await server.end('SIGTERM'), 0);
  } finally {
    for (const server of servers) killTree(server.pid);
    await Promise.all(servers.map(({ ended }) => ended));
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const mayBeOld = new Set((Object.keys(calls) as CallName[]).filter((name) => factsOf(name).replica));
const range = 'start_date=2026-01-01&end_date=2026-12-31';
const queries: Partial<Record<CallName, string>> = {
  getAffiliates: range,
  getAffiliateStats: `affiliate_id=AFF1&${range}`,
};

async function read({ token }: World, { url }: Running, name: CallName): Promise<{ text: string; age: string | null }> {
  const response = await fetch(new URL(`${(calls[name] as CallSpec).path}?${queries[name] ?? ''}`, url), {
    headers: { Authorization: `Bearer ${token}` },
  });
  assert.is(response.status, 200, name);
  return { text: await response.text(), age: response.headers.get(DATA_AGE_HEADER) };
}

const hasLogged = ({ stdout }: Running, words: RegExp) => eventually(() => words.test(stdout()));

async function metric({ url }: Running, name: string): Promise<number> {
  const response = await fetch(`${url}metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
  const text = await response.text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** The standby answers each call that may be old as the primary does; whoever has just written is not sent there. */
async function readThere(world: World): Promise<string> {
  const { writer, reader } = world;
  const isUsed = () => metric(reader, 'backoffice_replica_used').then((used) => used === 1);
  assert.ok(await eventually(isUsed), reader.stdout());
  for (const name of mayBeOld) {
    const isSame = async () => {
      const [here, there] = [await read(world, writer, name), await read(world, reader, name)];
      assert.is(here.age, null, `${name} for somebody who has just written`);
      if (there.age === null) return false; // a busy machine may make it miss its time
      assert.ok(Number(there.age) >= 1 && Number(there.age) <= 10, `${name} at the replica: ${there.age} s`);
      return here.text === there.text;
    };
    // An export writes to the audit log, and the replica may be a moment behind.
    assert.ok(await eventually(isSame), `${name} differs at the replica`);
    // So that 10 s after the last write are never over.
    await apiAt(writer.url, world.token).updateTenant({ id: 2, body: { name: 'Acme', description: name } });
  }
  const answered = await metric(reader, 'backoffice_replica_reads_total{by="replica"}');
  assert.ok(answered >= mayBeOld.size);
  return `${mayBeOld.size} calls answered by the standby as by the primary`;
}

/** A standby that falls behind says how old it is, and is then given up until it is back. */
async function fallBehind(world: World): Promise<string> {
  const { writer, reader, cluster } = world,
    owner = await cluster.asOwner(cluster.standby),
    name = 'Acme, renamed';
  try {
    await owner.sql`select pg_wal_replay_pause()`;
    const paused = performance.now();
    await apiAt(writer.url, world.token).updateTenant({ id: 2, body: { name } });
    let oldest = 0;
    const isGivenUp = async () => {
      const { text, age } = await read(world, reader, 'listTenants');
      oldest = Math.max(oldest, Number(age));
      assert.is(text.includes(name), age === null, 'old and marked as old, or new');
      return age === null;
    };
    assert.ok(await eventually(isGivenUp, GIVEN_UP_SECONDS), 'a replica that is too far behind is given up');
    const seconds = Math.round((performance.now() - paused) / 1000);
    assert.ok(oldest <= 10, `its age was ${oldest} s at most`);
    const isFarBehind = async () => (await metric(reader, 'backoffice_replica_lag_seconds')) > 10;
    assert.ok(await eventually(isFarBehind));
    assert.is(await metric(reader, 'backoffice_replica_used'), 0);
    assert.ok(await hasLogged(reader, /the replica is not used/));
    await owner.sql`select pg_wal_replay_resume()`;
    const isBack = async () => {
      const { text, age } = await read(world, reader, 'listTenants');
      return age !== null && text.includes(name);
    };
    assert.ok(await eventually(isBack), 'it is used again');
    return (
      `a standby that stood still was given up after ${seconds} s, its age was ${oldest} s at most, ` +
      'and used again when it had caught up'
    );
  } finally {
    await owner.close();
  }
}

/** So many acknowledged writes through both servers before the primary dies, and as many after the promotion. */
async function takeOver(world: World, workers: number, writes: number): Promise<string> {
  const { writer, reader, cluster, token, marks } = world,
    before = marks.writes.length,
    those = () => marks.writes.slice(before),
    count = (told: Told) => those().filter((each) => each.told === told).length;
  let isOver = false,
    isPromoted = false,
    since = 0,
    back: number | undefined;
  const work = async (worker: number) => {
    const api = apiAt(worker % 2 ? writer.url : reader.url, token);
    while (!isOver) {
      const status = await write(api, marks);
      if (status === 200 && isPromoted) back ??= performance.now();
      if (status >= 500) await setTimeout(50);
    }
  };
  const working = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  const dying = (async () => {
    assert.ok(await eventually(() => count('done') >= writes, 60), 'there were writes before');
    since = performance.now();
    await cluster.primary.stop('SIGQUIT');
    const sent = marks.writes.length,
      done = count('done');
    assert.ok(await eventually(() => marks.writes.length > sent + workers), 'there were writes while it was away');
    cluster.promote();
    isPromoted = true;
    assert.ok(await eventually(() => back !== undefined, HEALTHY_MS / 1000), 'the servers found the new primary');
    assert.ok(await eventually(() => count('done') >= done + writes, 60), 'there were writes after it');
  })().finally(() => {
    isOver = true;
  });
  await Promise.all([working, dying]);
  for (const { url } of [writer, reader]) assert.is((await fetch(`${url}readyz`)).status, 200);
  return (
    `${those().length} writes while the primary died and the standby took over; ` +
    `written again ${Math.round((back ?? 0) - since)} ms after the crash`
  );
}
