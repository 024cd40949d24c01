import { useCall } from '../../hooks/useCall';
import { DialogButton } from '../../parts/DialogButton';
import { useReload } from '../../parts/polled';
import { useSettle } from '../../parts/queue/useSettle';
import { useApi, useFeature, useMay } from '../../state/session';
import { ManualRedeem } from './ManualRedeem';
import { RedeemQueue } from './RedeemQueue';
import { RedeemTable } from './RedeemTable';

/** The redeems of one tenant or of all (docs/product.md, "Redeems"); a work queue if the server offers it. */
export const Redeems = ({ tenantId }: { tenantId?: number | undefined }) =>
  useFeature('queue') ? <RedeemQueue tenantId={tenantId} /> : <RedeemList tenantId={tenantId} />;

function RedeemList({ tenantId }: { tenantId: number | undefined }) {
  const api = useApi();
  const mayPay = useMay('payouts');
  const redeems = useCall(api.listRedeems, { tenant_id: tenantId }, 'Failed to fetch redeems');
  const reload = useReload(redeems.reload);
  const decisions = useSettle(redeems, {
    change: api.changeRedeemStatus,
    done: 'Status updated',
    failed: 'Failed to update status',
    reload,
  });

  return (
    <>
      <header className="bar">
        <h2>Redeems</h2>
        <span role="status">{redeems.data && `${redeems.data.length} shown`}</span>
        {mayPay && (
          <DialogButton isCommand dialog={(onClose) => <ManualRedeem {...{ tenantId, onClose }} onSaved={reload} />}>
            Create Manual Redeem
          </DialogButton>
        )}
      </header>
      <RedeemTable redeems={redeems} decisions={decisions} />
    </>
  );
}
