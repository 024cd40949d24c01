import * as v from 'valibot';
import { boolean, email, id, keepsKeysInQuery, number, reasonInQuery, secret, string, trueOrFalse } from './fields';

export const Role = v.object({ id: number, name: string });
export type Role = v.InferOutput<typeof Role>;

/** A staff account. The code calls players "players"; only the API calls them users. */
export const Admin = v.object({
  id: number,
  email: string,
  is_active: boolean,
  tenant_id: number,
  has_two_factor: v.optional(boolean),
  /** Whether this is the caller's own account. */
  is_self: v.optional(boolean),
  /** The names of the active API keys that this person made. Needs the feature `key_owners`. */
  api_keys: v.optional(v.array(string)),
});
export type Admin = v.InferOutput<typeof Admin>;

export const AdminsQuery = v.object({ tenant_id: id });
export type AdminsQuery = v.InferOutput<typeof AdminsQuery>;

export const NewAdmin = v.object({ email, password: secret(8), tenant_id: id, role_id: id });
export type NewAdmin = v.InferOutput<typeof NewAdmin>;

/** A blank or missing password keeps the current one. */
export const AdminForm = v.object({
  email,
  password: v.optional(v.union([v.literal(''), secret(8)], 'at least 8 characters, or blank to keep the current one')),
  /** Needs the feature `enable_admin`. */
  is_active: v.optional(trueOrFalse),
  /** A new password, or disabling, does not revoke the API keys that the admin made. Needs the feature `key_owners`. */
  keep_api_keys: v.optional(trueOrFalse),
});
export type AdminForm = v.InferOutput<typeof AdminForm>;

/** `keep_api_keys` as in `AdminForm`. */
export const DisableQuery = v.object({ ...reasonInQuery, keep_api_keys: keepsKeysInQuery });
export type DisableQuery = v.InferOutput<typeof DisableQuery>;
