/** npm run verify as a process of its own, and hands that change the database past the server. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { readPostmaster } from '../../../src/server/db/embedded/leftover';
import { openDatabase, type TransactionSql } from '../../../src/server/db/open';
import { serverBundle } from '../running';

export interface Verified {
  code: number;
  stdout: string;
  stderr: string;
}

export async function runVerify(dataDir: string, args: string[] = [], env: Record<string, string> = {}) {
  const path = await serverBundle();
  return new Promise<Verified>((resolve) => {
    execFile(
      process.execPath,
      [path, 'verify', ...args],
      { cwd: '/', env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** With the rights of the database's owner and past the triggers, while the server runs. */
export async function pastTheServer<T>(dataDir: string, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  const db = await openDatabase({
    socketFolder: readPostmaster(join(dataDir, 'postgres'))?.socketFolder ?? '',
    port: 5432,
    user: 'back_office',
    database: 'back_office',
  });
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
