import { useCallback, useEffect } from 'react';
import { mayEnterTenant } from '../../../contract/rules';
import { useQueryParams } from '../../hooks/useQueryParams';
import { useResource } from '../../hooks/useResource';
import { useRested } from '../../hooks/useRested';
import { reloadFigures } from '../../parts/reloadFigures';
import { parseUsersQuery, toPlayerQuery, usersAddress } from '../../start/usersQuery';
import { useApi, useFeature, useUser } from '../../state/session';
import { deniedOr, outsideTenant } from './errorMessages';
import { toUsersAddress, type UsersQueryEvent, usersQueryReducer } from './usersQueryReducer';

/** A page of players, by the search, the order and the page in the address. */
export function usePlayersPage(tenantId: number | undefined) {
  const api = useApi();
  const user = useUser();
  const [address, setAddress] = useQueryParams(usersAddress);
  const hasFilters = useFeature('player_filters');
  const query = parseUsersQuery(hasFilters ? address : { ...address, segment: '' });
  const send = (event: UsersQueryEvent, options?: { replace: boolean }) =>
    setAddress(toUsersAddress(usersQueryReducer(query, event)), options);
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
    if (isPastTheEnd) send({ type: 'paged', page: last }, { replace: true });
  }, [isPastTheEnd]);

  // A new player, or a deleted one, changes the figures of today.
  const reloadPlayers = players.reload;
  const reload = useCallback(async () => {
    reloadFigures(api);
    await reloadPlayers();
  }, [api, reloadPlayers]);
  return { query, send, tenant, request, players, isRested, reload };
}
