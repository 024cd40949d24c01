/** Requests to identity providers. */
import * as oidc from 'openid-client';
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { IdentityProvider } from '../../contract/schemas/sso';
import type { AccountRow } from '../auth/caller';
import { type Secrets, secretContext } from '../auth/secrets';
import type { Services } from '../core/context';
import { RefusedAddress } from '../outgoing/address';
import { callOut } from '../outgoing/request';

/** Its `client_secret` is encrypted. */
export type Provider = Pick<IdentityProvider, 'issuer' | 'client_id' | 'client_secret' | 'groups_claim' | 'groups'> &
  Pick<AccountRow, 'tenant_id' | 'tenant_is_active' | 'allowed_networks'>;
/** One request to a provider, of up to four in a call, and its answer. */
const TIMEOUT_MS = 3500,
  ANSWER_BYTES = 500_000;

/** Asks a provider what it can. Throws a ProviderFailed. */
export async function openProvider(
  { outgoing, secrets }: Pick<Services, 'outgoing' | 'secrets'>,
  provider: Pick<Provider, 'tenant_id' | 'issuer' | 'client_id' | 'client_secret'>,
): Promise<oidc.Configuration> {
  const issuer = new URL(provider.issuer);
  const mayBeOwn = provider.tenant_id === PLATFORM_TENANT_ID || outgoing?.mayBeOwn === true;
  const config = await oidc
    .discovery(issuer, provider.client_id, {}, withSecret(secrets, provider), {
      [oidc.customFetch]: guardedFetch({ name: 'the identity provider', mayBeOwn }),
      // Only on the own network, as the guard says.
      execute: [oidc.enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [])],
    })
    .catch((error: unknown) => {
      throw new ProviderFailed(describeFailure(error));
    });
  const found = config.serverMetadata();
  if (new URL(found.issuer).href !== issuer.href)
    throw new ProviderFailed(`it calls itself ${found.issuer}, not ${provider.issuer}`);
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    if (!found[name]) throw new ProviderFailed(`it does not say its ${name}`);
  // The browser goes there, so it is no script.
  for (const url of [found.authorization_endpoint, found.end_session_endpoint])
    if (url && !(URL.canParse(url) && ['https:', issuer.protocol].includes(new URL(url).protocol)))
      throw new ProviderFailed(`its address ${url} must begin with https://`);
  return config;
}

/** Why a provider could not be asked. */
export class ProviderFailed extends Error {
  override name = 'ProviderFailed';
}

/** Providers take the secret of a client in one of two ways. */
function withSecret(secrets: Secrets, { tenant_id, client_secret }: Pick<Provider, 'tenant_id' | 'client_secret'>) {
  const secret = secrets.decrypt(client_secret, secretContext.identityProvider(tenant_id));
  const authenticate: oidc.ClientAuth = (server, ...request) => {
    const takesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    (takesPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret))(server, ...request);
  };
  return authenticate;
}

const guardedFetch =
  (callee: { name: string; mayBeOwn: boolean }): oidc.CustomFetch =>
  async (url, { method, headers, body }) => {
    const form = method === 'POST' ? { form: String(body) } : {};
    const limits = { timeoutMs: TIMEOUT_MS, answerBytes: ANSWER_BYTES };
    const answer = await callOut(new URL(url), { callee, headers, ...form, ...limits });
    return new Response(answer.body || null, { status: answer.status, headers: { 'Content-Type': answer.type } });
  };

/** The messages of an error and of what caused it. */
export function describeFailure(error: unknown): string {
  const words: string[] = [];
  for (let at = error; at instanceof Error && words.length < 4; at = at.cause) {
    words.push(at.message);
    if (at instanceof RefusedAddress) return at.message;
    if (at.cause instanceof Response) words.push(`status ${at.cause.status}`);
  }
  return [...new Set(words)].join(': ').slice(0, 300);
}
