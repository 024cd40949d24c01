import { createPolling } from '../usePolling';

/** What waits for a second person, of one tenant or of all, refreshed every minute and after each decision. */
export const { usePolling: usePolledApprovals, reloadVisible: reloadApprovals } = createPolling(
  (api, tenantId, signal) => api.listApprovals({ tenant_id: tenantId }, { signal }),
  { firstMs: 0, everyMs: 60_000 },
);
