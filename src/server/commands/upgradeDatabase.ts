/**
 * `npm run upgrade-database`: brings the embedded database to the major version of PostgreSQL that this version of the
 * server comes with, by a backup with the old programs and a restore with the new ones. The old database stays beside
 * the new one. It can be killed at any point and repeated.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readKeys, syncFolder } from '../auth/keyFile';
import { openKeyring } from '../auth/keyring';
import { type GenuineBackup, openBackup } from '../backup/manifest';
import { restoreBackup } from '../backup/restore';
import { writeBackup } from '../backup/write';
import { readSettings, type Settings, SettingsError } from '../core/settings';
import { findCopy, getMajor, PACKAGE, packagedVersion } from '../db/embedded/binaries';
import { removeCluster } from '../db/embedded/cluster';
import { type EmbeddedOptions, startEmbedded } from '../db/embedded/embedded';
import { lockFolder } from '../db/embedded/folderLock';
import { stopLeftover } from '../db/embedded/leftover';
import { noteVersion, readMajor, readNotedVersion, refusalOf, upgradeFolder } from '../db/embedded/majorVersion';
import { findOwner } from '../db/embedded/osUser';
import { migrate, refuseOther } from '../db/migrate';
import { type Database, DatabaseRefused, openDatabase } from '../db/open';
import { runChecks } from './checks';
import { readInstallation, refuseOtherKey } from './setup';

interface Arguments {
  isDemo: boolean;
  /** A folder with the old programs. */
  programs: string | undefined;
  /** The folder of a backup, instead of one that is made now. */
  backup: string | undefined;
  /** Goes on although the checks found something. */
  isDespiteFindings: boolean;
  isRemovingOld: boolean;
}
type Say = (words: string) => void;

export async function upgradeDatabase(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
  say: Say,
): Promise<void> {
  const given = parseArguments(args);
  const settings = readSettings(given.isDemo ? ['--demo'] : [], env);
  const { dataDir } = settings;
  if (settings.databaseUrl !== undefined)
    throw new DatabaseRefused('This is for the embedded database; upgrade that of DATABASE_URL with its own programs.');
  if (!existsSync(dataDir)) throw new DatabaseRefused(`There is no database in ${dataDir}.`);
  const lock = await lockFolder(dataDir);
  try {
    if (given.isRemovingOld) removeOld(dataDir, say);
    else await upgrade(settings, given, say);
  } finally {
    lock.release();
  }
}

function parseArguments(args: string[]): Arguments {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const folder = { type: 'string' } as const;
    const { values } = parseArgs({
      args,
      options: {
        demo: flag,
        'old-programs': folder,
        'from-backup': folder,
        'despite-findings': flag,
        'remove-old': flag,
      },
    });
    const path = (name: 'old-programs' | 'from-backup') => values[name] && resolve(values[name]);
    const parsed = {
      isDemo: values.demo,
      programs: path('old-programs'),
      backup: path('from-backup'),
      isDespiteFindings: values['despite-findings'],
      isRemovingOld: values['remove-old'],
    };
    const sources = [parsed.programs, parsed.backup].filter((source) => source !== undefined).length;
    if (sources <= (parsed.isRemovingOld ? 0 : 1)) return parsed;
  } catch {
    // an unknown option
  }
  throw new SettingsError(
    'Usage: npm run upgrade-database -- [--old-programs FOLDER | --from-backup FOLDER] [--despite-findings] ' +
      '[--remove-old] [--demo]',
  );
}

async function upgrade(settings: Settings, given: Arguments, say: Say): Promise<void> {
  const { dataDir } = settings;
  const [cluster, work] = [join(dataDir, 'postgres'), upgradeFolder(dataDir)];
  const made = join(work, 'postgres');
  // The old database is moved away last, so the new one is complete.
  if (!existsSync(cluster) && existsSync(made)) return finish(dataDir, say);
  const [old, own] = [readMajor(cluster), getMajor({ version: packagedVersion() })];
  if (old === undefined) throw new DatabaseRefused(`There is no database in ${dataDir}.`);
  if (old === own) return say(`The database is PostgreSQL ${own} already.`);
  if (old > own) throw refusalOf(cluster, old, own);
  const kept = keptFolder(dataDir, old);
  if (existsSync(kept)) throw new DatabaseRefused(`${kept} is there already; move it away, or add --remove-old.`);

  const clear = () => {
    removeCluster(made);
    rmSync(work, { recursive: true, force: true });
  };
  await stopLeftover(made, findOwner(made), say); // of an upgrade that was killed
  clear();
  mkdirSync(work, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  try {
    const backup = await takeBackup(settings, given, old, say);
    await fill(settings, backup, given, say);
    renameSync(cluster, kept);
    finish(dataDir, say);
  } finally {
    if (existsSync(cluster)) clear();
  }
}

const keptFolder = (dataDir: string, major: number) => join(dataDir, `postgres-${major}`);

/** The old database has been moved away; the new one takes its place. */
function finish(dataDir: string, say: Say): void {
  const [cluster, work] = [join(dataDir, 'postgres'), upgradeFolder(dataDir)];
  renameSync(join(work, 'postgres'), cluster);
  noteVersion(dataDir, { version: packagedVersion() });
  syncFolder(dataDir);
  rmSync(work, { recursive: true, force: true });
  say(
    `The database is PostgreSQL ${readMajor(cluster)} now. Everybody has to sign in again.\n` +
      `The old one is kept in ${listKept(dataDir).join(', ')}, with all its data. When you no longer need it: ` +
      'npm run upgrade-database -- --remove-old',
  );
}

/** A backup by the old programs, or the one that was named. */
async function takeBackup(settings: Settings, given: Arguments, old: number, say: Say): Promise<GenuineBackup> {
  const { dataDir } = settings;
  if (given.backup !== undefined) {
    const backup = openBackup(given.backup, readKeys(settings));
    say(`Warning: what was written after ${backup.manifest.made_at} is not in this backup.`);
    return backup;
  }
  const programs = given.programs ?? findCopy(dataDir, old);
  if (programs === undefined) throw new DatabaseRefused(describeWays(dataDir, old));
  const folder = join(upgradeFolder(dataDir), 'backup');
  await withEmbedded(settings, { folder: dataDir, programs, isLocked: true }, async (db) => {
    await refuseOther(db.sql);
    await writeBackup(db, folder, await openKeyring(db.sql, () => readKeys(settings)));
  });
  say(`Backed up with PostgreSQL ${old}.`);
  return openBackup(folder, readKeys(settings));
}

function describeWays(dataDir: string, old: number): string {
  const last = readNotedVersion(dataDir);
  const version = last !== undefined && Number.parseInt(last, 10) === old ? last : 'VERSION';
  const folder = join(dataDir, `programs-${old}`);
  return (
    `PostgreSQL ${old} made this database, and its programs are not here. Get them with ` +
    `npm install --prefix ${folder} ${PACKAGE}@${version} and add --old-programs ${folder}, ` +
    'or take the last backup with --from-backup FOLDER.'
  );
}

/** Restores the backup into a new database, migrates it and checks it. */
async function fill(
  settings: Settings,
  backup: GenuineBackup,
  { isDespiteFindings }: Arguments,
  say: Say,
): Promise<void> {
  await withEmbedded(settings, { folder: upgradeFolder(settings.dataDir) }, async (db) => {
    const { manifest } = await restoreBackup(db, backup, { isReplacing: false });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    say(`Restored ${rows.toLocaleString('en-US')} rows. The checksums of all tables match.`);
    await migrate(db);
    const installation = await readInstallation(db.sql);
    if (!installation) throw new DatabaseRefused('The backup has no installation.');
    const secrets = await openKeyring(db.sql, () => readKeys(settings));
    refuseOtherKey(installation, secrets);
    let found = 0;
    for await (const { sentences, result } of runChecks(db, secrets)) {
      say([...sentences, result].join('\n'));
      found += sentences.length;
    }
    if (found > 0 && !isDespiteFindings)
      throw new DatabaseRefused(
        'The old database stays in its place because of these findings. If it had them before, add --despite-findings.',
      );
  });
}

async function withEmbedded(
  { postgresOsUser, allowUnsafeDatabase }: Settings,
  options: Pick<EmbeddedOptions, 'folder' | 'programs' | 'isLocked'>,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  const embedded = await startEmbedded({ ...options, osUser: postgresOsUser, poolSize: 2 });
  try {
    const db = await openDatabase(embedded.address, { poolSize: 1, allowUnsafe: allowUnsafeDatabase });
    await work(db).finally(db.close);
  } finally {
    await embedded.stop();
  }
}

const listKept = (dataDir: string): string[] =>
  readdirSync(dataDir)
    .filter((name) => /^postgres-\d+$/.test(name))
    .map((name) => join(dataDir, name));

function removeOld(dataDir: string, say: Say): void {
  if (!existsSync(join(dataDir, 'postgres'))) throw new DatabaseRefused(`There is no database in ${dataDir}.`);
  const kept = listKept(dataDir);
  if (kept.length === 0) throw new DatabaseRefused(`There is no old database in ${dataDir}.`);
  for (const folder of kept) {
    removeCluster(folder);
    if (existsSync(folder)) throw new DatabaseRefused(`${folder} could not be removed completely.`);
    say(`Removed ${folder}.`);
  }
}
