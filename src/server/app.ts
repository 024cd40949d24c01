/** The API as a function from Request to Response: authenticates, parses, runs (a write in a transaction), answers. */

import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import type { Logger } from 'pino';
import { calls } from '../contract/allCalls';
import type { CallName, CallSpec } from '../contract/calls';
import { IMPORT_BYTES } from '../contract/imports';
import { type CallSchemas, pathValue, schemas } from '../contract/schemas/calls';
import { VERSION, VERSION_HEADER } from '../contract/version';
import { authenticate, authorize } from './auth/authenticate';
import { anonymous, type Caller, toOwnTurn, toTurn } from './auth/caller';
import { type Keyring, withPresentKey } from './auth/keyring';
import type { Exchange, Services } from './core/context';
import { createLimits, shareConnections } from './core/limits';
import { Problem } from './core/problem';
import type { ProxyTrust } from './core/proxyTrust';
import { createRecentWriters } from './core/replicaReads';
import { refuseForeignTenant } from './core/tenancy';
import type { Database } from './db/open';
import type { Replica } from './db/replica/replica';
import { limitBody, readBody } from './http/body';
import { isSecure } from './http/clientAddress';
import { allowOrigins } from './http/cors';
import { errorResponse } from './http/errorResponse';
import { openapi } from './http/openapi';
import { openapiPage } from './http/openapiPage';
import { type Env, logRequests } from './http/requestLog';
import { untilGone, withTimeout } from './http/requestTimeout';
import { describeBrowser } from './http/userAgent';
import { decodeUtf8, parseBody, parseInput, parseJson, refuseAmbiguousUrl, requireObject } from './http/validate';
import type { Monitor } from './monitoring/monitor';
import { metricsPage } from './monitoring/page';
import { toRoute } from './monitoring/requests';
import { type AnswerOptions, runCall } from './runCall';

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

const findMethods = (path: string): string[] => [
  ...new Set(
    Object.values<CallSpec>(calls)
      .filter((call) => new RegExp(`^${call.path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`).test(path))
      .map(({ method }) => method),
  ),
];

type CallOptions = Omit<AppOptions, 'db'> & AnswerOptions;

/** `bounded` ends with the request. */
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
  // The sender of an event may hang up early: its delivery counts all the same.
  const signal = call.isSigned ? abandoned.signal : untilGone(c, abandoned);
  // Whoever sends slowly is looked up when everything is here, not when it begins.
  if (call.method !== 'GET') await readBody(c);
  const headers: [string, string][] = [];
  const exchange: Exchange = {
    address: c.get('address'),
    token,
    isSecure: isSecure(c, trustProxy),
    browser: describeBrowser(c.req.header('user-agent')),
    raw: call.isSigned ? Buffer.from(await readBody(c)) : Buffer.alloc(0),
    header: (name) => c.req.header(name),
    setHeader: (...header) => void headers.push(header),
  };
  const caller = await limits.checks.run(toTurn(anonymous, c.get('address'), signal), () =>
    authenticate(bounded.sql, services, name, call, exchange),
  );
  if (caller !== anonymous) c.header(VERSION_HEADER, VERSION);
  c.set('adminId', caller.admin_id || undefined);
  c.set('keyId', caller.key?.id);
  authorize(name, call, caller);

  const input = await readRequest(c, name, call, caller);
  const turn = toTurn(caller, c.get('address'), signal);
  const db = shareConnections(bounded, limits, turn);
  const answer = () => runCall(options, db, c, { name, call, ...input, exchange, headers, caller, turn });
  const answered = caller === anonymous ? answer() : limits.calls.run(toOwnTurn(caller, turn), answer);
  return call.method === 'GET' ? answered : answered.finally(() => writers.note(caller));
}

/** Parses path, query and body; a call without a body ignores an object. A signed call parses its body itself. */
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

const tenantIdIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'tenant_id' in value ? value.tenant_id : undefined;
