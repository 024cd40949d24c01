/** `npm run verify`, and hands that change the database past the server. */
import { verify } from '../../../src/server/commands/verify';
import { findRunning } from '../../../src/server/db/embedded/embedded';
import { openDatabase, type TransactionSql } from '../../../src/server/db/open';
import { runHere } from '../running';

export const runVerify = (dataDir: string, args: string[] = []) => runHere(verify, args, { DATA_DIR: dataDir });

/** With the rights of the database's owner and past the triggers, while the server runs. */
export async function pastTheServer<T>(dataDir: string, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  const db = await openDatabase(findRunning(dataDir)!);
  const triggers = (sql: TransactionSql, what: 'disable' | 'enable') =>
    sql.unsafe(`alter table audit_log ${what} trigger user; alter table transfers ${what} trigger user`);
  try {
    return await db.tx(async (sql) => {
      await triggers(sql, 'disable');
      const out = await work(sql);
      await triggers(sql, 'enable');
      return out;
    });
  } finally {
    await db.close();
  }
}
