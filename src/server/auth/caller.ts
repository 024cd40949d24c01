import type { SessionUser } from '../../contract/entities';

/** Who makes a call. `admin_id` is 0 when anyone may make the call, and for an API key, which is then in `key`. */
export interface Caller extends SessionUser {
  admin_id: number;
  email: string;
  /** Must set up a second factor before doing anything else. */
  must_set_up: boolean;
  key?: { id: number; scopes: readonly string[] };
}

/** The caller of calls that are open to anyone. */
export const anonymous: Caller = {
  admin_id: 0,
  email: '',
  must_set_up: false,
  tenant_id: null,
  role: { name: '', is_super_admin: false },
};
