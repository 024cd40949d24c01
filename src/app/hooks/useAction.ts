import { useRef, useState } from 'react';
import { ApiError, type SendOptions } from '../api/client';
import { isUnknownOutcome, UNKNOWN } from '../api/repeat';
import { sayWhenSlow, useToast } from '../state/toasts';
import { type ErrorMessage, useErrorToast } from './useErrorToast';
import { UNKNOWN_MS, useRepeats } from './useRepeats';

export interface Action<In> {
  /** Resolves to whether it worked, so a dialog knows if it may close. Never rejects. Does nothing while busy. */
  run: (input: In) => Promise<boolean>;
  /** From the click until `onDone` has finished, which is usually a reload. */
  busy: boolean;
  /** Shows why nothing was sent. Like every error of the action, it goes away when the action has worked. */
  refuse: (text: string, ms?: number) => void;
  /** Takes its last error away, unless nobody knows what became of it. */
  forget: () => void;
}

export interface ActionOptions<Out> {
  /** The toast after success; null shows none. */
  done: string | ((out: Out) => string) | null;
  failed: ErrorMessage;
  /** Runs after success, and after a 404 or 409, which mean that the screen was out of date. */
  onDone?: () => unknown;
}

/** Whether the screen does not show what the server has. */
const isOutdated = (error: unknown): boolean =>
  isUnknownOutcome(error)
    ? error.status !== 401
    : error instanceof ApiError && (error.status === 404 || error.status === 409);

/** Makes a call, shows how it went and reloads what it changed. It says if the outcome is unknown (useRepeats.ts). */
export function useAction<In, Out>(
  call: (input: In, options: SendOptions) => Promise<Out>,
  { done, failed, onDone }: ActionOptions<Out>,
): Action<In> {
  const [busy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const said = useRef<() => void>(undefined);
  const toast = useToast();
  const showError = useErrorToast();
  const repeats = useRepeats();

  async function run(input: In): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    const answered = sayWhenSlow(toast);
    try {
      const out = await repeats({ input, call: (options) => call(input, options) });
      if (done !== null) toast.success(typeof done === 'string' ? done : done(out), { of: isRunning });
      await onDone?.();
      return true;
    } catch (error) {
      if (isUnknownOutcome(error)) showUnknown(error);
      else said.current = showError(error, failed, isRunning);
      if (isOutdated(error)) await onDone?.(); // shows what there is now
      return false;
    } finally {
      answered();
      isRunning.current = false;
      setBusy(false);
    }
  }

  function showUnknown(error: ApiError) {
    const message = typeof failed === 'object' ? failed?.message : failed;
    if (typeof message === 'function') message(error); // a form keeps the reason beside its fields
    toast.error(UNKNOWN, { ms: UNKNOWN_MS, of: isRunning });
  }

  return {
    run,
    busy,
    refuse: (text, ms) => (said.current = toast.error(text, { ms, of: isRunning })),
    forget: () => said.current?.(),
  };
}
