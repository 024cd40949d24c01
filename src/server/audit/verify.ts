import type { Secrets } from '../auth/secrets';
import { setSystemPath } from '../db/genuineTables';
import type { Database, TransactionSql } from '../db/open';
import { computeEntryMac, computeShardMac, type LogRow, SHARDS, type Shard } from './auditLog';
import { type Heads, isHead } from './heads';

const MAX_SENTENCES = 1000,
  BATCH = 1000;
type Row = LogRow & { seal: Buffer };

/**
 * Checks the whole audit log in one snapshot. Returns a sentence for each entry that somebody else than the server
 * edited, deleted or inserted, at most 1000; none when the log is intact. With `since`, heads that were noted earlier,
 * the log must go through each of them: otherwise it cannot detect that the end of a shard was put back to an earlier
 * one. It never detects changes by somebody who has the key, except before such a head.
 */
export async function verifyAudit({ sql }: Database, secrets: Secrets, options: { since?: Heads | undefined } = {}) {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`set local statement_timeout = 0`;
    await setSystemPath(tx);
    return checkAudit(tx, secrets, options);
  });
}

/** The same in the caller's transaction, which must see one snapshot. */
export async function checkAudit(tx: TransactionSql, secrets: Secrets, { since }: { since?: Heads | undefined } = {}) {
  const sentences: string[] = [];
  const report = (sentence: string) => {
    if (sentences.length < MAX_SENTENCES) sentences.push(sentence);
  };
  const shards = await tx<Shard[]>`select lane, position, last_seal, seal from public.audit_lanes`;
  let entries = 0;
  for (let number = 0; number < SHARDS; number++) {
    const shard = shards.find(({ lane }) => lane === number);
    if (!shard) report(`The record of the last entry of audit log shard ${number} was deleted.`);
    else if (!computeShardMac(secrets, shard).equals(shard.seal))
      report(`The record of the last entry of audit log shard ${number} was edited: its MAC does not match.`);
    const read = await checkEntries(tx, secrets, { number, noted: since?.get(number) ?? new Map(), report });
    entries += read.entries;
    if (shard && shard.position > read.last.position)
      report(
        `${formatEntries(shard.position - read.last.position)} deleted from the end of audit log shard ${number}.`,
      );
    else if (shard && !shard.last_seal.equals(read.last.seal))
      report(`The last entry of audit log shard ${number} is not the one on record.`);
  }
  return { entries, sentences };
}

interface CheckedShard {
  number: number;
  noted: ReadonlyMap<number, ReadonlySet<string>>;
  report: (sentence: string) => void;
}

/** Checks the entries of a shard one after another. Returns how many there are, and the last one. */
async function checkEntries(tx: TransactionSql, secrets: Secrets, { number, noted, report }: CheckedShard) {
  let entries = 0,
    last: Pick<Row, 'position' | 'seal'> = { position: 0, seal: Buffer.alloc(0) };
  const rows = tx<Row[]>`
    select lane, position, id, at, admin_id, email, address, call, kind, object_id, player_id, tenant_id,
      before::text as before, after::text as after, reason, note, request_id, seal
    from public.audit_log where lane = ${number} order by position`.cursor(BATCH);
  for await (const some of rows)
    for (const row of some) {
      entries++;
      const missing = row.position - last.position - 1;
      if (missing > 0)
        report(`${formatEntries(missing)} deleted from audit log shard ${number} before entry ${row.id}.`);
      // After a gap the previous MAC is unknown, so this entry cannot be checked.
      else if (!computeEntryMac(secrets, row, last.seal).equals(row.seal))
        report(`Entry ${row.id} of the audit log was edited or inserted: its MAC does not match.`);
      const head = noted.get(row.position);
      if (head && !isHead(head, row.seal))
        report(`Entry ${row.id}, at position ${row.position} of audit log shard ${number}, is not the noted one.`);
      last = row;
    }
  const beyond = [...noted.keys()].filter((position) => position > last.position);
  if (beyond.length)
    report(
      `Audit log shard ${number} ends at position ${last.position}, but position ${Math.max(...beyond)} was noted: ` +
        'its end was deleted.',
    );
  return { entries, last };
}

const formatEntries = (entries: number): string => (entries === 1 ? 'One entry was' : `${entries} entries were`);
