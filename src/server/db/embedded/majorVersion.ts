/**
 * A major version of PostgreSQL cannot read the data of another one. Which one made a cluster stands in it; which
 * programs last worked with it we write beside it, so that an upgrade can say where to get them.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseRefused } from '../open';
import { readPlainFile } from './asOwner';
import { type Binaries, getMajor } from './binaries';

const versionFile = (folder: string) => join(folder, 'postgres-version');
/** Where `npm run upgrade-database` makes the new database. */
export const upgradeFolder = (folder: string): string => join(folder, 'upgrade');

/** The major version that made a cluster; undefined if there is none. */
export function readMajor(cluster: string): number | undefined {
  const text = readPlainFile(join(cluster, 'PG_VERSION'))?.trim() ?? '';
  return /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

/** The version of the programs that last worked with the database of a folder. */
export function readNotedVersion(folder: string): string | undefined {
  try {
    return readFileSync(versionFile(folder), 'utf8').trim();
  } catch {
    return undefined; // an older version of the server did not write it
  }
}

export function noteVersion(folder: string, { version }: Pick<Binaries, 'version'>): void {
  if (readNotedVersion(folder) === version) return;
  const file = versionFile(folder);
  writeFileSync(`${file}.new`, `${version}\n`);
  renameSync(`${file}.new`, file);
}

/** `given` is the folder of the programs, if it is not the package that comes with the server. */
export function refuseOtherMajor(cluster: string, binaries: Binaries, given: string | undefined): void {
  const [made, own] = [readMajor(cluster), getMajor(binaries)];
  if (made === undefined || made === own) return;
  if (given === undefined) throw refusalOf(cluster, made, own);
  throw new DatabaseRefused(`The programs in ${given} are PostgreSQL ${own}; the database needs PostgreSQL ${made}.`);
}

export const refusalOf = (cluster: string, made: number, own: number): DatabaseRefused =>
  new DatabaseRefused(
    `PostgreSQL ${made} made the database in ${cluster}, and PostgreSQL ${own} cannot read it; ` +
      (made < own ? 'run npm run upgrade-database.' : 'start the version of the back-office that it was made with.'),
  );

/** A new database must not appear in the place of one that is being upgraded. */
export function refuseUnfinished(folder: string): void {
  if (existsSync(join(upgradeFolder(folder), 'postgres')) && !existsSync(join(folder, 'postgres')))
    throw new DatabaseRefused(
      `An upgrade of the database in ${folder} was interrupted; run npm run upgrade-database again.`,
    );
}
