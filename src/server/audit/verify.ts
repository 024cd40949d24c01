import type { Secrets } from '../auth/secrets';
import type { Database, TransactionSql } from '../db/open';
import { computeEntryMac, computeShardMac, type LogRow, SHARDS, type Shard } from './auditLog';

const MAX_SENTENCES = 1000,
  BATCH = 1000;
type Row = LogRow & { seal: Buffer };

/**
 * Checks the whole audit log in one snapshot. Returns a sentence for each entry that somebody else than the server
 * edited, deleted or inserted, at most 1000; none when the log is intact. It cannot detect changes by somebody who has
 * the key, or a complete older copy put back.
 */
export async function verifyAudit(
  { sql }: Database,
  secrets: Secrets,
): Promise<{ entries: number; sentences: string[] }> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`set local statement_timeout = 0`;
    return checkAudit(tx, secrets);
  });
}

/** The same in the caller's transaction, which must see one snapshot. */
export async function checkAudit(
  tx: TransactionSql,
  secrets: Secrets,
): Promise<{ entries: number; sentences: string[] }> {
  const sentences: string[] = [];
  const report = (sentence: string) => {
    if (sentences.length < MAX_SENTENCES) sentences.push(sentence);
  };
  let entries = 0;
  const shards = new Map(
    (await tx<Shard[]>`select lane, position, last_seal, seal from audit_lanes`).map((shard) => [shard.lane, shard]),
  );
  for (let number = 0; number < SHARDS; number++) {
    const shard = shards.get(number);
    if (!shard) report(`The record of the last entry of audit log shard ${number} was deleted.`);
    else if (!computeShardMac(secrets, shard).equals(shard.seal))
      report(`The record of the last entry of audit log shard ${number} was edited: its MAC does not match.`);
    let last: Pick<Row, 'position' | 'seal'> = { position: 0, seal: Buffer.alloc(0) };
    const rows = tx<Row[]>`
      select lane, position, id, at, admin_id, email, address, call, kind, object_id, player_id, tenant_id,
        before::text as before, after::text as after, reason, note, request_id, seal
      from audit_log where lane = ${number} order by position`.cursor(BATCH);
    for await (const some of rows) {
      for (const row of some) {
        entries++;
        const missing = row.position - last.position - 1;
        if (missing > 0)
          report(`${formatEntries(missing)} deleted from audit log shard ${number} before entry ${row.id}.`);
        // After a gap the previous MAC is unknown, so this entry cannot be checked.
        else if (!computeEntryMac(secrets, row, last.seal).equals(row.seal))
          report(`Entry ${row.id} of the audit log was edited or inserted: its MAC does not match.`);
        last = row;
      }
    }
    if (shard && shard.position > last.position)
      report(`${formatEntries(shard.position - last.position)} deleted from the end of audit log shard ${number}.`);
    else if (shard && !shard.last_seal.equals(last.seal))
      report(`The last entry of audit log shard ${number} is not the one on record.`);
  }
  return { entries, sentences };
}

const formatEntries = (entries: number): string => (entries === 1 ? 'One entry was' : `${entries} entries were`);
