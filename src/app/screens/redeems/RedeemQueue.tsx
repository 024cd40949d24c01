import { useState } from 'react';
import { type ListedRedeem, useApprovedQueue } from '../../parts/approvals/useApprovals';
import { DialogButton } from '../../parts/DialogButton';
import { QueueFrame } from '../../parts/queue/QueueFrame';
import { getEmptyText, useQueue } from '../../parts/queue/useQueue';
import { useSettle } from '../../parts/queue/useSettle';
import { useListTools } from '../../parts/table/useListTools';
import { useApi, useMay } from '../../state/session';
import { ManualRedeem } from './ManualRedeem';
import { RedeemTable } from './RedeemTable';

/** Redeems as a work queue: pending first, with filters, pages and keys for decisions. */
export function RedeemQueue({ tenantId }: { tenantId: number | undefined }) {
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
