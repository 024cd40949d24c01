import postgres from 'postgres';

/** Runs queries: the pool, or the connection of a transaction. */
export type Sql = postgres.ISql;
export type TransactionSql = postgres.TransactionSql;

export interface Database {
  sql: postgres.Sql;
  /**
   * Runs `work` in a transaction, and again after a deadlock or serialization failure, so it must not act outside the
   * database. Throws `UnknownOutcome` if the answer to its COMMIT was lost; after any other error nothing was written.
   */
  tx<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T>;
  /**
   * Runs reads without a transaction, which saves two round trips, and retries like `tx`. Values that must be
   * consistent have to be read in one statement.
   */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Waits up to 5 s for running queries, then closes every connection. */
  close(): Promise<void>;
}

/** The address of a server on a private socket. */
export interface SocketAddress {
  socketFolder: string;
  port: number;
  user: string;
  database: string;
}

export interface DatabaseOptions {
  /** The most connections at once. */
  poolSize?: number;
  /** Accepts a server that can lose committed writes in a crash. */
  allowUnsafe?: boolean;
  /** The ids of the secret keys that this server has. */
  keyIds?: readonly string[];
}

/** COMMIT was sent, and the connection ended before the answer: the transaction may have happened or not. */
export class UnknownOutcome extends Error {
  override name = 'UnknownOutcome';
}

/** Why a database cannot be used, in one sentence that its operator can act on. */
export class DatabaseRefused extends Error {
  override name = 'DatabaseRefused';
}

/** How our connections are named; a server adds the ids of its keys. */
export const APPLICATION = 'gaming-back-office';

const OLDEST_VERSION = 15;
const TRIES = 5;

/** Connects to a PostgreSQL by URL or socket. Refuses one that is too old, not UTF-8, or configured to lose data. */
export async function openDatabase(
  target: string | SocketAddress,
  { poolSize = 10, allowUnsafe = false, keyIds = [] }: DatabaseOptions = {},
): Promise<Database> {
  const connection = { ...connectionOptions.connection, application_name: [APPLICATION, ...keyIds].join(' ') };
  const options = { ...connectionOptions, connection, max: poolSize };
  const sql: postgres.Sql =
    typeof target === 'string' ? postgres(target, options) : postgres({ ...options, ...socketOptions(target) });
  try {
    await refuseUnsuitable(sql, { allowUnsafe });
  } catch (error) {
    await sql.end({ timeout: 1 });
    throw error;
  }
  return {
    sql,
    tx: (work) => withRetry(() => transact(sql, work)),
    read: (work) => withRetry(() => work(sql)),
    close: () => sql.end({ timeout: 5 }),
  };
}

export const socketOptions = ({ socketFolder, port, user, database }: SocketAddress) => ({
  path: `${socketFolder}/.s.PGSQL.${port}`,
  user,
  database,
  ssl: false,
});

const parseNumber = (text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError('a number from the database is too large to be exact');
  return value;
};

const connectionOptions = {
  connect_timeout: 5,
  idle_timeout: 300,
  backoff: (tries: number) => Math.min(1, 0.05 * 2 ** tries), // seconds; the driver's own backoff grows to twenty
  onnotice: () => {},
  types: {
    bigint: { to: 20, from: [20], parse: parseNumber, serialize: String },
    numeric: { to: 1700, from: [1700], parse: parseNumber, serialize: String },
    // A calendar day is text on both sides; as a Date it would shift with the time zone.
    day: {
      to: 1082,
      from: [1082],
      parse: (text: string) => text,
      serialize: (day: unknown) => (day instanceof Date ? day.toISOString().slice(0, 10) : String(day)),
    },
  },
  connection: {
    application_name: APPLICATION,
    TimeZone: 'UTC',
    statement_timeout: 10_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 15_000,
    search_path: 'public, pg_temp', // nobody's schema comes before ours, such as one with the name of the role
    jit: 'off', // it makes the first aggregate of a connection three times as slow
  },
};

async function refuseUnsuitable(sql: postgres.Sql, { allowUnsafe }: { allowUnsafe: boolean }): Promise<void> {
  const rows = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'server_encoding', 'server_version_num')`;
  const setting = new Map(rows.map((row) => [row.name, row.setting]));
  const version = Math.floor(Number(setting.get('server_version_num')) / 10_000);
  if (version < OLDEST_VERSION)
    throw new DatabaseRefused(`The database is PostgreSQL ${version}; the oldest supported is ${OLDEST_VERSION}.`);
  if (setting.get('server_encoding') !== 'UTF8')
    throw new DatabaseRefused(`The database has the encoding ${setting.get('server_encoding')}; it must be UTF8.`);
  const unsafe = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) => setting.get(name) === 'off');
  if (unsafe.length > 0 && !allowUnsafe) {
    throw new DatabaseRefused(
      `The database runs with ${unsafe.join(' and ')} off and can lose money in a crash. ` +
        'Turn this on, or set ALLOW_UNSAFE_DATABASE=true.',
    );
  }
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const LOCK_TIMEOUT = '55P03';

async function transact<T>(sql: postgres.Sql, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  let result!: T,
    isCommitting = false;
  try {
    await sql.begin(async (tx) => {
      result = await work(tx);
      isCommitting = true; // the driver sends COMMIT next
    });
  } catch (error) {
    if (isCommitting && !isRolledBack(error))
      throw new UnknownOutcome('the answer to COMMIT was lost', { cause: error });
    throw error;
  }
  return result;
}

/** Whether the database itself reported the error and goes on. A connection that ends proves nothing about a COMMIT. */
const isRolledBack = (error: unknown) => error instanceof postgres.PostgresError && error.severity === 'ERROR';

async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const code = getErrorCode(error);
      if (tried === TRIES || (code !== SERIALIZATION_FAILURE && code !== DEADLOCK)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** tried));
    }
  }
}

const getErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Whether an error means that the database is unreachable (a 503), rather than that it refused something. */
export function isUnavailable(error: unknown): boolean {
  const code = getErrorCode(error);
  // 08 connection, 53300 too many connections, 57P01 to 57P03 stopping, crashed or starting
  return /^(ECONN|ENOENT$|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|CONNECT|08|53300$|57P0[123]$)/.test(code);
}

/** Whether a statement waited too long for a lock. */
export const isLockTimeout = (error: unknown): boolean => getErrorCode(error) === LOCK_TIMEOUT;

/** Whether a statement timed out, waited too long for a lock, or failed after all retries. */
export const isTimeout = (error: unknown): boolean =>
  ['57014', LOCK_TIMEOUT, '25P03', SERIALIZATION_FAILURE, DEADLOCK].includes(getErrorCode(error));
