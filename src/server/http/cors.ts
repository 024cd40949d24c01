import type { MiddlewareHandler } from 'hono';
import { except } from 'hono/combine';
import { cors } from 'hono/cors';
import { VERSION_HEADER } from '../../contract/version';
import { DATA_AGE_HEADER } from '../core/replicaReads';

/** Lets apps of these origins call the API, by the token in a header: cookies are not sent across sites. */
export const allowOrigins = (origins: readonly string[]): MiddlewareHandler =>
  except(
    // Without an origin it is no preflight, and is answered with 405.
    ({ req }) => req.method === 'OPTIONS' && req.header('origin') === undefined,
    cors({
      origin: [...origins],
      allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
      allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'],
      exposeHeaders: ['Idempotency-Replayed', 'Retry-After', 'X-Request-Id', VERSION_HEADER, DATA_AGE_HEADER],
      maxAge: 86_400,
    }),
  );
