import type { Player } from '../../../contract/entities';
import { useResource } from '../../hooks/useResource';
import { useApi, useFeature } from '../../state/session';
import { usd } from '../../ui/Money';
import { WaitingEdits } from './WaitingEdits';

/** Before an edit of balances: which edits wait already, and whether this one would. */
export function SecondPersonNote({ player, sum }: { player: Pick<Player, 'id' | 'tenant_id'>; sum: number }) {
  const api = useApi();
  const { tenant_id } = player;
  const limits = useResource(
    useFeature('approvals') ? (signal) => api.getApprovalLimits({ tenant_id }, { signal }) : null,
    [api, tenant_id],
    null, // without it the answer says that the edit waits
  );
  const from = limits.data?.edits_from ?? null;
  return (
    <>
      <WaitingEdits player={player} />
      <p role="status">
        {from !== null && sum >= from && `From ${usd(from)} on, a second person must approve: this edit will wait.`}
      </p>
    </>
  );
}
