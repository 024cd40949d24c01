/** Every setting of the server in one table: its name, how it is parsed, and what it means. */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { isTimeZone } from '../../contract/timeZones';
import { splitHosts } from '../db/address';
import { parseProxyTrust } from './proxyTrust';

/** A wrong setting or argument. The message is the one line that the operator reads. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

export interface Setting<T> {
  about: string;
  parse(text: string): T | undefined;
  must: string;
  /** The text that counts when nothing is set; undefined when there is none. */
  defaultValue?: string;
}
type WithDefault<T> = Setting<T> & { defaultValue: string };

const integer = (byDefault: number, least: number, most: number, about: string): WithDefault<number> => ({
  about,
  must: `must be a whole number from ${least} to ${most}`,
  defaultValue: String(byDefault),
  parse(text) {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    return value >= least && value <= most ? value : undefined;
  },
});

const flag = (about: string): WithDefault<boolean> => ({
  about,
  must: 'must be true or false',
  defaultValue: 'false',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
});

/** Free text of a certain form. */
const text = (about: string, must: string, isValid: (value: string) => boolean): Setting<string> => ({
  about,
  must,
  parse: (value) => (isValid(value) ? value : undefined),
});

const secretKey = (about: string): Setting<Buffer> => ({
  about,
  must: 'must be 32 bytes as base64 (44 characters) or hexadecimal (64); create one with: openssl rand -base64 32',
  parse(text) {
    if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
    return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  },
});

const host = (about: string) =>
  text(
    about,
    'must be an IP address or a host name',
    (value) => isIP(value) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value),
  );

const databaseUrl = (about: string) =>
  text(
    about,
    'must be a URL like postgres://user:password@host:5432/name',
    (value) => /^postgres(ql)?:\/\//.test(value) && splitHosts(value).every((url) => URL.canParse(url)),
  );

const port = integer(8080, 0, 65_535, 'Port of the app and the API; 0 picks a free one');
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const isOrigin = (value: string) => /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value;

export const settingsTable = {
  PORT: port,
  HOST: {
    ...host('Address to listen on; 0.0.0.0 or :: listens on every network and needs TLS in front'),
    defaultValue: '127.0.0.1',
  },
  DATA_DIR: text(
    'Folder of the embedded database and the key file, by default ./data, with --demo ./data/demo; ' +
      'not used with DATABASE_URL',
    'must be a folder',
    () => true,
  ),
  DATABASE_URL: databaseUrl(
    'PostgreSQL 15 or newer to use instead of the embedded one: postgres://user:password@host:5432/name. ' +
      'Of several hosts, host1:5432,host2:5432, the one that takes writes',
  ),
  DATABASE_REPLICA_URL: databaseUrl(
    'A standby of that database, which answers reads that may be a moment old, such as the overview and exports',
  ),
  POSTGRES_OS_USER: text(
    'If root starts the server: the user of the operating system that the embedded database runs as. ' +
      'By default gaming-backoffice, which is created',
    'must be the name of a user',
    (value) => /^[a-z_][a-z0-9_-]{0,31}$/i.test(value),
  ),
  ADMIN_EMAIL: {
    ...text(
      'E-mail of the super admin that the first start creates',
      'must be an e-mail address',
      (value) => /^[^\s@]+@[^\s@]+$/.test(value) && !/\p{C}/u.test(value) && value.length <= 254,
    ),
    defaultValue: 'admin@localhost',
  },
  ADMIN_PASSWORD: text(
    'Password of that super admin; if not set, one is generated and printed once',
    'must have 12 to 128 characters',
    (value) => value.length >= 12 && value.length <= 128,
  ),
  BUSINESS_TIMEZONE: {
    ...text(
      'IANA time zone of the business days of new tenants',
      'must be an IANA time zone such as America/New_York',
      isTimeZone,
    ),
    defaultValue: 'UTC',
  },
  SESSION_IDLE_MINUTES: integer(30, 1, 1440, 'A session ends after this many minutes without a call'),
  SESSION_HOURS: integer(12, 1, 168, 'A session ends this many hours after the sign-in'),
  NOTE_DAYS: integer(0, 0, 36_500, 'Notes on players are deleted after this many days; 0 keeps them'),
  REQUIRE_TWO_FACTOR: flag(
    'Require two-factor sign-in for super admins; for the admins of a tenant, require it in Edit Tenant',
  ),
  SECRET_KEY: secretKey(
    'Key that encrypts stored credentials: 32 bytes as base64 or hexadecimal. ' +
      'Required with DATABASE_URL; otherwise a key file in DATA_DIR is used',
  ),
  NEW_SECRET_KEY: secretKey(
    'Key that replaces SECRET_KEY while npm run change-key runs, for the command and for servers',
  ),
  TRUST_PROXY: {
    about:
      'Addresses of your reverse proxies, whose X-Forwarded headers are trusted: 127.0.0.1,10.0.0.0/8. ' +
      'Or their number, if nobody else can reach the port',
    must: 'must be a list of addresses and networks such as 127.0.0.1,10.0.0.0/8, or a number up to 10',
    defaultValue: '0',
    parse: parseProxyTrust,
  },
  CORS_ORIGINS: {
    about:
      'Origins that may call the API if the app is hosted elsewhere, separated by commas: https://admin.example.com',
    must: 'must be a list of origins such as https://admin.example.com, without a path',
    parse(value: string) {
      const origins = value.split(/[\s,]+/).filter(Boolean);
      return origins.every(isOrigin) ? origins : undefined;
    },
  },
  LOG_LEVEL: {
    about: 'Lowest level that is logged',
    must: `must be one of ${LOG_LEVELS.join(', ')}`,
    defaultValue: 'info',
    parse: (value: string) => LOG_LEVELS.find((level) => level === value),
  },
  POOL_SIZE: integer(10, 2, 100, 'Maximum number of database connections'),
  METRICS_TOKEN: text(
    'Turns on GET /metrics for Prometheus, for whoever sends this as bearer token',
    'must have 20 to 200 characters, without blanks',
    (value) => /^[!-~]{20,200}$/.test(value),
  ),
  METRICS_PORT: {
    about: 'Serves the metrics on a port of their own instead; without METRICS_TOKEN to everybody who can reach it',
    must: port.must,
    parse: port.parse,
  },
  METRICS_HOST: { ...host('Address to listen on with METRICS_PORT'), defaultValue: '127.0.0.1' },
  SMTP_URL: text(
    'Mail server for notifications: smtps://user:password@mail.example.com:465, or smtp:// with STARTTLS where offered',
    'must be a URL like smtps://host:465',
    (value) => /^smtps?:\/\/[^\s/]/.test(value) && URL.canParse(value),
  ),
  MAIL_FROM: text(
    'Sender of these e-mails, required with SMTP_URL: Back-office <alerts@example.com>',
    'must be an e-mail address',
    (value) => /^([^<>@\p{C}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(value),
  ),
  APP_URL: text(
    'Where people open the app, for links, passkeys and single sign-on: https://admin.example.com',
    'must be an address such as https://admin.example.com, without a query',
    (value) => /^https?:[^?#@]+$/.test(value) && URL.canParse(value),
  ),
  NOTIFY_PRIVATE_ADDRESSES: flag('Let webhooks and chats of notifications be in your own network'),
  ALLOW_UNSAFE_DATABASE: flag('Accept a database that runs with fsync, full_page_writes or synchronous_commit off'),
} satisfies Record<string, Setting<unknown>>;

type Table = typeof settingsTable;
type Parsed<S> = S extends Setting<infer T> ? T | (S extends { defaultValue: string } ? never : undefined) : never;
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Name>;
type Values = { [N in keyof Table as Camel<N>]: Parsed<Table[N]> };
const toCamel = (name: string) => name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The settings as the server uses them. */
export type Settings = ReturnType<typeof readSettings>;

/** Reads settings of command line and environment; an empty value is not set. No SettingsError contains a value. */
export function readSettings(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const unknown = args.find((arg) => arg !== '--demo');
  if (unknown !== undefined) throw new SettingsError(`Unknown argument ${unknown}. --help shows the usage.`);
  const values = Object.fromEntries(
    settingsRows().map(([name, setting]) => [toCamel(name), readOne(name, setting, env[name])]),
  ) as Values;
  const isDemo = args.includes('--demo');
  if (values.databaseUrl !== undefined && values.secretKey === undefined) {
    throw new SettingsError(
      'SECRET_KEY is required with DATABASE_URL. ' +
        'Create one with openssl rand -base64 32, and do not store it with the database.',
    );
  }
  if (values.databaseReplicaUrl !== undefined && values.databaseUrl === undefined)
    throw new SettingsError('DATABASE_URL is required with DATABASE_REPLICA_URL.');
  if (values.smtpUrl !== undefined && values.mailFrom === undefined)
    throw new SettingsError('MAIL_FROM is required with SMTP_URL.');
  return {
    ...values,
    isDemo,
    dataDir: resolve(values.dataDir ?? (isDemo ? './data/demo' : './data')),
    adminEmail: values.adminEmail.normalize('NFC'), // the e-mail of a sign-in is normalized too
    corsOrigins: values.corsOrigins ?? [],
  };
}

function readOne(name: string, { defaultValue, must, parse }: Setting<unknown>, text: string | undefined): unknown {
  const given = text || defaultValue;
  if (given === undefined) return undefined;
  const value = parse(given);
  if (value === undefined) throw new SettingsError(`${name} ${must}.`);
  return value;
}

export const settingsRows = (): [string, Setting<unknown>][] => Object.entries(settingsTable);
