import { isOpen } from '../../../contract/rules';
import { useSession } from '../../state/session';
import { type Claimed, findClaim, shortName, type TakeHow } from './claim';
import { useNow } from './useNow';

/** Who has a pending row, and what this person can do about it. */
export function ClaimCell({
  row,
  onTake,
}: {
  row: Claimed & { status: string };
  /** Undefined if the server knows no such thing. */
  onTake: ((how: TakeHow) => void) | undefined;
}) {
  const me = useSession().session.user?.email;
  const now = useNow(15_000, Boolean(row.claimed_until));
  if (!onTake || !isOpen(row.status)) return null;
  const claim = findClaim(row, now);
  const isOwn = claim?.by === me;
  const [label, how] = !claim
    ? (['Take', 'take'] as const)
    : isOwn
      ? (['Give back', 'release'] as const)
      : (['Take over', 'over'] as const);
  return (
    <>
      {claim && (
        <small className="badge" title={`${claim.by} has this row for ${claim.minutes} more minutes`}>
          {isOwn ? 'You' : shortName(claim.by)}, {claim.minutes} min
        </small>
      )}
      <button type="button" onClick={() => onTake(how)}>
        {label}
      </button>
    </>
  );
}
