import { useEffect, useMemo, useRef } from 'react';
import type { Approval, Redeem, ReturnRow, Transaction } from '../../../contract/entities';
import { useFeature } from '../../state/session';
import { usePolledApprovals } from '../polled';
import type { Queue } from '../queue/useQueue';

/** A redeem or a return, with what one of two people has approved. */
export type ListedRedeem = Redeem & Approved;
export type ListedReturn = ReturnRow & Approved;
/** A purchase or deposit; of a return also its platform, its risks and what one of two people has approved. */
export type ListedTransaction = Transaction & Partial<Pick<ListedReturn, 'platform' | 'risks' | 'approval'>>;
interface Approved {
  approval?: Approval | undefined;
}

/** What waits for a second person; undefined until known, and if the server knows no such thing. */
export const useApprovals = (
  tenantId: number | undefined,
  { isEnabled = true }: { isEnabled?: boolean } = {},
): readonly Approval[] | undefined =>
  usePolledApprovals(tenantId, { isEnabled: useFeature('approvals') && isEnabled }).data;

/** Names the approval of each row that waits for a second person. The others stay as they are. */
export function withApprovals<Row extends Approved & { id: number }>(
  rows: readonly Row[],
  waiting: readonly Approval[] | undefined,
): Row[] {
  const approvals = new Map(waiting?.map((approval) => [approval.redeem_id ?? approval.return_id, approval]));
  return rows.map((row) => (approvals.has(row.id) ? { ...row, approval: approvals.get(row.id) } : row));
}

/** The work queue of redeems or returns, loaded anew when somebody approves, withdraws or refuses one. */
export function useApprovedQueue<Row extends Approved & { id: number }>(
  queue: Queue<Row>,
  tenantId: number | undefined,
  kindOfRows: 'redeem' | 'return' = 'redeem',
): { queue: Queue<Row>; waiting: number } {
  const approvals = useApprovals(tenantId),
    { data, reload } = queue.rows;
  const ids = approvals?.filter(({ kind }) => kind === kindOfRows).map(({ id }) => id);
  const known = ids?.join(),
    last = useRef(known);
  useEffect(() => {
    if (last.current !== undefined && known !== last.current) void reload();
    last.current = known;
  }, [known, reload]);
  const rows = useMemo(() => data && withApprovals(data, approvals), [data, approvals]);
  return { queue: { ...queue, rows: { ...queue.rows, data: rows } }, waiting: ids?.length ?? 0 };
}
