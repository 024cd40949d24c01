import { METRICS_EVERY_MS, METRICS_FIRST_MS } from '../../contract/constants';
import { createPolling } from './usePolling';

/** The figures of one tenant or of all, asked for once however many parts of the page show them (spec 4). */
export const { usePolling: useMetrics } = createPolling(
  (api, tenantId, signal) => api.getDashboardMetrics({ tenant_id: tenantId }, { signal }), { firstMs: METRICS_FIRST_MS, everyMs: METRICS_EVERY_MS });
