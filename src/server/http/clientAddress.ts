import { isIP } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { clientGone } from '../core/problem';
import { isProxy, type ProxyTrust } from '../core/proxyTrust';

/** The client's address: only what trusted proxies wrote counts. Throws when the connection has none any more. */
export function getClientAddress(c: Context, trust: ProxyTrust): string {
  const direct = directAddress(c),
    proxies = countProxies(c, direct, trust);
  if (proxies === 0) return direct;
  const address = forwardedFor(c).at(-proxies) ?? direct;
  return isIP(address) ? address : direct;
}

const forwardedFor = (c: Context): string[] =>
  (c.req.header('x-forwarded-for') ?? '').split(',').map(stripAddress).filter(Boolean);

/** How many proxies this request came through. Of known addresses, the sender and then those it says it came from. */
function countProxies(c: Context, direct: string, trust: ProxyTrust): number {
  if (typeof trust === 'number') return trust;
  const way = [...forwardedFor(c), direct].reverse();
  const client = way.findIndex((address) => isIP(address) === 0 || !isProxy(trust, address));
  return client < 0 ? way.length - 1 : client;
}

/** Removes what may surround an address: a port, brackets, the IPv6 form of an IPv4 address. */
export const stripAddress = (text: string): string =>
  text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '');

const getSocket = (c: Context): HttpBindings['incoming']['socket'] | undefined =>
  (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket;

function directAddress(c: Context): string {
  const socket = getSocket(c);
  if (!socket) return 'unknown'; // called as a function, in tests
  if (!socket.remoteAddress) throw clientGone();
  return stripAddress(socket.remoteAddress);
}

/**
 * Whether the browser uses TLS to us or the trusted proxy: the last values of X-Forwarded-Proto are the proxies'. The
 * request line can contain anything.
 */
export function isSecure(c: Context, trust: ProxyTrust): boolean {
  const socket = getSocket(c);
  if (socket && 'encrypted' in socket && socket.encrypted === true) return true;
  const proxies = countProxies(c, directAddress(c), trust);
  if (proxies === 0) return false;
  const forwarded = (c.req.header('x-forwarded-proto') ?? '').split(',').map((protocol) => protocol.trim());
  return (forwarded.at(-proxies) ?? forwarded[0]) === 'https';
}
