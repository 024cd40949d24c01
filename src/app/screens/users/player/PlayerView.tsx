import { useCallback, useState } from 'react';
import { useCall } from '../../../hooks/useCall';
import { detailOr } from '../../../hooks/useErrorToast';
import { CopyButton } from '../../../parts/CopyButton';
import { Decisions } from '../../../parts/queue/Decisions';
import { saveDraft } from '../../../state/drafts';
import { useApi, useFeature } from '../../../state/session';
import { CloseButton, Dialog } from '../../../ui/Dialog';
import { formatPlatform } from '../../../ui/formatPlatform';
import { keepScrollPlaces } from '../../../ui/scrollPlaces';
import { Waiting } from '../../../ui/Waiting';
import { ZoneOf } from '../../../ui/ZoneOf';
import { Logins } from '../PlatformCredentials';
import { BalancesPart } from './BalancesPart';
import { HistoryPart } from './HistoryPart';
import { MoneyTable } from './MoneyTable';
import { NotesPart, noteDraft } from './NotesPart';
import { ProfilePart } from './ProfilePart';
import { Summary } from './Summary';
import { usePlayerMoney } from './usePlayerMoney';

// Once for the page: e-mails of every list lead here, and Back leads to where the list was left.
keepScrollPlaces();

const parts = ['Profile', 'Balances', 'Purchases', 'Redeems', 'Platform Logins', 'Notes', 'History'] as const;
type Part = (typeof parts)[number];
/** In the address: 'Platform Logins' is platform-logins. */
const toSlug = (part: Part) => (part === 'Profile' ? '' : part.toLowerCase().replace(' ', '-'));

/** In a row of parts that is wider than the window, the open one is in sight. The dialog is shown a moment later. */
const showPart = (part: HTMLElement | null) => {
  const row = part?.parentElement;
  if (!part || !row) return;
  requestAnimationFrame(() => {
    row.scrollLeft = part.offsetLeft - row.offsetLeft - (row.clientWidth - part.clientWidth) / 2;
  });
};

interface Props {
  playerId: number;
  part: string;
  onPart: (part: string) => void;
  onClose: () => void;
  /** Something of the player was changed. */
  onChanged: () => Promise<unknown>;
}
/** Everything about one player, and what is done for them. One part is open at a time and is in the address. */
export function PlayerView({ playerId, part, onPart, onClose, onChanged }: Props) {
  const api = useApi();
  const hasAudit = useFeature('audit');
  const [changes, setChanges] = useState(0);
  const file = useCall(api.getPlayer, { id: playerId }, detailOr('Failed to fetch the player'));
  const reloadFile = file.reload;
  const reloadOthers = useCallback(async () => {
    setChanges((count) => count + 1);
    await Promise.all([reloadFile(), onChanged()]);
  }, [reloadFile, onChanged]);
  const offered = parts.filter((one) => one !== 'History' || hasAudit);
  const open = offered.find((one) => toSlug(one) === part) ?? 'Profile';
  const { decisions, reload } = usePlayerMoney(playerId, file.data?.player.tenant_id, open, reloadOthers);
  const player = file.data?.player;

  return (
    <Dialog
      title={player?.email ?? `Player ${playerId}`}
      beside={
        <>
          <CopyButton what="Email" text={player?.email} />
          <CloseButton />
        </>
      }
      wide
      onClose={onClose}
      onDiscard={() => saveDraft(noteDraft(playerId), {})}
    >
      <ZoneOf tenantId={player?.tenant_id}>
        <div className="player">
          {file.data && player ? (
            <Summary file={file.data} reload={reload} />
          ) : (
            <Waiting for={file} failure="This player could not be loaded." />
          )}
          <nav aria-label="About the player">
            <ul className="parts">
              {offered.map((one) => (
                <li key={one} ref={one === open ? showPart : null}>
                  <button type="button" aria-pressed={one === open} onClick={() => onPart(toSlug(one))}>
                    {one}
                  </button>
                </li>
              ))}
            </ul>
          </nav>
          <section key={open}>
            {open === 'Profile' && (
              <>
                <MoneyTable label="To decide" decisions={decisions} />
                {file.data && player && (
                  <ProfilePart file={file.data} reload={reload} onNotes={() => onPart(toSlug('Notes'))} />
                )}
              </>
            )}
            {open === 'Balances' && <BalancesPart playerId={playerId} changes={changes} />}
            {open === 'Purchases' && <MoneyTable label="Purchases" decisions={decisions} empty="No purchases yet." />}
            {open === 'Redeems' && <MoneyTable label="Redeems" decisions={decisions} empty="No redeems yet." />}
            {open === 'Platform Logins' && player && (
              <Logins player={player} label="Platform Logins" show={formatPlatform} />
            )}
            {open === 'Notes' && <NotesPart playerId={playerId} file={file} />}
            {open === 'History' && <HistoryPart playerId={playerId} changes={changes} />}
          </section>
        </div>
      </ZoneOf>
      <Decisions decisions={decisions} />
    </Dialog>
  );
}
