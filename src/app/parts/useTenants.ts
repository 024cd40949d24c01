import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Tenant } from '../../contract/entities';
import { useResource, type Resource } from '../hooks/useResource';
import { type Failed } from '../hooks/useErrorToast';
import { useApi, useUser } from '../state/session';

/**
 * Every tenant but the first, the platform's own, which at our server takes no platforms and no payment methods. Of another server's, which offers
 * nothing beyond the specification, that is not known: there the first is missing from the table alone (spec 9). Nothing is asked while they are not wanted.
 */
export function useTenants(failed: Failed, isWanted = true, isTable = false): Resource<Tenant[]> {
  const api = useApi();
  const hidesFirst = isTable || Boolean(useUser().features?.length);
  // Number(): another server may send ids as text.
  return useResource(isWanted ? async (signal) => (await api.listTenants({}, { signal })).filter(({ id }) => !hidesFirst || Number(id) !== PLATFORM_TENANT_ID) : null, [api, hidesFirst], failed);
}
