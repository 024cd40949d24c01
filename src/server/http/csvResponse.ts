import type { Logger } from 'pino';
import type { CsvFile } from '../csv';
import type { Database, TransactionSql } from '../db/open';
import { Problem } from '../problem';

const BATCH_ROWS = 500;
/** Read ahead, so that a short file holds its connection no longer than a list does. */
const READ_AHEAD_BYTES = 256 * 1024;
/** Each export holds a connection for as long as its reader takes. One connection is always left for everybody else. */
const MAX_CONCURRENT = 2;
/**
 * A reader that accepts nothing for this long is gone, and no file may take longer than the second limit, in
 * milliseconds.
 */
const STALLED_MS = 30_000;
const MAX_MS = 300_000;

const running = new WeakMap<Database['sql'], number>();

/**
 * Streams a file from one snapshot of the database, a few hundred rows in memory at a time. An error before the first
 * rows is thrown. A later error breaks the response off, so that half a file is never taken for a whole one.
 */
export async function streamCsv(
  db: Database,
  log: Logger,
  make: (sql: TransactionSql) => Promise<CsvFile>,
): Promise<ReadableStream<Uint8Array>> {
  const others = running.get(db.sql) ?? 0;
  if (others >= Math.min(MAX_CONCURRENT, db.sql.options.max - 1))
    throw new Problem(429, 'Too many exports are running. Try again in a moment.', 5);
  running.set(db.sql, others + 1);

  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    undefined,
    undefined,
    new ByteLengthQueuingStrategy({ highWaterMark: READ_AHEAD_BYTES }),
  );
  const writer = writable.getWriter(),
    encoder = new TextEncoder();
  let isUnderWay = false;
  const begun = new Promise<void>((resolve, reject) => {
    const send = async (sql: TransactionSql) => {
      const started = Date.now();
      await sql`select set_config('idle_in_transaction_session_timeout', ${String(STALLED_MS)}, true)`;
      for await (const lines of (await make(sql)).lines(BATCH_ROWS)) {
        isUnderWay = true;
        resolve();
        await waitUntilRead(writer.write(encoder.encode(lines)));
        if (Date.now() - started > MAX_MS) throw new ReaderGone('the client is reading an export too slowly');
      }
    };
    // The response ends after the transaction, so that its reader can start the next export at once.
    db.sql
      .begin('isolation level repeatable read read only', send)
      .finally(() => running.set(db.sql, (running.get(db.sql) ?? 1) - 1))
      .then(
        () => writer.close(),
        (error: unknown) => {
          reject(error);
          if (isUnderWay && !(error instanceof ReaderGone)) log.warn({ err: error }, 'an export ended early');
          return writer.abort(error);
        },
      )
      .catch(() => {}); // nobody is left to read it
  });
  await begun;
  return readable;
}

/** The reader has gone, so nobody is left to inform. */
class ReaderGone extends Error {
  override name = 'ReaderGone';
}

/** Waits until the reader has accepted what was written. */
async function waitUntilRead(written: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const stall = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the client stopped reading')), STALLED_MS);
  });
  try {
    await Promise.race([written, stall]);
  } catch (cause) {
    throw new ReaderGone('the client of an export has gone away', { cause });
  } finally {
    clearTimeout(timer);
  }
}
