/** From where people of a tenant, or super admins, sign in and work. API keys are not bound: systems are elsewhere. */
import { isIP, isIPv6 } from 'node:net';
import { Problem } from '../core/problem';
import { parseProxyTrust } from '../core/proxyTrust';

/** Whether it is one address, or one network such as 192.0.2.0/24. */
export const isNetwork = (text: string): boolean => !/[\s,]/.test(text) && typeof parseProxyTrust(text) === 'object';

/** With no networks every address is allowed. */
export const isAllowed = (networks: readonly string[], address: string): boolean =>
  networks.length === 0 ||
  (isIP(address) !== 0 &&
    networks.some((network) => {
      const list = parseProxyTrust(network);
      return typeof list === 'object' && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
    }));

/** Never 401: the session is good, from elsewhere. The code makes the login say it. */
export const notFromHere = () =>
  new Problem(403, 'Your network is not one of those from which this account may be used', undefined, 'network');
