import type { SocketAddress } from './address';
import { openPool, type PoolSql } from './pool';
import { ConnectionLost, isStale } from './session';
import type { Rows, Sql, TransactionSql } from './sql';

export type { SocketAddress } from './address';
export { UnknownOutcome } from './pool';
export type { Fragment, Rows, Sql, Statement, TransactionSql } from './sql';

export interface Database {
  sql: PoolSql;
  poolSize: number;
  /**
   * Runs `work` in a transaction, and again after a deadlock or serialization failure, so it must not act outside the
   * database. Throws `UnknownOutcome` if the answer to its COMMIT was lost; after any other error nothing was written.
   * `opening`: statements without parameters that are sent with BEGIN; `work` gets the rows of the last.
   */
  tx<T>(work: (sql: TransactionSql, opened: Rows) => Promise<T>, opening?: string): Promise<T>;
  /** Reads without a transaction, which saves two round trips, with retries. Read what must agree in one statement. */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Waits up to 5 s for running queries, then closes every connection. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  poolSize?: number;
  /** Accepts a server that can lose committed writes in a crash. */
  allowUnsafe?: boolean;
  /** The ids of the secret keys that this server has. */
  keyIds?: readonly string[];
}

/** Why a database cannot be used, in one sentence that its operator can act on. */
export class DatabaseRefused extends Error {
  override name = 'DatabaseRefused';
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);

/** How our connections are named; a server adds the ids of its keys. */
export const APPLICATION = 'gaming-back-office';

const OLDEST_VERSION = 15;
const TRIES = 5;

/** Connects to a PostgreSQL by URL or socket. Refuses one that is too old, not UTF-8, or configured to lose data. */
export async function openDatabase(
  target: string | SocketAddress,
  { poolSize = 10, allowUnsafe = false, keyIds = [] }: DatabaseOptions = {},
): Promise<Database> {
  const db = toDatabase(
    openPool(target, { size: poolSize, name: [APPLICATION, ...keyIds].join(' '), settings }),
    poolSize,
  );
  try {
    await refuseUnsuitable(db.sql, { allowUnsafe });
  } catch (error) {
    await db.sql.end({ timeoutMs: 1_000 });
    throw error;
  }
  return db;
}

/** A standby, for reads alone. It connects when it is first used, and may be away. */
export const openStandby = (target: string, { poolSize }: { poolSize: number }): Database =>
  toDatabase(
    openPool(target, {
      size: poolSize,
      name: `${APPLICATION} reads`,
      settings: { ...settings, default_transaction_read_only: 'on' },
    }),
    poolSize,
  );

const toDatabase = (sql: PoolSql, poolSize: number): Database => ({
  sql,
  poolSize,
  tx: (work, opening = '') => withRetry(() => sql.begin(`; ${opening}`, work)),
  read: (work) => withRetry(() => work(sql)),
  close: () => sql.end({ timeoutMs: 5_000 }),
});

const settings = {
  TimeZone: 'UTC',
  statement_timeout: '10000',
  lock_timeout: '5000',
  idle_in_transaction_session_timeout: '15000',
  search_path: 'public, pg_temp', // nobody's schema comes before ours, such as one with the name of the role
  jit: 'off', // it makes the first aggregate of a connection three times as slow
  // Elsewhere than on Citus these names mean nothing (distribute.ts). It gives them to the database as well.
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.enable_unsafe_triggers': 'on',
};

async function refuseUnsuitable(sql: Sql, { allowUnsafe }: { allowUnsafe: boolean }): Promise<void> {
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

async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const isPassing = [SERIALIZATION_FAILURE, DEADLOCK].includes(getErrorCode(error)) || isStale(error);
      if (tried === TRIES || !isPassing) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** tried));
    }
  }
}

/** The SQLSTATE of an error; empty if it has none. */
export const getErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Whether an error means that the database is unreachable (a 503), rather than that it refused something. */
export function isUnavailable(error: unknown): boolean {
  // 08 connection, 53300 too many connections, 57P01 to 57P03 stopping, crashed or starting
  return error instanceof ConnectionLost || /^(08|53300$|57P0[123]$)/.test(getErrorCode(error)) || isNodeLost(error);
}

/** Whether a node of Citus ended in the middle of a statement. Elsewhere its codes mean something worse. */
const isNodeLost = (error: unknown): boolean =>
  ['XX000', '58030'].includes(getErrorCode(error)) && error instanceof Error && lostNode.test(error.message);
const lostNode = new RegExp(
  '^(terminating connection|the database system is|server closed the connection|could not (send|receive) data|' +
    'SSL (connection|SYSCALL)|no connection to|connection not open|invalid socket|' +
    'failed to (complete )?COPY |postmaster was shut down)',
);

/** Whether the database refused to write into a month whose books are closed. */
export const isInClosedMonth = (error: unknown): boolean => getErrorCode(error) === 'BK001';

/** Whether a statement waited too long for a lock. */
export const isLockTimeout = (error: unknown): boolean => getErrorCode(error) === LOCK_TIMEOUT;

/** Whether a statement timed out, waited too long for a lock, or failed after all retries. */
export const isTimeout = (error: unknown): boolean =>
  ['57014', LOCK_TIMEOUT, '25P03', SERIALIZATION_FAILURE, DEADLOCK].includes(getErrorCode(error));
