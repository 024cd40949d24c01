import { useCallback, useSyncExternalStore } from 'react';
import { METRICS_EVERY_MS, METRICS_FIRST_MS } from '../../contract/constants';
import type { DashboardMetrics } from '../../contract/entities';
import type { Api } from '../api';
import { useApi } from '../session';
import { SLOW_MS } from '../toasts';

interface Snapshot {
  /** The newest figures; undefined before the first, or when the server has none. */
  data: DashboardMetrics | undefined;
  busy: boolean;
  failed: boolean;
  /** Busy for more than 8 seconds. */
  slow: boolean;
}
interface Source {
  snapshot: () => Snapshot;
  /** Asks the server as long as anybody listens. */
  listen: (listener: () => void) => () => void;
  reload: () => Promise<void>;
}

/** The figures of one tenant or of all, asked for once however many parts of the page show them (spec 4). */
export function useMetrics(tenantId: number | undefined): Snapshot & Pick<Source, 'reload'> {
  const api = useApi();
  const source = sourceOf(api, tenantId);
  const listen = useCallback((listener: () => void) => source.listen(listener), [source]);
  return { ...useSyncExternalStore(listen, source.snapshot), reload: source.reload };
}

/** Per session, and per tenant within it: a new session starts with nothing. */
const sources = new WeakMap<Api, Map<number | undefined, Source>>();

function sourceOf(api: Api, tenantId: number | undefined): Source {
  const ofSession = sources.get(api) ?? new Map<number | undefined, Source>();
  sources.set(api, ofSession);
  const source = ofSession.get(tenantId) ?? createSource((signal) => api.getDashboardMetrics({ tenant_id: tenantId }, { signal }));
  ofSession.set(tenantId, source);
  return source;
}

function createSource(load: (signal: AbortSignal) => Promise<DashboardMetrics>): Source {
  const listeners = new Set<() => void>();
  let state: Snapshot = { data: undefined, busy: true, failed: false, slow: false };
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;

  const become = (next: Snapshot) => {
    state = next;
    for (const listener of listeners) listener();
  };
  async function reload(): Promise<void> {
    running?.abort();
    const turn = running = new AbortController();
    become({ ...state, busy: true, slow: false });
    const slow = setTimeout(() => { if (!turn.signal.aborted) become({ ...state, slow: true }); }, SLOW_MS);
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

  /** A hidden page asks for nothing; what fell due meanwhile is asked for when somebody looks again. */
  function tick(): void {
    isDue = document.hidden;
    if (isDue) return;
    timer = setTimeout(tick, METRICS_EVERY_MS);
    void reload();
  }
  const seen = () => { if (isDue) tick(); };

  return {
    snapshot: () => state,
    reload,
    listen(listener) {
      if (!listeners.size) {
        timer = setTimeout(tick, METRICS_FIRST_MS);
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
