import { useState } from 'react';
import type { Redeem } from '../../../contract/entities';
import { useChangeReason } from '../../parts/changeReason';
import { ExportButton } from '../../parts/ExportButton';
import { ImportButton } from '../../parts/ImportButton';
import { QueueFrame } from '../../parts/queue/QueueFrame';
import { RiskChips } from '../../parts/queue/RiskChips';
import { useKeyboardDecisions } from '../../parts/queue/useKeyboardDecisions';
import { getEmptyText, useQueue } from '../../parts/queue/useQueue';
import { WaitingTime } from '../../parts/queue/WaitingTime';
import { useApi } from '../../state/session';
import { ManualRedeem } from './ManualRedeem';
import { RedeemTable } from './RedeemTable';

/** Redeems as a work queue: pending first, with filters, pages and keys for decisions. */
export function RedeemQueue({ tenantId }: { tenantId: number | undefined }) {
  const api = useApi();
  const [isCreating, setIsCreating] = useState(false);
  const changeReason = useChangeReason();
  const queue = useQueue<Redeem>('redeems', tenantId, api.listRedeems, 'Failed to fetch redeems');
  const keyboard = useKeyboardDecisions(queue.rows.data, changeReason.input);

  return (
    <>
      <header className="bar">
        <h2>Redeems</h2>
        <span role="status">
          {queue.total !== undefined && `${queue.total} ${queue.total === 1 ? 'redeem' : 'redeems'}`}
        </span>
        <button type="button" onClick={() => setIsCreating(true)}>
          Create Manual Redeem
        </button>
        {!queue.problem && <ExportButton name="redeems" load={() => api.exportRedeems(queue.query)} />}
        <ImportButton kind="transactions" tenantId={tenantId} reload={queue.reload} />
        {changeReason.fields}
      </header>
      <QueueFrame
        list="redeems"
        queue={queue}
        keyboard={keyboard}
        methods={[]}
        change={api.changeRedeemStatus}
        done="Status updated"
        failed="Failed to update status"
      >
        <RedeemTable
          redeems={queue.rows}
          changeReason={changeReason.input}
          reload={queue.reload}
          queue={{
            planned: keyboard.planned,
            WaitingTime,
            Risks: RiskChips,
            empty: getEmptyText(queue, 'No redeems yet.'),
          }}
        />
      </QueueFrame>
      {isCreating && <ManualRedeem tenantId={tenantId} onClose={() => setIsCreating(false)} onSaved={queue.reload} />}
    </>
  );
}
