/** What several parts of a page show, requested once for all of them, of one tenant or of all. */
import { useCallback } from 'react';
import { METRICS_EVERY_MS, METRICS_FIRST_MS } from '../../contract/constants';
import type { AppApi } from '../api/createApi';
import { useApi } from '../state/session';
import { createPolling } from './usePolling';

/** The metrics (docs/product.md, "Metrics"). */
export const { usePolling: useMetrics, reloadVisible: reloadMetrics } = createPolling(
  (api, tenantId, signal) => api.getDashboardMetrics({ tenant_id: tenantId }, { signal }),
  { firstMs: METRICS_FIRST_MS, everyMs: METRICS_EVERY_MS },
);

/** The number of pending items in each list, refreshed every minute and after each decision. */
export const { usePolling: usePendingCounts, reloadVisible: reloadPendingCounts } = createPolling(
  (api, tenantId, signal) => api.countPending({ tenant_id: tenantId }, { signal }),
  { firstMs: METRICS_FIRST_MS, everyMs: 60_000 },
);

/** What waits for a second person, refreshed every minute and after each decision. */
export const { usePolling: usePolledApprovals, reloadVisible: reloadApprovals } = createPolling(
  (api, tenantId, signal) => api.listApprovals({ tenant_id: tenantId }, { signal }),
  { firstMs: 0, everyMs: 60_000 },
);

/** What a tenant has of what it needs; for super admins. */
export const { usePolling: useTenantSetup, reloadVisible: reloadTenantSetup } = createPolling(
  (api, tenantId, signal) => api.getTenantSetup({ id: tenantId ?? 0 }, { signal }),
  { firstMs: 0 },
);

/** All tenants, for everything that shows their names or time zones. For super admins. */
export const { usePolling: useTenantDirectory } = createPolling(
  (api, _tenantId, signal) => api.listTenants({}, { signal }),
  { firstMs: 0 },
);

/** After money was moved or a player was made: reloads the figures and the pending counts that are on screen. */
export function reloadFigures(api: AppApi): void {
  for (const reload of [reloadMetrics, reloadPendingCounts, reloadTenantSetup, reloadApprovals]) reload(api);
}

/** Reloads rows and those figures. */
export function useReload(reloadRows: () => Promise<unknown>): () => Promise<void> {
  const api = useApi();
  return useCallback(async () => {
    reloadFigures(api);
    await reloadRows();
  }, [api, reloadRows]);
}
