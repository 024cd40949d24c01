import { createPolling } from './usePolling';

/** All tenants, requested once for everything that shows their names or time zones. For super admins. */
export const { usePolling: useTenantDirectory, reloadVisible: reloadTenantDirectory } = createPolling(
  (api, _tenantId, signal) => api.listTenants({}, { signal }),
  { firstMs: 0 },
);
