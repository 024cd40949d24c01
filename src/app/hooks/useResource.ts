import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client';
import { SLOW_MS } from '../state/toasts';
import { useErrorToast, type ErrorMessage } from './useErrorToast';

export interface Resource<T> {
  /** The newest answer; stays while a reload is under way or has failed. */
  data: T | undefined;
  busy: boolean;
  /** The newest load failed. */
  failed: boolean;
  /** It failed because nothing answered at all. */
  offline: boolean;
  /** Busy for more than 8 seconds. */
  slow: boolean;
  reload: () => Promise<void>;
}

/**
 * Something read from the server: on mount, again when `deps` change, on `reload`, and when a lost line is back.
 * Only the newest answer lands, older loads are aborted. A null `load` means something must be picked first.
 */
export function useResource<T>(load: ((signal: AbortSignal) => Promise<T>) | null, deps: unknown[], failed: ErrorMessage): Resource<T> {
  const [state, setState] = useState<Omit<Resource<T>, 'reload'>>(() => ({ data: undefined, busy: load !== null, failed: false, offline: false, slow: false }));
  const latest = useRef({ load, failed });
  latest.current = { load, failed }; // a reload asked for long ago must still load what is wanted now
  const running = useRef<AbortController>(null);
  const newest = useRef<Promise<void>>(null);
  const fail = useErrorToast();

  const once = useCallback(async () => {
    running.current?.abort();
    const turn = running.current = new AbortController();
    const { load, failed } = latest.current;
    if (!load) return setState({ data: undefined, busy: false, failed: false, offline: false, slow: false });
    setState((old) => ({ ...old, busy: true, slow: false }));
    const slow = setTimeout(() => setState((old) => (turn.signal.aborted ? old : { ...old, slow: true })), SLOW_MS);
    try {
      const data = await load(turn.signal);
      if (!turn.signal.aborted) setState({ data, busy: false, failed: false, offline: false, slow: false });
    } catch (error) {
      if (turn.signal.aborted) return;
      setState((old) => ({ data: old.data, busy: false, failed: true, offline: error instanceof ApiError && error.status === 0, slow: false }));
      fail(error, failed);
    } finally {
      clearTimeout(slow);
    }
  }, [fail]);
  const reload = useCallback(async () => {
    newest.current = once();
    // One that another has taken the place of has landed when that one has: until then the old rows are on screen.
    for (let last = null; last !== newest.current;) await (last = newest.current);
  }, [once]);

  useEffect(() => {
    void reload();
    return () => running.current?.abort();
  }, [...deps, load === null, reload]);

  useEffect(() => {
    if (!state.offline) return;
    const again = () => void reload();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [state.offline, reload]);

  return { ...state, reload };
}
