import { METRICS_FIRST_MS } from '../../contract/constants';
import { createPolling } from './usePolling';

/**
 * The number of pending items in each list, of one tenant or of all, refreshed every minute and after each decision.
 */
export const { usePolling: usePendingCounts, reloadVisible: reloadPendingCounts } = createPolling(
  (api, tenantId, signal) => api.countPending({ tenant_id: tenantId }, { signal }),
  { firstMs: METRICS_FIRST_MS, everyMs: 60_000 },
);
