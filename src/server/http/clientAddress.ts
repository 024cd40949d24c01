import { isIP } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/** The number of proxies in front, each appending to X-Forwarded-For. With 0, forwarded headers are ignored. */
export type ProxyTrust = number;

/** The client's address. Only what trusted proxies wrote is read, so a forged X-Forwarded-For has no effect. */
export function getClientAddress(c: Context, trust: ProxyTrust): string {
  const direct = directAddress(c);
  if (trust === 0) return direct;
  const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',').map(stripAddress).filter(Boolean);
  const address = forwarded.at(-trust) ?? direct;
  return isIP(address) ? address : direct;
}

/** Removes what may surround an address: a port, brackets, the IPv6 form of an IPv4 address. */
const stripAddress = (text: string): string =>
  text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '');

function directAddress(c: Context): string {
  try {
    return stripAddress(getConnInfo(c).remote.address ?? 'unknown');
  } catch {
    return 'unknown'; // called as a function, without a socket
  }
}

/** Whether the browser uses TLS to reach us or the trusted proxy in front. */
export const isSecure = (c: Context, trust: ProxyTrust): boolean =>
  new URL(c.req.url).protocol === 'https:' ||
  (trust > 0 && c.req.header('x-forwarded-proto')?.split(',')[0]?.trim() === 'https');
