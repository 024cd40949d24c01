/**
 * The API as a function from Request to Response. Every call is authenticated, parsed, run (a write in a transaction)
 * and answered here.
 */

import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import type { Logger } from 'pino';
import type * as v from 'valibot';
import { type CallName, type CallSpec, calls } from '../contract/calls';
import type { TenantQuery } from '../contract/entities';
import { IMPORT_BYTES } from '../contract/imports';
import { VERSION, VERSION_HEADER } from '../contract/version';
import { auditedTransaction, createAudit } from './audit/auditLog';
import { authenticate, authorize, type Credentials } from './auth/authenticate';
import { anonymous, type Caller, toOwnTurn, toTurn } from './auth/caller';
import { type Keyring, withPresentKey } from './auth/keyring';
import type { Exchange, Services } from './context';
import type { CsvFile } from './csv';
import { answerCsv, type CsvCall } from './csvAnswer';
import type { Database, Sql } from './db/open';
import type { Replica } from './db/replica';
import type { Turn } from './fairQueue';
import { handlers, withoutTransaction } from './handlers';
import { limitBody, readBody } from './http/body';
import { isSecure } from './http/clientAddress';
import { allowOrigins } from './http/cors';
import { errorResponse } from './http/errorResponse';
import { findMethods } from './http/findMethods';
import { answerOnce, type InTransaction, parseIdempotentRequest } from './http/idempotency';
import { jsonResponse } from './http/jsonResponse';
import { openapi } from './http/openapi';
import { openapiPage } from './http/openapiPage';
import { type Env, logRequests } from './http/requestLog';
import { untilGone, withTimeout } from './http/requestTimeout';
import { describeBrowser } from './http/userAgent';
import {
  decodeUtf8,
  parseBody,
  parseInput,
  parseJson,
  refuseAmbiguousUrl,
  requireObject,
  serializeAnswer,
} from './http/validate';
import { createLimits, type Limits, shareConnections } from './limits';
import type { Monitor } from './monitoring/monitor';
import { metricsPage } from './monitoring/page';
import { toRoute } from './monitoring/requests';
import { Problem } from './problem';
import type { ProxyTrust } from './proxyTrust';
import { createRecentWriters, DATA_AGE_HEADER, mayBeOld, type RecentWriters } from './replicaReads';
import { type CallSchemas, pathValue, schemas } from './schemas';
import { refuseForeignTenant } from './tenancy';

export interface AppOptions {
  db: Database;
  /** Answers reads that may be a moment old. */
  replica?: Replica | undefined;
  services: Services;
  /** Learns of a change of the secret key. */
  keyring?: Pick<Keyring, 'renew'>;
  log: Logger;
  trustProxy: ProxyTrust;
  /** Origins of an app served from elsewhere that may call this API. */
  corsOrigins: readonly string[];
  /** Counts what happens. */
  monitor?: Monitor | undefined;
  /** Whoever sends this token can read the metrics; without one nobody can. */
  metricsToken?: string | undefined;
}

const BODY_BYTES = 64 * 1024;
/** A batch of an import is larger than a form. */
const largerBodies: Partial<Record<CallName, number>> = { checkImport: IMPORT_BYTES, importRows: IMPORT_BYTES };
export function createApp(options: AppOptions): Hono<Env> {
  const { db, log } = options;
  const limits = createLimits(db.poolSize, options.monitor?.waited);
  options.monitor?.watch(limits);
  const writers = createRecentWriters();
  // The option ignores a trailing slash, so that both forms of a path are answered.
  const app = new Hono<Env>({ strict: false });

  app.use(logRequests(options));
  if (options.corsOrigins.length) app.use('/api/*', allowOrigins(options.corsOrigins));

  app.get('/healthz', (c) => c.json({ ok: true, version: VERSION }));
  app.get('/readyz', async (c) => {
    await withTimeout(db, (_, abandoned) =>
      limits.checks.run(toTurn(anonymous, c.get('address'), untilGone(c, abandoned)), () => db.sql`select 1`),
    );
    return c.json({ ok: true });
  });
  if (options.monitor && options.metricsToken) app.get('/metrics', metricsPage(options.monitor, options.metricsToken));
  else app.get('/metrics', (c) => c.text('Not found', 404)); // it is no address of the app either
  const compressed = compress(),
    tagged = etag();
  app.get('/api/openapi.json', compressed, tagged, (c) => c.json(openapi));
  app.get('/api/docs', compressed, tagged, (c) => c.html(openapiPage));

  const shared = { ...options, limits, writers, wholeDb: db };
  for (const [name, call] of Object.entries(calls) as [CallName, CallSpec][]) {
    const path = toRoute(call.path);
    const answer = (c: Context<Env>) =>
      withTimeout(db, (bounded, abandoned) =>
        withPresentKey(options.keyring, () => answerCall(shared, bounded, name, call, c, abandoned)),
      );
    if (call.answer === 'csv') app.on(call.method, path, compressed);
    if (call.method !== 'GET') app.on(call.method, path, limitBody(largerBodies[name] ?? BODY_BYTES));
    app.on(call.method, path, answer);
  }

  app.all('/api/*', (c) => {
    const methods = findMethods(c.req.path);
    if (!methods.length || methods.includes(c.req.method)) throw new Problem(404, 'No such call');
    c.header('Allow', methods.join(', '));
    throw new Problem(405, `Method not allowed; allowed: ${methods.join(', ')}`);
  });
  app.onError((error, c) => errorResponse(error, c, c.get('requestId'), log));
  return app;
}

/** `wholeDb` has no time limit and no turn, for what is written after the answer; `bounded` ends with the request. */
type CallOptions = Omit<AppOptions, 'db'> & { limits: Limits; writers: RecentWriters; wholeDb: Database };

async function answerCall(
  options: CallOptions,
  bounded: Database,
  name: CallName,
  call: CallSpec,
  c: Context<Env>,
  abandoned: AbortController,
): Promise<Response> {
  const { services, trustProxy, limits, writers } = options;
  const token = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? null;
  const sentBy = { token, cookies: c.req.header('cookie') ?? '', isSecure: isSecure(c, trustProxy) };
  // The sender of an event may hang up early: its delivery counts all the same.
  const signal = call.isSigned ? abandoned.signal : untilGone(c, abandoned);
  const caller = await limits.checks.run(toTurn(anonymous, c.get('address'), signal), () =>
    authenticate(bounded.sql, services, name, call, sentBy),
  );
  if (caller !== anonymous) c.header(VERSION_HEADER, VERSION);
  c.set('adminId', caller.admin_id || undefined);
  c.set('keyId', caller.key?.id);
  authorize(name, call, caller);

  const input = await readRequest(c, name, call, caller);
  const turn = toTurn(caller, c.get('address'), signal);
  const db = shareConnections(bounded, limits, turn);
  const answer = () => answerInput(options, db, name, call, c, { ...input, sentBy, caller, turn });
  const answered = caller === anonymous ? answer() : limits.calls.run(toOwnTurn(caller, turn), answer);
  return call.method === 'GET' ? answered : answered.finally(() => writers.note(caller));
}

type ReadInput = Awaited<ReturnType<typeof readRequest>> & { sentBy: Credentials; caller: Caller; turn: Turn };

async function answerInput(
  { wholeDb, replica, writers, services, log, limits }: CallOptions,
  db: Database,
  name: CallName,
  call: CallSpec,
  c: Context<Env>,
  { params, query, body, text, sentBy, caller, turn }: ReadInput,
): Promise<Response> {
  const headers: [string, string][] = [];
  const exchange: Exchange = {
    address: c.get('address'),
    token: sentBy.token,
    isSecure: sentBy.isSecure,
    browser: describeBrowser(c.req.header('user-agent')),
    raw: call.isSigned ? Buffer.from(await readBody(c)) : Buffer.alloc(0),
    header: (header) => c.req.header(header),
    setHeader: (header, value) => {
      headers.push([header, value]);
    },
  };
  const shapes: CallSchemas = schemas[name];
  const audit = createAudit();
  const inTransaction = auditedTransaction(db, services.secrets, audit, {
    call: name,
    caller,
    isWrite: call.method !== 'GET' && !call.isRead && !call.isPersonal && !call.isSigned,
    address: exchange.address,
    request_id: c.get('requestId'),
    reason: { ...(takesReason(shapes.query) && (query as object)), ...(takesReason(shapes.body) && (body as object)) },
  });
  const ctx = { caller, params, query, body, services, exchange, turn, limits, audit, inTransaction };
  const handler = handlers[name] as (ctx: object) => Promise<unknown>;
  const run = (sql: Sql) => handler({ ...ctx, sql });
  /** Reads from the replica what may be a moment old, and says so; everything else from the primary. */
  async function readFrom<T>(primary: () => Promise<T>, old: (from: Database) => Promise<T>): Promise<T> {
    const found = mayBeOld.has(name) && !writers.has(caller) ? await replica?.attempt(old) : undefined;
    if (!found) return primary();
    c.header(DATA_AGE_HEADER, String(Math.ceil(found.ageMs / 1000)));
    return found.out;
  }

  if (call.answer === 'csv') {
    const make = (sql: Sql) => run(sql) as Promise<CsvFile>;
    const read: CsvCall['read'] = (stream) =>
      readFrom(
        () => stream(db, limits.connections),
        (old) => stream(old, limits.replica),
      );
    return answerCsv(c, name, { ctx, query: query as TenantQuery, log, wholeDb, make, read });
  }
  const isGet = call.method === 'GET';
  const toAnswer = (out: unknown) => serializeAnswer(shapes.answer, out);
  const runIn = (within: InTransaction) =>
    withoutTransaction.has(name) ? handler({ ...ctx, inTransaction: within, sql: db.sql }) : within(run);
  const key = c.req.header('idempotency-key');
  if (call.isOnce && (call.who === 'key' || key !== undefined)) {
    const sent = [name, params, text, ...Object.entries(query as object)];
    const request = parseIdempotentRequest(caller, key, sent, services.secrets);
    const findPlayer = () => audit.subject?.player_id ?? null;
    const { answer, isReplay } = await answerOnce(db, request, { inTransaction, toAnswer, findPlayer, run: runIn });
    return c.body(answer, 200, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...(isReplay && { 'Idempotency-Replayed': 'true' }),
    });
  }
  // The answer is checked before COMMIT: afterwards nobody may be told that the call failed.
  const answered = async (sql: Sql) => toAnswer(await run(sql));
  const out = withoutTransaction.has(name)
    ? toAnswer(await run(db.sql))
    : isGet
      ? await readFrom(
          () => db.read(answered),
          (old) => limits.replica.run(turn, () => old.read(answered)),
        )
      : await inTransaction(answered);
  if (isGet && audit.subject)
    throw new TypeError(`${name} is a GET and runs without a transaction, so it cannot write an audit entry`);

  for (const [header, value] of headers) c.header(header, value, { append: true });
  c.header('Cache-Control', isGet ? 'private, no-cache' : 'no-store');
  return jsonResponse(c, out, { isTagged: isGet });
}

/**
 * Parses path, query and body with the schemas of the call. `text` is the body as it was sent. A call that takes no
 * body accepts an object and ignores it. The handler of a signed call parses the body itself.
 */
async function readRequest(c: Context<Env>, name: CallName, call: CallSpec, caller: Caller) {
  const shapes: CallSchemas = schemas[name];
  const bodyShape = call.isSigned ? undefined : shapes.body;
  // A form of another site could send a call that needs no Authorization header, but not with this content type.
  const needsType = bodyShape && (call.who === 'anyone' || call.who === 'checkout');
  if (needsType && !/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new Problem(422, 'header.content-type: expected application/json');
  const text = call.method === 'GET' || call.isSigned ? '' : decodeUtf8(await readBody(c)),
    sent = requireObject(parseJson(text) ?? undefined); // some clients send `null` for no body
  if (call.who !== 'anyone')
    refuseForeignTenant(caller, [c.req.param('tenant_id'), ...(c.req.queries('tenant_id') ?? []), tenantIdIn(sent)]);
  refuseAmbiguousUrl(c.req.url);
  return {
    params: Object.fromEntries(
      Object.entries(c.req.param()).map(([key, value]) => [key, parseInput(pathValue(key), value, `path.${key}`)]),
    ),
    query: shapes.query ? parseInput(shapes.query, c.req.query(), 'query') : {},
    body: bodyShape ? parseBody(bodyShape, sent) : undefined,
    text,
  };
}

/** Whether a call takes a reason and a note for its change. The `note` of any other call means something else. */
const takesReason = (shape: v.GenericSchema | undefined): boolean =>
  shape !== undefined && 'entries' in shape && 'reason' in (shape.entries as object);

const tenantIdIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'tenant_id' in value ? value.tenant_id : undefined;
