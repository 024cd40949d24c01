import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { type ListedRedeem, useApprovedQueue } from '../../parts/approvals/useApprovals';
import { DialogButton } from '../../parts/DialogButton';
import { useReload } from '../../parts/polled';
import { QueueFrame } from '../../parts/queue/QueueFrame';
import { getEmptyText, useQueue } from '../../parts/queue/useQueue';
import { useSettle } from '../../parts/queue/useSettle';
import { useListTools } from '../../parts/table/useListTools';
import { useApi, useFeature, useMay } from '../../state/session';
import { ManualRedeem } from './ManualRedeem';
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

/** Redeems as a work queue: pending first, with filters, pages and keys for decisions. */
function RedeemQueue({ tenantId }: { tenantId: number | undefined }) {
  const api = useApi();
  const [newId, setNewId] = useState<number | null>(null);
  const { queue, waiting } = useApprovedQueue(
    useQueue<ListedRedeem>('redeems', tenantId, api.listRedeems, 'Failed to fetch redeems'),
    tenantId,
  );
  const decisions = useSettle(queue.rows, {
    list: JSON.stringify(queue.query),
    reload: queue.reload,
    watch: queue.watch,
    change: api.changeRedeemStatus,
    done: 'Status updated',
    failed: 'Failed to update status',
  });
  const listTools = useListTools('redeems', queue, decisions.rows.data);

  const mayPay = useMay('payouts');
  const onSaved = (id: number | null) => {
    setNewId(id);
    return queue.reload();
  };
  return (
    <QueueFrame
      list="redeems"
      tenantId={tenantId}
      title={<h2>Redeems</h2>}
      noun="redeem"
      waiting={
        <span role="status">
          {waiting > 0 && (
            <button
              type="button"
              className="chip"
              aria-pressed={queue.address.approval === 'waiting'}
              onClick={() => queue.onFilter({ approval: queue.address.approval ? '' : 'waiting' })}
            >
              {waiting} {waiting === 1 ? 'waits' : 'wait'} for a second approval
            </button>
          )}
        </span>
      }
      queue={queue}
      decisions={decisions}
      buttons={
        mayPay && (
          <DialogButton isCommand dialog={(onClose) => <ManualRedeem {...{ tenantId, onClose, onSaved }} />}>
            Create Manual Redeem
          </DialogButton>
        )
      }
      download={() => api.exportRedeems(queue.query)}
      listTools={listTools}
    >
      <RedeemTable
        redeems={decisions.rows}
        tools={listTools}
        decisions={decisions}
        newId={newId}
        empty={getEmptyText(queue, 'No redeems yet. They come from your systems, an import, or Create Manual Redeem.')}
      />
    </QueueFrame>
  );
}
