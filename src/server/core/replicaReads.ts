/** How old an answer of a replica is, and who must not get one. */
import { MOST_LAG_MS } from '../db/replica/replica';

/** Tells in whole seconds how old an answer of a replica may be. Answers of the primary do not have it. */
export const DATA_AGE_HEADER = 'Backoffice-Data-Age';

const MOST_WRITERS = 1_000;

/** The people who must see what they have just written. */
export interface RecentWriters {
  note(caller: Writer): void;
  has(caller: Writer): boolean;
}
interface Writer {
  admin_id: number;
}

/** After this time a replica that is in use has what was written. */
export function createRecentWriters(ms = MOST_LAG_MS): RecentWriters {
  const until = new Map<number, number>();
  return {
    note({ admin_id }) {
      const now = performance.now();
      if (until.size >= MOST_WRITERS) for (const [id, end] of until) if (end < now) until.delete(id);
      until.set(admin_id, now + ms);
    },
    has: ({ admin_id }) => (until.get(admin_id) ?? 0) > performance.now(),
  };
}
