/** The data folder of the embedded PostgreSQL: how it is created, and how its programs reach it. */

import { execFile } from 'node:child_process';
import { lchownSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { attempt } from '../attempt';
import { DatabaseRefused } from '../open';
import type { Binaries } from './binaries';
import { SUPERUSER } from './configFiles';
import { type RunAs, readPlainFile, runAsOwner } from './osUser';

export const PORT = 5432; // only a part of the socket's name

/** How a program of the cluster is spawned: its user and folder, and none of our environment, which has secrets. */
export function spawnOptions(cluster: string, runAs: RunAs) {
  return { ...runAs, cwd: cluster, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }, detached: true };
}

/** The data folder for the programs: a child of root cannot enter closed folders, but keeps its working folder. */
export const dataArgument = (cluster: string, runAs: RunAs): string =>
  runAs && process.platform === 'linux' ? '/proc/self/cwd' : cluster;

/** Creates the cluster once: UTF-8, ICU collation, checksums. A half-made cluster never becomes visible. */
export async function makeCluster(cluster: string, { bin }: Binaries, runAs: RunAs): Promise<void> {
  for (const name of readdirSync(dirname(cluster)))
    if (name.startsWith(`${basename(cluster)}.new`)) removeCluster(join(dirname(cluster), name));
  if (statSync(cluster, { throwIfNoEntry: false })) return;
  const draft = `${cluster}.new-${process.pid}`;
  let failure = '';
  // Without a UTF-8 character type trigrams only know English letters; its name differs between systems.
  for (const characters of ['C.UTF-8', 'en_US.UTF-8', 'UTF-8', 'C']) {
    removeCluster(draft);
    makePrivate(draft, runAs);
    const locale = ['--locale=C', `--lc-ctype=${characters}`, '--locale-provider=icu', '--icu-locale=und'];
    const args = ['-D', dataArgument(draft, runAs), '-U', SUPERUSER, '--auth=reject', '--encoding=UTF8', ...locale];
    const failed = await promisify(execFile)(join(bin, 'initdb'), args, spawnOptions(draft, runAs)).then(
      () => undefined,
      (error: { stderr?: string; message: string }) => error.stderr || error.message,
    );
    if (failed === undefined) return renameSync(draft, cluster);
    failure = failed;
    if (!failure.includes('locale')) break;
  }
  removeCluster(draft);
  throw new DatabaseRefused(`The embedded database could not be created in ${dirname(cluster)}: ${lastLine(failure)}`);
}

/** The name is in our folder, but what is in the cluster belongs to the database's user. */
function removeCluster(cluster: string): void {
  const stat = lstatSync(cluster, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) return unlinkSync(cluster);
  runAsOwner(process.getuid?.() === 0 ? stat : undefined, cluster, 'find', '.', '-mindepth', '1', '-delete');
  attempt(() => rmdirSync(cluster)); // something in it that cannot be deleted does not matter
}

function makePrivate(folder: string, runAs: RunAs): void {
  mkdirSync(folder, { mode: 0o700 });
  if (runAs) lchownSync(folder, runAs.uid, runAs.gid);
}

const lastLine = (output: string) =>
  output
    .trim()
    .split('\n')
    .filter((line) => /error|fatal/i.test(line))
    .at(-1) ?? output.trim();

export function refuseForeign(cluster: string, runAs: RunAs): void {
  const { uid } = statSync(cluster);
  const own = runAs?.uid ?? process.getuid?.();
  if (own === undefined || uid === own) return;
  throw new DatabaseRefused(
    runAs
      ? `The database in ${cluster} belongs to uid ${uid}, but runs as uid ${own}. ` +
          `Stop it and change the owner: chown -R ${own}:${runAs.gid} '${cluster}'`
      : `The database in ${cluster} belongs to another user (uid ${uid}). ` +
          'Start as that user, or set DATA_DIR to another folder.',
  );
}

/** A major version of PostgreSQL cannot read the data of another one. */
export function refuseOtherMajor(cluster: string, { version }: Binaries): void {
  const made = Number.parseInt(readPlainFile(join(cluster, 'PG_VERSION')) ?? '', 10),
    own = Number.parseInt(version, 10);
  if (Number.isNaN(made) || made === own) return;
  throw new DatabaseRefused(
    `PostgreSQL ${made} made the database in ${cluster}, and PostgreSQL ${own} cannot read it. Make a backup with the ` +
      'version of the back-office that it was made with, and restore it with this one (docs/upgrading.md).',
  );
}
