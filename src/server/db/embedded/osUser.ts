/** Which user of the operating system the database runs as: PostgreSQL refuses to run as root. */
import { execFileSync, spawnSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DatabaseRefused } from '../open';

/** undefined means our own user, because we are not root. */
export type RunAs = { uid: number; gid: number } | undefined;
export type OsUser = NonNullable<RunAs>;

/** The user of the database alone; root creates it when it is missing. */
const OWN_USER = 'gaming-backoffice';
const SHARED_USER = 'nobody';
const DANGER =
  `Other programs run as ${SHARED_USER} too, and each of them can read and change all data. Create a user for the ` +
  'database (useradd --system), give it the files (chown -R) and name it in POSTGRES_OS_USER';

export interface UserOptions {
  cluster: string;
  /** The user that the operator named. */
  wanted?: string | undefined;
  /** The name of the user of its own. */
  own?: string;
  say: (level: 'info' | 'warn' | 'error', message: string) => void;
}

/**
 * As root, the user for the database: the one that the operator named, else the cluster's owner, else a user of its
 * own. `nobody` is the last resort: other programs run as that user too, and they could reach the database.
 */
export async function chooseUser({ cluster, wanted, own: name = OWN_USER, say }: UserOptions): Promise<RunAs> {
  if (process.getuid?.() !== 0) return undefined;
  if (wanted !== undefined) {
    const named = findUser(wanted);
    if (named && named.uid !== 0) return named;
    const problem = named ? 'is root, and PostgreSQL does not run as root' : 'does not exist';
    throw new DatabaseRefused(`The user ${wanted} (POSTGRES_OS_USER) ${problem}.`);
  }
  const shared = findUser(SHARED_USER);
  const owner = findOwner(cluster);
  if (owner) {
    if (owner.uid === shared?.uid)
      say('warn', `the database runs as ${SHARED_USER}, to whom its files belong. ${DANGER}`);
    return owner;
  }
  const { SUDO_UID, SUDO_GID } = process.env;
  // Except on Linux the child must be able to enter the folder, as the user behind sudo can.
  if (process.platform !== 'linux' && SUDO_UID && SUDO_GID) return { uid: Number(SUDO_UID), gid: Number(SUDO_GID) };
  const own = findUser(name) ?? (await createUser(name, say));
  if (own && own.uid !== 0) return own;
  if (!shared)
    throw new DatabaseRefused(
      `PostgreSQL does not run as root, and the user ${name} could not be created; ` +
        'start as another user, name one in POSTGRES_OS_USER, or set DATABASE_URL.',
    );
  say('warn', `the user ${name} could not be created, so the database runs as ${SHARED_USER}. ${DANGER}`);
  return shared;
}

/** Whom a cluster belongs to; undefined when there is none, or when it is root's. */
function findOwner(cluster: string): RunAs {
  const stat = statSync(cluster, { throwIfNoEntry: false });
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined;
}

function findUser(name: string): RunAs {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/** Creates a user who cannot sign in. undefined when the system has no `useradd`, or does not allow it. */
async function createUser(name: string, say: UserOptions['say']): Promise<RunAs> {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  for (let tries = 0; tries < 5; tries++) {
    const { status, error } = spawnSync('useradd', [...options, '--shell', '/usr/sbin/nologin', name], {
      env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` },
      stdio: 'ignore',
    });
    const made = findUser(name);
    if (made) {
      if (status === 0) say('warn', `created the user ${name} of the operating system; the database runs as this user`);
      return made;
    }
    if (error) return undefined;
    await setTimeout(200); // another program holds the lock of the list of users
  }
  return undefined;
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

/** Whether nobody but root can put something else in place of the folder. */
export function isRootsAlone(folder: string): boolean {
  for (let each = realpathSync(folder); ; each = dirname(each)) {
    const { uid, mode } = statSync(each);
    if (uid !== 0 || ((mode & 0o022) !== 0 && (mode & 0o1000) === 0)) return false;
    if (dirname(each) === each) return true;
  }
}
