import type { Player } from '../../../contract/entities';
import { useResource } from '../../hooks/useResource';
import { useApi, useFeature } from '../../state/session';
import { usd } from '../../ui/Money';
import { WaitingEdits } from './WaitingEdits';

/** The sum from which on two people must agree on an edit of balances; null if one is enough, and until it is known. */
export function useEditLimit({ tenant_id }: Pick<Player, 'tenant_id'>): number | null {
  const api = useApi();
  const limits = useResource(
    useFeature('approvals') ? (signal) => api.getApprovalLimits({ tenant_id }, { signal }) : null,
    [api, tenant_id],
    null, // without it the answer says that the edit waits
  );
  return limits.data?.edits_from ?? null;
}

type Props = { player: Pick<Player, 'id' | 'tenant_id'>; from: number | null; sum: number };
/** Before an edit of balances: which edits wait already, and whether this one would. */
export function SecondPersonNote({ player, from, sum }: Props) {
  return (
    <>
      <WaitingEdits player={player} />
      <p role="status">
        {from !== null && sum >= from && `From ${usd(from)} on, a second person must approve: this edit will wait.`}
      </p>
    </>
  );
}
