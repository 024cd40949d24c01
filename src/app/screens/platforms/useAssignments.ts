import { useMemo } from 'react';
import type { Assignment, Tenant } from '../../../contract/entities';
import { useResource, type Resource } from '../../hooks/useResource';
import { useApi } from '../../state/session';

/** How many tenants are asked at once. */
const AT_ONCE = 6;

/** Does every job, a few at a time, also when some fail; then throws the first failure, if there was one. */
export async function runInPool<T>(jobs: readonly T[], atOnce: number, work: (job: T) => Promise<void>): Promise<void> {
  const queue = [...jobs], failures: unknown[] = [];
  const worker = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await work(job).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, worker));
  if (failures.length) throw failures[0];
}

export interface Assignments extends Pick<Resource<unknown>, 'busy' | 'failed' | 'slow'> {
  /** What is stored of the tenant at the platform, assigned or not any more; null for nothing, undefined while that tenant's are not known. */
  get: (tenantId: number, platformId: number) => Assignment | null | undefined;
  /** Asks again for one tenant, or for all that are still missing. */
  reload: (tenantId?: number) => Promise<unknown>;
}

/** Who has which platform. The calls are one per tenant (spec 7), so what is known of the others stays when one is asked again. */
export function useAssignments(tenants: readonly Tenant[] | undefined): Assignments {
  const api = useApi();
  const { known, wanted } = useMemo(
    () => ({ known: new Map<number, Assignment[]>(), wanted: new Set(tenants?.map(({ id }) => id)) }), [api, tenants]);

  const resource = useResource(tenants ? (signal) => runInPool([...wanted], AT_ONCE, async (id) => {
    const list = await api.listAssignments({ id }, { signal });
    if (signal.aborted) return;
    known.set(id, list);
    wanted.delete(id);
  }) : null, [api, tenants], 'Failed to fetch platform assignments');

  return {
    busy: resource.busy,
    failed: resource.failed,
    slow: resource.slow,
    get: (tenantId, platformId) => {
      const list = known.get(tenantId);
      return list && (list.find((assignment) => assignment.platform_id === platformId) ?? null);
    },
    reload: (tenantId) => {
      if (tenantId !== undefined) wanted.add(tenantId);
      return resource.reload();
    },
  };
}
