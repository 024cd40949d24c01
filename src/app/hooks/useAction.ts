import { useRef, useState } from 'react';
import { ApiError } from '../api/client';
import { sayWhenSlow, useToast } from '../state/toasts';
import { type ErrorMessage, useErrorToast } from './useErrorToast';

export interface Action<In> {
  /** Resolves to whether it worked, so a dialog knows if it may close. Never rejects. Does nothing while busy. */
  run: (input: In) => Promise<boolean>;
  /** From the click until `onDone` has finished, which is usually a reload. */
  busy: boolean;
}

interface Options<Out> {
  /** The toast after success; null shows none. */
  done: string | ((out: Out) => string) | null;
  failed: ErrorMessage;
  /** Runs after success, and after a 404 or 409, which mean that the screen was out of date. */
  onDone?: () => unknown;
}

/** Something the user does: makes a call, shows how it went, and reloads what it changed. */
export function useAction<In, Out>(
  call: (input: In) => Promise<Out>,
  { done, failed, onDone }: Options<Out>,
): Action<In> {
  const [busy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const toast = useToast();
  const showError = useErrorToast();

  async function run(input: In): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    const answered = sayWhenSlow(toast);
    try {
      const out = await call(input);
      if (done !== null) toast.success(typeof done === 'string' ? done : done(out));
      await onDone?.();
      return true;
    } catch (error) {
      showError(error, failed);
      if (error instanceof ApiError && (error.status === 404 || error.status === 409)) await onDone?.();
      return false;
    } finally {
      answered();
      isRunning.current = false;
      setBusy(false);
    }
  }

  return { run, busy };
}
