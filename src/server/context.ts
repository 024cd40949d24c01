/** What every handler is given: the context of one call. */
import type { Answer, Body, CallName, Params, Query } from '../contract/calls';
import type { Audit } from './audit/auditLog';
import type { Caller } from './auth/caller';
import type { RateLimits } from './auth/rateLimits';
import type { Secrets } from './auth/secrets';
import type { Sessions } from './auth/sessions';
import type { CsvFile } from './csv';
import type { Sql } from './db/open';
import type { DbRow } from './db/row';

/** What lives as long as the server does. */
export interface Services {
  secrets: Secrets;
  sessions: Sessions;
  rateLimits: RateLimits;
  /** IANA zone of new tenants. */
  businessTimeZone: string;
}

/** Facts of the request that are not part of the contract, and what the answer carries beside its body. */
export interface Exchange {
  /** The client's address, from a proxy only if that is trusted. */
  address: string;
  token: string | null;
  isSecure: boolean;
  /** In words. */
  browser: string;
  /** Of a signed call the body as it stands; empty for any other. */
  raw: Buffer;
  header(name: string): string | undefined;
  setHeader(name: string, value: string): void;
}

/** What a handler is given. `sql` runs in the call's one transaction, of a GET each statement by itself; money arrives as decimal text, already checked. */
export interface Ctx<N extends CallName> {
  sql: Sql;
  caller: Caller;
  params: { [K in keyof Params<N>]: K extends 'platform' ? string : number };
  query: Query<N>;
  body: Body<N>;
  services: Services;
  exchange: Exchange;
  /** Every write tells here what it was about; its entry is written with it. */
  audit: Audit;
  /** For the sign-ins, whose `sql` is in no transaction while they hash: the rest in one, with its audit entry. */
  inTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** One handler for each call: a missing one does not compile. */
export type Handlers = { [N in CallName]: (ctx: Ctx<N>) => Promise<HandlerAnswer<Answer<N>>> };

/** A handler may return timestamps as dates; its answer is serialized by the schema of the call. */
export type HandlerAnswer<T> = T extends Blob ? CsvFile : DbRow<T>;
