import { useCallback, useMemo, useRef } from 'react';
import type { Transaction } from '../../../../contract/entities';
import { isOpen } from '../../../../contract/rules';
import { detailOr } from '../../../hooks/useErrorToast';
import { type Resource, useResource } from '../../../hooks/useResource';
import { type ListedRedeem, useApprovals, withApprovals } from '../../../parts/approvals/useApprovals';
import { type Decisions, useDecisions } from '../../../parts/queue/useDecisions';
import type { SentChange } from '../../../parts/queue/useSteadyRows';
import { useApi } from '../../../state/session';

/** A purchase, deposit or redeem. Their ids differ. */
export type Money = Transaction | ListedRedeem;
export const isTransaction = (row: Money): row is Transaction => 'transaction_type' in row;

export interface PlayerMoney {
  purchases: Resource<Transaction[]>;
  redeems: Resource<ListedRedeem[]>;
  /** Of both, what is to be decided. */
  pending: Resource<Money[]>;
  decisions: Decisions<Money>;
  /** What decisions have changed since the view was opened. */
  sent: ReadonlyMap<number, SentChange>;
  reload: () => Promise<unknown>;
}

/** The money of a player, and the decisions about it. They are those of the queues, whichever part is open. */
export function usePlayerMoney(
  playerId: number,
  tenantId: number | undefined,
  reloadOthers: () => Promise<unknown>,
): PlayerMoney {
  const api = useApi();
  const purchases = useResource(
    (signal) => api.listPlayerPurchases({ id: playerId }, { signal }),
    [api, playerId],
    detailOr('Failed to fetch purchases'),
  );
  const loaded = useResource(
    (signal) => api.listPlayerRedeems({ id: playerId }, { signal }),
    [api, playerId],
    detailOr('Failed to fetch redeems'),
  );
  const approvals = useApprovals(tenantId, { isEnabled: tenantId !== undefined }),
    found = loaded.data;
  const redeems: Resource<ListedRedeem[]> = {
    ...loaded,
    data: useMemo(() => found && withApprovals(found, approvals), [found, approvals]),
  };
  const sent = useRef(new Map<number, SentChange>());
  const all = useMemo<Money[]>(
    () => [...(redeems.data ?? []), ...(purchases.data ?? [])],
    [redeems.data, purchases.data],
  );
  const pending = useMemo(() => all.filter(({ status }) => isOpen(status)), [all]);

  const reloads = [purchases.reload, redeems.reload, reloadOthers];
  const latest = useRef(reloads);
  latest.current = reloads;
  const reload = useCallback(async () => Promise.all(latest.current.map((one) => one())), []);
  const isRedeem = (id: number) => redeems.data?.some((row) => row.id === id) ?? false;
  const decisions = useDecisions<Money>(all, {
    change: ({ id, body }, options) =>
      isRedeem(id) ? api.changeRedeemStatus({ id, body }, options) : api.changePurchaseStatus({ id, body }, options),
    done: ({ id }) => (isRedeem(id) ? 'Status updated' : 'Status updated successfully'),
    failed: 'Failed to update status',
    reload,
    onLeft: reloadOthers,
    onSent: (id, change) => sent.current.set(id, change),
  });
  return {
    purchases,
    redeems,
    pending: {
      ...redeems,
      data: redeems.data && purchases.data && pending,
      busy: redeems.busy || purchases.busy,
      failed: redeems.failed || purchases.failed,
      reload: async () => void (await reload()),
    },
    decisions,
    sent: sent.current,
    reload,
  };
}
