import { LIST_MAX } from '../../contract/constants';
import type { OwnSession } from '../../contract/entities';
import type { Fragment, Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { type Caller, type CallerRow, callerFrom } from './caller';
import { isLinked, needsSso } from './onlySso';
import { notePasskeyUse, type UsedPasskey } from './passkeys';
import { newToken, sha256 } from './secrets';
import { hasTwoFactor, isBySso, SETUP_MINUTES, SSO } from './twoFactor';

/** The two secrets of a new session: the bearer token, and the checkout cookie. Only their hashes are stored. */
export interface NewSession {
  token: string;
  checkout: string;
}
/** How a session was started: the browser, the second factor, and whether by the general login. */
export interface SessionOrigin {
  browser?: string;
  proof?: string | null;
  isGeneral?: boolean;
}
/** `has_two_factor`: whether the account has a second factor. A passkey was checked in place of both. */
export interface CheckedAccount {
  id: number;
  password_hash: string;
  has_two_factor?: boolean;
  passkey?: UsedPasskey;
}

const newSession = (): NewSession => ({ token: newToken(), checkout: newToken() });

interface SessionOptions {
  idleMinutes: number;
  hours: number;
  /** Super admins must have a second factor. */
  requireTwoFactor?: boolean;
}

/** Sessions with opaque 256-bit tokens: revoked at once; they end when idle for too long, or after some hours. */
export class Sessions {
  readonly idleSeconds: number;
  readonly #seconds: number;
  readonly #requireTwoFactor: boolean;

  constructor({ idleMinutes, hours, requireTwoFactor = false }: SessionOptions) {
    this.idleSeconds = idleMinutes * 60;
    this.#seconds = hours * 3600;
    this.#requireTwoFactor = requireTwoFactor;
  }

  async start(sql: Sql, adminId: number, address: string, how?: SessionOrigin): Promise<NewSession> {
    const session = await this.#begin(sql, sql`select ${adminId}::bigint as id`, address, how);
    if (!session) throw new Error('the session was not created');
    return session;
  }

  /**
   * Starts a session if the account is still active, still has the password, second factor and passkey that were
   * checked, and may still come in this way; null otherwise. The lock waits for a password change or a switch of the
   * identity provider in progress, or makes it wait. Either way no session survives the change.
   */
  async startWith(
    sql: Sql,
    { id, password_hash, has_two_factor = false, passkey }: CheckedAccount,
    address: string,
    how?: SessionOrigin,
  ): Promise<NewSession | null> {
    // a statement of its own: a statement that waits for a lock reads other rows as they were before
    await sql`select 1 from admins where id = ${id} for no key update`;
    if (passkey && !(await notePasskeyUse(sql, id, passkey))) return null;
    const account = sql`
      select a.id from admins a
      where a.id = ${id} and a.is_active and a.password_hash = ${password_hash}
        and ${how?.proof?.startsWith(SSO) ? isLinked(sql) : sql`not ${needsSso(sql)}`}
        and ${hasTwoFactor(sql, sql`${id}`)} = ${has_two_factor} for no key update`;
    return this.#begin(sql, account, address, how);
  }

  /** `account` is a query for the id of the session's account; it may return no row. */
  async #begin(
    sql: Sql,
    account: Fragment,
    address: string,
    { browser = '', proof = null, isGeneral = false }: SessionOrigin = {},
  ): Promise<NewSession | null> {
    const session = newSession();
    const made = await sql`
      with account as (${account})
      insert into sessions (token_hash, checkout_hash, admin_id, address, browser, proof, is_general, expires_at)
      select ${sha256(session.token)}, ${sha256(session.checkout)}, id, ${address}, ${browser}, ${proof}, ${isGeneral},
        now() + make_interval(secs => ${this.#seconds})
      from account
      returning admin_id`;
    return made.length ? session : null;
  }

  /** The owner of a token, or null. Without `isActivity` it is not kept alive. Written once a minute at most. */
  findCaller(sql: Sql, token: string, { isActivity }: { isActivity: boolean }): Promise<Caller | null> {
    return this.#find(sql, 'token_hash', token, isActivity);
  }

  findCheckoutCaller(sql: Sql, cookie: string): Promise<Caller | null> {
    return this.#find(sql, 'checkout_hash', cookie, false);
  }

  async #find(sql: Sql, column: 'token_hash' | 'checkout_hash', secret: string, isActivity: boolean) {
    const [row] = await sql<SessionRow[]>`
      select s.token_hash, a.id as admin_id, a.email, a.tenant_id, a.permissions,
        r.name as role, t.allowed_networks as networks, s.is_used,
        ${this.#needs(sql)} and ${hasOneFactor(sql)} as must_set_up,
        extract(epoch from now() - s.last_seen_at)::float8 as idle_seconds
      from sessions s
        join admins a on a.id = s.admin_id
        join roles r on r.id = a.role_id
        join tenants t on t.id = a.tenant_id
      where s.${sql(column)} = ${sha256(secret)} and a.is_active and t.is_active
        and ${this.#isLive(sql)}`;
    if (!row) return null;
    if (!row.is_used || (isActivity && row.idle_seconds > Math.min(60, this.idleSeconds / 4))) {
      await sql`
        update sessions set is_used = true${isActivity ? sql`, last_seen_at = now()` : sql``}
        where token_hash = ${row.token_hash}`;
    }
    return callerFrom(row);
  }

  #isLive(sql: Sql): Fragment {
    return sql`s.expires_at > now() and s.last_seen_at > now() - make_interval(secs => ${this.idleSeconds})`;
  }

  /** Expects an account `a` with its tenant `t` and role `r` in the query. */
  #needs(sql: Sql): Fragment {
    return this.#requireTwoFactor ? sql`(t.require_two_factor or r.name = 'super_admin')` : sql`t.require_two_factor`;
  }

  /** Replaces both secrets of the session with this token, which ends; null when there is none. Its times stay. */
  async renew(sql: Sql, token: string | null): Promise<NewSession | null> {
    const session = newSession();
    const renewed = await sql`
      update sessions set token_hash = ${sha256(session.token)}, checkout_hash = ${sha256(session.checkout)}
      where token_hash = ${sha256(token ?? '')}
      returning id`;
    return renewed.length ? session : null;
  }

  /** Returns the proof with which it was started. */
  async end(sql: Sql, token: string): Promise<string | null> {
    const [ended] = await sql<{ proof: string | null }[]>`
      delete from sessions where token_hash = ${sha256(token)} returning proof`;
    return ended?.proof ?? null;
  }

  /** Ends all sessions of an account except the one with this token. */
  async endAll(sql: Sql, adminId: number, except?: string | null): Promise<number> {
    const { count } = await sql`
      delete from sessions
      where admin_id = ${adminId} and token_hash <> ${except ? sha256(except) : Buffer.alloc(0)}`;
    return count;
  }

  /** Ends the unused session of a general login with this code and address: one code serves both logins, no third. */
  async consumeProven(sql: Sql, adminId: number, address: string, proof: string): Promise<boolean> {
    return sql`
      delete from sessions
      where admin_id = ${adminId} and address = ${address} and proof = ${proof} and is_general and not is_used
        and created_at > now() - interval '1 minute'
      returning admin_id`.hasRow();
  }

  /** Active sessions, newest first; `token` is the caller's. Not general logins that a tenant login has followed. */
  list(sql: Sql, adminId: number, token: string | null): Promise<readonly DbRow<OwnSession>[]> {
    return sql<DbRow<OwnSession>[]>`
      select s.id, s.created_at, s.last_seen_at, s.address, s.browser,
        s.token_hash = ${sha256(token ?? '')} as is_current
      from sessions s
      where s.admin_id = ${adminId} and ${this.#isLive(sql)} and ${isShown(sql)}
      order by s.created_at desc, s.id desc
      limit ${LIST_MAX}`;
  }

  /** How many sessions are active, without the same. */
  async count(sql: Sql): Promise<number> {
    const [row] = await sql<{ count: number }[]>`
      select count(*) from sessions s where ${this.#isLive(sql)} and ${isShown(sql)}`;
    return row?.count ?? 0;
  }

  /** Ends one session of an account; undefined when it has no such session. */
  async endOne(sql: Sql, adminId: number, id: number) {
    return sql<{ id: number; address: string; browser: string }[]>`
      delete from sessions where id = ${id} and admin_id = ${adminId} returning id, address, browser`.first();
  }

  async needsTwoFactor(sql: Sql, adminId: number): Promise<boolean> {
    return sql`
      select 1 from admins a join roles r on r.id = a.role_id join tenants t on t.id = a.tenant_id
      where a.id = ${adminId} and ${this.#needs(sql)}`.hasRow();
  }

  /** Ends the sessions of accounts that need a second factor and have none, in one tenant or in all. */
  async endWithoutTwoFactor(sql: Sql, tenantId?: number): Promise<void> {
    await sql`
      delete from sessions s using admins a, roles r, tenants t
      where a.id = s.admin_id and r.id = a.role_id and t.id = a.tenant_id
        and ${tenantId === undefined ? sql`true` : sql`t.id = ${tenantId}`} and ${this.#needs(sql)}
        and ${hasOneFactor(sql)}`;
  }

  /** Whether the account signed in from this network within 90 days. */
  async knows(sql: Sql, adminId: number, network: string): Promise<boolean> {
    return sql`
      select admin_id from known_networks
      where admin_id = ${adminId} and network = ${network} and seen_at > now() - interval '90 days'`.hasRow();
  }

  async remember(sql: Sql, adminId: number, network: string): Promise<void> {
    await sql`
      insert into known_networks (admin_id, network) values (${adminId}, ${network})
      on conflict (admin_id, network) do update set seen_at = excluded.seen_at`;
  }

  async sweep(sql: Sql): Promise<void> {
    await sql`delete from passkey_challenges where created_at < now() - interval '1 hour'`;
    await sql`delete from sso_flows where created_at < now() - interval '1 day'`;
    await sql`delete from known_networks where seen_at < now() - interval '90 days'`;
    await sql`
      delete from two_factor
      where confirmed_at is null and begun_at < now() - make_interval(mins => ${SETUP_MINUTES})`;
    await sql`
      delete from sessions
      where expires_at < now() or last_seen_at < now() - make_interval(secs => ${this.idleSeconds})`;
  }
}

/** The session `s` of an account `a` was started with a password alone. A passkey has verified its owner. */
const hasOneFactor = (sql: Sql) => sql`(
  coalesce(s.proof, '') not like 'passkey%' and not ${isBySso(sql)} and not ${hasTwoFactor(sql, sql`a.id`)})`;

/** Not of a general login that carried no call and that a tenant login from the same address has followed. */
const isShown = (sql: Sql) => sql`(
  s.is_used or not s.is_general or not exists (
    select 1 from sessions n
    where n.admin_id = s.admin_id and n.address = s.address and not n.is_general and n.created_at >= s.created_at))`;

interface SessionRow extends CallerRow {
  token_hash: Buffer;
  is_used: boolean;
  idle_seconds: number;
}
