import type { AppApi } from '../api/createApi';
import { reloadApprovals } from './approvals/polledApprovals';
import { reloadTenantSetup } from './setup/useTenantSetup';
import { reloadMetrics } from './useMetrics';
import { reloadPendingCounts } from './usePendingCounts';

/** After money was moved or a player was made: reloads the figures and the pending counts that are on screen. */
export function reloadFigures(api: AppApi): void {
  reloadMetrics(api);
  reloadPendingCounts(api);
  reloadTenantSetup(api);
  reloadApprovals(api);
}
