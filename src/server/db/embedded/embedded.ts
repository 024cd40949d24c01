/** The embedded PostgreSQL: a supervised child process in a folder of its own, reachable by this process alone. */
import { accessSync, constants, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DatabaseRefused, messageOf, type SocketAddress, type Sql } from '../open';
import { openPool } from '../pool';
import { findBinaries } from './binaries';
import { makeCluster, PORT, refuseForeign, refuseOtherMajor } from './cluster';
import { ROLE, SUPERUSER, writeConfigFiles } from './configFiles';
import { lockFolder } from './folderLock';
import { chooseUser, findOpenFolder, makeSocketFolder, type RunAs, removeSocketFolder } from './osUser';
import { isPostmaster, type ProcessOptions, readPostmaster, startPostgres, stopLeftover } from './postgresProcess';

interface EmbeddedOptions {
  /** A folder of its own; the cluster is in `postgres` within it. */
  folder: string;
  /** The most connections that the server uses. */
  poolSize?: number;
  /** As root: the user of the operating system that the database runs as. By default it is chosen, or created. */
  osUser?: string | undefined;
  say?: (level: 'info' | 'warn' | 'error', message: string) => void;
  /** Called when the database ended and could not be restarted. */
  onGone?: (error: Error) => void;
}

const RESTARTS_PER_MINUTE = 5;

/** Starts the database of a folder, and creates it first if needed. Refuses in one sentence what cannot work. */
export async function startEmbedded({
  folder,
  poolSize = 10,
  osUser,
  say = () => {},
  onGone = () => {},
}: EmbeddedOptions) {
  makeFolder(folder);
  const cluster = join(folder, 'postgres');
  const runAs = chooseUser({ cluster, wanted: osUser, say });
  refuseOpen(folder, runAs);
  const lock = await lockFolder(folder);
  const ends: (() => void | Promise<void>)[] = [lock.release];
  const stop = async () => {
    for (let end = ends.pop(); end; end = ends.pop()) await end();
  };
  try {
    const binaries = findBinaries(folder, runAs);
    refuseOtherMajor(cluster, binaries);
    await makeCluster(cluster, binaries, runAs);
    refuseForeign(cluster, runAs);
    await stopLeftover(cluster, runAs, (message) => say('warn', message));
    const configFolder = writeConfigFiles(folder);
    const socketFolder = makeSocketFolder(runAs);
    ends.push(() => removeSocketFolder(socketFolder, runAs));
    const folders = { cluster, configFolder, socketFolder };
    const child = await supervise({ ...folders, runAs, binaries, maxConnections: poolSize + 10, say }, onGone);
    ends.push(child.stop);
    const address = { socketFolder, port: PORT, user: ROLE, database: ROLE };
    await prepare(address, say);
    let stopped: Promise<void> | undefined;
    return {
      address,
      /** The process id of the database, for tests and people. */
      pid: child.pid,
      /** Stops the database cleanly. Repeating it is harmless. */
      stop: () => (stopped ??= stop()),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export type Embedded = Awaited<ReturnType<typeof startEmbedded>>;

/** The address of a folder's running database; undefined when none is running. */
export function findRunning(folder: string): SocketAddress | undefined {
  const cluster = join(folder, 'postgres');
  const running = readPostmaster(cluster);
  if (!running?.isReady || !isPostmaster(running.pid, cluster)) return undefined;
  return { socketFolder: running.socketFolder, port: PORT, user: ROLE, database: ROLE };
}

function makeFolder(folder: string): void {
  try {
    // As root the folder is traversable, because programs may be copied into it; everything else in it is private.
    mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DatabaseRefused(`The folder ${folder} (DATA_DIR) cannot be created or written to: ${messageOf(error)}.`);
  }
}

/** What root trusts must be out of reach of the user that it does not trust. */
function refuseOpen(folder: string, runAs: RunAs): void {
  if (!runAs) return;
  const cluster = join(folder, 'postgres');
  const parents = [folder, ...(lstatSync(cluster, { throwIfNoEntry: false }) ? [dirname(realpathSync(cluster))] : [])];
  for (const parent of parents) {
    const open = findOpenFolder(parent, runAs);
    if (open)
      throw new DatabaseRefused(
        `The user that the database runs as (uid ${runAs.uid}) can replace files in ${open}, and root would use them. ` +
          `Give the folder to root (chown root:root '${open}'; chmod go-w '${open}'), or set DATA_DIR to another one.`,
      );
  }
}

/** Keeps the database process running until `stop`. It restarts the process a few times per minute at most. */
async function supervise(options: ProcessOptions, onGone: (error: Error) => void) {
  const { say } = options;
  let isStopping = false;
  let running = await startWithRetry(options);
  let restarting: Promise<void> = Promise.resolve();
  const recent: number[] = [];

  const watch = () =>
    void running.ended.then((how) => {
      if (isStopping) return;
      say('error', `the database exited (${how}) and is being restarted`);
      restarting = restart().catch((error: unknown) => {
        if (!isStopping) onGone(error instanceof Error ? error : new Error(String(error)));
      });
    });
  const restart = async () => {
    recent.push(Date.now());
    while (recent[0] !== undefined && recent[0] < Date.now() - 60_000) recent.shift();
    if (recent.length > RESTARTS_PER_MINUTE) throw new Error('the database keeps exiting');
    await setTimeout(50 * 2 ** recent.length);
    if (isStopping) return;
    running = await startWithRetry(options);
    say('warn', 'the database is back');
    watch();
  };
  watch();
  return {
    pid: () => running.child.pid,
    async stop() {
      isStopping = true;
      await restarting;
      await running.stop();
    },
  };
}

/** Starts the database; retries for a few seconds while workers of a killed one are still ending. */
async function startWithRetry(options: ProcessOptions) {
  for (let tries = 1; ; tries++) {
    try {
      return await startPostgres(options);
    } catch (error) {
      if (tries === 20 || !(error instanceof Error && /shared memory block|lock file/.test(error.message))) throw error;
      await setTimeout(250);
    }
  }
}

/** What a cluster needs besides its files: role, database, and indexes that match the installed version of ICU. */
async function prepare(address: SocketAddress, say: ProcessOptions['say']): Promise<void> {
  await asSuperuser(address, 'postgres', async (sql) => {
    await sql.unsafe(`do $$ begin if to_regrole('${ROLE}') is null then create role ${ROLE} login; end if; end $$`);
    const [found] = await sql`select 1 from pg_database where datname = ${ROLE}`;
    if (!found) await sql.unsafe(`create database ${ROLE} owner ${ROLE} strategy file_copy`);
    const stale = await sql<{ datname: string }[]>`
      select datname from pg_database
      where datallowconn and datcollversion is distinct from pg_database_collation_actual_version(oid)`;
    for (const { datname } of stale) {
      say('warn', `the version of ICU has changed: rebuilding the indexes of ${datname}`);
      await asSuperuser(address, datname, async (own) => {
        await own.unsafe(`reindex database ${datname}`);
        await own.unsafe(`alter database ${datname} refresh collation version`);
      });
    }
  });
}

async function asSuperuser(address: SocketAddress, database: string, work: (sql: Sql) => Promise<void>): Promise<void> {
  const sql = openPool({ ...address, user: SUPERUSER, database }, { size: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeoutMs: 5_000 });
  }
}
