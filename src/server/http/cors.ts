import type { MiddlewareHandler } from 'hono';

/**
 * Lets an app served from one of these origins call the API. Bearer tokens travel in a header; cookies are not sent
 * across origins.
 */
export function cors(origins: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
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
