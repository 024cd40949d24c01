/** The connections to a database, and the transactions on them. */

import { Client, type ClientConfig, DatabaseError, Pool, type PoolClient } from 'pg';
import { type Reached, readAddresses, type SocketAddress } from './address';
import { unless } from './attempt';
import { columnTypes } from './columnTypes';
import { ConnectionLost, isStale, Session } from './session';
import { createSql, type Rows, type Sent, type Sql, type TransactionSql } from './sql';

/** COMMIT was sent, and the connection ended before the answer: the transaction may have happened or not. */
export class UnknownOutcome extends Error {
  override name = 'UnknownOutcome';
}

/** `opened`: the rows of what was sent with BEGIN. */
type InTransaction<T> = (sql: TransactionSql, opened: Rows) => Promise<T>;

export interface PoolSql extends Sql {
  /** Runs work in a transaction, once. After any error but `UnknownOutcome` nothing was written. */
  begin<T>(mode: string, work: InTransaction<T>): Promise<T>;
  /** Keeps a connection for work that can be in no transaction. */
  reserve<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  connections(): Readonly<Record<'used' | 'idle' | 'waiting', number>>;
  /** Waits so long for running statements, then closes every connection. */
  end(options: { timeoutMs: number }): Promise<void>;
}

interface PoolOptions {
  size: number;
  name?: string;
  settings?: Readonly<Record<string, string>>;
}

const CONNECT_MS = 5_000;

type Place = Pick<Reached, 'isPlainAccepted' | 'config'>;

export function openPool(target: string | SocketAddress, options: PoolOptions): PoolSql {
  const pool = new SessionPool(readPlaces(target, options), options.size);
  const sendAlone = (sent: Sent): Promise<Rows> =>
    pool.use(async (session) => {
      try {
        return (await session.send(sent)).rows;
      } catch (error) {
        if (!isStale(error)) throw error;
        return (await session.send(sent)).rows; // now it is not a prepared one
      }
    });
  return Object.assign(createSql(sendAlone), {
    begin: <T>(mode: string, work: InTransaction<T>) => pool.use((session) => transact(session, mode, work)),
    reserve: <T>(work: (sql: Sql) => Promise<T>) =>
      pool.use((session) => work(createSql(async (sent) => (await session.send(sent)).rows))),
    connections: () => pool.count(),
    end: ({ timeoutMs }: { timeoutMs: number }) => pool.end(timeoutMs),
  });
}

const readPlaces = (target: string | SocketAddress, { name, settings = {} }: PoolOptions): Place[] =>
  readAddresses(target).map((address) => ({
    isPlainAccepted: address.isPlainAccepted,
    config: {
      ...address.config,
      application_name: name,
      options: formatSettings({ ...settings, ...address.settings }),
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 60_000,
      types: columnTypes,
    },
  }));

/** The time limit is for connecting alone: the pool would also limit how long one waits for a free connection. */
class Connection extends Client {
  isStandby = false;
  constructor(config: ClientConfig) {
    super(config);
    // The server says so when it is connected to.
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby') this.isStandby = parameterValue === 'on';
    });
  }
}

/** Connections to the one of several places that takes writes. */
class SessionPool {
  readonly #places: readonly Place[];
  #at = 0; // the place that took writes last
  readonly #pool: Pool;
  readonly #sessions = new WeakMap<PoolClient, Session>();
  readonly #inUse = new Set<Session>();
  readonly #waiting = new Set<(error: Error) => void>();
  readonly #connected = new Set<PoolClient>();

  constructor(places: readonly Place[], size: number) {
    this.#places = places;
    const here = () => this.#here().config;
    class Here extends Connection {
      constructor() {
        super(here());
      }
    }
    this.#pool = new Pool({ Client: Here, max: size, idleTimeoutMillis: 300_000, maxLifetimeSeconds: 3600 });
    this.#pool.on('error', () => {}); // a connection ended while nobody used it
    this.#pool.on('connect', (client) => {
      this.#sessions.set(client, new Session(client));
      this.#connected.add(client);
    });
    this.#pool.on('remove', (client) => this.#connected.delete(client)); // now its socket is closed
  }

  #here(): Place {
    return this.#places[this.#at] ?? this.#places[0]!;
  }

  /** With several places: a connection to the first, from the one that worked last on, that takes writes. */
  #acquire(tried = 1): Promise<Session> {
    return new Promise((resolve, reject) => {
      if (this.#pool.ending) throw new ConnectionLost();
      const place = this.#here();
      const goOn = (error: Error) => {
        if (tried === this.#places.length)
          return reject(error instanceof DatabaseError ? error : new ConnectionLost(error));
        if (place === this.#here()) this.#at = (this.#at + 1) % this.#places.length; // nobody else has gone on yet
        resolve(this.#acquire(tried + 1));
      };
      this.#waiting.add(reject);
      this.#pool.connect((error, client) => {
        const isWanted = this.#waiting.delete(reject);
        if (!isWanted)
          client?.release(); // the pool is closed
        else if (client && this.#places.length > 1 && client instanceof Connection && client.isStandby) {
          client.release(true);
          goOn(new Error('the database is a standby, which takes no writes'));
        } else if (client) resolve(this.#sessions.get(client)!);
        else if (place.isPlainAccepted && place.config.ssl && /does not support SSL/.test(String(error))) {
          place.config.ssl = false;
          resolve(this.#acquire(tried));
        } else goOn(error ?? new Error('no connection'));
      });
    });
  }

  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.#acquire();
    this.#inUse.add(session);
    try {
      return await work(session);
    } finally {
      this.#inUse.delete(session);
      await session.release();
    }
  }

  count() {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  async end(timeoutMs: number): Promise<void> {
    // The pool does not wait for its sockets, and a database that is stopped meanwhile would log errors.
    const ended = this.#pool.end().then(async () => {
      while (this.#connected.size) await new Promise((resolve) => this.#pool.once('remove', resolve));
    });
    for (const refuse of this.#waiting) refuse(new ConnectionLost());
    this.#waiting.clear();
    const late = AbortSignal.timeout(timeoutMs);
    await unless(late, ended).catch((error: unknown) => {
      if (!late.aborted) throw error;
      for (const session of this.#inUse) session.destroy();
    });
  }
}

/** As `postgres -c` reads them. */
const formatSettings = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => (name === 'options' ? value : `-c ${name}=${value.replace(/[\\\s]/g, '\\$&')}`))
    .join(' ');

async function transact<T>(session: Session, mode: string, work: InTransaction<T>): Promise<T> {
  let result: T;
  try {
    const { rows } = await session.send({ text: `begin ${mode}` });
    result = await runScope(session, (sql) => work(sql, rows));
  } catch (error) {
    await session.send({ text: 'rollback' }).catch(() => {}); // a lost connection has rolled back by itself
    throw error;
  }
  await commit(session);
  return result;
}

async function commit(session: Session): Promise<void> {
  if (session.lost) throw new ConnectionLost(session.lost);
  let command: string;
  try {
    ({ command } = await session.send({ text: 'commit' }));
  } catch (error) {
    if (await session.answers()) throw error; // the database refused it, and goes on
    throw new UnknownOutcome('the answer to COMMIT was lost', { cause: error });
  }
  if (command !== 'COMMIT') throw new Error('the database rolled the transaction back');
}

/** Runs a transaction or savepoint. After a failed statement the whole fails with its error, even if it was caught. */
async function runScope<T>(session: Session, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  let failure: { error: unknown } | undefined,
    isOver = false;
  const send = async (sent: Sent): Promise<Rows> => {
    if (isOver) throw new Error('the transaction is over'); // somebody else may have its connection
    try {
      return (await session.send(sent)).rows;
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  };
  const savepoint = async <S>(inner: (sql: TransactionSql) => Promise<S>): Promise<S> => {
    const name = `savepoint_${++savepoints}`;
    await send({ text: `savepoint ${name}` });
    try {
      const result = await runScope(session, inner);
      await session.send({ text: `release savepoint ${name}` });
      return result;
    } catch (error) {
      await send({ text: `rollback to savepoint ${name}` });
      throw error;
    }
  };
  try {
    const result = await work(Object.assign(createSql(send), { savepoint }));
    if (failure) throw failure.error;
    return result;
  } finally {
    isOver = true;
  }
}
let savepoints = 0;
