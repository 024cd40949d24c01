import { BlockList, isIP, isIPv6 } from 'node:net';

/** The proxies in front, each adding to X-Forwarded-For: how many (0: it is ignored), or those that are believed. */
export type ProxyTrust = number | BlockList;

const MOST = 10;
const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

export const isProxy = (trust: ProxyTrust, address: string): boolean =>
  typeof trust === 'number' ? trust > 0 : trust.check(address, familyOf(address));

/** Reads `2`, or `127.0.0.1,10.0.0.0/8`; undefined when it is neither. */
export function parseProxyTrust(text: string): ProxyTrust | undefined {
  if (/^\d{1,2}$/.test(text)) return Number(text) <= MOST ? Number(text) : undefined;
  const trust = new BlockList();
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
    const most = isIPv6(address) ? 128 : 32;
    if (isIP(address) === 0 || address.includes('%') || Number(bits ?? most) > most) return undefined;
    trust.addSubnet(address, Number(bits ?? most), familyOf(address));
  }
  return trust.rules.length ? trust : undefined;
}
