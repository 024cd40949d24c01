/** API keys: 256 random bits, of which only the hash is stored. They end with the person who made them. */
import type { CallSpec } from '../../contract/calls';
import { ADMIN_ROLE, LIST_MAX } from '../../contract/constants';
import { KEY_PREFIX, type Scope, scopes } from '../../contract/integrations';
import { includesAll, type Permission, permissionsOfScope } from '../../contract/permissions';
import { Problem } from '../core/problem';
import type { Fragment, Sql } from '../db/open';
import type { Caller } from './caller';
import type { RateLimits } from './rateLimits';
import { newToken, sha256 } from './secrets';

export function newApiKey(): { key: string; prefix: string; key_hash: Buffer } {
  const key = KEY_PREFIX + newToken();
  return { key, prefix: key.slice(0, KEY_PREFIX.length + 6), key_hash: sha256(key) };
}

/** A query condition on `api_keys k`: the key works. */
export const isActiveKey = (sql: Sql) => sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`;

/** A query expression: the names of the active keys that an admin made, in any tenant. */
export const activeKeyNames = (sql: Sql, adminId: Fragment) =>
  sql`array(
    select k.name from api_keys k where k.admin_id = ${adminId} and ${isActiveKey(sql)} order by k.id limit ${LIST_MAX})`;

export const notAKey = () => new Problem(401, 'Not a valid API key');

const scopesBeyond = (permissions: readonly Permission[]): Scope[] =>
  scopes.filter((scope) => !includesAll(permissions, permissionsOfScope[scope]));

/** Revokes an admin's active keys, all or those that may do more than `permissions`. Returns them for the audit log. */
export async function revokeKeysOf(sql: Sql, adminId: number, permissions: readonly Permission[] = []) {
  const revoked = await sql<{ id: number; key: string }[]>`
    update api_keys k set revoked_at = now()
    where k.admin_id = ${adminId} and k.scopes && ${scopesBeyond(permissions)}::text[] and ${isActiveKey(sql)}
    returning k.id, k.name || ' (' || k.prefix || '…)' as key`;
  return revoked.length ? { revoked_api_keys: revoked.sort((a, b) => a.id - b.id).map(({ key }) => key) } : {};
}

/** The caller of a key: as its tenant's admins, but only in the calls for keys. Notes its last use to the minute. */
async function findKeyCaller(sql: Sql, token: string): Promise<Caller | null> {
  const [row] = await sql<
    { id: number; tenant_id: number; prefix: string; scopes: string[]; admin_id: number; is_noted: boolean }[]
  >`
    select k.id, k.tenant_id, k.prefix, k.scopes, k.admin_id, k.last_used_at > now() - interval '1 minute' as is_noted
    from api_keys k join tenants t on t.id = k.tenant_id
    where k.key_hash = ${sha256(token)} and ${isActiveKey(sql)} and t.is_active`;
  if (!row) return null;
  if (!row.is_noted)
    await sql`update api_keys set last_used_at = now() where tenant_id = ${row.tenant_id} and id = ${row.id}`;
  return {
    admin_id: 0,
    email: `API key ${row.prefix}`,
    tenant_id: row.tenant_id,
    role: { name: ADMIN_ROLE, is_super_admin: false },
    permissions: [],
    must_set_up: false,
    key: { id: row.id, scopes: row.scopes, admin_id: row.admin_id },
  };
}

/** The caller of a call for keys. 401: missing, revoked or expired key; 429: too many calls; 403: missing scope. */
export async function requireKey(sql: Sql, rateLimits: RateLimits, { scopes = [] }: CallSpec, token: string | null) {
  const caller = token?.startsWith(KEY_PREFIX) ? await findKeyCaller(sql, token) : null;
  if (!caller?.key || caller.tenant_id === null) throw notAKey();
  await rateLimits.keyCall(caller.tenant_id);
  const { key } = caller;
  if (!scopes.some((scope) => key.scopes.includes(scope)))
    throw new Problem(403, `This API key does not have the scope ${scopes.join(' or ')}`);
  return caller;
}

/** A robot at game platforms decides what is done there, and nothing else. */
export function requireWork({ key }: Caller, type: string): void {
  if (key && !key.scopes.some((scope) => scope.startsWith('transactions:')) && type !== 'DEPOSIT' && type !== 'RETURN')
    throw new Problem(403, 'This API key does not have the scope transactions:settle');
}
