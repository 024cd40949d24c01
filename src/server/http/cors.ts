import type { MiddlewareHandler } from 'hono';
import { except } from 'hono/combine';
import { cors } from 'hono/cors';

/** Lets an app served from one of these origins call the API. Bearer tokens travel in a header; cookies stay on their own site. */
export const allowOrigins = (origins: readonly string[]): MiddlewareHandler =>
  except(
    ({ req }) => req.method === 'OPTIONS' && req.header('origin') === undefined, // not a preflight, so it is answered with 405
    cors({
      origin: [...origins],
      allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
      allowHeaders: ['Authorization', 'Content-Type', 'If-None-Match'],
      exposeHeaders: ['Retry-After', 'X-Request-Id'],
      maxAge: 86_400,
    }),
  );
