import type { Database } from '../db/open';
import { openReplica, type Replica } from '../db/replica/replica';
import { describeTransport } from '../db/transport';
import type { Log } from './log';
import type { Settings } from './settings';

/**
 * Opens the replica of DATABASE_REPLICA_URL. Does not wait for it: until it has shown that it is well, and whenever it
 * is not, all reads go to the primary.
 */
export function startReplica({ replicaUrl, poolSize }: Settings, db: Database, log: Log): Replica | undefined {
  if (replicaUrl === undefined) return undefined;
  const problem = describeTransport(replicaUrl, { name: 'DATABASE_REPLICA_URL' });
  if (problem) log.warn(problem);
  return openReplica(db, replicaUrl, { poolSize, log });
}
