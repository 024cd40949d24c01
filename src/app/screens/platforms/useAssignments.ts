import { useMemo } from 'react';
import type { Assignment, Tenant } from '../../../contract/entities';
import { type Resource, useResource } from '../../hooks/useResource';
import { useApi } from '../../state/session';

/** How many requests run at once. */
const AT_ONCE = 6;

/** Runs all jobs, a few at a time, even if some fail; then throws the first error, if there was one. */
export async function runInPool<T>(jobs: readonly T[], atOnce: number, work: (job: T) => Promise<void>): Promise<void> {
  const queue = [...jobs],
    failures: unknown[] = [];
  const worker = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift())
      await work(job).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, jobs.length) }, worker));
  if (failures.length) throw failures[0];
}

export interface Assignments extends Pick<Resource<unknown>, 'busy' | 'failed' | 'slow'> {
  /** The tenant's assignment of the platform, also a former one; null if there is none, undefined until loaded. */
  get: (tenantId: number, platformId: number) => Assignment | null | undefined;
  /** Reloads one tenant, or all that are missing. */
  reload: (tenantId?: number) => Promise<unknown>;
}

/** Which tenant has which platform, one call per tenant (docs/product.md, "Calls"): each can be reloaded alone. */
export function useAssignments(tenants: readonly Tenant[] | undefined): Assignments {
  const api = useApi();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new session starts with nothing
  const { known, wanted } = useMemo(
    () => ({ known: new Map<number, Assignment[]>(), wanted: new Set(tenants?.map(({ id }) => id)) }),
    [api, tenants],
  );

  const resource = useResource(
    tenants
      ? (signal) =>
          runInPool([...wanted], AT_ONCE, async (id) => {
            const list = await api.listAssignments({ id }, { signal });
            if (signal.aborted) return;
            known.set(id, list);
            wanted.delete(id);
          })
      : null,
    [api, tenants],
    'Failed to fetch platform assignments',
  );

  return {
    busy: resource.busy,
    failed: resource.failed,
    slow: resource.slow,
    get: (tenantId, platformId) => {
      const list = known.get(tenantId);
      return list && (list.find((assignment) => String(assignment.platform_id) === String(platformId)) ?? null);
    },
    reload: (tenantId) => {
      if (tenantId !== undefined) wanted.add(tenantId);
      return resource.reload();
    },
  };
}
