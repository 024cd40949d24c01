/** The process of the embedded PostgreSQL: its start and settings, and its end, also if an earlier server left it. */

import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { attempt, unless } from '../attempt';
import { DatabaseRefused } from '../open';
import type { Binaries } from './binaries';
import { dataArgument, PORT, spawnOptions } from './cluster';
import { openConfigFolder } from './configFiles';
import { type RunAs, readPlainFile, removeSocketFolder, runAsOwner } from './osUser';

export interface ProcessOptions {
  cluster: string;
  runAs: RunAs;
  binaries: Binaries;
  configFolder: string;
  socketFolder: string;
  maxConnections: number;
  say: (level: 'info' | 'warn' | 'error', message: string) => void;
}

export async function startPostgres(options: ProcessOptions) {
  const { cluster, runAs, binaries, socketFolder, say } = options;
  const config = openConfigFolder(options.configFolder, runAs);
  const settings = Object.entries(configuration(options, config.path)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  // In its own process group: Ctrl-C in the terminal is for us, and we stop the database after the requests.
  const child = spawn(join(binaries.bin, 'postgres'), ['-D', dataArgument(cluster, runAs), ...settings], {
    ...spawnOptions(cluster, runAs),
    stdio: ['ignore', 'ignore', 'pipe', config.handle],
  });
  config.close();
  let hasEnded = false;
  let fatal = '';
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => {
      hasEnded = true;
      fatal ||= error.message;
      resolve(error.message);
    });
    child.on('close', (code, signal) => {
      hasEnded = true;
      resolve(signal ?? `exit code ${code}`);
    });
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) {
      const [, level, message] = /(LOG|FATAL|PANIC): {1,2}(.*)/.exec(line) ?? [];
      if (!level || !message) continue;
      if (level !== 'LOG') fatal = message.replace(dataArgument(cluster, runAs), cluster);
      say(level === 'LOG' ? 'info' : 'error', message);
    }
  });
  const guard = guardOver(child, socketFolder, runAs);
  void ended.then(() => guard.kill('SIGKILL'));
  const isUp = () => {
    const postmaster = readPostmaster(cluster);
    return postmaster?.pid === child.pid && postmaster?.isReady;
  };
  while (!hasEnded && !isUp()) await setTimeout(10); // recovery after a crash may take a while
  if (hasEnded) throw new DatabaseRefused(`The embedded database does not start: ${fatal || (await ended)}.`);
  return { child, ended, stop: () => stopChild(child, ended) };
}

/** Stops the database if our process is killed: a shell waits on a pipe that only we can close. */
function guardOver(child: ChildProcess, socketFolder: string, runAs: RunAs): ChildProcess {
  const script = 'read -r _; kill -INT "$1"; while kill -0 "$1"; do sleep 1; done; rmdir "$2"';
  const options = { ...spawnOptions('/', runAs), stdio: ['pipe', 'ignore', 'ignore'] } satisfies SpawnOptions;
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(child.pid), socketFolder], options);
  guard.on('error', () => {}); // without a shell, the next start stops the leftover
  guard.unref();
  return guard;
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  for (const [signal, seconds] of [
    ['SIGINT', 20],
    ['SIGQUIT', 5],
    ['SIGKILL', 5],
  ] as const) {
    child.kill(signal);
    const isOver = await unless(AbortSignal.timeout(seconds * 1000), ended).catch(() => false);
    if (isOver) return;
  }
}

const configuration = ({ socketFolder, maxConnections }: ProcessOptions, configFolder: string) => ({
  config_file: `${configFolder}/postgresql.conf`,
  hba_file: `${configFolder}/pg_hba.conf`,
  ident_file: `${configFolder}/pg_ident.conf`,
  listen_addresses: '', // no network
  port: PORT,
  unix_socket_directories: socketFolder,
  unix_socket_permissions: '0700',
  max_connections: maxConnections,
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '512MB',
  random_page_cost: 1.1,
  max_wal_size: '512MB',
  io_method: 'sync', // saves three processes
  max_logical_replication_workers: 0,
  timezone: 'UTC',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  // Statements and details of errors contain personal data, so neither is logged.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
});

/** What a running database records in its folder. The database's user can write anything there. */
export function readPostmaster(cluster: string): { pid: number; socketFolder: string; isReady: boolean } | undefined {
  const lines = readPlainFile(join(cluster, 'postmaster.pid'))?.split('\n');
  return lines && { pid: Number(lines[0]), socketFolder: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' };
}

/** Whether the process is a PostgreSQL working in this folder, and not another program with a reused id. */
export const isPostmaster = (pid: number, cluster: string): boolean =>
  attempt(() => {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
    const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return theirs.ino === ours.ino && theirs.dev === ours.dev && statSync(`/proc/${pid}`).uid === ours.uid;
  }) ?? false;

const NO_PROCESS = '2147483646'; // higher than any process id

/** Stops a database that a killed server left running, and cleans up after it. */
export async function stopLeftover(cluster: string, owner: RunAs, say: (message: string) => void): Promise<void> {
  const left = readPostmaster(cluster);
  if (!left) return runAsOwner(owner, cluster, 'rm', '-f', 'postmaster.pid'); // none, or a link or a pipe
  if (left.pid > 1 && isPostmaster(left.pid, cluster)) {
    say(`stopping the database (process ${left.pid}) that an earlier server left running`);
    await stopProcess(left.pid, cluster, owner);
  }
  // Another program may have the process id by now. The rest stays: PostgreSQL detects orphaned workers by it.
  else runAsOwner(owner, cluster, 'sed', '-i.old', `1s/.*/${NO_PROCESS}/`, 'postmaster.pid');
  removeSocketFolder(left.socketFolder, owner);
}

async function stopProcess(pid: number, cluster: string, owner: RunAs): Promise<void> {
  for (const [name, seconds] of [
    ['INT', 15],
    ['QUIT', 5],
  ] as const) {
    runAsOwner(owner, '/', 'sh', '-c', 'kill -s "$1" "$2"', 'sh', name, String(pid));
    for (let waited = 0; waited < seconds * 1000; waited += 20) {
      if (!isPostmaster(pid, cluster)) return;
      await setTimeout(20);
    }
  }
  throw new DatabaseRefused(`The database (process ${pid}) that an earlier server left running does not stop.`);
}
