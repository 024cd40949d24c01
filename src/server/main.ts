/** Starts the server, and stops it in reverse order; or runs the command that is named first. */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DEMO_PASSWORD, demoAccounts } from '../contract/demoAccounts';
import { VERSION } from '../contract/version';
import { createApp } from './app';
import { HEADS_FIELD, readHeads } from './audit/heads';
import { readKeys } from './auth/keyFile';
import { openKeyring } from './auth/keyring';
import { toRelyingParty, watchLogin } from './auth/loginOffers';
import { RateLimits } from './auth/rateLimits';
import { idOfKey, type Secrets } from './auth/secrets';
import { Sessions } from './auth/sessions';
import { isWeakPassword } from './auth/weakPasswords';
import { startBackgroundCheck } from './books/backgroundCheck';
import { runBackup, runRestore } from './commands/backup';
import { changeKey } from './commands/changeKey';
import { openNetworks } from './commands/openNetworks';
import { resetPassword } from './commands/resetPassword';
import { type FirstAdmin, readInstallation, setUpDatabase } from './commands/setup';
import { verify } from './commands/verify';
import { refuseUnknownZone, warnOfPlainLocale } from './core/databaseChecks';
import { createLog, type Log } from './core/log';
import { isProxy } from './core/proxyTrust';
import { readSettings, type Settings, SettingsError } from './core/settings';
import { helpText } from './core/settingsText';
import { describeTransport } from './db/address';
import { startEmbedded } from './db/embedded/embedded';
import { migrate } from './db/migrate';
import { type Database, DatabaseRefused, messageOf, openDatabase } from './db/open';
import { openReplica } from './db/replica/replica';
import { askSecond } from './demo/askSecond';
import { sweepIdempotencyKeys } from './http/idempotency';
import { type Answer, listen } from './http/listen';
import { staticFiles } from './http/staticFiles';
import { createMonitor, type Monitor } from './monitoring/monitor';
import { createMetricsApp } from './monitoring/page';
import { createMailer } from './notifications/email';
import { runNotifications } from './notifications/run';
import { sweepDeliveries } from './payments/webhookDeliveries';
import { sweepNotes } from './queries/playerNotes';
import { startCounting } from './totals/countFacts';

const APP_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist'); // from build/server/main.mjs
const DRAIN_MS = 15_000;
const SWEEP_MS = 10 * 60_000;
/** How long a stop waits for the heads of the audit log when the database is away. */
const LAST_HEADS_MS = 3000;

const started: (() => Promise<void>)[] = [];
let isStopping = false;

async function start(settings: Settings, log: Log): Promise<void> {
  const db = await startDatabase(settings, log);
  started.push(db.close);
  if (isStopping) return;
  const replica = startReplica(settings, db, log);
  let logHeads = async (): Promise<void> => {}; // before the migrations there is no audit log
  started.push(() => Promise.race([logHeads(), setTimeout(LAST_HEADS_MS)]));
  const entrance = createEntrance(settings, log);
  // The only server listens before its database is ready: a port in use is reported at once, and early requests are
  // answered with 503. One of several does not, so that the proxy goes on to another.
  if (settings.databaseUrl === undefined) await entrance.open();

  const { secrets, admin, isNew } = await prepareDatabase(db, settings, log);
  const { sessionIdleMinutes: idleMinutes, sessionHours: hours, requireTwoFactor } = settings;
  const sessions = new Sessions({ idleMinutes, hours, requireTwoFactor });
  await sessions.endWithoutTwoFactor(db.sql); // the setting may have been turned on since the last start
  const { smtpUrl, mailFrom = '', appUrl, notifyPrivateAddresses: mayBeOwn } = settings;
  const services = {
    secrets,
    sessions,
    rateLimits: new RateLimits(db.sql, secrets),
    businessTimeZone: settings.businessTimezone,
    outgoing: { hasEmail: smtpUrl !== undefined, hasLinks: Boolean(smtpUrl && appUrl), appUrl, mayBeOwn },
    passkeys: toRelyingParty(appUrl),
  };
  const { trustProxy, corsOrigins, metricsPort, isDemo } = settings;
  const isWatched = settings.metricsToken !== undefined || metricsPort !== undefined;
  const monitor = isWatched ? createMonitor({ version: VERSION, db, replica, sessions }) : undefined;
  const metricsToken = metricsPort === undefined ? settings.metricsToken : undefined; // else on their own port only
  const watching = { monitor, metricsToken };
  const app = createApp({ db, replica, services, keyring: secrets, log, trustProxy, corsOrigins, ...watching });
  const listOffers = await watchLogin(db.sql, services);
  app.get(
    '*',
    staticFiles(APP_FOLDER, (path) => [...(isDemo ? ['data-demo'] : []), ...listOffers(path)]),
  );
  if (isDemo && isNew) await askSecond(app.request);
  if (monitor) await serveMetrics(settings, monitor, log);
  entrance.answer = app.fetch;
  const address = await entrance.open();

  // Whoever keeps the logs elsewhere can show later that nobody has cut the audit log (docs/operations.md, "Verify").
  logHeads = async () => {
    const heads = await readHeads(db.sql);
    log.info({ [HEADS_FIELD]: heads }, 'audit log');
    if (log.isLevelEnabled('info')) monitor?.headsLogged(heads);
  };
  startSweeping(log, [
    [logHeads, 'the heads of the audit log could not be logged'],
    [() => sessions.sweep(db.sql), 'ended sessions could not be removed'],
    [() => services.rateLimits.sweep(), 'expired rate limit counters could not be removed'],
    [() => sweepIdempotencyKeys(db.sql), 'old idempotency keys could not be removed'],
    [() => sweepDeliveries(db.sql), 'old webhook deliveries could not be removed'],
    [() => sweepNotes(db.sql, settings.noteDays), 'old notes could not be removed'],
  ]);
  started.push(startBackgroundCheck(db, log), startCounting(db, log));
  const sendEmail = smtpUrl === undefined ? undefined : createMailer(smtpUrl, mailFrom);
  started.push(runNotifications({ db, secrets, keyring: secrets, sendEmail, appUrl, mayBeOwn, log }, log));
  log.info({ address }, 'listening');
  process.stdout.write(welcome(address, settings, admin));
}

/** The usual port. Until it has an answer, requests get 503; to open it again changes nothing. */
function createEntrance({ host, port, trustProxy }: Settings, log: Log) {
  let opened: Promise<string> | undefined;
  const open = async (): Promise<string> => {
    const listener = await listen(host, port, (request, env) => entrance.answer(request, env), {
      isProxy: (address) => isProxy(trustProxy, address),
      onCrowd: (address) =>
        log.warn({ address }, 'a client has too many connections; if it is a proxy of yours, set TRUST_PROXY'),
      onRefused: (refusal) => log.info(refusal, 'no valid request'),
    });
    started.push(() => listener.close(DRAIN_MS));
    return listener.address;
  };
  const entrance = { answer: startingResponse, open: () => (opened ??= open()) };
  return entrance;
}

/** Makes the schema the present one, and of an empty database an installation with its first super admin. */
async function prepareDatabase(db: Database, settings: Settings, log: Log) {
  await migrate(db, undefined, (sentence) => log.info(sentence));
  await refuseUnknownZone(db, settings.businessTimezone);
  await warnOfPlainLocale(db, log);
  const last = await readInstallation(db.sql);
  const secrets = await openKeyring(db.sql, () => readKeys(settings, { mayCreate: last === undefined }));
  warnOfOldKey(settings, secrets, log);
  const admin = await setUpDatabase(db, secrets, settings);
  if (admin && settings.adminPassword && (await isWeakPassword(settings.adminPassword, admin.email)))
    log.warn('ADMIN_PASSWORD is easy to guess: sign in and change it under Account');
  return { secrets, admin, isNew: !last?.is_filled };
}

/** Does each task now and every ten minutes; the message is logged when it fails. */
function startSweeping(log: Log, tasks: readonly (readonly [() => Promise<unknown>, message: string])[]): void {
  const sweep = () => {
    for (const [task, message] of tasks) void task().catch((error: unknown) => log.warn({ err: error }, message));
  };
  sweep();
  const sweeping = setInterval(sweep, SWEEP_MS);
  started.push(async () => clearInterval(sweeping));
}

/** Opens METRICS_PORT, if it is set. */
async function serveMetrics({ metricsHost, metricsPort, metricsToken }: Settings, monitor: Monitor, log: Log) {
  if (metricsPort === undefined) return;
  const { fetch } = createMetricsApp(monitor, metricsToken);
  const names = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
  const listener = await listen(metricsHost, metricsPort, fetch, { settings: names });
  started.push(() => listener.close(0));
  log.info({ address: `${listener.address}metrics` }, 'metrics');
}

async function startDatabase(
  { databaseUrl, dataDir, postgresOsUser, poolSize, allowUnsafeDatabase, secretKey, newSecretKey }: Settings,
  log: Log,
): Promise<Database> {
  const keyIds = [secretKey, newSecretKey].filter((key) => key !== undefined).map(idOfKey);
  const options = { poolSize, allowUnsafe: allowUnsafeDatabase, keyIds };
  if (databaseUrl !== undefined) {
    warnOfTransport(databaseUrl, 'DATABASE_URL', log);
    return openDatabase(databaseUrl, options).catch((error: unknown) => {
      throw error instanceof DatabaseRefused
        ? error
        : new DatabaseRefused(`The database of DATABASE_URL cannot be used: ${messageOf(error)}.`);
    });
  }
  const embedded = await startEmbedded({
    folder: dataDir,
    osUser: postgresOsUser,
    poolSize,
    say: (level, message) => log[level === 'info' ? 'debug' : level]({ database: message }, 'embedded database'),
    onGone: (error) => fail(log, error),
  });
  started.push(embedded.stop);
  return openDatabase(embedded.address, options);
}

/** Does not wait for it: until it has shown that it is well, and whenever it is not, all reads go to the primary. */
function startReplica({ databaseReplicaUrl: url, poolSize }: Settings, db: Database, log: Log) {
  if (url === undefined) return undefined;
  warnOfTransport(url, 'DATABASE_REPLICA_URL', log);
  const replica = openReplica(db, url, { poolSize, log });
  started.push(replica.close);
  return replica;
}

function warnOfTransport(url: string, name: string, log: Log): void {
  const problem = describeTransport(url, { name });
  if (problem) log.warn(problem);
}

function warnOfOldKey({ secretKey, newSecretKey }: Settings, { keyId, isChanging }: Secrets, log: Log): void {
  if (isChanging) log.warn('a change of the secret key is not finished; run npm run change-key again');
  else if (secretKey && newSecretKey && keyId === idOfKey(newSecretKey))
    log.warn('NEW_SECRET_KEY is the key of this database now; set SECRET_KEY to it and remove NEW_SECRET_KEY');
}

const startingResponse: Answer = () =>
  Response.json(
    { detail: 'The server is starting', code: 'unavailable', request_id: randomUUID() },
    { status: 503, headers: { 'Retry-After': '2', 'Cache-Control': 'no-store' } },
  );

function welcome(address: string, { isDemo }: Settings, admin: FirstAdmin | undefined): string {
  const lines = ['', `The back-office is at ${address}`];
  if (isDemo) {
    lines.push(
      `It contains sample data. Sign in with the password ${DEMO_PASSWORD} as`,
      ...demoAccounts.map(([email, who]) => `  ${email.padEnd(18)}${who}`),
    );
  }
  if (admin) {
    const password = admin.password === undefined ? '' : ` with the password ${admin.password} (shown only now)`;
    lines.push(`The first super admin is ${admin.email}${password}`);
  }
  return `${[...lines, 'Press Ctrl-C to stop.', ''].join('\n')}\n`;
}

async function stop(exitCode: number, log: Log): Promise<void> {
  isStopping = true;
  for (const step of started.splice(0).reverse()) {
    await step().catch((error: unknown) => log.error({ err: error }, 'a part of the server did not stop cleanly'));
  }
  process.exit(exitCode);
}

function fail(log: Log, error: unknown): void {
  log.fatal({ err: error }, 'the server cannot continue');
  if (!isStopping) void stop(1, log);
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(helpText());
    return;
  }
  const [command = '', ...rest] = args;
  const say = (words: string) => {
    process.stdout.write(`${words}\n`);
  };
  const program = new Map([
    ['backup', runBackup],
    ['restore', runRestore],
    ['verify', verify],
    ['reset-password', resetPassword],
    ['open-networks', openNetworks],
    ['change-key', changeKey],
  ]).get(command);
  if (program) return program(rest, process.env, say);
  const settings = readSettings(args, process.env);
  const log = createLog(settings.logLevel);
  const ready = start(settings, log);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(130); // the second signal ends the process at once; the database stops by itself
      isStopping = true;
      log.info({ signal }, 'stopping');
      // Nothing can be stopped while the database is still starting.
      const begun = started.length > 0 ? Promise.resolve() : ready.catch(() => {});
      void begun.then(() => stop(0, log));
    });
  }
  process.on('uncaughtException', (error) => fail(log, error));
  process.on('unhandledRejection', (error) => fail(log, error));
  await ready.catch(async (error: unknown) => {
    if (isStopping) return;
    process.stderr.write(`${messageOf(error)}\n`);
    if (!(error instanceof SettingsError || error instanceof DatabaseRefused))
      log.fatal({ err: error }, 'the server could not start');
    await stop(1, log);
  });
}

process.stdout.on('error', () => {}); // a closed pipe is no reason to stop
await main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
