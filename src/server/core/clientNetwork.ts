import { isIPv6 } from 'node:net';

/** The network that an address counts for: of an IPv6 address its /64, which one subscriber owns. */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*/, '').split('::');
  const before = head.split(':').filter(Boolean),
    after = (tail ?? '').split(':').filter(Boolean);
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
