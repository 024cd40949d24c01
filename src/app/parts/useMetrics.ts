import { METRICS_EVERY_MS, METRICS_FIRST_MS } from '../../contract/constants';
import { createPolling } from './usePolling';

/**
 * The metrics of one tenant or of all, requested once for all components that show them (docs/product.md, "Metrics").
 */
export const { usePolling: useMetrics, reloadVisible: reloadMetrics } = createPolling(
  (api, tenantId, signal) => api.getDashboardMetrics({ tenant_id: tenantId }, { signal }),
  { firstMs: METRICS_FIRST_MS, everyMs: METRICS_EVERY_MS },
);
