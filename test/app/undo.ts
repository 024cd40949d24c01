/** Five seconds are long for a test: that wait, and no other, is cut short. */
import { configure } from '@testing-library/react';
import { UNDO_MS } from '../../src/contract/constants';

const real = globalThis.setTimeout;
/** How long a decision can be undone in the test. */
export const undo = { ms: UNDO_MS };

/** From now on in this file; `restore` when it is over. */
export function shortenUndo(ms: number): void {
  configure({ asyncUtilTimeout: UNDO_MS - 1 }); // Testing Library waits with the same clock
  undo.ms = ms;
  globalThis.setTimeout = Object.assign(
    (run: () => void, wait?: number, ...args: unknown[]) => real(run, wait === UNDO_MS ? undo.ms : wait, ...args),
    real,
  );
}
export function restoreUndo(): void {
  globalThis.setTimeout = real;
}
/** Waits by the real clock. */
export const pause = (ms: number) => new Promise<void>((resolve) => real(resolve, ms));
