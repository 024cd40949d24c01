/** How old an answer of a replica is, and who must not get one. */
import { MOST_LAG_MS } from '../db/replica/replica';

/** Tells in whole seconds how old an answer of a replica may be. Answers of the primary do not have it. */
export const DATA_AGE_HEADER = 'Backoffice-Data-Age';

const MOST_WRITERS = 1_000;

interface Writer {
  admin_id: number;
}

/** The people who must see what they have just written. After this time a replica that is in use has it. */
export function createRecentWriters(ms = MOST_LAG_MS) {
  const until = new Map<number, number>();
  return {
    note({ admin_id }: Writer) {
      const now = performance.now();
      if (until.size >= MOST_WRITERS) for (const [id, end] of until) if (end < now) until.delete(id);
      until.set(admin_id, now + ms);
    },
    has: ({ admin_id }: Writer) => (until.get(admin_id) ?? 0) > performance.now(),
  };
}
export type RecentWriters = ReturnType<typeof createRecentWriters>;
