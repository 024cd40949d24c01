import * as v from 'valibot';
import { boolean, email, id, number, secret, string, trueOrFalse } from './fields';

export const Role = v.object({ id: number, name: string });
export type Role = v.InferOutput<typeof Role>;

/** A staff account. The code calls players "players"; only the API calls them users. */
export const Admin = v.object({
  id: number,
  email: string,
  is_active: boolean,
  tenant_id: number,
  has_two_factor: v.optional(boolean),
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
});
export type AdminForm = v.InferOutput<typeof AdminForm>;
