import { createPolling } from '../usePolling';

/** What a tenant has of what it needs; for super admins. */
export const { usePolling: useTenantSetup, reloadVisible: reloadTenantSetup } = createPolling(
  (api, tenantId, signal) => api.getTenantSetup({ id: tenantId ?? 0 }, { signal }),
  { firstMs: 0 },
);
