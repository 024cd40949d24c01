import { isIPv4 } from 'node:net';
import { OFF, readTlsMode, splitHosts, UNCHECKED } from './address';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What is wrong with the way to the database of a DATABASE_URL; undefined if nobody on the way can read or change what
 * is sent: it stays on this machine, or TLS is used and the certificate is checked.
 */
export function describeTransport(
  databaseUrl: string,
  { env = process.env, name = 'DATABASE_URL' }: { env?: Env; name?: string } = {},
): string | undefined {
  const urls = splitHosts(databaseUrl).map((url) => new URL(url)),
    { searchParams } = urls[0] ?? new URL(databaseUrl);
  const hosts = urls.flatMap(({ hostname }) =>
    (decodeURIComponent(hostname) || env['PGHOST'] || 'localhost').split(','),
  );
  const remote = hosts.find((host) => !isLocal(host));
  if (remote === undefined) return undefined;
  const mode = readTlsMode(searchParams, env);
  if (OFF.includes(mode))
    return (
      `${name} leads to another machine (${remote}) without TLS: ` +
      'the password and all data are sent in plain text. Add ?sslmode=verify-full'
    );
  if (UNCHECKED.includes(mode) || env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    return (
      `${name} leads to another machine (${remote}) with TLS, but any certificate is accepted: somebody in between ` +
      'can read the password and all data. Use sslmode=verify-full'
    );
  return undefined;
}

const isLocal = (host: string): boolean =>
  host.includes('/') || host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
