import { createHash, randomBytes } from 'node:crypto';
import type { Sql } from '../db/open';
import type { OwnSession } from '../../contract/account';
import type { DbRow } from '../db/row';
import type { Caller } from './caller';
import { hasTwoFactor } from './twoFactor';

/** A new session's two secrets: the bearer token, and the cookie that stands for it at the checkout. Only their hashes are stored. */
export interface NewSession { token: string; checkout: string }
/** How it began: in which browser, with which second factor, and whether at the general login. */
export interface Beginning { browser?: string; proof?: string | null; isGeneral?: boolean }
/** `has_two_factor`: what was checked besides the password. */
export interface CheckedAccount { id: number; password_hash: string; has_two_factor?: boolean }

/** Opaque 256-bit tokens, revocable at once; they end after a time without activity, and after an absolute time. */
export interface Sessions {
  start(sql: Sql, adminId: number, address: string, how?: Beginning): Promise<NewSession>;
  /** The same, if the account is active and still has the password that was checked, and a second factor only if one was; else null. */
  startWith(sql: Sql, account: CheckedAccount, address: string, how?: Beginning): Promise<NewSession | null>;
  /** Whose token this is, or null. `isActivity` false (what an open page asks by itself) does not keep the session alive. */
  findCaller(sql: Sql, token: string, options: { isActivity: boolean }): Promise<Caller | null>;
  findCheckoutCaller(sql: Sql, cookie: string): Promise<Caller | null>;
  end(sql: Sql, token: string): Promise<void>;
  /** All sessions of an account, but for the one whose token is given. */
  endAll(sql: Sql, adminId: number, except?: string | null): Promise<number>;
  /** The general login's session, never used, is replaced by the tenant login that follows it at once: the last one from there, and no other. */
  replaceUnused(sql: Sql, adminId: number, address: string): Promise<void>;
  /** Ends the general login's session, never used, if it began from there with this very code: so that one code does for both logins, and for no third. */
  consumeProven(sql: Sql, adminId: number, address: string, proof: string): Promise<boolean>;
  /** An account's sessions that can still be used, the newest first; `token` says which is the caller's. */
  list(sql: Sql, adminId: number, token: string | null): Promise<readonly DbRow<OwnSession>[]>;
  /** Ends one of an account's sessions; undefined where it has no such one. */
  endOne(sql: Sql, adminId: number, id: number): Promise<{ id: number; address: string; browser: string } | undefined>;
  /** Whether the account may not be without a second factor. */
  needsTwoFactor(sql: Sql, adminId: number): Promise<boolean>;
  /** Ends the sessions of whoever needs a second factor and has none; of one tenant, or of all. */
  endWithoutTwoFactor(sql: Sql, tenantId?: number): Promise<void>;
  /** Whether somebody has signed in from this network by this name, within 90 days. */
  knows(sql: Sql, name: string, network: string): Promise<boolean>;
  remember(sql: Sql, adminId: number, network: string): Promise<void>;
  /** Removes what has run out. */
  sweep(sql: Sql): Promise<void>;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const newToken = () => randomBytes(32).toString('base64url');

/** `requireTwoFactor`: super admins may not be without a second factor. */
export function createSessions({ idleMinutes, hours, requireTwoFactor = false }: { idleMinutes: number; hours: number; requireTwoFactor?: boolean }): Sessions {
  const idleSeconds = idleMinutes * 60, seconds = hours * 3600;
  /** Written at most once a minute, not with every call. */
  const touchAfterSeconds = Math.min(60, idleSeconds / 4);

  async function read(sql: Sql, column: 'token_hash' | 'checkout_hash', secret: string) {
    const [row] = await sql<SessionRow[]>`
      select s.token_hash, a.id as admin_id, a.email, a.tenant_id, r.name as role, s.is_used, ${needs(sql)} and not ${hasTwoFactor(sql, sql`a.id`)} as must_set_up,
             extract(epoch from now() - s.last_seen_at)::float8 as idle_seconds
      from sessions s join admins a on a.id = s.admin_id join roles r on r.id = a.role_id join tenants t on t.id = a.tenant_id
      where s.${sql(column)} = ${sha256(secret)} and a.is_active and t.is_active
        and ${isLive(sql)}`;
    return row;
  }
  const isLive = (sql: Sql) => sql`s.expires_at > now() and s.last_seen_at > now() - make_interval(secs => ${idleSeconds})`;
  /** Of an account `a` with its tenant `t` and role `r`. */
  const needs = (sql: Sql) => (requireTwoFactor ? sql`(t.require_two_factor or r.name = 'super_admin')` : sql`t.require_two_factor`);
  const callerFrom = (row: SessionRow): Caller => ({
    admin_id: row.admin_id, must_set_up: row.must_set_up, email: row.email, tenant_id: row.tenant_id,
    role: { name: row.role, is_super_admin: row.role === 'super_admin' },
  });

  /** `account` gives the id of the one whose session it is, or no row. */
  async function begin(sql: Sql, account: ReturnType<Sql>, address: string, { browser = '', proof = null, isGeneral = false }: Beginning = {}): Promise<NewSession | null> {
    const session = { token: newToken(), checkout: newToken() };
    const made = await sql`
      with account as (${account})
      insert into sessions (token_hash, checkout_hash, admin_id, address, browser, proof, is_general, expires_at)
      select ${sha256(session.token)}, ${sha256(session.checkout)}, id, ${address}, ${browser}, ${proof}, ${isGeneral}, now() + make_interval(secs => ${seconds}) from account
      returning admin_id`;
    return made.length ? session : null;
  }

  return {
    async start(sql, adminId, address, how) {
      const session = await begin(sql, sql`select ${adminId}::bigint as id`, address, how);
      if (!session) throw new Error('the session was not created');
      return session;
    },
    // The lock waits for a change of the password that is under way, or makes it wait: either way no session outlives it.
    async startWith(sql, { id, password_hash, has_two_factor = false }, address, how) {
      await sql`select from admins where id = ${id} for share`; // by itself: what a statement that waits reads elsewhere is old
      return begin(sql, sql`
        select id from admins where id = ${id} and is_active and password_hash = ${password_hash} and ${hasTwoFactor(sql, sql`${id}`)} = ${has_two_factor} for share`, address, how);
    },
    async findCaller(sql, token, { isActivity }) {
      const row = await read(sql, 'token_hash', token);
      if (!row) return null;
      if (!row.is_used || (isActivity && row.idle_seconds > touchAfterSeconds)) {
        await sql`
          update sessions set is_used = true, last_seen_at = case when ${isActivity} then now() else last_seen_at end
          where token_hash = ${row.token_hash}`;
      }
      return callerFrom(row);
    },
    async findCheckoutCaller(sql, cookie) {
      const row = await read(sql, 'checkout_hash', cookie);
      return row ? callerFrom(row) : null;
    },
    end: async (sql, token) => { await sql`delete from sessions where token_hash = ${sha256(token)}`; },
    async endAll(sql, adminId, except) {
      const { count } = await sql`delete from sessions where admin_id = ${adminId} and token_hash <> ${except ? sha256(except) : Buffer.alloc(0)}`;
      return count;
    },
    replaceUnused: async (sql, adminId, address) => {
      await sql`
        delete from sessions where id = (
          select id from sessions where admin_id = ${adminId} and address = ${address} and is_general and not is_used and created_at > now() - interval '2 minutes'
          order by created_at desc, id desc limit 1)`;
    },
    async consumeProven(sql, adminId, address, proof) {
      const rows = await sql`
        delete from sessions
        where admin_id = ${adminId} and address = ${address} and proof = ${proof} and not is_used and created_at > now() - interval '2 minutes' returning admin_id`;
      return rows.length > 0;
    },
    list: (sql, adminId, token) => sql<DbRow<OwnSession>[]>`
      select s.id, s.created_at, s.last_seen_at, s.address, s.browser, s.token_hash = ${sha256(token ?? '')} as is_current
      from sessions s where s.admin_id = ${adminId} and ${isLive(sql)} order by s.created_at desc, s.id desc`,
    async endOne(sql, adminId, id) {
      const [ended] = await sql<{ id: number; address: string; browser: string }[]>`delete from sessions where id = ${id} and admin_id = ${adminId} returning id, address, browser`;
      return ended;
    },
    async needsTwoFactor(sql, adminId) {
      const rows = await sql`select from admins a join roles r on r.id = a.role_id join tenants t on t.id = a.tenant_id where a.id = ${adminId} and ${needs(sql)}`;
      return rows.length > 0;
    },
    endWithoutTwoFactor: async (sql, tenantId) => {
      await sql`
        delete from sessions s using admins a, roles r, tenants t
        where a.id = s.admin_id and r.id = a.role_id and t.id = a.tenant_id and ${tenantId === undefined ? sql`true` : sql`t.id = ${tenantId}`} and ${needs(sql)} and not ${hasTwoFactor(sql, sql`a.id`)}`;
    },
    async knows(sql, name, network) {
      const rows = await sql`
        select from known_networks k join admins a on a.id = k.admin_id
        where k.network = ${network} and k.seen_at > now() - interval '90 days' and (lower(a.email) = lower(${name}) or lower(a.username) = lower(${name}))`;
      return rows.length > 0;
    },
    remember: async (sql, adminId, network) => {
      await sql`
        insert into known_networks (admin_id, network) values (${adminId}, ${network})
        on conflict (admin_id, network) do update set seen_at = now() where known_networks.seen_at < now() - interval '1 day'`;
    },
    sweep: async (sql) => {
      await sql`delete from known_networks where seen_at < now() - interval '90 days'`;
      await sql`delete from sessions where expires_at < now() or last_seen_at < now() - make_interval(secs => ${idleSeconds})`;
    },
  };
}

interface SessionRow { token_hash: Buffer; admin_id: number; email: string; tenant_id: number; role: string; is_used: boolean; idle_seconds: number; must_set_up: boolean }
