import * as v from 'valibot';
import { NETWORKS_MAX } from '../constants';
import { permissions } from '../permissions';
import * as f from './fields';

export const Role = v.object({ id: f.number, name: f.string });
export type Role = v.InferOutput<typeof Role>;

const permission = v.picklist(permissions, `expected ${permissions.join(', ')}`);
/** What an admin of a tenant may do besides looking. An empty list means looking alone. */
export const permissionList = v.pipe(
  v.array(permission, 'expected a list of permissions'),
  v.maxLength(permissions.length, 'each at most once'),
  v.transform((chosen) => permissions.filter((one) => chosen.includes(one))),
);

/** A staff account. The code calls players "players"; only the API calls them users. */
export const Admin = v.object({
  id: f.number,
  email: f.string,
  is_active: f.boolean,
  tenant_id: f.number,
  has_two_factor: v.optional(f.boolean),
  /** Needs the feature `passkeys`. */
  has_passkeys: v.optional(f.boolean),
  is_self: v.optional(f.boolean),
  /** Null if it was more than 90 days ago, or never. */
  last_sign_in_at: v.optional(f.maybe(f.instant)),
  /** The names of the active API keys that this person made. Needs the feature `key_owners`. */
  api_keys: v.optional(v.array(f.string)),
  /** Null for super admins, who may do everything. Needs the feature `permissions`. */
  permissions: v.optional(f.maybe(v.array(permission))),
});
export type Admin = v.InferOutput<typeof Admin>;

export const NewAdmin = v.object({
  email: f.newEmail,
  password: f.newSecret,
  tenant_id: f.id,
  role_id: f.id,
  /** Without it, all but `team`. Needs the feature `permissions`. */
  permissions: v.optional(permissionList),
});

/** A blank or missing password keeps the current one. */
export const AdminForm = v.object({
  email: f.email,
  password: v.optional(f.newSecretOrBlank),
  /** Needs the feature `enable_admin`. */
  is_active: v.optional(f.trueOrFalse),
  /** A new password, or disabling, does not revoke the API keys that the admin made. Needs the feature `key_owners`. */
  keep_api_keys: v.optional(f.trueOrFalse),
  /** Without it, the permissions stay. Needs the feature `permissions`. */
  permissions: v.optional(permissionList),
});
export type AdminForm = v.InferOutput<typeof AdminForm>;

/** `keep_api_keys` as in `AdminForm`. */
export const DisableQuery = v.object({ ...f.reasonInQuery, keep_api_keys: f.keepsKeysInQuery });

/** A colleague, as whoever manages the team sees them. */
export const TeamMember = v.object({
  ...Admin.entries,
  has_two_factor: f.boolean,
  is_self: f.boolean,
  permissions: v.array(permission),
  /** Whether the caller has every permission that this person has, and so may change them. */
  may_change: f.boolean,
});
export type TeamMember = v.InferOutput<typeof TeamMember>;

/** The caller's own password, and a code if two-factor sign-in is on, because an account outlives a stolen session. */
export const identity = { current_password: f.secret(1), code: v.optional(f.text(40)) };

export const NewTeamMember = v.object({
  email: f.newEmail,
  password: f.newSecret,
  permissions: permissionList,
  tenant_id: f.given(f.id),
  ...identity,
});

/** Instead of a password, the person gets a link by e-mail to choose one. */
export const Invitation = v.omit(NewTeamMember, ['password']);

/** Networks such as 192.0.2.0/24, or single addresses; none: all. */
const networks = v.pipe(
  v.array(v.pipe(f.text(50), v.regex(/^[\da-f.:]+(\/\d{1,3})?$/i, 'expected a network such as 192.0.2.0/24'))),
  v.maxLength(NETWORKS_MAX, `at most ${NETWORKS_MAX} networks`),
);
export const AllowedNetworks = v.object({
  networks: v.array(f.string),
  your_address: f.string,
});

/** Without a tenant, those of the caller's own. */
export const NetworksForm = v.object({ networks, tenant_id: f.given(f.id), ...identity });

/** What is left out stays as it is. */
export const TeamMemberForm = v.object({
  email: v.optional(f.email),
  password: v.optional(f.newSecretOrBlank),
  is_active: v.optional(f.trueOrFalse),
  permissions: v.optional(permissionList),
  keep_api_keys: v.optional(f.trueOrFalse),
  ...identity,
});
