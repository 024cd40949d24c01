import type { Overview } from '../../../contract/entities';
import { isDemoMode } from '../../state/demoMode';
import { useFeature, useUser } from '../../state/session';
import { lazyWithRetry } from '../../ui/lazyWithRetry';
import { DialogButton } from '../DialogButton';

const ProfitDialog = lazyWithRetry(() => import('./ProfitTable').then((file) => file.ProfitDialog));

/** Opens the profit of a tenant in the span of an overview. */
export function ProfitButton({ tenantId, of }: { tenantId: number | undefined; of: Overview | undefined }) {
  const isOfOne = !useUser().role.is_super_admin || tenantId !== undefined;
  const isOffered = useFeature('shifts');
  if (!of || !isOffered || !isOfOne || isDemoMode()) return null;
  const span = { tenantId, from: of.starts, to: of.ends };
  return <DialogButton dialog={(onClose) => <ProfitDialog {...span} onClose={onClose} />}>Profit</DialogButton>;
}
