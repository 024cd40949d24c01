import type { Fetch } from './client';

/** A `fetch` of which `answered` waits for the requests that change something and have no answer yet. */
export function trackWrites(fetch: Fetch): { fetch: Fetch; answered: () => Promise<unknown> } {
  const open = new Set<Promise<unknown>>();
  return {
    fetch(url, init) {
      const answer = fetch(url, init);
      if (init.method !== 'GET') {
        open.add(answer);
        const close = () => open.delete(answer);
        answer.then(close, close);
      }
      return answer;
    },
    answered: () => Promise.allSettled(open),
  };
}
