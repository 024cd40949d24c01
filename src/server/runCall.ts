/**
 * Runs a call and answers it. The steps in order:
 *
 * 1. app.ts waits for a turn, finds out the caller (401, 403) and parses the input (422).
 * 2. A transaction is opened. It looks up the caller again, and keeps what they may do from being revoked meanwhile.
 *    After a deadlock it is run again from here; over its time limit it is broken off. A read has none, and a call with
 *    `ownTransaction` opens its own where it wants.
 * 3. The `Idempotency-Key` is reserved. A request that was answered already gets that answer.
 * 4. The handler runs.
 * 5. The answer passes its schema, which drops what the contract does not name, and is kept for the key.
 * 6. The audit entry is written, and the transaction commits.
 */
import type { Context } from 'hono';
import type { Logger } from 'pino';
import type * as v from 'valibot';
import type { CallName, CallSpec } from '../contract/calls';
import type { TenantQuery } from '../contract/entities';
import { type CallSchemas, schemas } from '../contract/schemas/calls';
import { auditedTransaction, createAudit } from './audit/auditLog';
import { hideTypedFilters } from './audit/personal';
import { admitAgain, lookUpAgain } from './auth/authenticate';
import type { Caller } from './auth/caller';
import { factsOf } from './core/callFacts';
import type { Exchange, Services } from './core/context';
import type { CsvFile } from './core/csv';
import type { FairQueue, Turn } from './core/fairQueue';
import type { Limits } from './core/limits';
import { DATA_AGE_HEADER, type RecentWriters } from './core/replicaReads';
import { tenantScope } from './core/tenancy';
import type { Database, Rows, Sql } from './db/open';
import type { Replica } from './db/replica/replica';
import { handlers } from './handlers';
import { streamCsv } from './http/csvResponse';
import { answerOnce, type InTransaction, parseIdempotentRequest } from './http/idempotency';
import { jsonResponse } from './http/jsonResponse';
import type { Env } from './http/requestLog';
import { serializeAnswer } from './http/validate';
import { notifyLargeExport } from './notifications/immediateRules';

export interface AnswerOptions {
  /** Has no time limit and no turn, for what is written after the answer. */
  wholeDb: Database;
  replica?: Replica | undefined;
  writers: RecentWriters;
  services: Services;
  log: Logger;
  limits: Limits;
}

/** A call with its input. `text` is the body as it was sent. */
export interface CallInput {
  name: CallName;
  call: CallSpec;
  params: object;
  query: unknown;
  body: unknown;
  text: string;
  exchange: Exchange;
  headers: readonly [string, string][];
  caller: Caller;
  turn: Turn;
}

/** Only the call, and whether an `Idempotency-Key` came with it, decide in which way it is answered. */
export async function runCall(
  options: AnswerOptions,
  db: Database,
  c: Context<Env>,
  input: CallInput,
): Promise<Response> {
  const work = prepare(options, db, c, input),
    { call } = input;
  if (call.answer === 'csv') return answerFile(work);
  const key = c.req.header('idempotency-key');
  if (call.isOnce && (call.who === 'key' || key !== undefined)) return answerFirst(work, key);
  if (factsOf(input.name).ownTransaction) return answerJson(work, work.toAnswer(await work.run(db.sql)));
  return call.method === 'GET' ? answerRead(work) : answerWrite(work);
}

type Work = ReturnType<typeof prepare>;

function prepare(options: AnswerOptions, db: Database, c: Context<Env>, input: CallInput) {
  const { services, limits } = options,
    { name, call, params, query, body, exchange, caller, turn } = input;
  const shapes: CallSchemas = schemas[name];
  const audit = createAudit();
  const opening = lookUpAgain(services, name, call, exchange, caller);
  const admit = (opened: Rows) => admitAgain(name, call, caller, opened);
  const audited = auditedTransaction(db, services.secrets, audit, {
    call: name,
    caller,
    isWrite: call.method !== 'GET' && !call.isRead && !call.isPersonal && !call.isSigned,
    address: exchange.address,
    request_id: c.get('requestId'),
    reason: { ...(takesReason(shapes.query) && (query as object)), ...(takesReason(shapes.body) && (body as object)) },
  });
  const inTransaction: InTransaction = (work) =>
    audited((sql, opened) => {
      admit(opened);
      return work(sql);
    }, opening);
  const ctx = { caller, params, query, body, services, exchange, turn, limits, audit, inTransaction };
  const handler = handlers[name] as (ctx: object) => Promise<unknown>;
  const run = (sql: Sql, within: InTransaction = inTransaction) => handler({ ...ctx, inTransaction: within, sql });
  const toAnswer = (out: unknown) => serializeAnswer(shapes.answer, out === undefined ? { ok: true } : out);
  const stillMay = async () => admit(await options.wholeDb.sql.unsafe(opening));
  return { options, db, c, input, ctx, run, toAnswer, stillMay };
}

/** A file is streamed, entered in the audit log, and told to the rules of notifications. */
async function answerFile(work: Work): Promise<Response> {
  const { options, db, c, input, ctx, run, stillMay } = work,
    { log, wholeDb, limits, services } = options,
    { caller, turn } = input;
  const query = input.query as TenantQuery,
    list = input.name.replace('export', '').toLowerCase();
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${list}.csv"`,
    'Cache-Control': 'no-store',
  };
  // the file waits for its reader, and a HEAD request has none
  if (c.req.method === 'HEAD') return c.body(null, 200, headers);
  const tenant_id = tenantScope(caller, query.tenant_id);
  const exported = { tenant_id, email: caller.email, list, request_id: c.get('requestId') };
  const onEnd = (rows: number) =>
    void wholeDb
      .tx((sql) => notifyLargeExport(sql, { ...exported, rows }))
      .catch((error: unknown) => log.warn({ err: error }, 'an export could not be compared with the rules'));
  const stream = (from: Database, connections: FairQueue) =>
    streamCsv(
      { db: from, log, limits: { ...limits, connections }, stillMay, onEnd },
      turn,
      (sql) => run(sql) as Promise<CsvFile>,
    );
  const file = await readFrom(
    work,
    () => stream(db, limits.connections),
    (old) => stream(old, limits.replica),
  );
  // The audit entry of an export is written before the first row leaves.
  const filters = hideTypedFilters(services.secrets, { ...query, tenant_id: undefined });
  await ctx
    .inTransaction(async () => ctx.audit.about({ kind: 'export', id: null, tenant_id, after: filters }))
    .catch((error: unknown) => {
      void file.cancel(error);
      throw error;
    });
  return c.body(file, 200, headers);
}

/** The first of several requests with the same `Idempotency-Key` runs, and all of them get its answer. */
async function answerFirst({ options, db, c, input, ctx, run, toAnswer }: Work, key?: string): Promise<Response> {
  const { name, params, query, text, caller } = input,
    { audit, inTransaction } = ctx;
  const sent = [name, params, text, ...Object.entries(query as object)];
  const request = parseIdempotentRequest(caller, key, sent, options.services.secrets);
  const findPlayer = () => audit.subject?.player_id ?? null;
  const runIn = (within: InTransaction) =>
    factsOf(name).ownTransaction ? run(db.sql, within) : within((sql) => run(sql));
  const { answer, isReplay } = await answerOnce(db, request, { inTransaction, toAnswer, findPlayer, run: runIn });
  return c.body(answer, 200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...(isReplay && { 'Idempotency-Replayed': 'true' }),
  });
}

async function answerRead(work: Work): Promise<Response> {
  const { options, db, input, run, toAnswer, ctx } = work,
    { audit, inTransaction } = ctx;
  const answered = async (sql: Sql) => toAnswer(await run(sql));
  const out = await readFrom(
    work,
    () => db.read(answered),
    (old) => options.limits.replica.run(input.turn, () => old.read(answered)),
  );
  // A read has no transaction. What it reports, as an export does, is written before the answer leaves.
  const { subject } = audit;
  if (subject) await inTransaction(async () => audit.about(subject));
  return answerJson(work, out);
}

async function answerWrite(work: Work): Promise<Response> {
  // The answer is checked before COMMIT: afterwards nobody may be told that the call failed.
  return answerJson(work, await work.ctx.inTransaction(async (sql) => work.toAnswer(await work.run(sql))));
}

async function answerJson({ c, input }: Work, out: unknown): Promise<Response> {
  const isGet = input.call.method === 'GET';
  for (const [header, value] of input.headers) c.header(header, value, { append: true });
  c.header('Cache-Control', isGet ? 'private, no-cache' : 'no-store');
  return jsonResponse(c, out, { isTagged: isGet });
}

/** Reads from the replica what may be a moment old, and says so; everything else from the primary. */
async function readFrom<T>(
  { options: { replica, writers }, c, input: { name, caller } }: Work,
  primary: () => Promise<T>,
  old: (from: Database) => Promise<T>,
): Promise<T> {
  const found = factsOf(name).replica && !writers.has(caller) ? await replica?.attempt(old) : undefined;
  if (!found) return primary();
  c.header(DATA_AGE_HEADER, String(Math.ceil(found.ageMs / 1000)));
  return found.out;
}

/** Whether a call takes a reason and a note for its change. The `note` of any other call means something else. */
const takesReason = (shape: v.GenericSchema | undefined): boolean =>
  shape !== undefined && 'entries' in shape && 'reason' in (shape.entries as object);
