import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** Sent with every response by listen.ts. Pages of the app have a wider Content-Security-Policy (staticFiles.ts). */
export const strictHeaders: readonly (readonly [string, string])[] = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-site'],
  ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
];

/** A 304, which open pages get again and again, is without them: the client keeps those it has (RFC 9111, 3.2). */
export function dropStoredHeaders(c: Context): void {
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
  c.header('X-Request-Id', undefined);
  for (const [name] of strictHeaders) outgoing?.removeHeader(name);
}
