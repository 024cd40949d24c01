/** The next steps, in their order. Each is a change of how the machines are arranged. */
import type { Shape } from './calls';

interface NextStep {
  name: string;
  change: Partial<Shape>;
}
export const nextSteps = (regions: number): NextStep[] => [
  { name: 'totals kept for the lists of all tenants', change: { keptTotals: true } },
  { name: 'settlements as single-shard statements', change: { singleShard: true } },
  { name: 'audit log by tenant, one machine for each write', change: { auditByTenant: true } },
  { name: 'query from any node', change: { anyNode: true } },
  { name: 'a worker for each of the largest tenants', change: { ownWorkers: true } },
  { name: 'these workers with more cores', change: { ownWorkers: true, bigWorkers: true } },
  { name: 'payments by month, older ones archived', change: { archive: true } },
  { name: `${regions} installations by region`, change: { regions } },
];

/** The first of them, one after the other. */
const firstSteps = (regions: number, count: number): Partial<Shape> =>
  Object.assign(
    {},
    ...nextSteps(regions)
      .slice(0, count)
      .map(({ change }) => change),
  );

/** Everything that one installation can do. */
export const allButRegions = (regions: number): Partial<Shape> => firstSteps(regions, nextSteps(regions).length - 1);

/** What the main table shows side by side. */
export const stages = (regions: number): NextStep[] => [
  { name: 'One coordinator, as it was tried', change: {} },
  { name: 'Kept totals, single-shard settlements, audit log by tenant', change: firstSteps(regions, 3) },
  { name: 'and query from any node', change: firstSteps(regions, 4) },
  { name: 'and larger workers of their own for the largest tenants', change: firstSteps(regions, 6) },
  { name: `and months apart, ${regions} installations by region`, change: firstSteps(regions, 8) },
];
