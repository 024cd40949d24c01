import { timingSafeEqual } from 'node:crypto';
import { type Context, type Handler, Hono } from 'hono';
import { sha256 } from '../auth/secrets';
import { Problem } from '../core/problem';
import type { Monitor } from './monitor';

/** Answers with the metrics; with a token, only to whoever sends it. */
export function metricsPage(monitor: Monitor, token: string | undefined): Handler {
  const wanted = token === undefined ? undefined : sha256(token);
  return async (c: Context) => {
    const sent = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    if (wanted && !timingSafeEqual(sha256(sent), wanted)) {
      c.header('WWW-Authenticate', 'Bearer');
      throw new Problem(401, 'Send METRICS_TOKEN as a bearer token');
    }
    return c.body(await monitor.read(), 200, { 'Content-Type': monitor.contentType, 'Cache-Control': 'no-store' });
  };
}

/** The server on METRICS_PORT. It has this page alone. */
export function createMetricsApp(monitor: Monitor, token: string | undefined): Hono {
  const app = new Hono();
  app.get('/metrics', metricsPage(monitor, token));
  app.notFound((c) => c.text('Not found. The metrics are at /metrics.', 404));
  app.onError((error, c) => {
    const status = error instanceof Problem && error.status === 401 ? 401 : 500;
    return c.text(status === 401 ? error.message : 'Internal server error', status);
  });
  return app;
}
