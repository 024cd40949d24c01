import type { Context } from 'hono';

/** On every answer, errors included. The app's own pages carry a wider Content-Security-Policy (staticFiles.ts). */
export function securityHeaders(c: Context): void {
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('X-Frame-Options', 'DENY');
  c.header('Referrer-Policy', 'no-referrer');
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  c.header('Cross-Origin-Resource-Policy', 'same-site');
  c.header('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()');
  c.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
}
