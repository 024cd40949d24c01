import type { Fetch } from './client';

/** A `fetch` that knows which writes have no answer yet; `afterWrites` runs `next` when all have one, or at once. */
export function trackWrites(fetch: Fetch): { fetch: Fetch; afterWrites: (next: () => void) => void } {
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
    afterWrites(next) {
      if (open.size === 0) next();
      else void Promise.allSettled(open).then(next);
    },
  };
}
