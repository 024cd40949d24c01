import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Tenant } from '../../contract/entities';
import { useResource, type Failed, type Resource } from '../hooks';
import { useApi } from '../session';

/** Every tenant but the first, which is the platform's own (spec 9); nothing is asked while they are not wanted. */
export function useTenants(failed: Failed, isWanted = true): Resource<Tenant[]> {
  const api = useApi();
  // Number(): another server may send ids as text.
  return useResource(isWanted ? async (signal) => (await api.listTenants({}, { signal })).filter(({ id }) => Number(id) !== PLATFORM_TENANT_ID) : null, [api], failed);
}
