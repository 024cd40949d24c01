import { useRef } from 'react';
import type { SendOptions } from '../api/client';
import { callUntilKnown, isUnknownOutcome, newKey } from '../api/repeat';
import { useFeature } from '../state/session';
import { storedToken } from '../state/storage';
import { useToast } from '../state/toasts';

export const REPEATING = 'No answer from the server. Trying again…';
export const UNKNOWN_MS = 10_000;

interface Repeated<T> {
  /** What it is about. Of each, the last call whose outcome is not known is remembered. */
  of?: unknown;
  input: unknown;
  call: (options: SendOptions) => Promise<T>;
}

/**
 * Makes a call. If the answer to one that must not happen twice is lost, it is sent again with the same key, which
 * `call` passes on in its options. If it is still not known in the end whether it was done, exactly the same call, made
 * again, uses the same key, too.
 */
export function useRepeats(): <T>(repeated: Repeated<T>) => Promise<T> {
  const toast = useToast();
  const canRepeat = useFeature('idempotency_key');
  const unknown = useRef(new Map<unknown, { key: string; input: string }>());
  return async ({ of, input, call }) => {
    const text = JSON.stringify(input),
      last = unknown.current.get(of);
    const idempotencyKey = last && last.input === text ? last.key : newKey();
    unknown.current.delete(of);
    if (!canRepeat) return call({});
    const token = storedToken();
    const mayRepeat = () => storedToken() === token;
    try {
      const onRepeat = () => toast.info(REPEATING);
      return await callUntilKnown(call, { idempotencyKey, onRepeat, mayRepeat });
    } catch (error) {
      if (isUnknownOutcome(error)) unknown.current.set(of, { key: idempotencyKey, input: text });
      throw error;
    }
  };
}
