import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Tenant } from '../../contract/entities';
import type { ErrorMessage } from '../hooks/useErrorToast';
import { type Resource, useResource } from '../hooks/useResource';
import { useApi, useUser } from '../state/session';

interface Options {
  /** Nothing is requested while this is false. */
  enabled?: boolean;
  /** Leaves out the platform's own tenant on every server (docs/product.md, "Limits and constants"). */
  hidePlatformTenant?: boolean;
}

/**
 * All tenants but the first, which is the platform's own. At our server it takes neither platforms nor payment methods.
 * Another server may use it, so there it is hidden only on request.
 */
export function useTenants(
  failed: ErrorMessage,
  { enabled = true, hidePlatformTenant = false }: Options = {},
): Resource<Tenant[]> {
  const api = useApi();
  const { features = [] } = useUser();
  const isHidden = hidePlatformTenant || features.length > 0;
  const load = async (signal: AbortSignal) => {
    const tenants = await api.listTenants({}, { signal });
    // Number(): another server may send ids as text.
    return tenants.filter(({ id }) => !isHidden || Number(id) !== PLATFORM_TENANT_ID);
  };
  return useResource(enabled ? load : null, [api, isHidden], failed);
}
