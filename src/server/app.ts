/** The whole API as a function from Request to Response: for every call of the contract who, input, transaction, handler, answer. */
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type * as v from 'valibot';
import { calls, type CallName, type CallSpec } from '../contract/calls';
import { IMPORT_BYTES } from '../contract/imports';
import { mayEnter, mayEnterTenant } from '../contract/rules';
import { requireKey } from './auth/apiKeys';
import { auditedTransaction, newAudit } from './audit/auditLog';
import { browserName } from './http/userAgent';
import type { CsvFile } from './csv';
import { csvAnswer } from './http/csvResponse';
import { isTimeout, isUnavailable, type Database } from './db/open';
import { handlers } from './handlers';
import { answerOnce, onceRequest } from './http/idempotency';
import { openapi } from './http/openapi';
import { openapiPage } from './http/openapiPage';
import { jsonAnswer } from './http/jsonResponse';
import { inTime } from './http/requestTimeout';
import { Problem, tenantViolation } from './problem';
import { parseJson, read, shaped, textOf } from './http/validate';
import { tenantScope, type Caller, type Exchange, type Services } from './context';
import { pathValue, schemas, type CallSchemas } from './schemas';
import { addressOf, isSecure, type ProxyTrust } from './http/clientAddress';
import { securityHeaders } from './http/securityHeaders';

export interface ServeOptions {
  db: Database;
  services: Services;
  log: Logger;
  trustProxy: ProxyTrust;
  /** Origins of an app served from elsewhere that may call this API. */
  corsOrigins: readonly string[];
}
type Env = { Variables: { requestId: string; adminId: number | undefined; keyId: number | undefined } };

const BODY_BYTES = 64 * 1024;
/** A batch of an import is more than a form. */
const largerBodies: Partial<Record<CallName, number>> = { checkImport: IMPORT_BYTES, importRows: IMPORT_BYTES };
/** What checks a password hashes for tens of milliseconds, a webhook may ask another server: neither must hold a transaction meanwhile. Their statements stand alone. */
const withoutTransaction: ReadonlySet<CallName> = new Set<CallName>([
  'login', 'loginToTenant', 'changePassword', 'setUpTwoFactor', 'confirmTwoFactor', 'turnOffTwoFactor', 'renewRecoveryCodes', 'receiveWebhook',
]);
/** Polled by every open page; does not keep a session alive. */
const isActivity = (name: CallName) => name !== 'getDashboardMetrics' && name !== 'countPending';

export function createServer(options: ServeOptions): Hono<Env> {
  const { db, log } = options;
  const app = new Hono<Env>({ strict: false }); // a request's trailing slash is overlooked, so routes have none: both forms are answered

  app.use(async (c, next) => {
    const requestId = randomUUID(), started = performance.now();
    c.set('requestId', requestId);
    c.header('X-Request-Id', requestId);
    securityHeaders(c);
    await next();
    const who = { admin_id: c.get('adminId'), key_id: c.get('keyId'), address: addressOf(c, options.trustProxy) };
    log.info({ request_id: requestId, ...who, method: c.req.method, path: c.req.routePath, status: c.res.status, ms: Math.round(performance.now() - started) }, 'request');
  });
  if (options.corsOrigins.length) app.use('/api/*', cors(options.corsOrigins));

  app.get('/healthz', (c) => c.json({ ok: true }));
  app.get('/readyz', async (c) => {
    await inTime(db, () => db.sql`select 1`);
    return c.json({ ok: true });
  });
  const compressed = compress(), tagged = etag();
  app.get('/api/openapi.json', compressed, tagged, (c) => c.json(openapi));
  app.get('/api/docs', compressed, tagged, (c) => c.html(openapiPage));

  for (const [name, call] of Object.entries(calls) as [CallName, CallSpec][]) {
    const path = call.path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');
    const answer = (c: Context<Env>) => inTime(db, (bounded) => answerCall({ ...options, db: bounded }, name, call, c));
    if (call.isCsv) app.on(call.method, path, compressed);
    if ('body' in schemas[name]) app.on(call.method, path, noLargerThan(largerBodies[name] ?? BODY_BYTES));
    app.on(call.method, path, answer);
  }

  app.all('/api/*', (c) => {
    const methods = methodsOf(c.req.path);
    if (!methods.length || methods.includes(c.req.method)) throw new Problem(404, 'No such call');
    c.header('Allow', methods.join(', '));
    throw new Problem(405, `No such call: here it is ${methods.join(', ')}`);
  });
  app.onError((error, c) => refuse(error, c, log));
  return app;
}

/** What the calls at a path are sent by. */
const methodsOf = (path: string): string[] => [...new Set(Object.values<CallSpec>(calls)
  .filter((call) => new RegExp(`^${call.path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`).test(path)).map(({ method }) => method))];

/** Of a declared length no more is ever received; any other is counted as it comes in. */
function noLargerThan(maxSize: number): MiddlewareHandler {
  const onError = () => { throw new Problem(413, 'The request body is too large'); };
  const counted = bodyLimit({ maxSize, onError });
  return (c, next) => {
    const length = c.req.header('transfer-encoding') === undefined ? c.req.header('content-length') : undefined;
    return length === undefined ? counted(c, next) : Number(length) > maxSize ? onError() : next();
  };
}

async function answerCall({ db, services, trustProxy, log }: ServeOptions, name: CallName, call: CallSpec, c: Context<Env>): Promise<Response> {
  const token = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? null;
  const caller = await callerOf(db, services, name, call, token, c, trustProxy);

  const shapes: CallSchemas = schemas[name];
  // What needs no Authorization header, another site's form could send; of this type it cannot.
  const isPlain = !call.isSigned && (call.who === 'anyone' || call.who === 'checkout') && !/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? '');
  if (shapes.body && isPlain) throw new Problem(422, 'header.content-type: expected application/json');
  const text = shapes.body && !call.isSigned ? textOf(await c.req.arrayBuffer()) : '', sent = parseJson(text);
  if (call.who !== 'anyone') refuseForeignTenant(caller, [c.req.param('tenant_id'), ...c.req.queries('tenant_id') ?? [], tenantIn(sent)]);
  const params = Object.fromEntries(Object.entries(c.req.param()).map(([key, value]) => [key, read(pathValue(key), value, `path.${key}`)]));
  const query = shapes.query ? read(shapes.query, c.req.query(), 'query') : {};
  const body = shapes.body && !call.isSigned ? read(shapes.body, sent, 'body') : undefined;

  const headers: [string, string][] = [];
  const exchange: Exchange = {
    address: addressOf(c, trustProxy), token, isSecure: isSecure(c, trustProxy), browser: browserName(c.req.header('user-agent')),
    raw: call.isSigned ? Buffer.from(await c.req.arrayBuffer()) : Buffer.alloc(0), header: (header) => c.req.header(header),
    setHeader: (header, value) => { headers.push([header, value]); },
  };
  const run = handlers[name] as (ctx: object) => Promise<unknown>;
  const audit = newAudit();
  const inTransaction = auditedTransaction(db, services.secrets, audit, {
    call: name, caller, isWrite: call.method !== 'GET' && !call.isRead && !call.isSigned, address: exchange.address, request_id: c.get('requestId'),
    remark: { ...(takesRemark(shapes.query) && query as object), ...(takesRemark(shapes.body) && body as object) },
  });
  const ctx = { caller, params, query, body, services, exchange, audit, inTransaction };
  if (call.isCsv) {
    const ofFile = { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment', 'Cache-Control': 'no-store' };
    if (c.req.method === 'HEAD') return c.body(null, 200, ofFile); // nobody would read the file, which waits for its reader
    const file = await csvAnswer(db, log, (sql) => run({ ...ctx, sql }) as Promise<CsvFile>);
    // Who took which rows away is kept before the first of them leaves.
    const asked = tenantIn(query), tenant_id = tenantScope(caller, typeof asked === 'number' ? asked : undefined);
    await inTransaction(async () => audit.about({ kind: 'export', id: null, tenant_id, after: { ...(query as object), tenant_id: undefined } }))
      .catch((error: unknown) => { void file.cancel(error); throw error; });
    return c.body(file, 200, ofFile);
  }
  if (call.who === 'key' && call.method !== 'GET') {
    const request = onceRequest(caller, c.req.header('idempotency-key'), [name, params, text]);
    const { answer, isReplay } = await answerOnce(db, request, inTransaction, async (sql) => shaped(shapes.answer, await run({ ...ctx, sql })));
    return c.body(answer, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...(isReplay && { 'Idempotency-Replayed': 'true' }) });
  }
  const isGet = call.method === 'GET';
  const out = withoutTransaction.has(name) ? await run({ ...ctx, sql: db.sql })
    : isGet ? await db.read((sql) => run({ ...ctx, sql }))
    : await inTransaction((sql) => run({ ...ctx, sql }));
  if (isGet && audit.subject) throw new TypeError(`${name} only reads: it is in no transaction that an entry could belong to`);

  for (const [header, value] of headers) c.header(header, value, { append: true });
  c.header('Cache-Control', isGet ? 'private, no-cache' : 'no-store');
  return jsonAnswer(c, shaped(shapes.answer, out), { isTagged: isGet });
}

/** Another call's `note` is not a remark on what is done. */
const takesRemark = (shape: v.GenericSchema | undefined): boolean => shape !== undefined && 'entries' in shape && 'reason' in (shape.entries as object);

const nobody: Caller = { admin_id: 0, email: '', must_set_up: false, tenant_id: null, role: { name: '', is_super_admin: false } };

async function callerOf(db: Database, { sessions, throttle }: Services, name: CallName, call: CallSpec, token: string | null, c: Context<Env>, trustProxy: ProxyTrust): Promise<Caller> {
  const { who } = call;
  if (who === 'anyone') return nobody;
  if (who === 'key') {
    const caller = await requireKey(db.sql, throttle, call, token);
    c.set('keyId', caller.key?.id);
    return caller;
  }
  if (who === 'checkout') {
    // Over TLS a cookie without the prefix is none of ours: anybody on the line could have planted it.
    const named = isSecure(c, trustProxy) ? /(?:^|; )__Secure-checkout=([^;]+)/ : /(?:^|; )checkout=([^;]+)/;
    const cookie = named.exec(c.req.header('cookie') ?? '')?.[1];
    const caller = cookie ? await sessions.callerAtCheckout(db.sql, cookie) : null;
    c.set('adminId', caller?.admin_id);
    if (!caller || !mayEnter(caller)) throw new Problem(403, 'Sign in to redeem');
    refuseUnfinished(caller);
    return caller;
  }
  const caller = token ? await sessions.callerOf(db.sql, token, isActivity(name)) : null;
  if (!caller) throw new Problem(401, 'Not signed in');
  c.set('adminId', caller.admin_id);
  if (who !== 'session') refuseUnfinished(caller);
  const isAllowed = who === 'session' || caller.role.is_super_admin || (who === 'admin' && mayEnter(caller));
  if (!isAllowed) throw new Problem(403, 'Not allowed for your role');
  return caller;
}

/** Who must have a second factor and has none reaches their own account, to set one up, and nothing else. */
function refuseUnfinished(caller: Caller): void {
  if (caller.must_set_up) throw new Problem(403, 'Set up two-factor sign-in first', undefined, 'second_factor_setup');
}

const tenantIn = (body: unknown): unknown => (typeof body === 'object' && body !== null && 'tenant_id' in body ? body.tenant_id : undefined);

/** A foreign tenant's id is refused wherever it stands, even where the call takes none: never silently replaced by one's own. */
function refuseForeignTenant(caller: Caller, ids: readonly unknown[]): void {
  const isForeign = (id: unknown) => (typeof id === 'number' || typeof id === 'string') && /^\s*\d+\s*$/.test(String(id)) && !mayEnterTenant(caller, Number(id));
  if (!caller.role.is_super_admin && mayEnter(caller) && ids.some(isForeign)) throw tenantViolation();
}

function refuse(error: Error, c: Context<Env>, log: Logger): Response {
  const problem = error instanceof Problem ? error
    : isUnavailable(error) ? new Problem(503, 'The database cannot be reached just now', 2)
    : isTimeout(error) ? new Problem(503, 'The database is too busy just now', 2)
    : null;
  const request_id = c.get('requestId');
  if (!problem || problem.status === 503) log.error({ request_id, path: c.req.routePath, err: error }, problem ? 'database unavailable' : 'unexpected error');
  securityHeaders(c);
  c.header('X-Request-Id', request_id);
  c.header('Cache-Control', 'no-store');
  if (problem?.retryAfter) c.header('Retry-After', String(problem.retryAfter));
  return c.json({ detail: problem?.message ?? 'Internal server error', code: problem?.code ?? codes[problem?.status ?? 500], request_id }, problem?.status ?? 500);
}

const codes: Record<Problem['status'] | 500, string> = {
  400: 'refused', 401: 'not_signed_in', 403: 'not_allowed', 404: 'not_found', 405: 'wrong_method', 409: 'conflict', 413: 'too_large', 422: 'invalid', 429: 'too_many', 500: 'internal', 503: 'unavailable',
};

/** Lets an app served from one of these origins call the API; bearer tokens travel in a header, cookies do not cross. */
function cors(origins: readonly string[]) {
  return async (c: Context, next: () => Promise<void>) => {
    const origin = c.req.header('origin');
    c.header('Vary', 'Origin', { append: true });
    if (origin && origins.includes(origin)) {
      c.header('Access-Control-Allow-Origin', origin);
      c.header('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
      if (c.req.method === 'OPTIONS') {
        c.header('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
        c.header('Access-Control-Allow-Headers', 'Authorization, Content-Type, If-None-Match');
        c.header('Access-Control-Max-Age', '86400');
        return c.body(null, 204);
      }
    }
    return next();
  };
}
