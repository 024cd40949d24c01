/** Runs the first of several requests with the same `Idempotency-Key`, and gives its answer to all of them. */
import { IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY_MAX } from '../../contract/integrations';
import type { Caller } from '../auth/caller';
import type { Secrets } from '../auth/secrets';
import { Problem } from '../core/problem';
import { type Database, isLockTimeout, type Sql } from '../db/open';

interface StoredAnswer {
  status: number;
  answer: string;
  code: string | null;
}
export type InTransaction = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;

/** Requests are the same when call, path, query and body are equal. */
export function parseIdempotentRequest(
  { tenant_id, admin_id, key }: Caller,
  header: string | undefined,
  request: readonly unknown[],
  secrets: Secrets,
) {
  if (!header) throw new Problem(422, 'header.idempotency-key: is required');
  if (header.length > IDEMPOTENCY_KEY_MAX || !/^[\x21-\x7e]+$/.test(header))
    throw new Problem(422, `header.idempotency-key: expected at most ${IDEMPOTENCY_KEY_MAX} visible ASCII characters`);
  return {
    tenant_id: tenant_id ?? 0,
    /** An API key, or a person in any of their sessions. */
    caller: key ? `key ${key.id}` : `admin ${admin_id}`,
    idempotency_key: header,
    /** Keyed: a request may hold a password or a player's data, which readers of the database must not guess. */
    request_hash: Buffer.from(secrets.pseudonym(JSON.stringify(request)), 'base64url'),
  };
}
type IdempotentRequest = ReturnType<typeof parseIdempotentRequest>;

/** Aborts a transaction because the request was already answered. */
class AlreadyAnswered extends Error {
  override name = 'AlreadyAnswered';
  readonly kept: StoredAnswer;
  constructor(kept: StoredAnswer) {
    super();
    this.kept = kept;
  }
}

interface Once {
  inTransaction: InTransaction;
  toAnswer: (out: unknown) => unknown;
  /** Whom the call was about, known after it ran. */
  findPlayer: () => number | null;
  /** Runs the call in one transaction, which it opens with the given function. */
  run: (inTransaction: InTransaction) => Promise<unknown>;
}

/**
 * Stores the answer in the transaction of the call; others with the key wait. Refusals by the object (400, 404, 409)
 * are stored too, temporary ones (429, 503) are not. An answer goes with the player whom it is about.
 */
export async function answerOnce(
  db: Database,
  sent: IdempotentRequest,
  { inTransaction, toAnswer, findPlayer, run }: Once,
): Promise<{ answer: string; isReplay: boolean }> {
  let answer: string | undefined;
  try {
    await run((work) =>
      inTransaction(async (sql) => {
        await reserve(sql, sent);
        const out = await work(sql);
        answer = JSON.stringify(toAnswer(out));
        await sql`
          update idempotency_keys set status = 200, answer = ${answer}, player_id = ${findPlayer()}
          where ${isSameKey(sql, sent)}`;
        return out;
      }),
    );
  } catch (error) {
    if (error instanceof AlreadyAnswered) return replay(error.kept);
    if (!(error instanceof Problem) || ![400, 404, 409].includes(error.status)) throw error;
    const refusal = { status: error.status, answer: error.message, code: error.code ?? null };
    const [made] = await db.sql`
      insert into idempotency_keys ${db.sql({ ...sent, ...refusal })}
      on conflict do nothing
      returning 1`;
    return replay(made ? refusal : ((await findStored(db.sql, sent)) ?? refusal));
  }
  if (answer === undefined) throw new TypeError('a call that is done once runs in one transaction');
  return { answer, isReplay: false };
}

async function reserve(sql: Sql, request: IdempotentRequest): Promise<void> {
  for (;;) {
    // Waits for a request with the same key that is being answered.
    const made = await sql`
      insert into idempotency_keys ${sql({ ...request })} on conflict do nothing returning 1`.catch(
      (error: unknown) => {
        if (!isLockTimeout(error)) throw error;
        throw new Problem(503, 'The first request with this Idempotency-Key is still running', 2, 'still_running');
      },
    );
    if (made.length) return;
    // Undefined when it expired and was deleted in between.
    const kept = await findStored(sql, request);
    if (kept) throw new AlreadyAnswered(kept);
  }
}

const isSameKey = (sql: Sql, { tenant_id, caller, idempotency_key }: IdempotentRequest) =>
  sql`tenant_id = ${tenant_id} and caller = ${caller} and idempotency_key = ${idempotency_key}`;

async function findStored(sql: Sql, request: IdempotentRequest): Promise<StoredAnswer | null> {
  const [row] = await sql<(StoredAnswer & { request_hash: Buffer })[]>`
    select status, answer, code, request_hash from idempotency_keys where ${isSameKey(sql, request)}`;
  if (row && !row.request_hash.equals(request.request_hash))
    throw new Problem(422, 'header.idempotency-key: was used for another request');
  return row ?? null;
}

function replay({ status, answer, code }: StoredAnswer): { answer: string; isReplay: boolean } {
  if (status === 400 || status === 404 || status === 409)
    throw new Problem(status, answer, undefined, code ?? undefined);
  return { answer, isReplay: true };
}

export async function sweepIdempotencyKeys(sql: Sql): Promise<void> {
  await sql`delete from idempotency_keys where created_at < now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`;
}
