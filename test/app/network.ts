/** The line between a screen and its server: watched, broken, or leading to another server altogether. */
import { fetch as ours } from '../world';

type Line = (url: string, init: RequestInit) => Promise<Response>;
export interface Sent { method: string; path: string; query: Record<string, string>; body: unknown; headers: Headers }

/** Our server, with everything that is sent to it. Whatever `instead` answers never reaches it. */
export function watched(instead: (sent: Sent) => Response | undefined | Promise<Response | undefined> = () => undefined, line: Line = ours): { fetch: Line; sent: Sent[]; writes: () => Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    writes: () => sent.filter(({ method }) => method !== 'GET'),
    fetch: async (url, init) => {
      const { pathname, searchParams } = new URL(url, 'http://test');
      const one = {
        method: init.method ?? 'GET', path: pathname, query: Object.fromEntries(searchParams),
        body: typeof init.body === 'string' ? JSON.parse(init.body) as unknown : undefined, headers: new Headers(init.headers),
      };
      sent.push(one);
      return (await instead(one)) ?? line(url, init);
    },
  };
}

/** Puts more into the world before the screen's first request arrives. */
export function given(work: () => Promise<unknown>): () => Promise<undefined> {
  let done: Promise<unknown> | undefined;
  return async () => {
    await (done ??= work());
    return undefined;
  };
}

/** Our server, with something done in its world before its first answer. */
export function after(prepare: () => Promise<unknown>, instead: (sent: Sent) => Response | Promise<Response | undefined> | undefined = () => undefined) {
  let prepared: Promise<unknown> | undefined;
  return watched(async (sent) => {
    await (prepared ??= prepare());
    return instead(sent);
  });
}

/** Another server's answer, word for word. */
export const answer = (body: unknown, status = 200): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers: { 'Content-Type': typeof body === 'string' ? 'text/html' : 'application/json' } });

/** A line that is down. */
export const down = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));

/** What a screen must never show, whatever the server says. */
export const nonsense = /undefined|NaN|\[object|Invalid Date|\bnull\b/;
