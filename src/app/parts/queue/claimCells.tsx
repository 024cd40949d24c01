import { isOpen } from '../../../contract/rules';
import { toFieldText } from '../../api/parse';
import { useSession } from '../../state/session';
import { type Claimed, findClaim, shortName, type TakeHow } from './claim';
import { useNow } from './useNow';

interface Props {
  row: Claimed & { status: string };
  /** Undefined if the server knows no such thing. */
  onTake: ((how: TakeHow) => void) | undefined;
}

function useClaim(row: Claimed) {
  const me = useSession().session.user?.email;
  const claim = findClaim(row, useNow(15_000, Boolean(row.claimed_until)));
  return { claim, isOwn: claim?.by === me };
}

/** Who has a pending row, and for how long. */
export function ClaimHolder({ row, onTake }: Props) {
  const { claim, isOwn } = useClaim(row);
  if (!onTake || !claim || !isOpen(toFieldText(row.status))) return null;
  return (
    <small className={`badge ${isOwn ? 'own' : 'holder'}`} title={`${claim.by}, for ${claim.minutes} more minutes`}>
      {isOwn ? 'You' : shortName(claim.by)}, {claim.minutes} min
    </small>
  );
}

/** What this person can do about who has it. */
export function ClaimButton({ row, onTake }: Props) {
  const { claim, isOwn } = useClaim(row);
  if (!onTake || !isOpen(toFieldText(row.status))) return null;
  const [label, how] = !claim
    ? (['Take', 'take'] as const)
    : isOwn
      ? (['Give back', 'release'] as const)
      : (['Take over', 'over'] as const);
  return (
    <button type="button" onClick={() => onTake(how)}>
      {label}
    </button>
  );
}
