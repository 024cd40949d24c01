import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client';
import { listen } from '../api/listen';
import { SLOW_MS } from '../state/toasts';
import { type ErrorMessage, useErrorToast } from './useErrorToast';
import { useIsHere } from './useIsHere';

export interface Resource<T> {
  /** The newest answer. It stays during a reload and after one that failed. */
  data: T | undefined;
  busy: boolean;
  /** The last load failed. */
  failed: boolean;
  /** It failed because the server did not answer. */
  offline: boolean;
  /** Busy for more than 8 seconds. */
  slow: boolean;
  reload: () => Promise<void>;
}

type State<T> = Omit<Resource<T>, 'reload'>;
const nothing: State<never> = { data: undefined, busy: false, failed: false, offline: false, slow: false };

/** Loads on mount, new `deps`, `reload` and reconnection; the newest answer counts. `load` null: nothing is loaded. */
export function useResource<T>(
  load: ((signal: AbortSignal) => Promise<T>) | null,
  deps: unknown[],
  failed: ErrorMessage,
): Resource<T> {
  const [state, setState] = useState<State<T>>(() => ({ ...nothing, busy: load !== null }));
  const latest = useRef({ load, failed });
  latest.current = { load, failed }; // an old `reload` must use the newest `load`
  const running = useRef<AbortController>(null);
  const newest = useRef<Promise<void>>(null);
  const fail = useErrorToast();

  const once = useCallback(async () => {
    running.current?.abort();
    const turn = (running.current = new AbortController());
    const { load, failed } = latest.current;
    if (!load) return setState(nothing);
    setState((old) => ({ ...old, busy: true, slow: false }));
    const slow = setTimeout(() => setState((old) => (turn.signal.aborted ? old : { ...old, slow: true })), SLOW_MS);
    try {
      const data = await load(turn.signal);
      if (!turn.signal.aborted) setState({ ...nothing, data });
    } catch (error) {
      if (turn.signal.aborted) return;
      const offline = error instanceof ApiError && error.status === 0;
      setState(({ data }) => ({ ...nothing, data, failed: true, offline }));
      fail(error, failed);
    } finally {
      clearTimeout(slow);
    }
  }, [fail]);
  const isHere = useIsHere();
  const reload = useCallback(async () => {
    if (!isHere.current) return;
    newest.current = once();
    // If a newer reload has replaced this one, wait for the newest: until then the old rows are shown.
    for (let last = null; last !== newest.current; ) await (last = newest.current);
  }, [once, isHere]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says what the load depends on
  useEffect(() => {
    void reload();
    return () => running.current?.abort();
  }, [...deps, load === null, reload]);

  useEffect(() => (state.offline ? listen(['online'], () => reload()) : undefined), [state.offline, reload]);

  return { ...state, reload };
}
