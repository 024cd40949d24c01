/** How much of the server one caller can take, so that nobody's load keeps others out. */
import type { Database } from '../db/open';
import { FairQueue, type Turn } from './fairQueue';
import { busy, Problem } from './problem';

const CALLS_AT_ONCE = 8,
  CALLS_WAITING = 100;
/** For each connection. */
const CHECKS_EACH = 4;
const MAX_EXPORTS = 4,
  MAX_IMPORTS = 3;
/** Connections that one tenant always leaves to the others. */
const LEFT_FREE = 2;

/** `poolSize`: all connections, one of which is kept for sign-ins and session checks. `onWaited`: waits in ms. */
export function createLimits(poolSize: number, onWaited?: (ms: number) => void) {
  const connections = Math.max(2, poolSize - 1);
  const patient = { maxWaitMs: 10_000, refusal: () => busy('The server is too busy at the moment') };
  const pool = { ...patient, places: connections, placesPerKey: Math.max(1, connections - LEFT_FREE) };
  return {
    /** Statements of somebody who is not known yet: which session, whether the database is there. */
    checks: new FairQueue({ ...patient, places: CHECKS_EACH * poolSize, placesPerKey: poolSize }), // they are short
    calls: new FairQueue({
      places: Infinity,
      placesPerKey: CALLS_AT_ONCE,
      waitingPerKey: CALLS_WAITING,
      maxWaitMs: 10_000,
      refusal: () => new Problem(429, 'Too many calls at once. Try again in a moment.', 1),
    }),
    connections: new FairQueue({ ...pool, onWaited }),
    /** The reads of handlers on the replica. */
    replica: new FairQueue(pool),
    /** Each holds a connection for as long as its reader takes. */
    exports: new FairQueue({
      places: Math.min(MAX_EXPORTS, Math.floor(poolSize / 2)),
      placesPerKey: 1,
      maxWaitMs: 3_000,
      refusal: () => new Problem(429, 'Too many exports are running. Try again in a moment.', 5),
    }),
    /** Each holds a connection and many rows. */
    imports: new FairQueue({
      places: Math.min(MAX_IMPORTS, connections - 1),
      placesPerKey: 1,
      maxWaitMs: 5_000,
      refusal: () => new Problem(429, 'Too many imports are running. Try again in a moment.', 2),
    }),
  };
}

export type Limits = ReturnType<typeof createLimits>;

/** The database for one call: its transactions and reads wait for their turn. Single statements on `sql` do not. */
export const shareConnections = (db: Database, { connections }: Limits, turn: Turn): Database => ({
  ...db,
  tx: (work, opening) => connections.run(turn, () => db.tx(work, opening)),
  read: (work) => connections.run(turn, () => db.read(work)),
});
