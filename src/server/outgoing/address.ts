/**
 * Which addresses the server calls, and where it may do so without TLS. A super admin chooses the address of a BTCPay
 * Server, which may be in the own network; a tenant's admin chooses where notifications go, which may not. Addresses
 * that mean the host or its cloud are refused to both.
 */
import { type LookupAddress, type LookupOptions, lookup as resolve } from 'node:dns';
import { BlockList, isIP } from 'node:net';

type Subnet = readonly [net: string, bits: number];
const createList = (ipv4: readonly Subnet[], ipv6: readonly Subnet[]): BlockList => {
  const list = new BlockList();
  for (const [net, bits] of ipv4) list.addSubnet(net, bits, 'ipv4');
  for (const [net, bits] of ipv6) list.addSubnet(net, bits, 'ipv6');
  return list;
};
/** An IPv6 address that maps an IPv4 address (`::ffff:0:0/96`) is in a list if the IPv4 address is. */
const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Through NAT64 a host without IPv4 reaches every IPv4 address. */
function throughNat64([net, bits]: Subnet): Subnet {
  return [`64:ff9b::${net}`, 96 + bits];
}

/** This network, link-local, the metadata services of clouds, multicast. */
const hostAddresses: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['224.0.0.0', 3],
];
const blocked = createList(hostAddresses, [
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
  // Forms with an IPv4 address inside that no server needs: compatible, translated, local NAT64, Teredo, 6to4.
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ...hostAddresses.map(throughNat64),
]);
const loopback = createList([['127.0.0.0', 8]], [['::1', 128]]);
/** Loopback, private networks, and the shared addresses of carriers and overlay networks. */
const ownAddresses: readonly Subnet[] = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
];
const ownNetwork = createList(ownAddresses, [
  ['::1', 128],
  ['fc00::', 7],
]);
/** What is not global in IPv4 (RFC 6890). */
const notGlobal: readonly Subnet[] = [
  ...hostAddresses,
  ...ownAddresses,
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
];
/** Global unicast of IPv6, and what maps or translates IPv4, which `special` judges by the address inside. */
const global = createList(
  [['0.0.0.0', 0]],
  [
    ['2000::', 3],
    ['64:ff9b::', 96],
  ],
);
const special = createList(notGlobal, [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ...notGlobal.map(throughNat64),
]);
/** The last half of an address that leads through a tunnel to the IPv4 address in it. */
const ISATAP = /(::|:0:|:200:)5efe:[0-9a-f]{1,4}:[0-9a-f]{1,4}$/;
const canonical = (address: string) => (isIP(address) === 6 ? hostOf(new URL(`http://[${address}]`)) : address);

/** A global unicast address, which may be called for a tenant. */
export const isOutside = (address: string): boolean =>
  !address.includes('%') && isIn(global, address) && !isIn(special, address) && !ISATAP.test(canonical(address));

/** Private addresses are allowed, because BTCPay often runs there. */
export const isBlocked = (address: string): boolean => isIn(blocked, address) && !isIn(loopback, address);

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
/** Names that only mean something within a machine or its network. */
const isLocalName = (host: string): boolean =>
  /^[^.]+$|\.(localhost|local|internal|intranet|private|corp|lan|home|svc|consul|home\.arpa)$/.test(host);

/** Whether an address may be stored: without TLS only on the own network, because a key travels with each request. */
export function isSafeUrl(url: URL): boolean {
  const host = hostOf(url).replace(/\.$/, '');
  return url.protocol === 'https:' || (isIP(host) ? isIn(ownNetwork, host) : isLocalName(host));
}

/** Whether an address may be stored that must be outside, unless the operator allows the own network. */
export function isAllowedUrl(url: URL, mayBeOwn: boolean): boolean {
  const host = hostOf(url).replace(/\.$/, '');
  const isOwn = isIP(host) ? !isOutside(host) : isLocalName(host);
  if (isIP(host) && isBlocked(host)) return false;
  return isSafeUrl(url) && (mayBeOwn || !isOwn);
}

export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
}

/** Who is called, as an error says it, and whether it may be in the own network. */
export interface Callee {
  name: string;
  mayBeOwn: boolean;
}

function requireAllowed(url: URL, address: string, { name, mayBeOwn }: Callee): void {
  if (isBlocked(address) || (!mayBeOwn && !isOutside(address)))
    throw new RefusedAddress(`The address of ${name} is not allowed`);
  if (url.protocol !== 'https:' && !isIn(ownNetwork, address))
    throw new RefusedAddress(`The address of ${name} must begin with https://`);
}

/** A `lookup` that checks the addresses really used, so DNS cannot change in between; an address is checked here. */
export function checkedLookup(url: URL, callee: Callee) {
  const host = hostOf(url);
  if (isIP(host)) requireAllowed(url, host, callee);
  return (
    name: string,
    options: LookupOptions,
    found: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    resolve(name, options, (error, address: string | LookupAddress[], family) => {
      if (error) return found(error, '');
      try {
        for (const each of typeof address === 'string' ? [{ address }] : address)
          requireAllowed(url, each.address, callee);
      } catch (refused) {
        return found(refused as Error, '');
      }
      found(null, address, family);
    });
  };
}
