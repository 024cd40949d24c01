/** The audit log: one entry for each write, authenticated by a MAC and written in the write's own transaction. */
import type { AuditKind } from '../../contract/constants';
import type { AuditEntry } from '../../contract/entities';
import { type Secrets, StaleKey } from '../auth/secrets';
import { TamperingFound } from '../core/problem';
import type { Owner } from '../core/tenancy';
import type { Database, Rows, Sql } from '../db/open';
import { changesBetween, type Fields } from './changes';
import { dropPlayerKey, hasPersonal, type KeyRow, requirePlayerKey, sealWords } from './personal';

/** What a call changed, as its handler reports it. */
export interface AuditSubject {
  kind: AuditKind;
  /** The object's id; for a payment method, its processor. */
  id: number | string | null;
  tenant_id: number | null;
  /** The player in whose history the entry appears. */
  player_id?: number | null;
  /** The object before and after. Only differences are stored; of a secret, only that it changed. */
  before?: object | null;
  after?: object | null;
  /** The player was deleted: from now on nobody can read the words about them. */
  forgets?: boolean;
}

/** A player as what was changed. */
export const toPlayer = ({ tenant_id, player_id }: Owner) =>
  ({ kind: 'player', id: player_id, tenant_id, player_id }) as const;

/** The handler's interface to the audit entry of its call. The last report counts. */
export interface Audit {
  about(subject: AuditSubject): void;
  /** Who did it, where the call does not say, as at a sign-in; `admin_id` null: nobody was authenticated. */
  by(person: { admin_id: number | null; email: string }): void;
}

export interface AuditRecord extends Audit {
  subject: AuditSubject | null;
  person: { admin_id: number | null; email: string } | null;
}

/** The reason for a change, as given with the call. */
export interface ChangeText {
  reason?: string | undefined;
  note?: string | undefined;
}

/** What is known about a call before its handler runs. */
export interface CallFacts extends Pick<AuditEntry, 'call' | 'address' | 'request_id'> {
  caller: { admin_id: number; email: string; tenant_id: number | null };
  isWrite: boolean;
  reason: ChangeText;
}

/** The facts of a write that no call makes: a command does, or the first start. */
export const serverItself = {
  caller: { admin_id: 0, email: '', tenant_id: null },
  isWrite: true,
  reason: {},
  address: 'the server itself',
  request_id: '',
} satisfies Omit<CallFacts, 'call'>;

/**
 * Runs the one transaction of a call. It ends with the audit entry: always after a write, after a read only if the
 * handler reported something. A row that was changed past the server is refused with an entry of its own.
 */
export const auditedTransaction =
  (db: Database, secrets: Secrets, record: AuditRecord, { caller, isWrite, reason, ...facts }: CallFacts) =>
  <T>(work: (sql: Sql, opened: Rows) => Promise<T>, opening?: string): Promise<T> => {
    const write = (sql: Sql, subject: AuditSubject, keyId: string) => {
      const { admin_id, email } = record.person ?? caller;
      const entry = {
        ...facts,
        ...subject,
        admin_id: admin_id || null,
        email,
        reason: reason.reason ?? null,
        note: reason.note || null,
      };
      return writeEntry(sql, secrets, entry, keyId);
    };
    return db
      .tx(async (sql, opened) => {
        record.subject = record.person = null; // on a retry the handler reports everything again
        const { keyId } = secrets; // what `work` encrypts must be encrypted with this key
        const out = await work(sql, opened);
        if (!isWrite && !record.subject) return out;
        await write(sql, record.subject ?? { kind: 'other', id: null, tenant_id: caller.tenant_id }, keyId);
        return out;
      }, opening)
      .catch(async (error: unknown) => {
        if (error instanceof TamperingFound)
          await db.tx((sql) => write(sql, { ...error.row, after: { tampering_found: true } }, secrets.keyId));
        throw error;
      });
  };

/** A write that no call makes, with its entry. */
export function writeAsServer<T>(
  db: Database,
  secrets: Secrets,
  call: string,
  work: (sql: Sql, audit: Audit) => Promise<T>,
): Promise<T> {
  const audit = createAudit();
  return auditedTransaction(db, secrets, audit, { ...serverItself, call })((sql) => work(sql, audit));
}

export function createAudit(): AuditRecord {
  const record: AuditRecord = {
    subject: null,
    person: null,
    about(subject) {
      record.subject = subject;
    },
    by(person) {
      record.person = person;
    },
  };
  return record;
}

export type NewEntry = Omit<
  AuditEntry,
  'id' | 'at' | 'kind' | 'object_id' | 'player_id' | 'player_email' | 'tenant_id' | 'before' | 'after'
> &
  AuditSubject;

/** A stored entry as its MAC covers it, with the texts exactly as they are in the table. */
export interface LogRow extends Omit<AuditEntry, 'at' | 'player_email' | 'before' | 'after'> {
  lane: number;
  position: number;
  at: Date;
  before: string | null;
  after: string | null;
}

export const SHARDS = 16;

/** The MAC covers the contents and the MAC before it in its shard. Rows call a shard a lane and a MAC a seal. */
export const computeEntryMac = (secrets: Secrets, row: LogRow, previous: Buffer): Buffer =>
  secrets.mac(
    JSON.stringify([
      'entry',
      row.lane,
      row.position,
      previous.toString('hex'),
      row.id,
      row.at.getTime(),
      row.admin_id,
      row.email,
      row.address,
      row.call,
      row.kind,
      row.object_id,
      row.player_id,
      row.tenant_id,
      row.before,
      row.after,
      row.reason,
      row.note,
      row.request_id,
    ]),
    row,
  );

export interface Shard {
  lane: number;
  position: number;
  last_seal: Buffer;
  seal: Buffer;
}

/** The MAC of a shard's end. Those of earlier ends are not kept, so nobody can restore one. */
export const computeShardMac = (secrets: Secrets, { lane, position, last_seal }: Omit<Shard, 'seal'>): Buffer =>
  secrets.mac(JSON.stringify(['lane', lane, position, last_seal.toString('hex')]));

/** Creates the empty shards of a new database. It happens once: setup.ts records it, encrypted with the key. */
export async function createAuditShards(sql: Sql, secrets: Secrets): Promise<void> {
  const shards = Array.from({ length: SHARDS }, (_, lane) => {
    const empty = { lane, position: 0, last_seal: Buffer.alloc(0) };
    return { ...empty, seal: computeShardMac(secrets, empty) };
  });
  await sql`insert into audit_lanes ${sql(shards)}`;
}

/**
 * Appends an entry. It locks one sixteenth of the log until the transaction ends, so it belongs at the end of a
 * transaction. It throws when the MAC of the shard's end does not match: either the key was changed, or appending would
 * cover up a manipulation. `keyId`: the key that the rest of the transaction has encrypted with.
 */
export async function writeEntry(
  sql: Sql,
  secrets: Secrets,
  { id: object, before = null, after = null, player_id = null, forgets = false, note, ...entry }: NewEntry,
  keyId = secrets.keyId,
): Promise<void> {
  const words = { ...changesBetween(before, after), note },
    { tenant_id } = entry;
  const owner = player_id !== null && tenant_id !== null && hasPersonal(words) ? { tenant_id, player_id } : null;
  const [end] = await sql<(Shard & KeyRow & { id: number; at: Date })[]>`
    select l.*, nextval('audit_ids') as id, date_trunc('milliseconds', clock_timestamp()) as at,
      k.player_id is not null as has_key, k.sealed as player_key
    from audit_lanes l
      left join player_keys k on k.tenant_id = ${owner?.tenant_id ?? null} and k.player_id = ${owner?.player_id ?? null}
    where l.lane = pg_backend_pid() % ${SHARDS} for update of l`;
  // Only with the shard locked: while this waited for it, another call may have read the new key.
  if (secrets.keyId !== keyId) throw new StaleKey(keyId, 'the secret key was changed meanwhile');
  if (!end || !computeShardMac(secrets, end).equals(end.seal))
    throw new StaleKey(
      secrets.keyId,
      `the audit log was tampered with (shard ${end?.lane ?? 'missing'}); run npm run verify for details`,
    );
  if (forgets && tenant_id !== null && player_id !== null) await dropPlayerKey(sql, { tenant_id, player_id });
  const stored = owner ? sealWords(words, forgets ? null : await requirePlayerKey(sql, secrets, owner, end)) : words;
  const row: LogRow = {
    ...entry,
    lane: end.lane,
    position: end.position + 1,
    id: end.id,
    at: end.at,
    object_id: object === null ? null : String(object),
    player_id,
    before: toJson(stored.before),
    after: toJson(stored.after),
    note: stored.note,
  };
  const seal = computeEntryMac(secrets, row, end.last_seal);
  const next = { lane: row.lane, position: row.position, last_seal: seal };
  await sql`
    with entry as (
      insert into audit_log (lane, position, id, at, admin_id, email, address, call, kind, object_id, player_id,
        tenant_id, before, after, reason, note, request_id, seal)
      values (${row.lane}, ${row.position}, ${row.id}, ${row.at}, ${row.admin_id}, ${row.email}, ${row.address},
        ${row.call}, ${row.kind}, ${row.object_id}, ${row.player_id}, ${row.tenant_id}, ${row.before}::text::json,
        ${row.after}::text::json, ${row.reason}, ${row.note}, ${row.request_id}, ${seal})
    )
    update audit_lanes set position = ${next.position}, last_seal = ${seal}, seal = ${computeShardMac(secrets, next)}
    where lane = ${row.lane}`;
}

const toJson = (fields: Fields | null): string | null => (fields === null ? null : JSON.stringify(fields));

/** Keeps why money was changed, by its line: the id of a transaction, or the negative id of a manual transfer. */
export async function saveReason(sql: Sql, tenantId: number, lineIds: readonly number[], { reason, note }: ChangeText) {
  if ((!reason && !note) || lineIds.length === 0) return;
  await sql`
    insert into remarks (tenant_id, line_id, reason, note)
    select ${tenantId}, line_id, ${reason ?? null}::text, ${note || null}::text
    from unnest(${[...lineIds]}::bigint[]) as line_id
    on conflict (tenant_id, line_id) do update set reason = excluded.reason, note = excluded.note`;
}
