/** One connection to the database, whoever uses it. */
import { hash } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { DatabaseError, type PoolClient, type QueryResult } from 'pg';
import type { Rows, Sent } from './sql';

/** The connection ended, or there is none. What it had not yet been answered is unknown. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
  readonly code: string;
  constructor(given?: unknown) {
    // For a host with several addresses Node throws one AggregateError without a message.
    const cause: unknown = given instanceof AggregateError ? given.errors[0] : given;
    super(cause instanceof Error ? cause.message : 'the connection to the database was closed', { cause });
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'CONNECTION_LOST';
  }
}

/** Whoever subscribes is told of every statement before it is sent. */
export const statementChannel = channel('back-office:statement');

/** Each combination of filters is a statement, and prepared ones take memory: after the first hundreds none is. */
const MOST_STATEMENTS = 400;

interface Waiting extends Sent {
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export class Session {
  readonly #client: PoolClient;
  /** The texts that are prepared here and their names; undefined if the database no longer takes one. */
  readonly #prepared = new Map<string, string | undefined>();
  /** The first is under way. */
  readonly #waiting: Waiting[] = [];
  #lost: Error | undefined;
  /** The last answer was an error, which can be the last that a connection says. */
  #isInDoubt = false;

  constructor(client: PoolClient) {
    this.#client = client;
    client.on('error', (error) => this.#end(error));
    client.on('end', () => this.#end(new Error('the connection was closed')));
  }

  get lost(): Error | undefined {
    return this.#lost;
  }

  /** Sends a statement as soon as those before it are answered. */
  send({ text, values }: Sent): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, values, resolve, reject });
      if (this.#waiting.length === 1) this.#sendNext();
    });
  }

  /** Whether the connection still answers: after an error, this tells a refusal from the end of the connection. */
  answers(): Promise<boolean> {
    return this.send({ text: 'select 1' }).then(
      () => true,
      () => false,
    );
  }

  /** Gives the connection back once everything that was sent is answered. One that is in doubt is closed. */
  async release(): Promise<void> {
    if (this.#isInDoubt || this.#waiting.length) await this.answers();
    this.#client.release(this.#lost !== undefined || this.#client.getTransactionStatus() !== 'I');
  }

  destroy(): void {
    this.#end(new Error('the connection was closed'));
    void this.#client.end();
  }

  #sendNext(): void {
    const [first] = this.#waiting;
    if (!first) return;
    const { text, values, resolve, reject } = first;
    const goOn = () => {
      if (this.#waiting[0] !== first) return; // answered before
      this.#waiting.shift();
      this.#sendNext();
    };
    if (this.#lost) {
      reject(new ConnectionLost(this.#lost));
      goOn();
      return;
    }
    if (statementChannel.hasSubscribers) statementChannel.publish({ text, values });
    const name = values && this.#nameOf(text);
    const config = { text, values: values && [...values], name };
    this.#client.query(config, (error: Error | null, given: QueryResult | QueryResult[]) => {
      this.#isInDoubt = Boolean(error);
      if (error) {
        if (name && isStale(error)) this.#prepared.set(text, undefined);
        reject(this.#lost && !(error instanceof DatabaseError) ? new ConnectionLost(this.#lost) : error);
      } else {
        const result = Array.isArray(given) ? given.at(-1) : given; // several statements have several results
        const rows = Object.assign(result?.rows ?? [], { count: result?.rowCount ?? 0 });
        resolve({ rows, command: result?.command ?? '' });
      }
      goOn();
    });
  }

  /** Statements are named by their text, so that a name can never stand for another one. */
  #nameOf(text: string): string | undefined {
    if (this.#prepared.has(text)) return this.#prepared.get(text);
    if (this.#prepared.size >= MOST_STATEMENTS) return undefined;
    const name = hash('sha256', text, 'base64url');
    this.#prepared.set(text, name);
    return name;
  }

  #end(error: Error): void {
    this.#lost ??= error;
  }
}

export interface Answer {
  rows: Rows;
  command: string;
}

/** A prepared statement was dropped, or the tables that it reads have changed since. */
export const isStale = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (error.code === '26000' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery'));
