import type { PlayerDetails } from '../../../../contract/entities';
import { detailOr } from '../../../hooks/useErrorToast';
import { type Resource, useResource } from '../../../hooks/useResource';
import { formatReason } from '../../../parts/formatReason';
import { saveDraft } from '../../../state/drafts';
import { useApi, useFeature } from '../../../state/session';
import { STILL_WAITING } from '../../../state/toasts';
import { CloseButton, Dialog } from '../../../ui/Dialog';
import { ZoneOf } from '../../../ui/ZoneOf';
import { BalancesPart } from './BalancesPart';
import { HistoryPart } from './HistoryPart';
import { LoginsPart } from './LoginsPart';
import { NotesPart, noteDraft } from './NotesPart';
import { ProfilePart } from './ProfilePart';
import { PurchasesPart } from './PurchasesPart';
import { RedeemsPart } from './RedeemsPart';

const parts = ['Profile', 'Balances', 'Purchases', 'Redeems', 'Platform Logins', 'Notes', 'History'] as const;
type Part = (typeof parts)[number];
/** In the address: 'Platform Logins' is platform-logins. */
const toSlug = (part: Part) => part.toLowerCase().replace(' ', '-');

/** Everything about one player, one part at a time. The part is in the address. */
export function PlayerView({
  playerId,
  part,
  onPart,
  onClose,
}: {
  playerId: number;
  part: string;
  onPart: (part: string) => void;
  onClose: () => void;
}) {
  const api = useApi();
  const hasAudit = useFeature('audit');
  const file = useResource(
    (signal) => api.getPlayer({ id: playerId }, { signal }),
    [api, playerId],
    detailOr('Failed to fetch the player'),
  );
  const offered = parts.filter((one) => one !== 'History' || hasAudit);
  const open = offered.find((one) => toSlug(one) === part) ?? 'Profile';
  const player = file.data?.player;

  return (
    <Dialog
      title={player?.email ?? `Player ${playerId}`}
      wide
      onClose={onClose}
      onDiscard={() => saveDraft(noteDraft(playerId), {})}
    >
      <ZoneOf tenantId={player?.tenant_id}>
        <div className="player">
          {file.data && player ? <Summary file={file.data} /> : <Missing file={file} />}
          <nav className="bar" aria-label="About the player">
            <ul className="chips">
              {offered.map((one) => (
                <li key={one}>
                  <button
                    type="button"
                    className="chip"
                    aria-pressed={one === open}
                    onClick={() => onPart(one === 'Profile' ? '' : toSlug(one))}
                  >
                    {one}
                  </button>
                </li>
              ))}
            </ul>
          </nav>
          <section key={open}>
            {open === 'Profile' && file.data && player && <ProfilePart file={file.data} reload={file.reload} />}
            {open === 'Balances' && <BalancesPart playerId={playerId} file={file.data} />}
            {open === 'Purchases' && <PurchasesPart playerId={playerId} />}
            {open === 'Redeems' && <RedeemsPart playerId={playerId} />}
            {open === 'Platform Logins' && <LoginsPart playerId={playerId} />}
            {open === 'Notes' && <NotesPart playerId={playerId} file={file} />}
            {open === 'History' && <HistoryPart playerId={playerId} />}
          </section>
        </div>
      </ZoneOf>
      <footer>
        <CloseButton />
      </footer>
    </Dialog>
  );
}

/** Shown above every part. */
function Summary({ file: { player, hold, tags, tenant_name } }: { file: PlayerDetails }) {
  return (
    <p className="chips">
      <b>
        <bdi>{[player.first_name, player.last_name].filter(Boolean).join(' ')}</bdi>
      </b>
      <span>{tenant_name}</span>
      {player.is_active === false && <span className="badge">Inactive</span>}
      {hold && (
        <span className="badge" title={formatReason(hold)}>
          Payouts on hold
        </span>
      )}
      {tags?.map((tag) => (
        <span key={tag} className="chip">
          {tag}
        </span>
      ))}
    </p>
  );
}

function Missing({ file }: { file: Resource<PlayerDetails> }) {
  if (!file.failed) return <p role="status">{file.slow ? STILL_WAITING : 'Loading…'}</p>;
  return (
    <p role="alert">
      This player could not be loaded.{' '}
      <button type="button" className="secondary" disabled={file.busy} onClick={() => void file.reload()}>
        Retry
      </button>
    </p>
  );
}
