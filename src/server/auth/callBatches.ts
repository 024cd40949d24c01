/** Counts calls for all servers together without a write for each call. */
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** How many calls a server takes from the shared counter at once. */
export const BATCH = 10;

interface Batch {
  left: number;
  /** When the minute of the counter ends. */
  until: number;
  isRefused: boolean;
}

export interface CallBatches {
  /** Spends one call of this key. Returns after how many milliseconds there are calls again, or 0 if it was spent. */
  spend(key: string): Promise<number>;
  /** Forgets the batches of minutes that are over. */
  sweep(): void;
}

/**
 * `shared` counts in the database. All servers together never spend more than it allows. What one has taken and not
 * used, fewer calls than a batch, is missing to the others until the minute ends.
 */
export function createCallBatches(shared: RateLimiterAbstract): CallBatches {
  const batches = new Map<string, Promise<Batch>>();
  const isOver = ({ until }: Batch) => until <= Date.now();

  async function take(key: string): Promise<Batch> {
    try {
      const { msBeforeNext } = await shared.consume(key, BATCH);
      return { left: BATCH, until: Date.now() + msBeforeNext, isRefused: false };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { left: 0, until: Date.now() + refusal.msBeforeNext, isRefused: true };
    }
  }

  return {
    async spend(key) {
      for (;;) {
        const known = batches.get(key),
          batch = await known;
        if (batch && !isOver(batch)) {
          if (batch.isRefused) return batch.until - Date.now();
          if (batch.left > 0) {
            batch.left--;
            return 0;
          }
        }
        if (batches.get(key) !== known) continue; // another call takes the next one already
        const taken = take(key);
        batches.set(key, taken);
        taken.catch(() => batches.get(key) === taken && batches.delete(key));
      }
    },
    sweep() {
      for (const [key, taken] of batches)
        void taken.then(
          (batch) => {
            if (isOver(batch) && batches.get(key) === taken) batches.delete(key);
          },
          () => {},
        );
    },
  };
}
