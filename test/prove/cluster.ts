/** Debian's PostgreSQL 15 as a primary with a synchronous standby, thrown away afterwards. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Database, openDatabase } from '../../src/server/db/open';
import { eventually, nobody } from '../server/running';
import { freePort } from './proxy';

const BIN = '/usr/lib/postgresql/15/bin';
export const hasPostgres = existsSync(join(BIN, 'pg_basebackup'));
const OWNER = 'postgres',
  APP = 'office';

export interface Node {
  port: number;
  start(): Promise<void>;
  /** 'SIGQUIT' is a crash, 'SIGINT' an orderly stop. */
  stop(signal: 'SIGQUIT' | 'SIGINT'): Promise<void>;
}
export interface Cluster {
  primary: Node;
  standby: Node;
  /** A URL of the role that owns the database, at these nodes. */
  url(...nodes: Node[]): string;
  /** The standby as its owner. */
  asOwner(node: Node): Promise<Database>;
  promote(): void;
  stop(): Promise<void>;
}

/** `folder` must be one that the user nobody may enter. */
export async function startCluster(folder: string): Promise<Cluster> {
  const password = randomBytes(18).toString('hex'),
    options = { ...nobody, cwd: '/', encoding: 'utf8', env: { PGPASSWORD: password, PATH: BIN, LC_ALL: 'C' } } as const;
  const tool = (name: string, ...args: string[]): void => {
    const { status, stderr } = spawnSync(join(BIN, name), args, options);
    assert.is(status, 0, `${name}: ${stderr}`);
  };
  const give = (path: string) => {
    if (nobody.uid !== undefined) chownSync(path, nobody.uid, nobody.gid ?? 0);
  };
  const newNode = async (name: string): Promise<Node & { data: string }> => {
    const data = join(folder, name),
      port = await freePort();
    mkdirSync(data, { mode: 0o700 });
    give(data);
    let child: ChildProcess | undefined,
      ended: Promise<unknown> = Promise.resolve();
    return {
      data,
      port,
      async start() {
        const settings = [
          `port=${port}`,
          'listen_addresses=127.0.0.1',
          'unix_socket_directories=',
          'shared_buffers=32MB',
        ];
        const args = ['-D', data, ...settings.flatMap((each) => ['-c', each])];
        const started = spawn(join(BIN, 'postgres'), args, { ...options, stdio: 'ignore' });
        child = started;
        ended = new Promise((done) => started.once('exit', done));
        const isUp = () =>
          spawnSync(join(BIN, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], options).status === 0;
        assert.ok(await eventually(isUp, 20), `the ${name} started`);
      },
      async stop(signal) {
        if (child?.exitCode === null) child.kill(signal);
        await ended;
      },
    };
  };

  give(folder);
  const primary = await newNode('primary'),
    standby = await newNode('standby'),
    secret = join(folder, 'password');
  const at = (user: string, nodes: readonly Node[], database: string) =>
    `postgres://${user}:${password}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`;
  const cluster: Cluster = {
    primary,
    standby,
    url: (...nodes) => at(APP, nodes, APP),
    asOwner: (node) => openDatabase(at(OWNER, [node], APP), { poolSize: 2 }),
    promote: () => tool('pg_ctl', 'promote', '-D', standby.data, '-s'),
    async stop() {
      await Promise.all([primary.stop('SIGQUIT'), standby.stop('SIGQUIT')]);
    },
  };
  try {
    writeFileSync(secret, password);
    give(secret);
    tool('initdb', '-D', primary.data, '-U', OWNER, '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'scram-sha-256',
      `--pwfile=${secret}`, '--no-sync'); // biome-ignore format: as it is typed
    await primary.start();
    const db = await openDatabase(at(OWNER, [primary], 'postgres'), { poolSize: 2 });
    await db.sql.unsafe(`create role ${APP} login password '${password}'`);
    await db.sql.unsafe(`create database ${APP} owner ${APP}`);
    tool('pg_basebackup', '-h', '127.0.0.1', '-p', String(primary.port), '-U', OWNER, '-D', standby.data, '-R',
      '-c', 'fast', '--no-sync'); // biome-ignore format: as it is typed
    await standby.start();
    // Only now, and not in what the standby was copied from: it waits for nobody once it is the primary.
    appendFileSync(join(primary.data, 'postgresql.conf'), "\nsynchronous_standby_names = '*'\n");
    await db.sql`select pg_reload_conf()`;
    const isSync = async () => (await db.sql`select from pg_stat_replication where sync_state = 'sync'`).length === 1;
    assert.ok(await eventually(isSync, 20), 'the standby follows');
    await db.close();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
