/** The audit log: one sealed entry for each write, in the write's own transaction. */
import type { AuditKind } from '../../contract/constants';
import type { AuditEntry } from '../../contract/entities';
import { changesBetween, type Fields } from './changes';
import type { Database, Sql } from '../db/open';
import type { Secrets } from '../auth/secrets';

/** What a call was about, as its handler tells it. */
export interface AuditSubject {
  kind: AuditKind;
  /** The object's id; a payment method's is its processor. */
  id: number | string | null;
  /** Whose object it is; null: nobody's. */
  tenant_id: number | null;
  /** In whose history the entry stands. */
  player_id?: number | null;
  /** The object as it was, and as it is now; only what differs is kept, and of a secret no more than that it does. */
  before?: object | null;
  after?: object | null;
}

/** What a handler is given to tell it with; told again, the last word counts. */
export interface Audit {
  about(subject: AuditSubject): void;
  /** Who it was, where the call itself does not say: at a sign-in. `admin_id` null: not proven. */
  by(person: { admin_id: number | null; email: string }): void;
}

export interface AuditRecord extends Audit {
  subject: AuditSubject | null;
  person: { admin_id: number | null; email: string } | null;
}

/** Why something was changed, as it was given with the call. */
interface ChangeText { reason?: string | undefined; note?: string | undefined }

/** What the call itself says of its entry. */
export interface CallFacts extends Pick<AuditEntry, 'call' | 'address' | 'request_id'> {
  caller: { admin_id: number; email: string; tenant_id: number | null };
  isWrite: boolean;
  reason: ChangeText;
}

/** Runs a call's one transaction, which ends with its entry: always after a write, after a read only if its handler told of it. */
export const auditedTransaction = (db: Database, secrets: Secrets, record: AuditRecord, { caller, isWrite, reason, ...facts }: CallFacts) =>
  <T>(work: (sql: Sql) => Promise<T>): Promise<T> => db.tx(async (sql) => {
    record.subject = record.person = null; // tried again, the handler tells all of it again
    const out = await work(sql);
    if (!isWrite && !record.subject) return out;
    const { admin_id, email } = record.person ?? caller;
    const subject: AuditSubject = record.subject ?? { kind: 'other', id: null, tenant_id: caller.tenant_id };
    await writeEntry(sql, secrets, { ...facts, ...subject, admin_id: admin_id || null, email, reason: reason.reason ?? null, note: reason.note || null });
    return out;
  });

export function createAudit(): AuditRecord {
  const record: AuditRecord = {
    subject: null, person: null,
    about(subject) { record.subject = subject; },
    by(person) { record.person = person; },
  };
  return record;
}

/** An entry as it is about to be written. */
export type NewEntry = Omit<AuditEntry, 'id' | 'at' | 'kind' | 'object_id' | 'player_id' | 'tenant_id' | 'before' | 'after'> & AuditSubject;

/** A stored entry as it is sealed: the texts exactly as they stand in the table. */
export interface LogRow extends Omit<AuditEntry, 'at' | 'before' | 'after'> {
  lane: number; position: number; at: Date; before: string | null; after: string | null;
}

export const SHARDS = 16;

/** The seal of an entry: over all that is in it and the seal of the entry before it in its lane. */
export const computeEntryMac = (secrets: Secrets, row: LogRow, previous: Buffer): Buffer => secrets.mac(JSON.stringify([
  'entry', row.lane, row.position, previous.toString('hex'), row.id, row.at.getTime(), row.admin_id, row.email, row.address, row.call, row.kind, row.object_id,
  row.player_id, row.tenant_id, row.before, row.after, row.reason, row.note, row.request_id,
]));

export interface Shard { lane: number; position: number; last_seal: Buffer; seal: Buffer }

/** The seal of a lane's end. Those of its earlier ends are kept nowhere, so nobody can put one back. */
export const computeShardMac = (secrets: Secrets, { lane, position, last_seal }: Omit<Shard, 'seal'>): Buffer =>
  secrets.mac(JSON.stringify(['lane', lane, position, last_seal.toString('hex')]));

/** Makes the empty lanes of a new database. Once only: setup.ts keeps under the key that it has been done. */
export async function createAuditShards(sql: Sql, secrets: Secrets): Promise<void> {
  for (let lane = 0; lane < SHARDS; lane++) {
    const empty = { lane, position: 0, last_seal: Buffer.alloc(0) };
    await sql`insert into audit_lanes ${sql({ ...empty, seal: computeShardMac(secrets, empty) })}`;
  }
}

/**
 * Appends an entry. Locks a sixteenth of the log until the transaction ends, so it belongs at the end of one.
 * Throws when the lane's end does not match its seal: writing on would cover up what somebody has done to it.
 */
async function writeEntry(sql: Sql, secrets: Secrets, { id: object, before = null, after = null, player_id = null, ...entry }: NewEntry): Promise<void> {
  const [end] = await sql<(Shard & { id: number; at: Date })[]>`
    select *, nextval('audit_ids') as id, date_trunc('milliseconds', clock_timestamp()) as at
    from audit_lanes where lane = pg_backend_pid() % ${SHARDS} for update`;
  if (!end || !computeShardMac(secrets, end).equals(end.seal)) throw new Error(`the audit log was tampered with (shard ${end?.lane ?? 'missing'}); run npm run verify for details`);
  const changes = changesBetween(before, after);
  const row: LogRow = {
    ...entry, lane: end.lane, position: end.position + 1, id: end.id, at: end.at, object_id: object === null ? null : String(object), player_id,
    before: toJson(changes.before), after: toJson(changes.after),
  };
  const seal = computeEntryMac(secrets, row, end.last_seal);
  const next = { lane: row.lane, position: row.position, last_seal: seal };
  await sql`
    with entry as (
      insert into audit_log (lane, position, id, at, admin_id, email, address, call, kind, object_id, player_id, tenant_id, before, after, reason, note, request_id, seal)
      values (${row.lane}, ${row.position}, ${row.id}, ${row.at}, ${row.admin_id}, ${row.email}, ${row.address}, ${row.call}, ${row.kind}, ${row.object_id},
        ${row.player_id}, ${row.tenant_id}, ${row.before}::text::json, ${row.after}::text::json, ${row.reason}, ${row.note}, ${row.request_id}, ${seal})
    )
    update audit_lanes set position = ${next.position}, last_seal = ${seal}, seal = ${computeShardMac(secrets, next)} where lane = ${row.lane}`;
}

const toJson = (fields: Fields | null): string | null => (fields === null ? null : JSON.stringify(fields));

/** Why money was changed, kept beside the line of a history it belongs to: a transaction's id, or that of a transfer by hand below zero. */
export async function saveReason(sql: Sql, tenantId: number, lineIds: readonly number[], { reason, note }: ChangeText): Promise<void> {
  if ((!reason && !note) || lineIds.length === 0) return;
  await sql`
    insert into remarks (tenant_id, line_id, reason, note)
    select ${tenantId}, line_id, ${reason ?? null}::text, ${note || null}::text from unnest(${[...lineIds]}::bigint[]) as line_id`;
}
