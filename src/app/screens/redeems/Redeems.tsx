import { useState } from 'react';
import { useResource } from '../../hooks/useResource';
import { useChangeReason } from '../../parts/changeReason';
import { useApi, useFeature } from '../../state/session';
import { ManualRedeem } from './ManualRedeem';
import { RedeemQueue } from './RedeemQueue';
import { RedeemTable } from './RedeemTable';

/** The redeems of one tenant or of all (docs/product.md, "Redeems"); a work queue if the server offers it. */
export const Redeems = ({ tenantId }: { tenantId?: number | undefined }) =>
  useFeature('queue') ? <RedeemQueue tenantId={tenantId} /> : <RedeemList tenantId={tenantId} />;

function RedeemList({ tenantId }: { tenantId: number | undefined }) {
  const api = useApi();
  const [isCreating, setIsCreating] = useState(false);
  const changeReason = useChangeReason();
  const redeems = useResource(
    (signal) => api.listRedeems({ tenant_id: tenantId }, { signal }),
    [api, tenantId],
    'Failed to fetch redeems',
  );

  return (
    <>
      <header className="bar">
        <h2>Redeems</h2>
        <span role="status">{redeems.data && `${redeems.data.length} shown`}</span>
        <button type="button" onClick={() => setIsCreating(true)}>
          Create Manual Redeem
        </button>
        {changeReason.fields}
      </header>
      <RedeemTable redeems={redeems} changeReason={changeReason.input} reload={redeems.reload} />
      {isCreating && <ManualRedeem tenantId={tenantId} onClose={() => setIsCreating(false)} onSaved={redeems.reload} />}
    </>
  );
}
