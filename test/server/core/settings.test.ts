import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readSettings, SettingsError, settingsRows, settingsTable } from '../../../src/server/core/settings';
import { helpText } from '../../../src/server/core/settingsText';

const key = Buffer.alloc(32, 7);

/** The one line a wrong setting is refused with. */
function refusal(env: Record<string, string>, args: string[] = []): string {
  try {
    readSettings(args, env);
  } catch (error) {
    assert.instance(error, SettingsError);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('expected a refusal');
}

test('without settings the server listens on the local machine only, on port 8080, with data in ./data', () => {
  const { dataDir, ...settings } = readSettings([], {});
  assert.match(dataDir, /\/data$/);
  const known = {
    ...{ port: 8080, host: '127.0.0.1', businessTimezone: 'UTC', sessionIdleMinutes: 30, sessionHours: 12 },
    ...{ noteDays: 0, trustProxy: 0, corsOrigins: [], allowUnsafeDatabase: false, isDemo: false },
    ...{ metricsToken: undefined, metricsPort: undefined },
  };
  assert.equal({ ...settings, ...known }, settings);
});

test('every setting reaches its place', () => {
  const newKey = Buffer.alloc(32, 8);
  const places: Record<string, [place: string, text: string, value?: unknown]> = {
    PORT: ['port', '0', 0],
    HOST: ['host', '::1'],
    DATA_DIR: ['dataDir', '/srv/x'],
    DATABASE_URL: ['databaseUrl', 'postgres://u:p@db:5432,standby:5433/x'],
    DATABASE_REPLICA_URL: ['databaseReplicaUrl', 'postgres://u:p@standby:5433/x'],
    ADMIN_EMAIL: ['adminEmail', 'a@b.test'],
    ADMIN_PASSWORD: ['adminPassword', 'twelve chars'],
    BUSINESS_TIMEZONE: ['businessTimezone', 'America/New_York'],
    SESSION_IDLE_MINUTES: ['sessionIdleMinutes', '5', 5],
    SESSION_HOURS: ['sessionHours', '2', 2],
    NOTE_DAYS: ['noteDays', '365', 365],
    REQUIRE_TWO_FACTOR: ['requireTwoFactor', 'true', true],
    SECRET_KEY: ['secretKey', key.toString('base64'), key],
    NEW_SECRET_KEY: ['newSecretKey', newKey.toString('hex'), newKey],
    POSTGRES_OS_USER: ['postgresOsUser', 'database'],
    TRUST_PROXY: ['trustProxy', '2', 2],
    CORS_ORIGINS: ['corsOrigins', 'https://a.test, https://b.test:8443', ['https://a.test', 'https://b.test:8443']],
    LOG_LEVEL: ['logLevel', 'warn'],
    POOL_SIZE: ['poolSize', '4', 4],
    METRICS_TOKEN: ['metricsToken', 'a-token-of-the-operator'],
    METRICS_PORT: ['metricsPort', '9100', 9100],
    METRICS_HOST: ['metricsHost', '::1'],
    SMTP_URL: ['smtpUrl', 'smtps://user:p@mail.test:465'],
    MAIL_FROM: ['mailFrom', 'Back-office <alerts@a.test>'],
    APP_URL: ['appUrl', 'https://office.test/admin/'],
    NOTIFY_PRIVATE_ADDRESSES: ['notifyPrivateAddresses', 'true', true],
    ALLOW_UNSAFE_DATABASE: ['allowUnsafeDatabase', 'true', true],
  };
  const env = Object.fromEntries(Object.entries(places).map(([name, [, text]]) => [name, text]));
  const wanted = Object.values(places).map(([place, text, value = text]) => [place, value]);
  assert.equal(readSettings([], env), { isDemo: false, ...Object.fromEntries(wanted) });
});

test('an empty value counts as not set', () => {
  const blank = Object.fromEntries(Object.keys(settingsTable).map((name) => [name, '']));
  assert.equal(readSettings([], blank), readSettings([], {}));
});

test('the sample world keeps its data apart from real data', () => {
  assert.is.not(readSettings(['--demo'], {}).dataDir, readSettings([], {}).dataDir);
  assert.is(readSettings(['--demo'], {}).isDemo, true);
});

test('the secret key is taken as base64, as URL-safe base64 and as hexadecimal', () => {
  const bytes = Buffer.from('fbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbefbef', 'hex');
  for (const encoding of ['base64', 'base64url', 'hex'] as const)
    assert.equal(readSettings([], { SECRET_KEY: bytes.toString(encoding) }).secretKey, bytes, encoding);
});

const wrong: Record<string, string[]> = {
  PORT: ['x', '-1', '65536', '80.5', '1e3', ' 80'],
  HOST: ['not a host', 'http://x', '-x'],
  DATABASE_URL: ['mysql://x/y', 'localhost', 'postgres:/x', 'postgres://u@db:5432,standby:port/x'],
  DATABASE_REPLICA_URL: ['mysql://x/y', 'standby'],
  POSTGRES_OS_USER: ['not a user', '-x', '65534'],
  ADMIN_EMAIL: ['sue', 'sue@', 'a b@c.test'],
  ADMIN_PASSWORD: ['short', 'x'.repeat(129)],
  BUSINESS_TIMEZONE: ['Mars/Phobos', '+02:00', 'new york'],
  SESSION_IDLE_MINUTES: ['0', '1441', 'long'],
  SESSION_HOURS: ['0', '169'],
  NOTE_DAYS: ['-1', '36501'],
  SECRET_KEY: ['secret', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('hex')],
  NEW_SECRET_KEY: ['secret', Buffer.alloc(31).toString('base64')],
  TRUST_PROXY: ['yes', '-1', '11', '10.0.0.0/33', '127.0.0.1, proxy.test'],
  CORS_ORIGINS: ['*', 'https://a.test/', 'https://a.test/path', 'a.test', 'ftp://a.test'],
  LOG_LEVEL: ['verbose', 'INFO'],
  POOL_SIZE: ['0', '1', '101'],
  METRICS_TOKEN: ['too short', 'with blanks is no bearer token', 'x'.repeat(201), 'not all of it is ASCII é'],
  METRICS_PORT: ['x', '65536'],
  METRICS_HOST: ['not a host'],
  APP_URL: ['office.test', 'ftp://office.test', 'https://office.test/?a=1', 'https://u:p@office.test', 'https://a b'],
  SMTP_URL: ['mail.test', 'http://mail.test', 'smtp://'],
  MAIL_FROM: ['nobody', 'a@b@c', 'Name <nobody>', 'a b@c.test'],
  NOTIFY_PRIVATE_ADDRESSES: ['yes', '1'],
  REQUIRE_TWO_FACTOR: ['yes', '1', 'True'],
  ALLOW_UNSAFE_DATABASE: ['yes', '1', 'TRUE'],
};
for (const [name, values] of Object.entries(wrong)) {
  test(`a wrong ${name} is refused in one line that names it and keeps the value to itself`, () => {
    for (const value of values) {
      const message = refusal({ [name]: value });
      assert.ok(message.startsWith(`${name} `), message);
      assert.not.match(message, /\n/);
      if (value.length > 6) assert.not.ok(message.includes(value), message);
    }
  });
}

test('every setting that can be wrong is tried with wrong values', () => {
  const untried = Object.keys(settingsTable).filter((name) => !(name in wrong));
  assert.equal(untried, ['DATA_DIR']);
});

test('an external database wants its key from a setting, because a file beside it there is none', () => {
  assert.match(refusal({ DATABASE_URL: 'postgres://u@db/x' }), /^SECRET_KEY is required/);
});

test('a replica without the database that it is one of is refused', () => {
  assert.match(refusal({ DATABASE_REPLICA_URL: 'postgres://u@db/x' }), /^DATABASE_URL is required/);
});

test('an unknown argument is refused', () => {
  assert.match(refusal({}, ['--demos']), /--demos/);
});

test('help names every setting with what applies without it', () => {
  for (const [name, { about, defaultValue }] of settingsRows()) {
    const line = helpText()
      .split('\n')
      .find((each) => each.trimStart().startsWith(`${name} `));
    assert.ok(line?.includes(about), name);
    if (defaultValue !== undefined) assert.ok(line?.endsWith(`[${defaultValue}]`), name);
  }
});

test('docs/configuration.md has the list of settings as it is', () => {
  const lines = settingsRows().map(([name, { about, defaultValue }]) => {
    const byDefault = defaultValue === undefined ? '' : ` (\`${defaultValue}\`)`;
    return `- \`${name}\`${byDefault}: ${about}`;
  });
  const list = lines.join('\n');
  assert.ok(readFileSync('docs/configuration.md', 'utf8').includes(list), `put this into the page:\n${list}`);
});

test("the first admin's e-mail is made of the letters a sign-in is read as", () => {
  assert.is(readSettings([], { ADMIN_EMAIL: 'zoe\u0308@admin.test' }).adminEmail, 'zo\u00eb@admin.test');
});

test.run();
