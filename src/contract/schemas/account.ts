/** Signing in, and the signed-in person's own account (docs/product.md, "Sign-in and sessions"). */
import * as v from 'valibot';
import { features } from '../constants';
import { permissions } from '../permissions';
import * as f from './fields';

/** Also without an at-sign, of any length: no hint at a policy. `code` follows a 401 with the code `second_factor`. */
export const Credentials = v.object({ email: f.filled(254), password: f.secret(1), code: f.nullAsBlank(f.text(40)) });
export type Credentials = v.InferOutput<typeof Credentials>;

const permission = v.picklist(permissions);

export const SessionUser = v.object({
  role: v.object({ name: f.string, is_super_admin: f.boolean }),
  /** The tenant of a super admin is the platform's own (1). */
  tenant_id: f.maybe(f.number),
  /** What a tenant's admin may do; absent for super admins. Needs the feature `permissions`. */
  permissions: v.optional(v.array(permission)),
});
export type SessionUser = v.InferOutput<typeof SessionUser>;

/** What this server offers beyond the calls that every server has. */
const offered = v.array(v.picklist(features));
export const LoginAnswer = f.optionalElsewhere(['features'], {
  access_token: f.string,
  /** Who signed in, and the tenant's name and IANA time zone. */
  user: f.optionalElsewhere(['email', 'tenant_name', 'time_zone'], {
    ...SessionUser.entries,
    email: f.string,
    tenant_name: f.string,
    time_zone: f.string,
    /** Absent after a password. Needs the feature `sso`. */
    signed_in_by: v.optional(v.literal('sso')),
  }),
  features: offered,
});
export type LoginAnswer = v.InferOutput<typeof LoginAnswer>;

/** The signed-in person's own account; needs the feature `account`. */
export const Account = f.optionalElsewhere(['api_keys', 'permissions'], {
  email: f.string,
  has_two_factor: f.boolean,
  two_factor_at: f.maybe(f.instant),
  must_have_two_factor: f.boolean,
  recovery_codes_left: f.number,
  /** The names of the active API keys that this person made. Needs the feature `key_owners`. */
  api_keys: v.array(f.string),
  /** Null for a super admin, who may do everything. Needs the feature `permissions`. */
  permissions: f.maybe(v.array(permission)),
});
export type Account = v.InferOutput<typeof Account>;

/**
 * `code` is required if two-factor sign-in is on. Revokes the API keys that the person made, unless `keep_api_keys` is
 * set (feature `key_owners`), and removes the passkeys, unless `keep_passkeys` is (feature `passkeys`).
 */
export const PasswordForm = v.object({
  current_password: f.secret(1),
  code: v.optional(f.text(40)),
  new_password: f.secret(8),
  keep_api_keys: v.optional(f.trueOrFalse),
  keep_passkeys: v.optional(f.trueOrFalse),
});

/** Asks for a link to choose a password. */
export const LinkRequest = v.object({ email: f.email });

/** `token` is the one of the link. */
export const ChosenPassword = v.object({ token: f.filled(100), new_password: f.newSecret });

/** The session goes on with this token; the one that the call was made with has ended. */
export const PasswordChanged = f.optionalElsewhere(['access_token'], { ...f.Ok.entries, access_token: f.string });

/** An active session of the signed-in person. */
export const OwnSession = v.object({
  id: f.number,
  created_at: f.instant,
  last_seen_at: f.instant,
  address: f.string,
  /** A description such as "Firefox on Linux". */
  browser: f.string,
  is_current: f.boolean,
});
export type OwnSession = v.InferOutput<typeof OwnSession>;

export const PasswordOnly = v.object({ password: f.secret(1) });

/** What an authenticator app needs; shown only once. */
export const TwoFactorSetup = v.object({
  secret: f.string,
  uri: f.string,
  /** The QR code is `size` modules wide; `path` is an SVG path to be stroked. */
  qr: v.object({ size: f.number, path: f.string }),
});
export type TwoFactorSetup = v.InferOutput<typeof TwoFactorSetup>;

/** Shown only once. Each code can be used once to sign in. */
export const RecoveryCodes = v.object({ recovery_codes: v.array(f.string) });

export const CodeOnly = v.object({ code: f.filled(40) });

export const TwoFactorConfirmed = v.object({ ...RecoveryCodes.entries, features: offered });

/** The password, and a code from the app or a recovery code; whoever came by single sign-on needs none. */
export const BothFactors = v.object({ password: f.secret(1), code: v.optional(f.text(40)) });
export type BothFactors = v.InferOutput<typeof BothFactors>;
