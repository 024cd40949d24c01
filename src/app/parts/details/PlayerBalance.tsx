import { useCall } from '../../hooks/useCall';
import { useApi } from '../../state/session';
import { usd } from '../../ui/Money';

/** What a player has now: 'Credit $12.00, held $30.00'. */
export function PlayerBalance({ playerId }: { playerId: number }) {
  const api = useApi();
  const { data, failed } = useCall(api.getPlayer, { id: playerId }, null);
  if (!data) return failed ? 'Could not be loaded.' : 'Loading…';
  return `Credit ${usd(data.player.credit_balance)}, held ${usd(data.held_balance)}`;
}
