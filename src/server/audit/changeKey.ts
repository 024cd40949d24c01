import type { Secrets } from '../auth/secrets';
import { DatabaseRefused, type Sql } from '../db/open';
import { computeShardMac, SHARDS, type Shard } from './auditLog';

/**
 * Locks the ends of all shards, so that no entry is written until the transaction ends, and returns them. Refuses a log
 * that was tampered with: a new MAC of its ends would cover that up.
 */
export async function lockShards(sql: Sql, secrets: Secrets): Promise<Shard[]> {
  const shards = await sql<Shard[]>`
    select lane, position, last_seal, seal from audit_lanes order by lane for update`;
  if (shards.length !== SHARDS || shards.some((shard) => !computeShardMac(secrets, shard).equals(shard.seal)))
    throw new DatabaseRefused('The audit log was tampered with. Run npm run verify for details.');
  return [...shards];
}

/** Gives the ends a MAC of the new key. The entries before them keep theirs. */
export async function resealShards(sql: Sql, secrets: Secrets, shards: readonly Shard[]): Promise<void> {
  for (const shard of shards)
    await sql`update audit_lanes set seal = ${computeShardMac(secrets, shard)} where lane = ${shard.lane}`;
}
