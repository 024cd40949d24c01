/** What every resource is written in terms of: the context of one call, and the tenant fence. */
import type postgres from 'postgres';
import type { Answer, Body, CallName, Params, Query } from '../contract/calls';
import { PLATFORM_TENANT_ID } from '../contract/constants';
import type { SessionUser } from '../contract/entities';
import { mayEnterTenant } from '../contract/rules';
import type { Audit } from './audit/auditLog';
import type { CsvFile } from './csv';
import type { Sql } from './db/open';
import { notFound, Problem, tenantViolation } from './problem';
import type { Secrets } from './auth/secrets';
import type { Sessions } from './auth/sessions';
import type { Throttle } from './auth/rateLimits';

/** Who is calling. `admin_id` is 0 for calls open to anyone, and for an API key, which then is `key`. */
export interface Caller extends SessionUser {
  admin_id: number; email: string;
  /** Must set up a second factor before anything else. */
  must_set_up: boolean;
  key?: { id: number; scopes: readonly string[] };
}

/** What lives as long as the server does. */
export interface Services {
  secrets: Secrets;
  sessions: Sessions;
  throttle: Throttle;
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
export type Handlers = { [N in CallName]: (ctx: Ctx<N>) => Promise<AnswerRow<Answer<N>>> };

/** An answer as the driver hands it over: moments are still dates. */
export type AnswerRow<T> =
  T extends Blob ? CsvFile
  : T extends readonly (infer Item)[] ? readonly AnswerRow<Item>[]
  : T extends object ? { [K in keyof T]: K extends `${string}_at` ? T[K] | Date : AnswerRow<T[K]> }
  : T;

/** The tenant a call may touch: the requested one if allowed, else the caller's own. null: all of them (a super admin's). */
export function tenantScope(caller: Caller, requested?: number): number | null {
  if (!mayEnterTenant(caller, requested)) throw tenantViolation();
  return requested ?? (caller.role.is_super_admin ? null : caller.tenant_id);
}

/** The tenant fence of a query: sql`… where ${inTenant(sql, tenant, 'r.tenant_id')}`. */
export const inTenant = (sql: Sql, tenant: number | null, column = 'tenant_id') =>
  (tenant === null ? sql`true` : sql`${sql(column)} = ${tenant}`);

/** The platform's own tenant takes no tenant admins, players, platforms or payment methods. */
export function refusePlatformTenant(tenantId: number): void {
  if (tenantId === PLATFORM_TENANT_ID) throw new Problem(400, "The platform's own tenant takes no tenant admins, players, platforms or payment methods");
}

/** A tenant that can have players, platforms and payment methods; 400 for the platform's own, 404 for an unknown one. */
export async function requireTenant(sql: Sql, tenantId: number): Promise<{ id: number; name: string }> {
  refusePlatformTenant(tenantId);
  return requireKnownTenant(sql, tenantId);
}

/** Any tenant, to be read; 404 for an unknown one. */
export async function requireKnownTenant(sql: Sql, tenantId: number): Promise<{ id: number; name: string }> {
  const [tenant] = await sql<{ id: number; name: string }[]>`select id, name from tenants where id = ${tenantId}`;
  if (!tenant) throw notFound('Tenant');
  return tenant;
}

/** Whose something is. */
export interface Owner { tenant_id: number; player_id: number }

/** A player of the caller's; one of another tenant does not exist for them. */
export async function findPlayer(sql: Sql, tenant: number | null, id: number): Promise<Owner> {
  const [player] = await sql<Owner[]>`select tenant_id, id as player_id from players where id = ${id} and ${inTenant(sql, tenant)} and deleted_at is null`;
  if (!player) throw notFound('User');
  return player;
}

/** Runs a write; a row that breaks a unique rule is a 409 in these words. */
export async function orConflict<T>(write: PromiseLike<T>, detail: string): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23505') throw new Problem(409, detail);
    throw error;
  }
}
