/** OpenID Connect: what a provider is asked, and whether its answer is to be believed (docs/extras/account.md). */
import { parse } from 'hono/utils/cookie';
import * as oidc from 'openid-client';
import { dialogCalls } from '../../contract/dialogCalls';
import { newToken, sha256 } from '../auth/secrets';
import type { Exchange, Services } from '../core/context';
import { Problem } from '../core/problem';
import type { Sql } from '../db/open';
import type { Provider } from './provider';
import type { Refusal } from './refusals';

export interface Flow {
  tenant_id: number;
  browser_hash: Buffer;
  nonce: string;
  code_verifier: string;
  return_to: string;
}

const FLOW_MINUTES = 10;
/** A provider asks again whom it asked longer ago than a session of ours lasts. */
const MAX_AGE_SECONDS = 12 * 3600;

/** The app's own address, with a slash at its end. */
export function appUrlOf({ outgoing }: Services): string {
  if (!outgoing?.appUrl) throw new Problem(409, 'Single sign-on needs the setting APP_URL');
  return `${outgoing.appUrl.replace(/\/+$/, '')}/`;
}
/** A provider sends people back to an address of its own, so that nobody mixes up the answers of two. */
export const redirectUri = (services: Services, tenantId: number): string => `${appUrlOf(services)}sso/${tenantId}`;

const selectProviders = (sql: Sql) => sql`
  select p.tenant_id, p.issuer, p.client_id, p.client_secret, p.groups_claim, p.group_permissions as groups,
    t.is_active as tenant_is_active, t.allowed_networks
  from identity_providers p join tenants t on t.id = p.tenant_id where p.is_active and p.tenant_id =`;

export const findProvider = async (sql: Sql, tenantId: number): Promise<Provider | undefined> =>
  sql<Provider[]>`${selectProviders(sql)} ${tenantId}`.first();

/**
 * That of the account with this e-mail. For an e-mail that nobody has, that of all others with its domain, so a new
 * colleague finds the way. Where a domain is of one tenant, nobody learns who has an account; where several share it,
 * whoever has one at a tenant with a provider is told from others.
 */
export const findProviderByEmail = async (sql: Sql, email: string): Promise<Provider | undefined> =>
  sql<Provider[]>`
      with same as (
        select tenant_id, lower(email) = lower(${email}) as is_it from admins
        where lower(split_part(email, '@', 2)) = lower(split_part(${email}, '@', 2)))
      ${selectProviders(sql)} coalesce((select tenant_id from same where is_it limit 1),
        (select min(tenant_id) from same having count(distinct tenant_id) = 1))`.first();

/** Where people of the caller's tenant sign out of their provider; undefined if it does not say. */
export async function findSignOutUrl(sql: Sql, services: Services, { tenant_id }: { tenant_id: number | null }) {
  const [provider] = await sql<{ end_session_url: string | null; client_id: string }[]>`
    select end_session_url, client_id from identity_providers where tenant_id = ${tenant_id} and is_active`;
  if (!provider?.end_session_url || !services.outgoing?.appUrl) return undefined;
  const url = new URL(provider.end_session_url);
  url.searchParams.set('client_id', provider.client_id);
  url.searchParams.set('post_logout_redirect_uri', appUrlOf(services));
  return url.href;
}

/** The cookie that binds a sign-in to the browser that has begun it. It is sent with the calls of the sign-in alone. */
const cookieName = ({ isSecure }: Exchange) => `${isSecure ? '__Secure-' : ''}sso`;
const readCookie = (exchange: Exchange): string | undefined =>
  parse(exchange.header('cookie') ?? '', cookieName(exchange))[cookieName(exchange)];

/** Stores a new sign-in, and returns where the browser goes. */
export async function beginFlow(
  sql: Sql,
  exchange: Exchange,
  config: oidc.Configuration,
  flow: Pick<Flow, 'tenant_id' | 'return_to'> & Asked,
): Promise<string> {
  const { tenant_id, return_to, again } = flow;
  const kept = readCookie(exchange), // another tab may have begun one
    browser = kept && /^[\w-]{43}$/.test(kept) ? kept : newToken();
  const [state, nonce, code_verifier] = [newToken(), newToken(), newToken()] as const;
  const hashes = { state_hash: sha256(state), browser_hash: sha256(browser) };
  await sql`insert into sso_flows ${sql({ ...hashes, tenant_id, nonce, code_verifier, return_to })}`;
  exchange.setHeader(
    'Set-Cookie',
    `${cookieName(exchange)}=${browser}; HttpOnly; SameSite=Lax; Path=${dialogCalls.beginSso.path}; ` +
      `Max-Age=${FLOW_MINUTES * 60}${exchange.isSecure ? '; Secure' : ''}`,
  );
  const hasGroups = config.serverMetadata().scopes_supported?.includes('groups');
  return oidc.buildAuthorizationUrl(config, {
    redirect_uri: flow.redirect_uri,
    scope: `openid email${hasGroups ? ' groups' : ''}`,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    max_age: String(again ? 0 : MAX_AGE_SECONDS),
    ...(again && { prompt: 'login' }),
    ...(flow.email && { login_hint: flow.email }),
  }).href;
}

interface Asked {
  redirect_uri: string;
  email: string | undefined;
  /** Whether the person is asked even if the provider knows them. */
  again: boolean | undefined;
}

/** Uses up the sign-in with this state: of several uses at once exactly one gets it. */
export async function takeFlow(sql: Sql, exchange: Exchange, state: string): Promise<Flow | Refusal> {
  const hash = sha256(state);
  const [flow] = await sql<Flow[]>`
    update sso_flows set used_at = now()
    where state_hash = ${hash} and used_at is null and created_at > now() - make_interval(mins => ${FLOW_MINUTES})
    returning tenant_id, browser_hash, nonce, code_verifier, return_to`;
  if (flow) return flow.browser_hash.equals(sha256(readCookie(exchange) ?? '')) ? flow : 'browser';
  const [old] = await sql<{ used_at: Date | null }[]>`select used_at from sso_flows where state_hash = ${hash}`;
  return old ? (old.used_at ? 'replayed' : 'late') : 'state';
}

/** What a provider says of a person. */
export interface Claims {
  subject: string;
  /** '' unless the provider has verified it. */
  email: string;
  groups: string[];
  /** When the provider has asked the person, in seconds; undefined if it does not say. */
  askedAt: number | undefined;
}

/** Sends the code and checks what comes back. Throws what openid-client does. */
export async function readAnswer(
  config: oidc.Configuration,
  url: URL,
  { nonce, code_verifier }: Flow,
  groupsClaim: string,
): Promise<Claims> {
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: code_verifier,
    expectedState: url.searchParams.get('state') ?? '',
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('no ID token');
  const isWhole = claims.email !== undefined && claims[groupsClaim] !== undefined;
  const more: Record<string, unknown> =
    isWhole || !config.serverMetadata().userinfo_endpoint
      ? {}
      : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
  // Both of one source: what is verified is this e-mail.
  const { email, email_verified } = claims.email === undefined ? more : claims;
  const groups = claims[groupsClaim] ?? more[groupsClaim],
    { auth_time } = claims;
  const isVerified = email_verified === true || email_verified === 'true';
  return {
    subject: claims.sub,
    email: isVerified && typeof email === 'string' ? email : '',
    groups: [groups].flat().filter((group) => typeof group === 'string'),
    askedAt: auth_time && Math.floor(Math.min(auth_time, Date.now() / 1000)),
  };
}
