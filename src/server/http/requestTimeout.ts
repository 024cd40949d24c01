import type { Database } from '../db/open';
import { Problem } from '../problem';

/** Statements end after 10 s by themselves; a database that says nothing at all does not. */
const TIMEOUT_MS = 15_000;

/** Runs a request's work, and refuses it with a 503 when it takes too long. What it does in transactions is then undone, however late the database answers. */
export async function withTimeout<T>(db: Database, work: (db: Database) => Promise<T>, ms = TIMEOUT_MS): Promise<T> {
  const late = () => new Problem(503, 'The server took too long to answer', 2);
  let isLate = false, timer: NodeJS.Timeout | undefined;
  const refuseLate = () => { if (isLate) throw late(); };
  const bounded: Database = {
    ...db,
    read: (each) => db.read((sql) => {
      refuseLate();
      return each(sql);
    }),
    tx: (each) => db.tx(async (sql) => {
      refuseLate();
      const out = await each(sql);
      refuseLate(); // told that it failed, nobody expects it to be done
      return out;
    }),
  };
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(late());
    }, ms);
  });
  try {
    return await Promise.race([work(bounded), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
