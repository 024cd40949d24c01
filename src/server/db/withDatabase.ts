/** The database of the settings for a command: the embedded one, whether its server runs or not, or that of DATABASE_URL. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addressOfRunning, startEmbedded } from './embedded';
import { DatabaseRefused, openDatabase, type Database } from './open';

/** `isThere`: it must exist already, and may be that of a running server; otherwise the command has it for itself, and makes it if need be. */
export async function withDatabase<T>({ databaseUrl, dataDir, allowUnsafeDatabase }: { databaseUrl?: string | undefined; dataDir: string; allowUnsafeDatabase: boolean }, isThere: boolean, work: (db: Database) => Promise<T>): Promise<T> {
  const options = { poolSize: 1, allowUnsafe: allowUnsafeDatabase };
  const use = async (db: Database) => work(db).finally(db.close);
  if (databaseUrl !== undefined) return use(await openDatabase(databaseUrl, options));
  if (isThere) {
    const running = addressOfRunning(dataDir);
    if (running) return use(await openDatabase(running, options));
    if (!existsSync(join(dataDir, 'postgres'))) throw new DatabaseRefused(`There is no database in ${dataDir}; set DATA_DIR to the folder that has one, or add -- --demo.`);
  }
  const embedded = await startEmbedded({ folder: dataDir, poolSize: 2 });
  try {
    return await use(await openDatabase(embedded.address, options));
  } finally {
    await embedded.stop();
  }
}
