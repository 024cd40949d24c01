import type { Log } from '../core/log';
import { repeat } from '../core/repeat';
import type { Database } from '../db/open';
import { checkNextSlice, firstSizes } from './checkSlices';

/** How often a server with nothing to check looks whether something is due or was asked for. */
const IDLE_MS = 5_000;
/** After an error that is of no tenant, such as a database that is away. */
const FAILED_MS = 60_000;

/** Checks the whole ledger daily and when asked, until stopped. Every server may run it: one works at a time. */
export function startBackgroundCheck(db: Database, log: Pick<Log, 'warn'>, idleMs = IDLE_MS): () => Promise<void> {
  const sizes = firstSizes();
  return repeat(async (stopped) => {
    const warn = (error: unknown, tenant_id?: number): void => {
      if (!stopped.aborted) log.warn({ err: error, tenant_id }, 'a slice of the ledger could not be checked');
    };
    try {
      return (await checkNextSlice(db, sizes, warn)) ?? idleMs;
    } catch (error) {
      warn(error);
      return FAILED_MS;
    }
  }, idleMs);
}
