import { setTimeout } from 'node:timers/promises';

/** Works again and again, each time after the pause that the work before returned, until somebody calls the result. */
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
