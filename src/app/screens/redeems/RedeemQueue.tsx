import { useState } from 'react';
import { FOLDED, useMediaQuery } from '../../hooks/useMediaQuery';
import { type ListedRedeem, useApprovedQueue } from '../../parts/approvals/useApprovals';
import { CommandButton } from '../../parts/CommandButton';
import { ExportButton } from '../../parts/ExportButton';
import { ImportButton } from '../../parts/ImportButton';
import { ActiveFilters } from '../../parts/queue/ActiveFilters';
import { claimCells } from '../../parts/queue/claimCells';
import { NewRows } from '../../parts/queue/NewRows';
import { QueueFrame } from '../../parts/queue/QueueFrame';
import { getEmptyText, useQueue } from '../../parts/queue/useQueue';
import { useSettle } from '../../parts/queue/useSettle';
import { WaitingTime } from '../../parts/queue/WaitingTime';
import { useListTools } from '../../parts/table/useListTools';
import { useApi, useMay } from '../../state/session';
import { formatCountOf } from '../../ui/formatCount';
import { ManualRedeem } from './ManualRedeem';
import { RedeemTable } from './RedeemTable';

/** Redeems as a work queue: pending first, with filters, pages and keys for decisions. */
export function RedeemQueue({ tenantId }: { tenantId: number | undefined }) {
  const api = useApi();
  const isFolded = useMediaQuery(FOLDED);
  const [isCreating, setIsCreating] = useState(false);
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
  const tools = (
    <div className="tools">
      {mayPay && <CommandButton onClick={() => setIsCreating(true)}>Create Manual Redeem</CommandButton>}
      {!queue.problem && <ExportButton name="redeems" load={() => api.exportRedeems(queue.query)} />}
      <ImportButton kind="transactions" tenantId={tenantId} reload={queue.reload} />
    </div>
  );

  return (
    <>
      <header className="bar">
        <h2>Redeems</h2>
        <span role="status">{queue.total !== undefined && formatCountOf(queue.total, 'redeem')}</span>
        <NewRows list="redeems" tenantId={tenantId} queue={queue} />
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
        {!isFolded && <ActiveFilters address={queue.address} onChange={queue.onFilter} />}
        {!isFolded && tools}
      </header>
      <QueueFrame
        list="redeems"
        queue={queue}
        decisions={decisions}
        methods={[]}
        tools={isFolded && tools}
        listTools={listTools}
      >
        <RedeemTable
          redeems={decisions.rows}
          tools={listTools}
          decisions={decisions}
          newId={newId}
          queue={{
            WaitingTime,
            claimCells,
            empty: getEmptyText(
              queue,
              'No redeems yet. They come from your systems, an import, or Create Manual Redeem.',
            ),
          }}
        />
      </QueueFrame>
      {isCreating && (
        <ManualRedeem
          tenantId={tenantId}
          onClose={() => setIsCreating(false)}
          onSaved={(id) => {
            setNewId(id);
            return queue.reload();
          }}
        />
      )}
    </>
  );
}
