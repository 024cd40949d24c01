import { useState } from 'react';
import { FOLDED, useMediaQuery } from '../../hooks/useMediaQuery';
import { type ListedReturn, useApprovedQueue } from '../../parts/approvals/useApprovals';
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
import { TransactionTable } from '../../parts/TransactionTable';
import { useListTools } from '../../parts/table/useListTools';
import { useApi, useFeature, useMay } from '../../state/session';
import { formatCountOf } from '../../ui/formatCount';
import { PaidFromGame } from './PaidFromGame';
import { RecordReturn } from './RecordReturn';

/** Winnings that come back from game platforms. There is no list without a work queue. */
export const Returns = (list: { tenantId?: number }) => useFeature('queue') && <ReturnQueue {...list} />;

function ReturnQueue({ tenantId }: { tenantId?: number }) {
  const api = useApi();
  const isFolded = useMediaQuery(FOLDED);
  const [isRecording, setRecording] = useState(false);
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
  const tools = (
    <div className="tools">
      {mayRecord && <CommandButton onClick={() => setRecording(true)}>Record Return</CommandButton>}
      {!queue.problem && <ExportButton name="returns" load={() => api.exportReturns(queue.query)} />}
      <ImportButton kind="transactions" tenantId={tenantId} reload={queue.reload} />
    </div>
  );
  return (
    <>
      <header className="bar">
        <h2>Returns</h2>
        <span role="status">
          {queue.total !== undefined && formatCountOf(queue.total, 'return')}
          {waiting > 0 && `, ${waiting} ${waiting === 1 ? 'waits' : 'wait'} for a second approval`}
        </span>
        <NewRows list="returns" tenantId={tenantId} queue={queue} />
        {!isFolded && <ActiveFilters address={queue.address} onChange={queue.onFilter} />}
        {!isFolded && tools}
      </header>
      <QueueFrame
        list="returns"
        queue={queue}
        decisions={decisions}
        methods={[]}
        tools={isFolded && tools}
        listTools={listTools}
      >
        <TransactionTable
          heading="Returns"
          transactions={decisions.rows}
          tools={listTools}
          decisions={decisions}
          isReturns
          queue={{
            WaitingTime,
            claimCells,
            empty: getEmptyText(queue, 'No returns yet. They come from your systems, an import, or Record Return.'),
          }}
        />
      </QueueFrame>
      {tenantId !== undefined && <PaidFromGame tenantId={tenantId} />}
      {isRecording && <RecordReturn tenantId={tenantId} onClose={() => setRecording(false)} onSaved={queue.reload} />}
    </>
  );
}
