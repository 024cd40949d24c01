import type { Logger } from 'pino';
import type { CsvFile } from '../core/csv';
import type { Turn } from '../core/fairQueue';
import type { Limits } from '../core/limits';
import { unless } from '../db/attempt';
import type { Database, TransactionSql } from '../db/open';

const BATCH_ROWS = 500;
const ASK_MS = 1_000;
/** Read ahead, so that a short file holds its connection no longer than a list does. */
const READ_AHEAD_BYTES = 256 * 1024;

/** How slowly a file may be read, because it holds a connection meanwhile. */
const usualPatience = {
  /** A reader that accepts nothing for so many milliseconds is gone. */
  stalledMs: 30_000,
  /** After this time it must have read so many bytes for each further millisecond. */
  graceMs: 30_000,
  leastBytesPerMs: 50,
  maxMs: 300_000,
};

interface CsvOptions {
  db: Database;
  log: Logger;
  limits: Limits;
  /** Throws once the reader may no longer have the file. Asked before each part, at most once a second. */
  stillMay?: () => Promise<void>;
  /** Told how many rows were read, also when the reader has gone before the end. */
  onEnd?: (rows: number) => void;
}

/** Streams a file from one snapshot. An error before the first rows is thrown; a later one breaks the response off. */
export async function streamCsv(
  { db, log, limits, stillMay, onEnd }: CsvOptions,
  turn: Turn,
  make: (sql: TransactionSql) => Promise<CsvFile>,
  patience = usualPatience,
): Promise<ReadableStream<Uint8Array>> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    undefined,
    undefined,
    new ByteLengthQueuingStrategy({ highWaterMark: READ_AHEAD_BYTES }),
  );
  const writer = writable.getWriter(),
    encoder = new TextEncoder();
  let isUnderWay = false,
    file: CsvFile | undefined;
  const begun = new Promise<void>((resolve, reject) => {
    const send = async (sql: TransactionSql) => {
      const started = performance.now();
      let bytes = 0,
        asked = started; // the caller was looked up just before
      await sql`select set_config('idle_in_transaction_session_timeout', ${String(patience.stalledMs)}, true)`;
      file = await make(sql);
      for await (const lines of file.lines(BATCH_ROWS)) {
        isUnderWay = true;
        resolve();
        const part = encoder.encode(lines);
        if (performance.now() - asked > ASK_MS) {
          await stillMay?.();
          asked = performance.now();
        }
        const until = started + patience.graceMs + bytes / patience.leastBytesPerMs;
        await waitUntilRead(writer.write(part), Math.min(until - performance.now(), patience.stalledMs));
        if (performance.now() - started > patience.maxMs) throw new ReaderGone('the file has taken too long');
        bytes += part.length;
      }
    };
    // The place is free before the response ends, so that its reader can start the next export at once.
    limits.exports
      .run(turn, () =>
        limits.connections.run({ ...turn, key: `export ${turn.key}` }, () =>
          db.sql.begin('isolation level repeatable read read only', send),
        ),
      )
      .then(
        () => writer.close(),
        (error: unknown) => {
          reject(error);
          if (isUnderWay && !(error instanceof ReaderGone)) log.warn({ err: error }, 'an export ended early');
          return writer.abort(error);
        },
      )
      .catch(() => {}) // nobody is left to read it
      .finally(() => onEnd?.(file?.count ?? 0));
  });
  await begun;
  return readable;
}

class ReaderGone extends Error {
  override name = 'ReaderGone';
}

/** Waits until the reader has accepted what was written, for so many milliseconds at most. */
const waitUntilRead = (written: Promise<void>, ms: number): Promise<void> =>
  unless(AbortSignal.timeout(Math.max(0, Math.ceil(ms))), written).catch((cause: unknown) => {
    throw new ReaderGone('the client of an export has gone away', { cause });
  });
