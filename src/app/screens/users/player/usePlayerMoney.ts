import { useCallback, useMemo, useRef } from 'react';
import type { Transaction } from '../../../../contract/entities';
import { isOpen } from '../../../../contract/rules';
import { toFieldText } from '../../../api/parse';
import { useCall } from '../../../hooks/useCall';
import { detailOr } from '../../../hooks/useErrorToast';
import type { Resource } from '../../../hooks/useResource';
import { type ListedRedeem, useApprovals, withApprovals } from '../../../parts/approvals/useApprovals';
import type { Decisions } from '../../../parts/queue/decision';
import { useSettle } from '../../../parts/queue/useSettle';
import { useApi } from '../../../state/session';

/** A purchase, deposit or redeem. Their ids differ. */
export type Money = Transaction | ListedRedeem;
export const isTransaction = (row: Money): row is Transaction => 'transaction_type' in row;

/** The money of a player and the queues' decisions about it: purchases, redeems, or what is pending of both. */
export function usePlayerMoney(
  playerId: number,
  tenantId: number | undefined,
  part: string,
  reloadOthers: () => Promise<unknown>,
): { decisions: Decisions<Money>; reload: () => Promise<unknown> } {
  const api = useApi();
  const purchases = useCall(api.listPlayerPurchases, { id: playerId }, detailOr('Failed to fetch purchases'));
  const loaded = useCall(api.listPlayerRedeems, { id: playerId }, detailOr('Failed to fetch redeems'));
  const approvals = useApprovals(tenantId, { isEnabled: tenantId !== undefined }),
    found = loaded.data;
  const redeems: Resource<ListedRedeem[]> = {
    ...loaded,
    data: useMemo(() => found && withApprovals(found, approvals), [found, approvals]),
  };
  const pending = useMemo<Money[] | undefined>(
    () =>
      redeems.data &&
      purchases.data &&
      [...redeems.data, ...purchases.data].filter(({ status }) => isOpen(toFieldText(status))),
    [redeems.data, purchases.data],
  );

  const reloads = [purchases.reload, redeems.reload, reloadOthers];
  const latest = useRef(reloads);
  latest.current = reloads;
  const reload = useCallback(async () => Promise.all(latest.current.map((one) => one())), []);
  const isRedeem = (id: number) => redeems.data?.some((row) => row.id === id) ?? false;
  const shown: Record<string, Resource<Money[]>> = { Purchases: purchases, Redeems: redeems };
  const both = {
    ...redeems,
    data: pending,
    busy: redeems.busy || purchases.busy,
    failed: redeems.failed || purchases.failed,
    reload: async () => void (await reload()),
  };
  const decisions = useSettle<Money>(shown[part] ?? both, {
    list: part,
    change: ({ id, body }, options) =>
      isRedeem(id) ? api.changeRedeemStatus({ id, body }, options) : api.changePurchaseStatus({ id, body }, options),
    done: ({ id }) => (isRedeem(id) ? 'Status updated' : 'Status updated successfully'),
    reload,
  });
  return { decisions, reload };
}
