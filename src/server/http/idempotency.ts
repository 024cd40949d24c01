/** Runs the first of several requests with the same `Idempotency-Key`, and gives its answer to all of them. */
import { createHash } from 'node:crypto';
import { IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY_MAX } from '../../contract/integrations';
import type { Caller } from '../auth/caller';
import type { Database, Sql } from '../db/open';
import { Problem } from '../problem';

export interface IdempotentRequest {
  tenant_id: number;
  api_key_id: number;
  idempotency_key: string;
  request_hash: Buffer;
}
interface StoredAnswer {
  status: number;
  answer: string;
}

/** Requests are the same when call, path and body are equal to the byte. */
export function parseIdempotentRequest(
  { tenant_id, key }: Caller,
  header: string | undefined,
  request: readonly unknown[],
): IdempotentRequest {
  if (!header) throw new Problem(422, 'header.idempotency-key: is required');
  if (header.length > IDEMPOTENCY_KEY_MAX || !/^[\x21-\x7e]+$/.test(header))
    throw new Problem(422, `header.idempotency-key: expected at most ${IDEMPOTENCY_KEY_MAX} visible ASCII characters`);
  return {
    tenant_id: tenant_id ?? 0,
    api_key_id: key?.id ?? 0,
    idempotency_key: header,
    request_hash: createHash('sha256').update(JSON.stringify(request)).digest(),
  };
}

/** Aborts a transaction because the request was already answered. */
class AlreadyAnswered extends Error {
  override name = 'AnsweredAlready';
  readonly kept: StoredAnswer;
  constructor(kept: StoredAnswer) {
    super();
    this.kept = kept;
  }
}

/**
 * Runs `work` in its transaction and stores the answer there; other requests with the key wait for it. Refusals because
 * of the object (400, 404, 409) are stored as answers too; temporary ones (429, 503) are not.
 */
export async function answerOnce(
  db: Database,
  request: IdempotentRequest,
  inTransaction: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>,
  work: (sql: Sql) => Promise<unknown>,
): Promise<{ answer: string; isReplay: boolean }> {
  try {
    return await inTransaction(async (sql) => {
      await reserve(sql, request);
      const answer = JSON.stringify(await work(sql));
      await sql`update idempotency_keys set status = 200, answer = ${answer} where ${isSameKey(sql, request)}`;
      return { answer, isReplay: false };
    });
  } catch (error) {
    if (error instanceof AlreadyAnswered) return replay(error.kept);
    if (!(error instanceof Problem) || ![400, 404, 409].includes(error.status)) throw error;
    const refusal = { status: error.status, answer: error.message };
    const [made] = await db.sql`
      insert into idempotency_keys ${db.sql({ ...request, ...refusal })}
      on conflict do nothing
      returning 1`;
    return replay(made ? refusal : ((await findStored(db.sql, request)) ?? refusal));
  }
}

async function reserve(sql: Sql, request: IdempotentRequest): Promise<void> {
  for (;;) {
    const [made] = await sql`insert into idempotency_keys ${sql({ ...request })} on conflict do nothing returning 1`;
    if (made) return;
    const kept = await findStored(sql, request); // undefined when it expired and was deleted in between
    if (kept) throw new AlreadyAnswered(kept);
  }
}

const isSameKey = (sql: Sql, { tenant_id, api_key_id, idempotency_key }: IdempotentRequest) =>
  sql`tenant_id = ${tenant_id} and api_key_id = ${api_key_id} and idempotency_key = ${idempotency_key}`;

async function findStored(sql: Sql, request: IdempotentRequest): Promise<StoredAnswer | null> {
  const [row] = await sql<
    (StoredAnswer & { request_hash: Buffer })[]
  >`select status, answer, request_hash from idempotency_keys where ${isSameKey(sql, request)}`;
  if (row && !row.request_hash.equals(request.request_hash))
    throw new Problem(422, 'header.idempotency-key: was used for another request');
  return row ?? null;
}

function replay({ status, answer }: StoredAnswer): { answer: string; isReplay: boolean } {
  if (status === 400 || status === 404 || status === 409) throw new Problem(status, answer);
  return { answer, isReplay: true };
}

export async function sweepIdempotencyKeys(sql: Sql): Promise<void> {
  await sql`delete from idempotency_keys where created_at < now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`;
}
