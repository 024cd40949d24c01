import { type ListedReturn, useApprovedQueue } from '../../parts/approvals/useApprovals';
import { DialogButton } from '../../parts/DialogButton';
import { QueueFrame } from '../../parts/queue/QueueFrame';
import { getEmptyText, useQueue } from '../../parts/queue/useQueue';
import { useSettle } from '../../parts/queue/useSettle';
import { TransactionTable } from '../../parts/TransactionTable';
import { useListTools } from '../../parts/table/useListTools';
import { useApi, useFeature, useMay } from '../../state/session';
import { PaidFromGame } from './PaidFromGame';
import { RecordReturn } from './RecordReturn';

/** Winnings that come back from game platforms. There is no list without a work queue. */
export const Returns = (list: { tenantId?: number }) => useFeature('queue') && <ReturnQueue {...list} />;

function ReturnQueue({ tenantId }: { tenantId?: number }) {
  const api = useApi();
  const { queue, waiting } = useApprovedQueue<ListedReturn>(
    useQueue<ListedReturn>('returns', tenantId, api.listReturns, 'Failed to fetch returns'),
    tenantId,
    'return',
  );
  const decisions = useSettle<ListedReturn>(queue.rows, {
    list: JSON.stringify(queue.query),
    reload: queue.reload,
    watch: queue.watch,
    change: api.changePurchaseStatus,
    done: 'Status updated successfully',
    failed: 'Failed to update status',
  });
  const listTools = useListTools('returns', queue, decisions.rows.data);
  const mayRecord = useMay('queue');
  return (
    <QueueFrame
      list="returns"
      tenantId={tenantId}
      title={<h2>Returns</h2>}
      noun="return"
      waiting={
        <span role="status">
          {waiting > 0 && `${waiting} ${waiting === 1 ? 'waits' : 'wait'} for a second approval`}
        </span>
      }
      queue={queue}
      decisions={decisions}
      buttons={
        mayRecord && (
          <DialogButton
            isCommand
            dialog={(onClose) => <RecordReturn {...{ tenantId, onClose }} onSaved={queue.reload} />}
          >
            Record Return
          </DialogButton>
        )
      }
      download={() => api.exportReturns(queue.query)}
      listTools={listTools}
      setting={tenantId !== undefined && <PaidFromGame tenantId={tenantId} />}
    >
      <TransactionTable
        heading="Returns"
        transactions={decisions.rows}
        tools={listTools}
        decisions={decisions}
        kind="RETURN"
        empty={getEmptyText(queue, 'No returns yet. They come from your systems, an import, or Record Return.')}
      />
    </QueueFrame>
  );
}
