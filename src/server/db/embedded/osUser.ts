/** Which user the database runs as, since it refuses root, and how root works where that user could plant links. */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  constants,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt } from '../attempt';
import { DatabaseRefused } from '../open';

export interface OsUser {
  uid: number;
  gid: number;
}
/** undefined means our own user, because we are not root. */
export type RunAs = OsUser | undefined;

/** The user of the database alone; root creates it when it is missing. */
const OWN_USER = 'gaming-backoffice';
const SHARED_USER = 'nobody';

export interface UserOptions {
  cluster: string;
  wanted?: string | undefined;
  own?: string;
  say: (level: 'info' | 'warn' | 'error', message: string) => void;
}

/** As root: the named user, else the cluster's owner, else one of its own. `nobody` last: others run as it too. */
export function chooseUser({ cluster, wanted, own = OWN_USER, say }: UserOptions): RunAs {
  if (process.getuid?.() !== 0) return undefined;
  const shared = findUser(SHARED_USER);
  const user =
    wanted === undefined ? (findOwner(cluster) ?? findUser(own) ?? createUser(own, say) ?? shared) : findUser(wanted);
  if (!user || user.uid === 0)
    throw new DatabaseRefused(
      `PostgreSQL does not run as root, and ${wanted ?? own} does not exist or is root. ` +
        'Start as another user, name one in POSTGRES_OS_USER, or set DATABASE_URL.',
    );
  if (user.uid === shared?.uid)
    say(
      'warn',
      `the database runs as ${SHARED_USER}. Other programs run as ${SHARED_USER} too, and each of them can read and ` +
        'change all data. Create a user for the database (useradd --system), give it the files (chown -R) and name it ' +
        'in POSTGRES_OS_USER',
    );
  return user;
}

/** The owner of a cluster; undefined when there is none, or when it is root's. */
function findOwner(cluster: string): RunAs {
  const stat = statSync(cluster, { throwIfNoEntry: false });
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined;
}

function findUser(name: string): RunAs {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  return attempt(() => ({ uid: id('-u'), gid: id('-g') }));
}

/** Creates a user who cannot sign in. undefined when the system has no `useradd`, or does not allow it. */
function createUser(name: string, say: UserOptions['say']): RunAs {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  const { status } = spawnSync('useradd', [...options, '--shell', '/usr/sbin/nologin', name], {
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` },
    stdio: 'ignore',
  });
  if (status === 0) say('warn', `created the user ${name} of the operating system; the database runs as this user`);
  return findUser(name); // another server may have created it meanwhile
}

/**
 * The first folder, upwards of `folder`, in which the database's user could put something else in place of what root
 * uses there; undefined when there is none. A sticky folder such as /tmp is only a danger for what lies directly in it
 * and does not exist yet.
 */
export function findOpenFolder(folder: string, { uid, gid }: OsUser): string | undefined {
  for (const start of new Set([resolve(folder), realpathSync(folder)])) {
    for (let each = start, isFirst = true; ; each = dirname(each), isFirst = false) {
      const stat = statSync(each);
      const isSticky = (stat.mode & 0o1000) !== 0 && !isFirst;
      const isWritable = (stat.mode & 0o002) !== 0 || ((stat.mode & 0o020) !== 0 && stat.gid === gid);
      if (stat.uid === uid || (isWritable && !isSticky)) return each;
      if (dirname(each) === each) break;
    }
  }
  return undefined;
}

const SOCKET_PREFIX = 'back-office-';
const TIMEOUT_MS = 10_000; // there may be a pipe where a file should be

/** Runs a program with the rights of that user, in a folder that the user alone may be unable to reach. */
export function runAsOwner(owner: RunAs, folder: string, program: string, ...args: string[]): void {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
  spawnSync(program, args, { ...owner, cwd: folder, env, stdio: 'ignore', timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
}

/** A private folder for the socket. Its path is short enough, and for root where others cannot put another there. */
export function makeSocketFolder(runAs: RunAs): string {
  const parents = [...(runAs ? [] : [tmpdir()]), '/tmp', '/var/tmp'].filter((parent) => parent.length <= 70);
  for (const parent of parents) {
    try {
      const folder = mkdtempSync(join(parent, SOCKET_PREFIX)); // mode 0700
      if (runAs) chownSync(folder, runAs.uid, runAs.gid);
      return folder;
    } catch {
      // the next one
    }
  }
  throw new DatabaseRefused(`No folder for the database's socket could be created in ${parents.join(' or ')}.`);
}

export function removeSocketFolder(folder: string, owner: RunAs): void {
  if (basename(folder).startsWith(SOCKET_PREFIX)) runAsOwner(owner, '/', 'rm', '-rf', '--', folder);
}

/** The text of a file; undefined if there is none, or a link, a pipe or a folder in its place. */
export const readPlainFile = (file: string): string | undefined =>
  attempt(() => {
    const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return fstatSync(handle).isFile() ? readFileSync(handle, 'utf8') : undefined;
    } finally {
      closeSync(handle);
    }
  });
