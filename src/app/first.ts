/** What happens before React DOM has arrived, and how it is handed over: the answer asked for by ask.ts, and the page that draw.tsx has drawn. */
interface First {
  url: string;
  token: string;
  answer: Promise<Response>;
  stop: () => void;
  /** Its text, once draw.tsx has drawn it. */
  drawn?: string;
}
declare global {
  /** One answer, asked for by another script of this page. */
  var firstAnswer: First | undefined;
}

/** Asks before anybody wants to know. */
export function askFirst(url: string, token: string): void {
  const stopper = new AbortController();
  const answer = fetch(url, { headers: { Authorization: `Bearer ${token}` }, signal: stopper.signal });
  answer.catch(() => undefined); // whoever asks for it is told
  globalThis.firstAnswer = { url, token, answer, stop: () => stopper.abort() };
}

/** `fetch`, but what was asked first is not asked again: whoever is the first to want it gets that answer. */
export async function fetchOnce(url: string, init: RequestInit): Promise<Response> {
  const first = globalThis.firstAnswer, { signal } = init;
  if (first?.url !== url || init.method !== 'GET' || new Headers(init.headers).get('Authorization') !== `Bearer ${first.token}`) return fetch(url, init);
  globalThis.firstAnswer = undefined;
  signal?.addEventListener('abort', first.stop, { once: true });
  if (signal?.aborted) first.stop();
  return first.answer;
}

/** How far the page has come: drawn by draw.tsx, taken over by main.tsx; and the button pressed in between. */
export const page: { isDrawn: boolean; isTakenOver: boolean; pressed: HTMLButtonElement | null } = { isDrawn: false, isTakenOver: false, pressed: null };
