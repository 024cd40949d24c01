import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { ProxyTrust } from '../core/proxyTrust';
import { getClientAddress } from './clientAddress';

export type Env = {
  Variables: { requestId: string; address: string; adminId: number | undefined; keyId: number | undefined };
};

export interface Answered {
  method: string;
  path: string;
  status: number;
  ms: number;
  error?: Error | undefined;
}

interface Options {
  log: Logger;
  trustProxy: ProxyTrust;
  monitor?: { answered(request: Answered): void } | undefined;
}

/** Gives each request its id, and writes one line when it is answered. */
export const logRequests =
  ({ log, trustProxy, monitor }: Options): MiddlewareHandler<Env> =>
  async (c, next) => {
    const requestId = randomUUID(),
      started = performance.now();
    c.set('requestId', requestId);
    c.header('X-Request-Id', requestId);
    c.set('address', getClientAddress(c, trustProxy)); // later the connection may have ended
    await next();
    const ms = performance.now() - started;
    const request = { method: c.req.method, path: c.req.routePath, status: c.res.status };
    const who = { admin_id: c.get('adminId'), key_id: c.get('keyId'), address: c.get('address') };
    log.info({ request_id: requestId, ...who, ...request, ms: Math.round(ms) }, 'request');
    monitor?.answered({ ...request, ms, error: c.error });
  };
