import { useEffect, useMemo, useRef } from 'react';
import type { Approval, Redeem } from '../../../contract/entities';
import { useFeature } from '../../state/session';
import type { Queue } from '../queue/useQueue';
import { usePolledApprovals } from './polledApprovals';

/** A redeem, with what one of two people has approved. */
export type ListedRedeem = Redeem & { approval?: Approval | undefined };

/** What waits for a second person; undefined until known, and if the server knows no such thing. */
export const useApprovals = (
  tenantId: number | undefined,
  { isEnabled = true }: { isEnabled?: boolean } = {},
): readonly Approval[] | undefined =>
  usePolledApprovals(tenantId, { isEnabled: useFeature('approvals') && isEnabled }).data;

/** Names the approval of each redeem that waits for a second person. The others stay as they are. */
export function withApprovals(rows: readonly ListedRedeem[], waiting: readonly Approval[] | undefined): ListedRedeem[] {
  const approvals = new Map(waiting?.map((approval) => [approval.redeem_id, approval]));
  return rows.map((row) => (approvals.has(row.id) ? { ...row, approval: approvals.get(row.id) } : row));
}

/** The work queue of redeems, loaded anew when somebody approves, withdraws or refuses one. */
export function useApprovedQueue(
  queue: Queue<ListedRedeem>,
  tenantId: number | undefined,
): { queue: Queue<ListedRedeem>; waiting: number } {
  const approvals = useApprovals(tenantId),
    { data, reload } = queue.rows;
  const redeems = approvals?.filter(({ kind }) => kind === 'redeem').map(({ id }) => id);
  const known = redeems?.join(),
    last = useRef(known);
  useEffect(() => {
    if (last.current !== undefined && known !== last.current) void reload();
    last.current = known;
  }, [known, reload]);
  const rows = useMemo(() => data && withApprovals(data, approvals), [data, approvals]);
  return { queue: { ...queue, rows: { ...queue.rows, data: rows } }, waiting: redeems?.length ?? 0 };
}
