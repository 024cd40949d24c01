/** Single sign-on by OpenID Connect (docs/extras/account.md). */
import * as v from 'valibot';
import { LoginAnswer } from './account';
import { identity, permissionList } from './admins';
import {
  boolean,
  chars,
  email,
  given,
  id,
  maybe,
  number,
  Ok,
  optionalElsewhere,
  reference,
  string,
  text,
  trueOrFalse,
} from './fields';

/** An address of the app, without its origin. */
const appPath = v.pipe(
  chars(2000),
  v.check(
    (path) => /^\/(?![/\\])/.test(path) && !/[\p{Cc}\\]/u.test(path) && URL.canParse(path, 'https://app.test'),
    'expected a path of the app',
  ),
);

/** Who wants to sign in: the e-mail that was typed, or the tenant whose address was opened. */
export const SsoStart = v.pipe(
  v.object({
    email: v.optional(email),
    tenant_id: v.optional(id),
    /** Where the person wants to be. */
    return_to: appPath,
    /** The provider shall ask the person, even if it knows them. */
    again: v.optional(trueOrFalse),
  }),
  v.check(({ email, tenant_id }) => (email === undefined) !== (tenant_id === undefined), 'email or tenant_id'),
);
export type SsoStart = v.InferOutput<typeof SsoStart>;
/** Where to sign in; null if nothing like it has an identity provider. */
export const SsoStarted = v.object({ url: maybe(string) });

/** The query with which the identity provider sent the person back. */
export const SsoReturn = v.object({ query: text(8000) });
export const SsoAnswer = optionalElsewhere(['features'], { ...LoginAnswer.entries, return_to: string });
export type SsoAnswer = v.InferOutput<typeof SsoAnswer>;

/** `sign_out_url`: where the person signs out of the identity provider too. */
export const LoggedOut = v.object({ ...Ok.entries, sign_out_url: v.optional(string) });
export type LoggedOut = v.InferOutput<typeof LoggedOut>;

/** A group of the identity provider, and what its people may do. */
const group = v.object({ group: reference(200), permissions: permissionList });

export const IdentityProvider = v.object({
  issuer: string,
  client_id: string,
  /** A mask. */
  client_secret: string,
  groups_claim: string,
  groups: v.array(group),
  is_active: boolean,
  only_sso: boolean,
  break_glass_admin_id: maybe(number),
  /** What the provider must know: where it sends people back to, after signing in and out. */
  redirect_uri: string,
  sign_out_uri: string,
  /** Who may be the account that always has a password. */
  accounts: v.array(v.object({ id: number, email: string })),
});
export type IdentityProvider = v.InferOutput<typeof IdentityProvider>;

/** Without a tenant, that of the caller's own. A mask or blank keeps the secret. */
export const IdentityProviderForm = v.object({
  tenant_id: given(id),
  issuer: v.pipe(
    reference(1000),
    v.check((url) => /^https?:\/\/[^\s?#@]+$/.test(url) && URL.canParse(url), 'expected an https address'),
  ),
  client_id: reference(500),
  client_secret: text(1000),
  groups_claim: reference(200),
  groups: v.pipe(v.array(group), v.maxLength(100, 'at most 100 groups')),
  is_active: trueOrFalse,
  only_sso: trueOrFalse,
  break_glass_admin_id: v.nullable(id),
  ...identity,
});
export type IdentityProviderForm = v.InferOutput<typeof IdentityProviderForm>;
