/**
 * What a start changes in places that belong to the database's user. Root never does it itself: a link planted there
 * would lead it anywhere. A child with that user's rights does, and reaches no more than the user may.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseRefused } from '../open';
import { isRootsAlone, type OsUser, type RunAs } from './osUser';

const SOCKET_PREFIX = 'back-office-';
const NO_PROCESS = '2147483646'; // higher than any process id
const TIMEOUT_MS = 10_000;

/** Runs a shell script as the user, in a folder that the user alone may be unable to reach. */
function runScript(
  user: OsUser,
  folder: string,
  script: string,
  ...args: string[]
): { isDone: boolean; output: string } {
  const { status, stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...args], {
    ...user,
    cwd: folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: TIMEOUT_MS, // somebody may have put a pipe where a file should be
    killSignal: 'SIGKILL',
  });
  return { isDone: status === 0, output: stdout };
}

/** A private folder for the socket, with a path that is short enough. */
export function makeSocketFolder(dataDir: string, runAs: RunAs): string {
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp', dataDir])) {
    if (parent.length > 70) continue;
    const folder = runAs ? makeFolderAs(runAs, parent) : makeOwnFolder(parent);
    if (folder) return folder;
  }
  throw new DatabaseRefused(
    `No folder for the database's socket could be created in ${tmpdir()}, /tmp, /var/tmp or ${dataDir}.`,
  );
}

function makeOwnFolder(parent: string): string | undefined {
  try {
    return mkdtempSync(join(parent, SOCKET_PREFIX)); // mode 0700
  } catch {
    return undefined;
  }
}

function makeFolderAs(user: OsUser, parent: string): string | undefined {
  if (!statSync(parent, { throwIfNoEntry: false }) || !isReachable(parent) || !isRootsAlone(parent)) return undefined;
  const { isDone, output } = runScript(user, '/', 'umask 077; mktemp -d "$1"', join(parent, `${SOCKET_PREFIX}XXXXXX`));
  return isDone ? output.trim() : undefined;
}

/** Whether every user may enter the folder. */
const isReachable = (folder: string): boolean =>
  ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o001) !== 0 &&
  (dirname(folder) === folder || isReachable(dirname(folder)));

export function removeSocketFolder(folder: string, owner: RunAs): void {
  if (!basename(folder).startsWith(SOCKET_PREFIX)) return;
  if (owner) runScript(owner, '/', 'rm -rf -- "$1"', folder);
  else rmSync(folder, { recursive: true, force: true });
}

/** Removes everything in a folder, and nothing else. */
export function emptyFolder(folder: string, owner: OsUser): void {
  runScript(owner, folder, 'find . -mindepth 1 -delete');
}

export function signal(pid: number, name: 'INT' | 'QUIT', owner: RunAs): void {
  try {
    if (owner) runScript(owner, '/', 'kill -s "$1" "$2"', name, String(pid));
    else process.kill(pid, `SIG${name}`);
  } catch {
    // it has just ended
  }
}

/** Replaces the process id in postmaster.pid. The rest stays: PostgreSQL uses it to detect orphaned workers. */
export function forgetPostmaster(cluster: string, owner: RunAs): void {
  const file = join(cluster, 'postmaster.pid');
  if (owner) {
    const script = '{ echo "$1"; tail -n +2 postmaster.pid; } > pid.new && mv -f pid.new postmaster.pid';
    runScript(owner, cluster, script, NO_PROCESS);
  } else writeFileSync(file, (readPlainFile(file) ?? '').replace(/^.*/, NO_PROCESS));
}

export function removePostmaster(cluster: string, owner: RunAs): void {
  if (owner) runScript(owner, cluster, 'rm -f postmaster.pid');
  else rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

const MOST_BYTES = 4096;

/** The text of a small file; undefined if there is none, or a link, a pipe or a folder in its place. */
export function readPlainFile(file: string): string | undefined {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    if (!fstatSync(handle).isFile()) return undefined;
    const buffer = Buffer.alloc(MOST_BYTES);
    return buffer.toString('utf8', 0, readSync(handle, buffer, 0, MOST_BYTES, 0));
  } finally {
    closeSync(handle);
  }
}
