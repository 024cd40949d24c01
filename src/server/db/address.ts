/** Where a database is, how it is reached, and whether the way there is safe. */
import { isIPv4 } from 'node:net';
import { userInfo } from 'node:os';
import type { ClientConfig } from 'pg';

/** The address of a server on a private socket. */
export interface SocketAddress {
  socketFolder: string;
  port: number;
  user: string;
  database: string;
}

type Env = Readonly<Record<string, string | undefined>>;

export interface Reached {
  config: ClientConfig;
  settings: Readonly<Record<string, string>>;
  /** Goes on in plain text when the server has no TLS, as `sslmode=prefer` asks for. */
  isPlainAccepted: boolean;
}

/** What is taken for TLS without a look at the certificate. */
const UNCHECKED: readonly string[] = ['require', 'allow', 'prefer'];
const OFF: readonly string[] = ['', 'disable', 'false'];

const readTlsMode = (query: URLSearchParams, env: Env): string =>
  query.get('sslrootcert') === 'system'
    ? 'verify-full'
    : query.get('sslmode') || (query.get('ssl') ?? env['PGSSL'] ?? '');

const isOfTls = (name: string, value: string): boolean =>
  ['sslmode', 'ssl', 'sslnegotiation'].includes(name) || (name === 'sslrootcert' && value === 'system');

/** A URL for each of the hosts of a URL, which are separated by commas and may each have a port. */
export function splitHosts(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${start}${host}${rest}`) : [url];
}

/** The address of each server that a target names; the one that takes writes is the database. */
export const readAddresses = (target: string | SocketAddress): Reached[] =>
  typeof target === 'string' ? splitHosts(target).map((url) => readAddress(url)) : [readAddress(target)];

/** Further parameters of a URL are settings of PostgreSQL. */
export function readAddress(target: string | SocketAddress, env: Env = process.env): Reached {
  if (typeof target !== 'string') {
    const { socketFolder, port, user, database } = target;
    return { config: { host: socketFolder, port, user, database, ssl: false }, settings: {}, isPlainAccepted: false };
  }
  const { hostname, port, username, password, pathname, searchParams } = new URL(target);
  const user = decodeURIComponent(username) || env['PGUSER'] || userInfo().username;
  const mode = readTlsMode(searchParams, env);
  return {
    config: {
      host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1') || env['PGHOST'] || 'localhost',
      port: Number(port || env['PGPORT'] || 5432),
      user,
      password: decodeURIComponent(password) || env['PGPASSWORD'],
      database: decodeURIComponent(pathname.slice(1)) || env['PGDATABASE'] || user,
      ssl: OFF.includes(mode) ? false : UNCHECKED.includes(mode) ? { rejectUnauthorized: false } : {},
      ...(searchParams.get('sslnegotiation') === 'direct' ? { sslnegotiation: 'direct' } : {}),
    },
    settings: Object.fromEntries([...searchParams].filter(([name, value]) => !isOfTls(name, value))),
    isPlainAccepted: mode === 'prefer',
  };
}

/** Why others could read or change what is sent to a DATABASE_URL; undefined: it stays here, or TLS is checked. */
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
