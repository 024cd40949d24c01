import { UNKNOWN_MS } from '../../hooks/useRepeats';
import { useToast } from '../../state/toasts';
import { formatCount } from '../../ui/formatCount';
import { statusLabels } from '../../ui/StatusSelect';
import { countOutcomes } from '../bulk/report';
import { type Bulk, useBulk } from '../bulk/useBulk';
import type { Item, Verdict } from './decision';
import type { DecisionList } from './useDecisionList';
import type { StatusCall } from './useStatusCall';

/** Sets several rows at once: confirmed before, without an undo, and reported (docs/extras/lists.md, "Many rows"). */
export function useSettleMany<Row extends Item>(
  decisions: DecisionList<Row>,
  call: StatusCall,
  reload: () => Promise<unknown>,
): Bulk<Row, Verdict> {
  const toast = useToast();
  const titleOf = ({ status }: Verdict, count: number) => `Set ${formatCount(count)} to ${statusLabels[status]}`;
  return useBulk<Row, Verdict>({
    title: titleOf,
    toBulkRow: ({ id, user_email, amount }) => ({ id, email: user_email, amount }),
    send: call.send,
    findReason: async (error, row) => (await call.findDecision(error, row))?.replace(/^a/, 'A'),
    onBegin: (rows, verdict) => {
      for (const row of rows) decisions.put({ row, ...verdict, stage: 'sending' });
    },
    async onEnd(rows, verdict, lines, isHere) {
      const done = rows.filter((_, n) => lines[n]?.is === 'done');
      decisions.drop(rows.filter((row) => !done.includes(row))); // they can be decided again at once
      call.tellAllDone(done, verdict.status);
      if (!isHere && done.length < rows.length)
        toast.error(`${titleOf(verdict, rows.length)}: ${countOutcomes(lines)}`, { of: rows, ms: UNKNOWN_MS });
      await reload();
      decisions.drop(done);
    },
    isTaken: ({ id }) => decisions.find(id) !== undefined,
  });
}
