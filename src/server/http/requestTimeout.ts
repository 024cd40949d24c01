import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { Problem } from '../core/problem';
import { type Database, UnknownOutcome } from '../db/open';

/** statement_timeout covers slow queries; this covers a database that does not answer. */
const TIMEOUT_MS = 15_000;
/** No time limit of the database covers a COMMIT. */
const COMMIT_MS = 15_000;

/**
 * Runs the work of a request and refuses it with 503 when it takes too long. Its transactions are then rolled back,
 * even if the database answers later, and `abandoned` is aborted. Once COMMIT was sent, the transaction may happen, so
 * its answer is awaited; when that takes too long as well, throws `UnknownOutcome`.
 */
export async function withTimeout<T>(
  db: Database,
  work: (db: Database, abandoned: AbortController) => Promise<T>,
  { ms = TIMEOUT_MS, commitMs = COMMIT_MS } = {},
): Promise<T> {
  const late = () => new Problem(503, 'The server took too long to answer', 2);
  const abandoned = new AbortController();
  let isLate = false,
    isCommitSent = false,
    timer: NodeJS.Timeout | undefined;
  const refuseLate = () => {
    if (isLate) throw late();
  };
  const bounded: Database = {
    ...db,
    read: (each) =>
      db.read((sql) => {
        refuseLate();
        return each(sql);
      }),
    tx: (each, opening) =>
      db.tx(async (sql, opened) => {
        isCommitSent = false; // of a try before this one, which was rolled back
        refuseLate();
        const out = await each(sql, opened);
        refuseLate(); // the client got an error, so nothing may be committed
        isCommitSent = true;
        return out;
      }, opening),
  };
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      if (isCommitSent) {
        timer = setTimeout(() => reject(new UnknownOutcome('COMMIT takes too long')), commitMs);
        return;
      }
      reject(late());
      abandoned.abort(); // what has not begun is dropped
    }, ms);
  });
  try {
    return await Promise.race([work(bounded, abandoned), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/** `abandoned` is also aborted when the client has gone, as the response tells; a signal would be made per request. */
export function untilGone(c: Context, abandoned: AbortController): AbortSignal {
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
  if (!outgoing)
    c.req.raw.signal.addEventListener('abort', () => abandoned.abort()); // called as a function, in tests
  else if (outgoing.destroyed) abandoned.abort();
  else
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) abandoned.abort();
    });
  return abandoned.signal;
}
