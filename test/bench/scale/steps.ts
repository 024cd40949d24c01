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
