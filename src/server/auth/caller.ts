import type { SessionUser } from '../../contract/entities';
import { type Permission, permissions } from '../../contract/permissions';
import { toNetwork } from '../core/clientNetwork';
import type { Turn } from '../core/fairQueue';

/** Who makes a call. `admin_id` is 0 when anyone may make the call, and for an API key, which is then in `key`. */
export interface Caller extends SessionUser {
  admin_id: number;
  email: string;
  /** What the caller may do besides looking; all of it for a super admin, nothing for an API key, which has scopes. */
  permissions: Permission[];
  /** Must set up a second factor before doing anything else. */
  must_set_up: boolean;
  /** From where the account may be used; none: from everywhere. */
  networks?: readonly string[];
  key?: { id: number; scopes: readonly string[]; admin_id: number };
}

/** A person as the tables have them. */
export interface CallerRow extends Pick<Caller, 'admin_id' | 'email' | 'tenant_id' | 'permissions' | 'must_set_up'> {
  role: string;
  networks?: readonly string[];
}
export const callerFrom = ({ admin_id, must_set_up, email, tenant_id, role, ...row }: CallerRow): Caller => ({
  admin_id,
  must_set_up,
  email,
  tenant_id,
  networks: row.networks ?? [],
  role: { name: role, is_super_admin: role === 'super_admin' },
  permissions: role === 'super_admin' ? [...permissions] : row.permissions,
});

/** An account with its tenant and role. */
export interface AccountRow {
  id: number;
  email: string;
  tenant_id: number;
  password_hash: string;
  is_active: boolean;
  tenant_is_active: boolean;
  tenant_name: string;
  mail_links: boolean;
  allowed_networks: string[];
  needs_sso: boolean;
  time_zone: string;
  role: string;
  permissions: Permission[];
  has_two_factor: boolean;
}

/** The caller of calls that are open to anyone. */
export const anonymous: Caller = {
  admin_id: 0,
  email: '',
  permissions: [],
  must_set_up: false,
  tenant_id: null,
  role: { name: '', is_super_admin: false },
};

/** Who a call counts for when callers take turns: the tenant, the super admin, or the network of anybody else. */
export function toTurn(caller: Caller, address: string, signal?: AbortSignal): Turn {
  if (!caller.admin_id && !caller.key) return { lane: 'stranger', key: toNetwork(address), signal };
  const key = caller.role.is_super_admin ? `admin ${caller.admin_id}` : `tenant ${caller.tenant_id}`;
  return { lane: 'signedIn', key, signal };
}

/** The same for limits of one person or API key. */
export const toOwnTurn = (caller: Caller, turn: Turn): Turn => ({
  ...turn,
  key: caller.key ? `key ${caller.key.id}` : `admin ${caller.admin_id}`,
});
