import type { Player } from '../../../contract/entities';
import { FirstApproval } from './FirstApproval';
import { useApprovals } from './useApprovals';
import { describeChange } from './words';

/** The edits of a player's balances that wait for a second person. */
export function WaitingEdits({ player }: { player: Pick<Player, 'id' | 'tenant_id'> }) {
  const waiting = useApprovals(player.tenant_id)?.filter(
    ({ kind, player_id }) => kind === 'balances' && player_id === player.id,
  );
  return waiting?.map((approval) => (
    <p key={approval.id}>
      <FirstApproval approval={approval} /> An edit waits for a second person: {describeChange(approval)}.
    </p>
  ));
}
