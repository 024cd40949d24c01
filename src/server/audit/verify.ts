import { SHARDS, computeEntryMac, computeShardMac, type Shard, type LogRow } from './auditLog';
import type { Database } from '../db/open';
import type { Secrets } from '../auth/secrets';

const MAX_SENTENCES = 1000, BATCH = 1000;
type Row = LogRow & { seal: Buffer };

/**
 * Goes through the whole audit log, as it is in one moment. Returns a sentence for each entry that was edited, deleted or put in
 * by another hand than the server's, 1000 at most; none: the log is whole. Who has the key, or puts a whole earlier copy back, is not seen.
 */
export async function verifyAudit({ sql }: Database, secrets: Secrets): Promise<{ entries: number; sentences: string[] }> {
  const sentences: string[] = [];
  const report = (sentence: string) => { if (sentences.length < MAX_SENTENCES) sentences.push(sentence); };
  let entries = 0;
  await sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`set local statement_timeout = 0`;
    const lanes = new Map((await tx<Shard[]>`select lane, position, last_seal, seal from audit_lanes`).map((lane) => [lane.lane, lane]));
    for (let number = 0; number < SHARDS; number++) {
      const lane = lanes.get(number);
      if (!lane) report(`The end of shard ${number} of the audit log was deleted.`);
      else if (!computeShardMac(secrets, lane).equals(lane.seal)) report(`The end of shard ${number} of the audit log was edited: its MAC does not match.`);
      let last: Pick<Row, 'position' | 'seal'> = { position: 0, seal: Buffer.alloc(0) };
      const rows = tx<Row[]>`
        select lane, position, id, at, admin_id, email, address, call, kind, object_id, player_id, tenant_id, before::text as before, after::text as after,
          reason, note, request_id, seal
        from audit_log where lane = ${number} order by position`.cursor(BATCH);
      for await (const some of rows) {
        for (const row of some) {
          entries++;
          const missing = row.position - last.position - 1;
          if (missing > 0) report(`${formatEntries(missing)} deleted from shard ${number} of the audit log before entry ${row.id}.`);
          // After a gap the seal before it is not known, and nothing can be said of this entry beyond the gap.
          else if (!computeEntryMac(secrets, row, last.seal).equals(row.seal)) report(`Entry ${row.id} of the audit log was edited or inserted: its MAC does not match.`);
          last = row;
        }
      }
      if (lane && lane.position > last.position) report(`${formatEntries(lane.position - last.position)} deleted from the end of shard ${number} of the audit log.`);
      else if (lane && !lane.last_seal.equals(last.seal)) report(`Shard ${number} of the audit log does not end with its last entry.`);
    }
  });
  return { entries, sentences };
}

const formatEntries = (entries: number): string => (entries === 1 ? 'One entry was' : `${entries} entries were`);
