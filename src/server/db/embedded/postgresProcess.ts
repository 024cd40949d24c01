/** The process of the embedded PostgreSQL: how it is started, with which settings, and how it is stopped. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { DatabaseRefused } from '../open';
import type { Binaries } from './binaries';
import { dataArgument, PORT, spawnOptions } from './cluster';
import { configArguments, openConfigFolder } from './configFiles';
import { readPostmaster } from './leftover';
import type { RunAs } from './osUser';

export interface ProcessOptions {
  cluster: string;
  runAs: RunAs;
  binaries: Binaries;
  configFolder: string;
  socketFolder: string;
  maxConnections: number;
  say: (level: 'info' | 'warn' | 'error', message: string) => void;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<string>;
  stop(): Promise<void>;
}

export async function startPostgres({
  cluster,
  runAs,
  binaries,
  configFolder,
  socketFolder,
  maxConnections,
  say,
}: ProcessOptions): Promise<Running> {
  const settings = Object.entries(configuration(socketFolder, maxConnections)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  // In its own process group: Ctrl-C in the terminal is for us, and we stop the database after the requests.
  const config = openConfigFolder(configFolder, runAs);
  const folders = ['-D', dataArgument(cluster, runAs), ...configArguments(config.path)];
  const child = spawn(binaries.postgres, [...folders, ...settings], {
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
    const timer = new AbortController();
    const late = setTimeout(seconds * 1000, false, { signal: timer.signal }).catch(() => false);
    if (await Promise.race([ended.then(() => true), late])) return timer.abort();
  }
}

const configuration = (socketFolder: string, maxConnections: number) => ({
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
