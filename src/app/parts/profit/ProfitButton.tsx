import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { Overview } from '../../../contract/entities';
import { isDemoMode } from '../../state/demoMode';
import { useFeature, useUser } from '../../state/session';
import { Button } from '../../ui/Button';
import { lazyWithRetry } from '../../ui/lazyWithRetry';

const ProfitDialog = lazyWithRetry(() => import('./ProfitTable').then((file) => file.ProfitDialog));

/** Opens the profit of a tenant in the span of an overview. */
export function ProfitButton({ tenantId, of }: { tenantId: number | undefined; of: Overview | undefined }) {
  const isOfOne = !useUser().role.is_super_admin || tenantId !== undefined;
  const isOffered = useFeature('shifts');
  const [isShown, setShown] = useState(false);
  if (!of || !isOffered || !isOfOne || isDemoMode()) return null;
  const span = { tenantId, from: of.starts, to: of.ends };
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setShown(true)}>
        Profit
      </Button>
      {isShown && createPortal(<ProfitDialog {...span} onClose={() => setShown(false)} />, document.body)}
    </>
  );
}
