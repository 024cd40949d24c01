/** Signing in, and the signed-in person's own account (docs/product.md, "Sign-in and sessions"). */
import * as v from 'valibot';
import { features } from '../constants';
import { permissions } from '../permissions';
import {
  boolean,
  email,
  filled,
  instant,
  maybe,
  newSecret,
  nullAsBlank,
  number,
  Ok,
  optionalElsewhere,
  secret,
  string,
  text,
  trueOrFalse,
} from './fields';

/**
 * An identifier without an at-sign is legal. There is no length rule, because it would reveal the password policy of an
 * account. `code` is sent only after the server asked for it with a 401 and the code `second_factor`.
 */
export const Credentials = v.object({ email: filled(254), password: secret(1), code: nullAsBlank(text(40)) });
export type Credentials = v.InferOutput<typeof Credentials>;

const permission = v.picklist(permissions);

export const SessionUser = v.object({
  role: v.object({ name: string, is_super_admin: boolean }),
  /** The tenant of a super admin is the platform's own (1). */
  tenant_id: maybe(number),
  /** What a tenant's admin may do; absent for super admins. Needs the feature `permissions`. */
  permissions: v.optional(v.array(permission)),
});
export type SessionUser = v.InferOutput<typeof SessionUser>;

/** What this server offers beyond the calls that every server has. */
const offered = v.array(v.picklist(features));
export const LoginAnswer = optionalElsewhere(['features'], {
  access_token: string,
  /** Who signed in, and the tenant's name and IANA time zone. */
  user: optionalElsewhere(['email', 'tenant_name', 'time_zone'], {
    ...SessionUser.entries,
    email: string,
    tenant_name: string,
    time_zone: string,
    /** Absent after a password. Needs the feature `sso`. */
    signed_in_by: v.optional(v.literal('sso')),
  }),
  features: offered,
});
export type LoginAnswer = v.InferOutput<typeof LoginAnswer>;

/** The signed-in person's own account; needs the feature `account`. */
export const Account = optionalElsewhere(['api_keys', 'permissions'], {
  email: string,
  has_two_factor: boolean,
  /** When two-factor sign-in was turned on. */
  two_factor_at: maybe(instant),
  must_have_two_factor: boolean,
  recovery_codes_left: number,
  /** The names of the active API keys that this person made. Needs the feature `key_owners`. */
  api_keys: v.array(string),
  /** Null for a super admin, who may do everything. Needs the feature `permissions`. */
  permissions: maybe(v.array(permission)),
});
export type Account = v.InferOutput<typeof Account>;

/**
 * `code` is required if two-factor sign-in is on. Revokes the API keys that the person made, unless `keep_api_keys` is
 * set (feature `key_owners`), and removes the passkeys, unless `keep_passkeys` is (feature `passkeys`).
 */
export const PasswordForm = v.object({
  current_password: secret(1),
  code: v.optional(text(40)),
  new_password: secret(8),
  keep_api_keys: v.optional(trueOrFalse),
  keep_passkeys: v.optional(trueOrFalse),
});

/** Asks for a link to choose a password. */
export const LinkRequest = v.object({ email });

/** `token` is the one of the link. */
export const ChosenPassword = v.object({ token: filled(100), new_password: newSecret });

/** The session goes on with this token; the one that the call was made with has ended. */
export const PasswordChanged = optionalElsewhere(['access_token'], { ...Ok.entries, access_token: string });

/** An active session of the signed-in person. */
export const OwnSession = v.object({
  id: number,
  created_at: instant,
  last_seen_at: instant,
  address: string,
  /** A description such as "Firefox on Linux". */
  browser: string,
  is_current: boolean,
});
export type OwnSession = v.InferOutput<typeof OwnSession>;

export const PasswordOnly = v.object({ password: secret(1) });

/** What an authenticator app needs; shown only once. */
export const TwoFactorSetup = v.object({
  secret: string,
  uri: string,
  /** The QR code is `size` modules wide; `path` is an SVG path to be stroked. */
  qr: v.object({ size: number, path: string }),
});
export type TwoFactorSetup = v.InferOutput<typeof TwoFactorSetup>;

/** Shown only once. Each code can be used once to sign in. */
export const RecoveryCodes = v.object({ recovery_codes: v.array(string) });

export const CodeOnly = v.object({ code: filled(40) });

export const TwoFactorConfirmed = v.object({ ...RecoveryCodes.entries, features: offered });

/** The password, and a code from the app or a recovery code; whoever came by single sign-on needs none. */
export const BothFactors = v.object({ password: secret(1), code: v.optional(text(40)) });
export type BothFactors = v.InferOutput<typeof BothFactors>;
