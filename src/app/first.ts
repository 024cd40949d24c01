/** What happens before React DOM has arrived, and how it is handed over: the answer asked for by early.ts, and the page that draw.tsx has drawn. */
import { wasAsked } from './asked';

interface First {
  url: string;
  token: string;
  answer: Promise<Response>;
  stop: () => void;
  /** Its text, once more; undefined when it is none to be shown. */
  text: Promise<string | undefined>;
  /** The text of the last answer if that came a few minutes ago, out of the browser's cache. */
  old: Promise<string | undefined> | undefined;
  /** The text that draw.tsx has drawn: of the answer, or the old one. */
  drawn?: string;
}
declare global {
  /** One answer, asked for by another script of this page. */
  var firstAnswer: First | undefined;
}

/** Asks before anybody wants to know. */
export function askFirst(url: string, token: string): void {
  const stopper = new AbortController(), headers = { Authorization: `Bearer ${token}` };
  // Before the other, which locks the entry. Another session's answer does not come: `Vary` names what carries the token.
  const old = wasAsked(url) ? textOf(fetch(url, { headers, cache: 'only-if-cached', mode: 'same-origin' })) : undefined;
  const answer = fetch(url, { headers, signal: stopper.signal });
  globalThis.firstAnswer = { url, token, answer, text: textOf(answer), old, stop: () => stopper.abort() };
}

const textOf = (answer: Promise<Response>) => answer.then((one) => (one.ok ? one.clone().text() : undefined)).catch(() => undefined);

/** `fetch`, but what was asked first is not asked again: whoever is the first to want it gets that answer. */
export async function fetchOnce(url: string, init: RequestInit): Promise<Response> {
  const first = globalThis.firstAnswer, { signal } = init;
  if (first?.url !== url || init.method !== 'GET' || new Headers(init.headers).get('Authorization') !== `Bearer ${first.token}`) return fetch(url, init);
  globalThis.firstAnswer = undefined;
  signal?.addEventListener('abort', first.stop, { once: true });
  if (signal?.aborted) first.stop();
  return first.answer;
}

/** How far the page has come: drawn by draw.tsx, taken over by main.tsx; and what does again what was done in between. */
export const page: { isDrawn: boolean; isTakenOver: boolean; again: (() => void) | null } = { isDrawn: false, isTakenOver: false, again: null };
