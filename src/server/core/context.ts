/** What every handler receives: the context of one call. */
import type { Answer, Body, CallName, Params, Query } from '../../contract/calls';
import type { Audit } from '../audit/auditLog';
import type { Caller } from '../auth/caller';
import type { RelyingParty } from '../auth/passkeys';
import type { RateLimits } from '../auth/rateLimits';
import type { Secrets } from '../auth/secrets';
import type { Sessions } from '../auth/sessions';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import type { CsvFile } from './csv';
import type { Turn } from './fairQueue';
import type { Limits } from './limits';

/** Services that live as long as the server. */
export interface Services {
  secrets: Secrets;
  sessions: Sessions;
  rateLimits: RateLimits;
  /** IANA time zone of new tenants. */
  businessTimeZone: string;
  /** What the operator has set up for notifications; nothing if it is missing. */
  outgoing?: Outgoing;
  /** For whom passkeys are made; they are not offered if it is missing. */
  passkeys?: RelyingParty | undefined;
}
export interface Outgoing {
  hasEmail: boolean;
  /** Whether an e-mail can link to the app, so that people sign in by it. */
  hasLinks?: boolean;
  /** Where people open the app; without it nobody comes back from an identity provider. */
  appUrl?: string | undefined;
  mayBeOwn: boolean;
}

/** Facts about the request that the contract does not cover, and headers for the response. */
export interface Exchange {
  /** The client's address; X-Forwarded-For counts only behind trusted proxies. */
  address: string;
  token: string | null;
  isSecure: boolean;
  browser: string;
  /** The raw body of a signed call; empty for any other call. */
  raw: Buffer;
  header(name: string): string | undefined;
  setHeader(name: string, value: string): void;
}

/** `sql` runs in the call's transaction; for a GET each statement by itself. Amounts are validated decimal text. */
export interface Ctx<N extends CallName> {
  sql: Sql;
  caller: Caller;
  params: { [K in keyof Params<N>]: K extends 'platform' ? string : number };
  query: Query<N>;
  body: Body<N>;
  services: Services;
  exchange: Exchange;
  /** For whom hashing and other bounded work is done. */
  turn: Turn;
  limits: Limits;
  /** Every write reports here what it changed; the audit entry is written in the same transaction. */
  audit: Audit;
  /** Opens the transaction, with the audit entry, of calls that start without one (`ownTransaction`, callFacts.ts). */
  inTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** A handler for each call; a missing one is a compile error. */
export type Handlers = { [N in CallName]: (ctx: Ctx<N>) => HandlerAnswer<Answer<N>> };

/** Timestamps may be dates, and nothing means `{ ok: true }`: the schema of the call serializes the answer. */
type HandlerAnswer<T> = T extends Blob
  ? Promise<CsvFile>
  : Promise<DbRow<T>> | ({ ok: true } extends T ? Promise<void> : never);
