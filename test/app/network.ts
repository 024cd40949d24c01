/** The network between a screen and its server: recorded, answered in the server's place, or down. */
import { beforeReset, fetch as ours } from '../world';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
export interface Sent {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  headers: Headers;
}

/** Our server, and all requests sent to it. A request that `instead` answers does not reach it. */
export function interceptRequests(
  instead: (sent: Sent) => Response | undefined | Promise<Response | undefined> = () => undefined,
  network: Fetch = ours,
): { fetch: Fetch; sent: Sent[]; writes: () => Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    writes: () => sent.filter(({ method }) => method !== 'GET'),
    fetch: async (url, init) => {
      const { pathname, searchParams } = new URL(url, 'http://test');
      const one = {
        method: init.method ?? 'GET',
        path: pathname,
        query: Object.fromEntries(searchParams),
        body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
        headers: new Headers(init.headers),
      };
      sent.push(one);
      return (await instead(one)) ?? network(url, init);
    },
  };
}

/** For `instead`: adds to the database before the first request is answered. */
export function beforeFirstRequest(work: () => Promise<unknown>): () => Promise<undefined> {
  let done: Promise<unknown> | undefined;
  return async () => {
    await (done ??= beforeReset(work()));
    return undefined;
  };
}

/** The same, after adding to the database before the first answer. */
export function interceptRequestsAfter(
  prepare: () => Promise<unknown>,
  instead: (sent: Sent) => Response | Promise<Response | undefined> | undefined = () => undefined,
) {
  const prepared = beforeFirstRequest(prepare);
  return interceptRequests(async (sent) => {
    await prepared();
    return instead(sent);
  });
}

/** A response exactly as another server would send it. */
export const respondWith = (body: unknown, status = 200): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'Content-Type': typeof body === 'string' ? 'text/html' : 'application/json' },
  });

/** A network connection that is down. */
export const noNetwork = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));

/** What a screen must never show, whatever the server says. */
export const nonsense = /undefined|NaN|\[object|Invalid Date|\bnull\b/;
