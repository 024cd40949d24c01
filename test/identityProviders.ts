/** Identity providers for tests: a real one, and an evil one that forges what it likes. */
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { Provider } from 'oidc-provider';
import { whenDone } from './closing';
import { openPort, shut } from './openPort';

export const CLIENT = { client_id: 'office', client_secret: 'a secret of the office, long enough' };

async function start(answer: (issuer: string) => RequestListener): Promise<string> {
  const server = createServer();
  const issuer = `http://127.0.0.1:${await openPort(server)}`;
  server.on('request', answer(issuer));
  whenDone(async () => shut(server));
  return issuer;
}

export interface Person {
  email?: string;
  email_verified?: boolean | string;
  groups?: string[];
}

/** A provider as companies have it. Whoever comes to it is `people.now`, without being asked. */
export async function startProvider(redirects: readonly string[], afterLogout: readonly string[] = []) {
  /** `asked`: how often the provider did not know the browser. */
  const people: { now: string; known: Record<string, Person>; asked: number } = { now: '', known: {}, asked: 0 };
  const issuer = await start((issuer) => {
    const provider = new Provider(issuer, {
      clients: [
        {
          ...CLIENT,
          redirect_uris: redirects,
          post_logout_redirect_uris: afterLogout,
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      scopes: ['openid', 'email', 'groups'],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people.known[id] }) }),
      async loadExistingGrant(ctx: { oidc: { session: { accountId: string }; client: { clientId: string } } }) {
        const grant = new provider.Grant({
          accountId: ctx.oidc.session.accountId,
          clientId: ctx.oidc.client.clientId,
        });
        grant.addOIDCScope('openid email groups');
        await grant.save();
        return grant;
      },
      interactions: { url: () => '/interaction' },
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
      ttl: { AccessToken: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
      pkce: { required: () => true },
      cookies: { keys: ['cookies of tests'] },
      jwks: { keys: [newKey('real').jwk] },
    });
    const answer = provider.callback();
    return (request, response) => {
      if (request.url !== '/interaction') return answer(request, response);
      people.asked++;
      void provider.interactionFinished(request, response, { login: { accountId: people.now } });
    };
  });
  return { issuer, people };
}

/** Goes where a browser would go, with its cookies, until it is sent to the app. */
export async function follow(start: string, app: string, jar = new Map<string, string>()): Promise<URL> {
  let url = start;
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const answer = await globalThis.fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    const next = answer.headers.get('location');
    if (!next) throw new Error(`${url} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
    url = new URL(next, url).href;
    if (url.startsWith(app)) return new URL(url);
  }
  throw new Error('too many steps');
}

export interface Key {
  key: KeyObject;
  jwk: object;
  kid: string;
}
export function newKey(kid: string): Key {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { key, kid, jwk: { ...key.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } };
}
const publicOf = ({ jwk }: Key) => {
  const { n, e, kty, kid, use, alg } = jwk as Record<string, string>;
  return { n, e, kty, kid, use, alg };
};

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
export function sign(claims: object, { key, kid }: Key, alg = 'RS256'): string {
  const text = `${encode({ alg, kid })}.${encode(claims)}`;
  const seal =
    alg === 'none'
      ? ''
      : alg === 'HS256'
        ? createHmac('sha256', CLIENT.client_secret).update(text).digest('base64url')
        : createSign('sha256').update(text).sign(key).toString('base64url');
  return `${text}.${seal}`;
}

/** A provider that says what a test makes it say. */
export async function startEvil() {
  const key = newKey('one');
  const evil = {
    issuer: '',
    key,
    /** The keys that it publishes. */
    keys: [key],
    metadata: {} as Record<string, unknown>,
    idToken: (): string => '',
    userinfo: {} as object,
    /** Instead of a token. */
    refuses: '',
    /** What was asked of the token endpoint. */
    asked: [] as URLSearchParams[],
  };
  evil.issuer = await start((issuer) => (request, response) => {
    const say = (body: object, status = 200) =>
      void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/.well-known/openid-configuration')
      return say({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        ...evil.metadata,
      });
    if (request.url === '/userinfo') return say(evil.userinfo);
    if (request.url === '/keys') return say({ keys: evil.keys.map(publicOf) });
    let body = '';
    request.on('data', (part: Buffer) => void (body += part));
    request.on('end', () => {
      evil.asked.push(new URLSearchParams(body));
      if (evil.refuses) return say({ error: evil.refuses }, 400);
      say({ access_token: 'a', token_type: 'Bearer', id_token: evil.idToken() });
    });
  });
  return evil;
}
