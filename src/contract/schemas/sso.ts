/** Single sign-on by OpenID Connect (docs/extras/account.md). */
import * as v from 'valibot';
import { LoginAnswer } from './account';
import { identity, permissionList } from './admins';
import * as f from './fields';

/** An address of the app, without its origin. */
const appPath = v.pipe(
  f.chars(2000),
  v.check(
    (path) => /^\/(?![/\\])/.test(path) && !/[\p{Cc}\\]/u.test(path) && URL.canParse(path, 'https://app.test'),
    'expected a path of the app',
  ),
);

/** Who wants to sign in: the e-mail that was typed, or the tenant whose address was opened. */
export const SsoStart = v.pipe(
  v.object({
    email: v.optional(f.email),
    tenant_id: v.optional(f.id),
    return_to: appPath,
    /** The provider shall ask the person, even if it knows them. */
    again: v.optional(f.trueOrFalse),
  }),
  v.check(({ email, tenant_id }) => (email === undefined) !== (tenant_id === undefined), 'email or tenant_id'),
);
export type SsoStart = v.InferOutput<typeof SsoStart>;
/** Where to sign in; null if nothing like it has an identity provider. */
export const SsoStarted = v.object({ url: f.maybe(f.string) });

/** The query with which the identity provider sent the person back. */
export const SsoReturn = v.object({ query: f.text(8000) });
export const SsoAnswer = f.optionalElsewhere(['features'], { ...LoginAnswer.entries, return_to: f.string });
export type SsoAnswer = v.InferOutput<typeof SsoAnswer>;

/** `sign_out_url`: where the person signs out of the identity provider too. */
export const LoggedOut = v.object({ ...f.Ok.entries, sign_out_url: v.optional(f.string) });
export type LoggedOut = v.InferOutput<typeof LoggedOut>;

/** A group of the identity provider, and what its people may do. */
const group = v.object({ group: f.reference(200), permissions: permissionList });

export const IdentityProvider = v.object({
  issuer: f.string,
  client_id: f.string,
  /** A mask. */
  client_secret: f.string,
  groups_claim: f.string,
  groups: v.array(group),
  is_active: f.boolean,
  only_sso: f.boolean,
  break_glass_admin_id: f.maybe(f.number),
  /** What the provider must know: where it sends people back to, after signing in and out. */
  redirect_uri: f.string,
  sign_out_uri: f.string,
  /** Who may be the account that always has a password. */
  accounts: v.array(v.object({ id: f.number, email: f.string })),
});
export type IdentityProvider = v.InferOutput<typeof IdentityProvider>;

/** Without a tenant, that of the caller's own. A mask or blank keeps the secret. */
export const IdentityProviderForm = v.object({
  tenant_id: f.given(f.id),
  issuer: v.pipe(
    f.reference(1000),
    v.check((url) => /^https?:\/\/[^\s?#@]+$/.test(url) && URL.canParse(url), 'expected an https address'),
  ),
  client_id: f.reference(500),
  client_secret: f.text(1000),
  groups_claim: f.reference(200),
  groups: v.pipe(v.array(group), v.maxLength(100, 'at most 100 groups')),
  is_active: f.trueOrFalse,
  only_sso: f.trueOrFalse,
  break_glass_admin_id: v.nullable(f.id),
  ...identity,
});
export type IdentityProviderForm = v.InferOutput<typeof IdentityProviderForm>;
