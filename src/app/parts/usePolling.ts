/** Data that several components show: requested once for all of them, and again at intervals if there are any. */
import { useCallback, useSyncExternalStore } from 'react';
import type { AppApi } from '../api/createApi';
import { useApi } from '../state/session';
import { SLOW_MS } from '../state/toasts';

interface Snapshot<T> {
  /** The newest answer; undefined before the first, or if the server has no data. */
  data: T | undefined;
  busy: boolean;
  failed: boolean;
  /** Busy for more than 8 seconds. */
  slow: boolean;
}
interface Source<T> {
  snapshot: () => Snapshot<T>;
  /** Requests the data while there are listeners. */
  listen: (listener: () => void) => () => void;
  hasListeners: () => boolean;
  reload: () => Promise<void>;
}
interface Times {
  firstMs: number;
  everyMs?: number;
  /** Whether a hidden page asks too. The browser then lets it about once a minute. */
  isAskedHidden?: () => boolean;
}

/** Keeps the data per session and tenant, or what else it depends on. */
export function createPolling<T, Key = number | undefined>(
  load: (api: AppApi, key: Key, signal: AbortSignal) => Promise<T>,
  times: Times,
) {
  const sources = new WeakMap<AppApi, Map<Key, Source<T>>>();
  function getSource(api: AppApi, key: Key): Source<T> {
    const ofSession = sources.get(api) ?? new Map<Key, Source<T>>();
    sources.set(api, ofSession);
    const source = ofSession.get(key) ?? createSource((signal) => load(api, key, signal), times);
    ofSession.set(key, source);
    return source;
  }
  return {
    /** With `isEnabled` false nothing is requested for this component. */
    usePolling(key: Key, { isEnabled = true }: { isEnabled?: boolean } = {}): Snapshot<T> & Pick<Source<T>, 'reload'> {
      const source = getSource(useApi(), key);
      const listen = useCallback(
        (listener: () => void) => (isEnabled ? source.listen(listener) : () => undefined),
        [source, isEnabled],
      );
      return { ...useSyncExternalStore(listen, source.snapshot, source.snapshot), reload: source.reload };
    },
    /** Reloads what is on screen. */
    reloadVisible(api: AppApi): void {
      for (const source of sources.get(api)?.values() ?? []) if (source.hasListeners()) void source.reload();
    },
  };
}

function createSource<T>(
  load: (signal: AbortSignal) => Promise<T>,
  { firstMs, everyMs, isAskedHidden }: Times,
): Source<T> {
  const listeners = new Set<() => void>();
  let state: Snapshot<T> = { data: undefined, busy: true, failed: false, slow: false };
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;

  const become = (next: Snapshot<T>) => {
    state = next;
    for (const listener of listeners) listener();
  };
  async function reload(): Promise<void> {
    running?.abort();
    const turn = (running = new AbortController());
    become({ ...state, busy: true, slow: false });
    const slow = setTimeout(() => {
      if (!turn.signal.aborted) become({ ...state, slow: true });
    }, SLOW_MS);
    try {
      const data = await load(turn.signal);
      if (!turn.signal.aborted) become({ data, busy: false, failed: false, slow: false });
    } catch (error) {
      if (turn.signal.aborted) return;
      console.error(error);
      become({ ...state, busy: false, failed: true, slow: false });
    } finally {
      clearTimeout(slow);
    }
  }

  /** A hidden page requests nothing, as a rule; what became due meanwhile is requested when it is visible again. */
  function tick(): void {
    isDue = document.hidden && !isAskedHidden?.();
    if (isDue) return;
    if (everyMs !== undefined) timer = setTimeout(tick, everyMs);
    void reload();
  }
  const seen = () => {
    if (isDue) tick();
  };

  return {
    snapshot: () => state,
    reload,
    hasListeners: () => listeners.size > 0,
    listen(listener) {
      if (!listeners.size) {
        timer = setTimeout(tick, firstMs);
        document.addEventListener('visibilitychange', seen);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size) return;
        clearTimeout(timer);
        isDue = false;
        running?.abort();
        document.removeEventListener('visibilitychange', seen);
      };
    },
  };
}
