import { setTimeout } from 'node:timers/promises';

/** Does work again and again, with the pauses in ms that it returns. The result stops it and waits for its end. */
export function repeat(work: (stopped: AbortSignal) => Promise<number>, firstMs = 0): () => Promise<void> {
  const stop = new AbortController(),
    { signal } = stop;
  const run = async () => {
    for (let ms = firstMs; ; ms = await work(signal)) {
      await setTimeout(ms, undefined, { ref: false, signal }).catch(() => {});
      if (signal.aborted) return;
    }
  };
  const running = run();
  return () => {
    stop.abort();
    return running;
  };
}
