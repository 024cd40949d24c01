/** Opens the database for a command: the embedded one, whether or not its server runs, or that of DATABASE_URL. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeTransport } from './address';
import { findRunning, startEmbedded } from './embedded/embedded';
import { refuseOther } from './migrate';
import { type Database, DatabaseRefused, openDatabase } from './open';

interface DatabaseSettings {
  databaseUrl?: string | undefined;
  dataDir: string;
  postgresOsUser?: string | undefined;
  allowUnsafeDatabase: boolean;
}
interface Options {
  /** If true, the database must exist, and a server may use it. If false, it is created if needed, for this command. */
  mustExist: boolean;
}

export async function withDatabase<T>(
  settings: DatabaseSettings,
  { mustExist }: Options,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir, allowUnsafeDatabase } = settings;
  const options = { poolSize: 1, allowUnsafe: allowUnsafeDatabase };
  const use = async (db: Database) => {
    try {
      if (mustExist) await refuseOther(db.sql);
      return await work(db);
    } finally {
      await db.close();
    }
  };
  if (databaseUrl !== undefined) {
    const problem = describeTransport(databaseUrl);
    if (problem) process.stderr.write(`Warning: ${problem}.\n`);
    return use(await openDatabase(databaseUrl, options));
  }
  if (mustExist) {
    const running = findRunning(dataDir);
    if (running) return use(await openDatabase(running, options));
    if (!existsSync(join(dataDir, 'postgres')))
      throw new DatabaseRefused(
        `There is no database in ${dataDir}. Set DATA_DIR to the folder that has one, or add --demo for sample data.`,
      );
  }
  const embedded = await startEmbedded({ folder: dataDir, osUser: settings.postgresOsUser, poolSize: 2 });
  try {
    return await use(await openDatabase(embedded.address, options));
  } finally {
    await embedded.stop();
  }
}
