import { createHash, randomBytes } from 'node:crypto';
import type { Sql } from './db/open';
import type { Caller } from './resource';

/** A new session's two secrets: the bearer token, and the cookie that stands for it at the checkout. Only their hashes are stored. */
export interface NewSession { token: string; checkout: string }

/** Opaque 256-bit tokens, revocable at once; they end after a time without activity, and after an absolute time. */
export interface Sessions {
  start(sql: Sql, adminId: number, address: string): Promise<NewSession>;
  /** The same, if the account is active and still has the password that was checked; else null. */
  startWith(sql: Sql, account: { id: number; password_hash: string }, address: string): Promise<NewSession | null>;
  /** Whose token this is, or null. `isActivity` false (what an open page asks by itself) does not keep the session alive. */
  callerOf(sql: Sql, token: string, isActivity: boolean): Promise<Caller | null>;
  callerAtCheckout(sql: Sql, cookie: string): Promise<Caller | null>;
  end(sql: Sql, token: string): Promise<void>;
  /** All sessions of an account, but for the one whose token is given. */
  endAll(sql: Sql, adminId: number, except?: string | null): Promise<void>;
  /** The general login's session, never used, is replaced by the tenant login that follows it at once. */
  replaceUnused(sql: Sql, adminId: number, address: string): Promise<void>;
  /** Whether somebody has signed in from this network by this name, within 90 days. */
  knows(sql: Sql, name: string, network: string): Promise<boolean>;
  remember(sql: Sql, adminId: number, network: string): Promise<void>;
  /** Removes what has run out. */
  sweep(sql: Sql): Promise<void>;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const newToken = () => randomBytes(32).toString('base64url');

export function createSessions({ idleMinutes, hours }: { idleMinutes: number; hours: number }): Sessions {
  const idleSeconds = idleMinutes * 60, seconds = hours * 3600;
  /** Written at most once a minute, not with every call. */
  const touchAfterSeconds = Math.min(60, idleSeconds / 4);

  async function read(sql: Sql, column: 'token_hash' | 'checkout_hash', secret: string) {
    const [row] = await sql<SessionRow[]>`
      select s.token_hash, a.id as admin_id, a.email, a.tenant_id, r.name as role, s.is_used,
             extract(epoch from now() - s.last_seen_at)::float8 as idle_seconds
      from sessions s join admins a on a.id = s.admin_id join roles r on r.id = a.role_id join tenants t on t.id = a.tenant_id
      where s.${sql(column)} = ${sha256(secret)} and a.is_active and t.is_active
        and s.expires_at > now() and s.last_seen_at > now() - make_interval(secs => ${idleSeconds})`;
    return row;
  }
  const callerFrom = (row: SessionRow): Caller => ({
    admin_id: row.admin_id, email: row.email, tenant_id: row.tenant_id,
    role: { name: row.role, is_super_admin: row.role === 'super_admin' },
  });

  /** `account` gives the id of the one whose session it is, or no row. */
  async function begin(sql: Sql, account: ReturnType<Sql>, address: string): Promise<NewSession | null> {
    const session = { token: newToken(), checkout: newToken() };
    const made = await sql`
      with account as (${account})
      insert into sessions (token_hash, checkout_hash, admin_id, address, expires_at)
      select ${sha256(session.token)}, ${sha256(session.checkout)}, id, ${address}, now() + make_interval(secs => ${seconds}) from account
      returning admin_id`;
    return made.length ? session : null;
  }

  return {
    async start(sql, adminId, address) {
      const session = await begin(sql, sql`select ${adminId}::bigint as id`, address);
      return session!;
    },
    // The lock waits for a change of the password that is under way, or makes it wait: either way no session outlives it.
    startWith: (sql, { id, password_hash }, address) =>
      begin(sql, sql`select id from admins where id = ${id} and is_active and password_hash = ${password_hash} for share`, address),
    async callerOf(sql, token, isActivity) {
      const row = await read(sql, 'token_hash', token);
      if (!row) return null;
      if (!row.is_used || (isActivity && row.idle_seconds > touchAfterSeconds)) {
        await sql`
          update sessions set is_used = true, last_seen_at = case when ${isActivity} then now() else last_seen_at end
          where token_hash = ${row.token_hash}`;
      }
      return callerFrom(row);
    },
    async callerAtCheckout(sql, cookie) {
      const row = await read(sql, 'checkout_hash', cookie);
      return row ? callerFrom(row) : null;
    },
    end: async (sql, token) => { await sql`delete from sessions where token_hash = ${sha256(token)}`; },
    async endAll(sql, adminId, except) {
      await sql`delete from sessions where admin_id = ${adminId} and token_hash <> ${except ? sha256(except) : Buffer.alloc(0)}`;
    },
    replaceUnused: async (sql, adminId, address) => {
      await sql`
        delete from sessions
        where admin_id = ${adminId} and address = ${address} and not is_used and created_at > now() - interval '2 minutes'`;
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

interface SessionRow { token_hash: Buffer; admin_id: number; email: string; tenant_id: number; role: string; is_used: boolean; idle_seconds: number }
