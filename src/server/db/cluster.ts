import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Binaries, RunAs } from './binaries';
import { DatabaseRefused } from './open';

/** The role of the server, which owns its database and nothing else. */
export const ROLE = 'back_office';
export const SUPERUSER = 'postgres';
export const PORT = 5432; // only a part of the socket's name
const SOCKET_PREFIX = 'back-office-';
const NO_PROCESS = 2_147_483_646; // higher than any process id

/**
 * How a program of the cluster is spawned: its user and folder, and none of our environment, which contains secrets.
 */
export function spawnOptions(cluster: string, runAs: RunAs) {
  return { ...runAs, cwd: cluster, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }, detached: true };
}

/**
 * The data folder as the programs see it. An unprivileged child of root cannot enter a path through closed folders. On
 * Linux it keeps its working folder, and this path leads there.
 */
export const dataArgument = (cluster: string, runAs: RunAs): string =>
  runAs && process.platform === 'linux' ? '/proc/self/cwd' : cluster;

/** As root, the unprivileged user for the database: the cluster's owner, or nobody for a new one. */
export function chooseUser(cluster: string): RunAs {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const { SUDO_UID, SUDO_GID } = process.env;
  // Except on Linux the child must be able to enter the folder, as the user behind sudo can.
  if (process.platform !== 'linux' && SUDO_UID && SUDO_GID) return { uid: Number(SUDO_UID), gid: Number(SUDO_GID) };
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    throw new DatabaseRefused(
      'PostgreSQL does not run as root, and there is no user "nobody" to run it as; ' +
        'start as another user, or set DATABASE_URL.',
    );
  }
}

/** Creates the cluster once: UTF-8, ICU collation, checksums. A half-made cluster never becomes visible. */
export async function makeCluster(cluster: string, { initdb }: Binaries, runAs: RunAs): Promise<void> {
  for (const name of readdirSync(dirname(cluster))) {
    if (name.startsWith(`${basename(cluster)}.new`))
      rmSync(join(dirname(cluster), name), { recursive: true, force: true });
  }
  if (existsSync(cluster)) return;
  const draft = `${cluster}.new-${process.pid}`;
  let failure = '';
  // Without a UTF-8 character type trigrams only know English letters; its name differs between systems.
  for (const characters of ['C.UTF-8', 'en_US.UTF-8', 'UTF-8', 'C']) {
    rmSync(draft, { recursive: true, force: true });
    makePrivate(draft, runAs);
    const locale = ['--locale=C', `--lc-ctype=${characters}`, '--locale-provider=icu', '--icu-locale=und'];
    const { code, output } = await run(
      initdb,
      ['-D', dataArgument(draft, runAs), '-U', SUPERUSER, '--auth=reject', '--encoding=UTF8', ...locale],
      spawnOptions(draft, runAs),
    );
    if (code === 0) return renameSync(draft, cluster);
    failure = output;
    if (!failure.includes('locale')) break;
  }
  rmSync(draft, { recursive: true, force: true });
  throw new DatabaseRefused(`The embedded database could not be created in ${dirname(cluster)}: ${lastLine(failure)}`);
}

function makePrivate(folder: string, runAs: RunAs): void {
  mkdirSync(folder, { mode: 0o700 });
  if (runAs) chownSync(folder, runAs.uid, runAs.gid);
}

function run(
  program: string,
  args: string[],
  options: ReturnType<typeof spawnOptions>,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
    child.on('error', reject).on('close', (code) => resolve({ code, output }));
  });
}

const lastLine = (output: string) =>
  output
    .trim()
    .split('\n')
    .filter((line) => /error|fatal/i.test(line))
    .at(-1) ?? output.trim();

/** Only the user of this process may connect, as the socket reports it. There is no password that could leak. */
export function allowOnlyUs(cluster: string, runAs: RunAs): void {
  const { username } = userInfo();
  const write = (name: string, text: string) => {
    const file = join(cluster, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (runAs) chownSync(file, runAs.uid, runAs.gid);
  };
  write('pg_hba.conf', 'local all all peer map=server\n');
  write('pg_ident.conf', `server "${username}" ${SUPERUSER}\nserver "${username}" ${ROLE}\n`);
}

/** A private folder for the socket, with a path that is short enough. */
export function makeSocketFolder(dataDir: string, runAs: RunAs): string {
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp', dataDir])) {
    if (parent.length > 70 || (runAs && !isOpen(parent))) continue;
    try {
      const folder = mkdtempSync(join(parent, SOCKET_PREFIX));
      chmodSync(folder, 0o700);
      if (runAs) chownSync(folder, runAs.uid, runAs.gid);
      return folder;
    } catch {}
  }
  throw new DatabaseRefused(
    `No folder for the database's socket could be created in ${tmpdir()}, /tmp, /var/tmp or ${dataDir}.`,
  );
}

/** Whether every user may enter the folder. */
const isOpen = (folder: string): boolean =>
  ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o001) !== 0 &&
  (dirname(folder) === folder || isOpen(dirname(folder)));

/** What a running database records in its folder. */
export function readPostmaster(cluster: string): { pid: number; socketFolder: string; isReady: boolean } | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), socketFolder: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' };
  } catch {
    return undefined;
  }
}

/** Stops a database that a killed server left running, and cleans up after it. */
export async function stopLeftover(cluster: string, say: (message: string) => void): Promise<void> {
  const left = readPostmaster(cluster);
  if (!left) return;
  if (left.pid > 1 && isPostmaster(left.pid, cluster)) {
    say(`stopping the database (process ${left.pid}) that an earlier server left running`);
    await stopProcess(left.pid, () => isPostmaster(left.pid, cluster));
  } else {
    // The process id may belong to another program by now. The rest of the file stays: PostgreSQL uses it to detect
    // orphaned workers.
    const file = join(cluster, 'postmaster.pid');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^.*/, String(NO_PROCESS)));
  }
  if (basename(left.socketFolder).startsWith(SOCKET_PREFIX))
    rmSync(left.socketFolder, { recursive: true, force: true });
}

async function stopProcess(pid: number, isAlive: () => boolean): Promise<void> {
  for (const [signal, seconds] of [
    ['SIGINT', 15],
    ['SIGQUIT', 5],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      // it has just ended; the loop below notices
    }
    for (let waited = 0; waited < seconds * 1000; waited += 20) {
      if (!isAlive()) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new DatabaseRefused(`The database (process ${pid}) that an earlier server left running does not stop.`);
}

/** Whether the process is a PostgreSQL working in this folder, and not another program with a reused id. */
export function isPostmaster(pid: number, cluster: string): boolean {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
    const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return theirs.ino === ours.ino && theirs.dev === ours.dev;
  } catch {
    return false;
  }
}
