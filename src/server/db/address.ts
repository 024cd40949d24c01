/** Where a database is and how it is reached. */
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
  /** Settings of PostgreSQL for each connection. */
  settings: Readonly<Record<string, string>>;
  /** Goes on in plain text when the server has no TLS, as `sslmode=prefer` asks for. */
  isPlainAccepted: boolean;
}

/** What is taken for TLS without a look at the certificate. */
export const UNCHECKED: readonly string[] = ['require', 'allow', 'prefer'];
export const OFF: readonly string[] = ['', 'disable', 'false'];

/** How a URL asks for TLS. */
export const readTlsMode = (query: URLSearchParams, env: Env): string =>
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
