/** The network between a screen and its server: recorded, answered in the server's place, or down. */
import { fetch as ours } from '../world';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
export interface Sent {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  headers: Headers;
}

/** A line that keeps what is sent over it. */
interface Line {
  fetch: Fetch;
  sent: Sent[];
  writes: () => Sent[];
}
/** What answers a request in the server's place, if it does. */
export type Instead = (sent: Sent) => Response | undefined | Promise<Response | undefined>;
/** That answer, or what a function makes, to requests of a method, of an end of the path, or of both: 'PUT /tags'. */
export const at = (what: string, answer: unknown, status?: number): Instead => {
  const [, verb = '', end = ''] = /^([A-Z]*) ?(.*)$/.exec(what) ?? [];
  return ({ method, path }) =>
    (verb && method !== verb) || !path.endsWith(end)
      ? undefined
      : typeof answer === 'function'
        ? answer()
        : respondWith(answer, status);
};

/** While it is down, as from the beginning, such requests are answered so in the server's place. */
export function outage(what: string, answer: unknown = { detail: 'no' }, status = 500) {
  const line = { isDown: true };
  return Object.assign(line, { instead: at(what, () => (line.isDown ? respondWith(answer, status) : undefined)) });
}
/** The same, which begins when `isDown` is set. */
export const laterOutage = (...given: Parameters<typeof outage>) => Object.assign(outage(...given), { isDown: false });

/** Our server, and all requests sent to it. A request that `instead` answers does not reach it. */
export function interceptRequests(instead: Instead = () => undefined, network: Fetch = ours): Line {
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

/** The requests to a path that ends so. */
export const sentTo = ({ sent }: Pick<Line, 'sent'>, end: string) => sent.filter(({ path }) => path.endsWith(end));
/** One part of each, or several. */
export const partsOf = <T extends object>(sent: readonly T[], ...keys: (keyof T)[]): unknown[] =>
  sent.map((one) => (keys.length === 1 ? one[keys[0]!] : keys.map((key) => one[key])));

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
