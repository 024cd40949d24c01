import { useRef, useState } from 'react';
import { ApiError } from '../api/client';
import { sayWhenSlow, useToast } from '../state/toasts';
import { useErrorToast, type Failed } from './useErrorToast';

export interface Action<In> {
  /** Resolves to whether it worked, so a dialog knows if it may close. Never rejects. A second run while busy does nothing. */
  run: (input: In) => Promise<boolean>;
  /** From the click until the reload has landed. */
  busy: boolean;
}

/** Something the user does: call, say so, reload. A 404 or 409 reloads too: the screen was stale. */
export function useAction<In, Out>(
  call: (input: In) => Promise<Out>,
  { done, failed, then }: { done: string | ((out: Out) => string) | null; failed: Failed; then?: () => unknown },
): Action<In> {
  const [busy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const toast = useToast();
  const fail = useErrorToast();

  async function run(input: In): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    const answered = sayWhenSlow(toast);
    try {
      const out = await call(input);
      if (done !== null) toast.success(typeof done === 'string' ? done : done(out));
      await then?.();
      return true;
    } catch (error) {
      fail(error, failed);
      if (error instanceof ApiError && (error.status === 404 || error.status === 409)) await then?.();
      return false;
    } finally {
      answered();
      isRunning.current = false;
      setBusy(false);
    }
  }

  return { run, busy };
}
