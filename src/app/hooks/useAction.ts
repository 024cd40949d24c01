import { useRef, useState } from 'react';
import { ApiError, type SendOptions } from '../api/client';
import { callUntilKnown, isUnknownOutcome, newKey, UNKNOWN } from '../api/repeat';
import { useFeature } from '../state/session';
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

export const REPEATING = 'No answer from the server. Trying again…';
const UNKNOWN_MS = 10_000;

/**
 * Something the user does: makes a call, shows how it went, and reloads what it changed.
 *
 * If the answer to a call is lost that must not happen twice, it is sent again with the same key, which `call` passes
 * on in its options. If it is still not known in the end whether it was done, the screen says so, and doing exactly the
 * same again uses the same key, too.
 */
export function useAction<In, Out>(
  call: (input: In, options: SendOptions) => Promise<Out>,
  { done, failed, onDone }: Options<Out>,
): Action<In> {
  const [busy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const toast = useToast();
  const showError = useErrorToast();
  const canRepeat = useFeature('idempotency_key');
  const unknown = useRef<{ key: string; input: string }>(null);

  async function run(input: In): Promise<boolean> {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    const answered = sayWhenSlow(toast);
    const text = JSON.stringify(input);
    const last = unknown.current;
    const key = last && last.input === text ? last.key : newKey();
    unknown.current = null;
    try {
      const repeating = { idempotencyKey: key, onRepeat: () => toast.info(REPEATING) };
      const out = await (canRepeat ? callUntilKnown((options) => call(input, options), repeating) : call(input, {}));
      if (done !== null) toast.success(typeof done === 'string' ? done : done(out));
      await onDone?.();
      return true;
    } catch (error) {
      if (isUnknownOutcome(error)) {
        unknown.current = { key, input: text };
        showUnknown(error);
        if (error.status !== 401) await onDone?.(); // shows what there is now
        return false;
      }
      showError(error, failed);
      if (error instanceof ApiError && (error.status === 404 || error.status === 409)) await onDone?.();
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
    toast.error(UNKNOWN, UNKNOWN_MS);
  }

  return { run, busy };
}
