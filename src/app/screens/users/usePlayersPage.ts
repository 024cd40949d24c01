import { useEffect } from 'react';
import type { PlayerSort } from '../../../contract/constants';
import { mayEnterTenant } from '../../../contract/rules';
import { useQueryParams } from '../../hooks/useQueryParams';
import { useResource } from '../../hooks/useResource';
import { useRested } from '../../hooks/useRested';
import { useReload } from '../../parts/polled';
import { parseUsersQuery, toPlayerQuery, type UsersAddress, usersAddress } from '../../start/usersQuery';
import { useApi, useFeature, useUser } from '../../state/session';
import { nextSort } from '../../ui/SortableTh';
import { deniedOr, outsideTenant } from './errorMessages';

/** A page of players, by the search, the order and the page in the address. */
export function usePlayersPage(tenantId: number | undefined) {
  const api = useApi();
  const user = useUser();
  const [address, setAddress] = useQueryParams(usersAddress);
  const hasFilters = useFeature('player_filters');
  const query = parseUsersQuery(hasFilters ? address : { ...address, segment: '' });
  /** A new search, tenant, selection or page size goes back to page 1 (docs/product.md, "Users"). */
  const change = (patch: Partial<UsersAddress>, options?: { replace: boolean }) =>
    setAddress({ page: '1', ...patch }, options);
  const sortBy = (column: PlayerSort) => {
    const { field: sort, order } = nextSort(query.sort, column);
    setAddress({ sort, order });
  };
  const tenant =
    tenantId ?? (user.role.is_super_admin ? Number(query.tenant) || undefined : (user.tenant_id ?? undefined));

  const request = toPlayerQuery(query, tenant),
    mayEnter = mayEnterTenant(user, tenant);
  const players = useResource(
    async (signal) => {
      if (!mayEnter) throw outsideTenant();
      return api.listPlayers(request, { signal });
    },
    [api, user, ...Object.values(request)],
    deniedOr('Failed to fetch users'),
  );
  const total = players.data?.pagination.total_users ?? 0;
  const isRested = useRested(players.data !== undefined);

  const last = Math.ceil(total / query.pageSize);
  const isPastTheEnd = !players.busy && !players.data?.users?.length && last > 0 && query.page > last;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is corrected once
  useEffect(() => {
    if (isPastTheEnd) change({ page: String(last) }, { replace: true });
  }, [isPastTheEnd]);

  // A new player, or a deleted one, changes the figures of today.
  const reload = useReload(players.reload);
  return { query, change, sortBy, tenant, request, players, isRested, reload };
}
