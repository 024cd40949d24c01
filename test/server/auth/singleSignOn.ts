/** Single sign-ons at the providers of test/identityProviders.ts, right ones and forged ones. */
import type { SsoAnswer } from '../../../src/contract/entities';
import { createApi } from '../../createApi';
import { CLIENT, follow, sign, startEvil, startProvider } from '../../identityProviders';
import { fetch, people, reset, services, sql } from '../../world';

export const APP = 'http://office.test/admin';
export let real: Awaited<ReturnType<typeof startProvider>>;
export let evil: Awaited<ReturnType<typeof startEvil>>;

export async function startProviders(): Promise<void> {
  real = await startProvider([1, 2, 3].map((id) => `${APP}/sso/${id}`));
  evil = await startEvil();
}
export async function resetProviders(): Promise<void> {
  await reset();
  services.outgoing = { hasEmail: false, appUrl: `${APP}/`, mayBeOwn: true };
  real.people.known = {
    ann: { email: people.ann.email, email_verified: true },
    ben: { email: people.ben.email, email_verified: true },
    sue: { email: people.sue.email, email_verified: true },
  };
  Object.assign(evil, { keys: [evil.key], metadata: {}, userinfo: {}, refuses: '', asked: [] });
}

export const provide = async (tenant_id = 2, row: object = {}): Promise<void> =>
  void (await sql`
    insert into identity_providers ${sql({
      ...{ tenant_id, issuer: real.issuer, client_id: CLIENT.client_id },
      client_secret: services.secrets.encrypt(CLIENT.client_secret, ['identity_providers', tenant_id]),
      ...{ groups_claim: 'groups', group_permissions: '[]', is_active: true, only_sso: false },
      ...{ set_by: people.sue.id, ...row },
    })}`);

/** A browser with its cookies. */
export function newBrowser(address = '127.0.0.1') {
  let cookie = '';
  const api = createApi({
    fetch: async (url, init) => {
      const headers = { ...(init?.headers as Record<string, string>), cookie };
      const answer = await fetch(url, { ...init, headers }, { incoming: { socket: { remoteAddress: address } } });
      for (const set of answer.headers.getSetCookie()) if (set.startsWith('sso=')) cookie = set.replace(/;.*/, '');
      return answer;
    },
  });
  return {
    begin: async (who: { email: string } | { tenant_id: number }, more: object = {}) =>
      (await api.beginSso({ body: { return_to: '/admin/users?search=pam', ...who, ...more } })).url ?? '',
    finish: (query: string, tenant_id = 2): Promise<SsoAnswer> => api.finishSso({ tenant_id, body: { query } }),
  };
}
/** Signs in at the real provider. */
export async function enter(
  person: string,
  who: { email: string } | { tenant_id: number } = { tenant_id: 2 },
  more = {},
): Promise<SsoAnswer> {
  real.people.now = person;
  const browser = newBrowser();
  const back = await follow(await browser.begin(who, more), APP);
  return browser.finish(back.search, Number(/\d+$/.exec(back.pathname)));
}

export interface Forged {
  /** What the token says beyond what is right. */
  claims?: object;
  token?: (claims: object) => string;
  before?: () => unknown;
  query?: (state: string) => string;
  /** Whether the provider shall ask the person. */
  again?: boolean;
}
/** A sign-in at the evil provider, with a token as it likes. */
export async function forge({ claims = {}, token, before, query, again = false }: Forged = {}) {
  const browser = newBrowser();
  const begun = new URL(await browser.begin({ tenant_id: 2 }, { again })).searchParams;
  const now = Math.floor(Date.now() / 1000);
  const right = {
    ...{ iss: evil.issuer, aud: 'office', sub: 'the-subject', iat: now, exp: now + 60 },
    ...{ nonce: begun.get('nonce'), email: people.ann.email, email_verified: true, groups: [], ...claims },
  };
  evil.idToken = () => (token ?? ((claims) => sign(claims, evil.key)))(right);
  await before?.();
  const state = begun.get('state')!;
  const sent = query?.(state) ?? `?code=c&state=${state}`;
  return { browser, sent, finished: browser.finish(sent) };
}
