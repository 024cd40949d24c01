import type { Database } from '../db/open';
import type { Log } from '../log';
import { checkNextSlice, firstSizes } from './checkSlices';

/** How often a server with nothing to check looks whether something is due or was asked for. */
const IDLE_MS = 5_000;
/** After an error, such as a database that is away. */
const FAILED_MS = 60_000;

/**
 * Checks the whole ledger once a day and when somebody asks, until it is stopped. Every server may run it: one of them
 * works at a time.
 */
export function startBackgroundCheck(db: Database, log: Pick<Log, 'warn'>, idleMs = IDLE_MS): () => Promise<void> {
  const sizes = firstSizes();
  let isStopped = false,
    timer: NodeJS.Timeout | undefined,
    working = Promise.resolve();
  const next = (ms: number): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      working = work();
    }, ms);
    timer.unref();
  };
  async function work(): Promise<void> {
    try {
      next((await checkNextSlice(db, sizes)) ?? idleMs);
    } catch (error) {
      if (isStopped) return;
      // A slice that took too long is tried again with less in it.
      for (const part of ['players', 'days', 'months'] as const) sizes[part] = Math.max(1, sizes[part] >> 1);
      log.warn({ err: error }, 'a slice of the ledger could not be checked');
      next(FAILED_MS);
    }
  }
  next(idleMs);
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await working;
  };
}
