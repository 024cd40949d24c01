/** Every setting of the server in one table: its name, how it is parsed, and what it means. */
import { resolve } from 'node:path';
import { isTimeZone } from '../../contract/timeZones';
import { splitHosts } from '../db/address';
import { type ProxyTrust, parseProxyTrust } from './proxyTrust';
import { flag, host, integer, invalid, oneOf, type Setting, SettingsError, secretKey, text } from './settingKinds';

export { SettingsError } from './settingKinds';

const splitList = (value: string): string[] => value.split(/[\s,]+/).filter((part) => part !== '');

function parseUrl(value: string): URL | undefined {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}
const isDatabaseUrl = (value: string) =>
  /^postgres(ql)?:\/\//.test(value) && splitHosts(value).every((url) => parseUrl(url) !== undefined);
const isPage = (value: string) => /^https?:[^?#@]+$/.test(value) && parseUrl(value) !== undefined;
const isOrigin = (value: string) => /^https?:/.test(value) && parseUrl(value)?.origin === value;

const port = integer(8080, 0, 65_535, 'Port of the app and the API; 0 picks a free one');

export const settingsTable = {
  PORT: port,
  HOST: host('127.0.0.1', 'Address to listen on; 0.0.0.0 or :: listens on every network and needs TLS in front'),
  DATA_DIR: {
    defaultValue: './data, with --demo ./data/demo',
    about: 'Folder of the embedded database and the key file; not used with DATABASE_URL',
    read: (value) => value,
  } satisfies Setting<string | undefined>,
  DATABASE_URL: text(
    'PostgreSQL 15 or newer to use instead of the embedded one: postgres://user:password@host:5432/name. ' +
      'Of several hosts, host1:5432,host2:5432, the one that takes writes',
    (value) => (isDatabaseUrl(value) ? undefined : 'must be a URL like postgres://user:password@host:5432/name'),
  ),
  DATABASE_REPLICA_URL: text(
    'A standby of that database, which answers reads that may be a moment old, such as the overview and exports',
    (value) => (isDatabaseUrl(value) ? undefined : 'must be a URL like postgres://user:password@host:5432/name'),
  ),
  POSTGRES_OS_USER: text(
    'If root starts the server: the user of the operating system that the embedded database runs as. ' +
      'By default gaming-backoffice, which is created',
    (value) => (/^[a-z_][a-z0-9_-]{0,31}$/i.test(value) ? undefined : 'must be the name of a user'),
  ),
  ADMIN_EMAIL: text(
    'E-mail of the super admin that the first start creates',
    (value) =>
      /^[^\s@]+@[^\s@]+$/.test(value) && !/\p{C}/u.test(value) && value.length <= 254
        ? undefined
        : 'must be an e-mail address',
    'admin@localhost',
  ),
  ADMIN_PASSWORD: text('Password of that super admin; if not set, one is generated and printed once', (value) =>
    value.length >= 12 && value.length <= 128 ? undefined : 'must have 12 to 128 characters',
  ),
  BUSINESS_TIMEZONE: {
    defaultValue: 'UTC',
    about: 'IANA time zone of the business days of new tenants',
    read(value = 'UTC') {
      if (!isTimeZone(value)) throw invalid('must be an IANA time zone such as America/New_York');
      return value;
    },
  } satisfies Setting<string>,
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
    defaultValue: '0',
    about:
      'Addresses of your reverse proxies, whose X-Forwarded headers are trusted: 127.0.0.1,10.0.0.0/8. ' +
      'Or their number, if nobody else can reach the port',
    read(value = '0') {
      const trust = parseProxyTrust(value);
      if (trust === undefined)
        throw invalid('must be a list of addresses and networks such as 127.0.0.1,10.0.0.0/8, or a number up to 10');
      return trust;
    },
  } satisfies Setting<ProxyTrust>,
  CORS_ORIGINS: {
    about:
      'Origins that may call the API if the app is hosted elsewhere, separated by commas: https://admin.example.com',
    read(value = '') {
      const origins = splitList(value);
      if (!origins.every(isOrigin))
        throw invalid('must be a list of origins such as https://admin.example.com, without a path');
      return origins;
    },
  } satisfies Setting<string[]>,
  LOG_LEVEL: oneOf(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
    'Lowest level that is logged',
  ),
  POOL_SIZE: integer(10, 2, 100, 'Maximum number of database connections'),
  METRICS_TOKEN: text('Turns on GET /metrics for Prometheus, for whoever sends this as bearer token', (value) =>
    /^[!-~]{20,200}$/.test(value) ? undefined : 'must have 20 to 200 characters, without blanks',
  ),
  METRICS_PORT: {
    about: 'Serves the metrics on a port of their own instead; without METRICS_TOKEN to everybody who can reach it',
    read: (value) => (value === undefined ? undefined : port.read(value)),
  } satisfies Setting<number | undefined>,
  METRICS_HOST: host('127.0.0.1', 'Address to listen on with METRICS_PORT'),
  SMTP_URL: text(
    'Mail server for notifications: smtps://user:password@mail.example.com:465, or smtp:// with STARTTLS where offered',
    (value) =>
      /^smtps?:\/\/[^\s/]/.test(value) && parseUrl(value) ? undefined : 'must be a URL like smtps://host:465',
  ),
  MAIL_FROM: text('Sender of these e-mails, required with SMTP_URL: Back-office <alerts@example.com>', (value) =>
    /^([^<>@\p{C}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(value) ? undefined : 'must be an e-mail address',
  ),
  APP_URL: text(
    'Where people open the app, for links, passkeys and single sign-on: https://admin.example.com',
    (value) => (isPage(value) ? undefined : 'must be an address such as https://admin.example.com, without a query'),
  ),
  NOTIFY_PRIVATE_ADDRESSES: flag('Let webhooks and chats of notifications be in your own network'),
  ALLOW_UNSAFE_DATABASE: flag('Accept a database that runs with fsync, full_page_writes or synchronous_commit off'),
};

type Table = typeof settingsTable;
export type SettingName = keyof Table;
type Values = { [N in SettingName]: ReturnType<Table[N]['read']> };

/** The settings as the server uses them. */
export type Settings = ReturnType<typeof readSettings>;
export type LogLevel = Values['LOG_LEVEL'];

/**
 * Reads the settings from the command line and the environment; an empty value counts as not set. The message of a
 * SettingsError never contains a value.
 */
export function readSettings(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const unknown = args.find((arg) => arg !== '--demo');
  if (unknown !== undefined) throw new SettingsError(`Unknown argument ${unknown}. --help shows the usage.`);
  const values = Object.fromEntries(
    Object.entries(settingsTable).map(([name, setting]) => [name, readOne(name, setting, env[name])]),
  ) as Values;
  const isDemo = args.includes('--demo');
  if (values.DATABASE_URL !== undefined && values.SECRET_KEY === undefined) {
    throw new SettingsError(
      'SECRET_KEY is required with DATABASE_URL. ' +
        'Create one with openssl rand -base64 32, and do not store it with the database.',
    );
  }
  if (values.DATABASE_REPLICA_URL !== undefined && values.DATABASE_URL === undefined)
    throw new SettingsError('DATABASE_URL is required with DATABASE_REPLICA_URL.');
  if (values.SMTP_URL !== undefined && values.MAIL_FROM === undefined)
    throw new SettingsError('MAIL_FROM is required with SMTP_URL.');
  return {
    isDemo,
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR ?? (isDemo ? './data/demo' : './data')),
    databaseUrl: values.DATABASE_URL,
    replicaUrl: values.DATABASE_REPLICA_URL,
    postgresOsUser: values.POSTGRES_OS_USER,
    adminEmail: values.ADMIN_EMAIL?.normalize('NFC'), // the e-mail of a sign-in is normalized too
    adminPassword: values.ADMIN_PASSWORD,
    businessTimeZone: values.BUSINESS_TIMEZONE,
    sessionIdleMinutes: values.SESSION_IDLE_MINUTES,
    sessionHours: values.SESSION_HOURS,
    noteDays: values.NOTE_DAYS,
    requireTwoFactor: values.REQUIRE_TWO_FACTOR,
    secretKey: values.SECRET_KEY,
    newSecretKey: values.NEW_SECRET_KEY,
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS,
    logLevel: values.LOG_LEVEL,
    poolSize: values.POOL_SIZE,
    metricsToken: values.METRICS_TOKEN,
    metricsPort: values.METRICS_PORT,
    metricsHost: values.METRICS_HOST,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    appUrl: values.APP_URL,
    notifyPrivateAddresses: values.NOTIFY_PRIVATE_ADDRESSES,
    allowUnsafeDatabase: values.ALLOW_UNSAFE_DATABASE,
  };
}

function readOne(name: string, setting: Setting<unknown>, text: string | undefined): unknown {
  try {
    return setting.read(text === '' ? undefined : text);
  } catch (error) {
    throw error instanceof SettingsError ? new SettingsError(`${name} ${error.message}.`) : error;
  }
}

export const settingsRows = (): [string, Setting<unknown>][] => Object.entries(settingsTable);
