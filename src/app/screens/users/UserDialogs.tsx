import type { Dispatch, SetStateAction } from 'react';
import type { Player } from '../../../contract/entities';
import { AuditLog } from '../../parts/audit/lazyAuditLog';
import { useCopy } from '../../parts/useCopy';
import { useFeature } from '../../state/session';
import { Menu, type MenuItem } from '../../ui/Menu';
import { ZoneOf } from '../../ui/ZoneOf';
import { DeleteUser } from './DeleteUser';
import { EditBalances } from './EditBalances';
import { PlatformCredentials } from './PlatformCredentials';
import { PlayerView } from './player/PlayerView';
import { TransactionHistory } from './TransactionHistory';
import type { UserDialog } from './UserActions';
import { UserForm } from './UserForm';

export interface Opened {
  dialog: UserDialog | 'Create User';
  player: Player | null;
  opener?: HTMLElement;
}

/** The player whose view is open, and its part, as in the address. */
export interface Viewed {
  player: string;
  part: string;
}

/** The open dialog of the Users screen, and the open view of a player. */
export function UserDialogs({
  open,
  setOpen,
  player,
  tenantId,
  viewed,
  setViewed,
  reload,
  reloadPlayers,
  onCreated,
  onDeleting,
}: {
  open: Opened | null;
  setOpen: Dispatch<SetStateAction<Opened | null>>;
  /** Whom the open dialog is about, as in the list by now. */
  player: Player | null | undefined;
  tenantId: number | undefined;
  viewed: Viewed | false;
  setViewed: (viewed: Partial<Viewed>, options?: { replace?: boolean }) => void;
  /** With the figures of today. */
  reload: () => Promise<void>;
  reloadPlayers: () => Promise<void>;
  /** With the id of a new player, once the list is reloaded. */
  onCreated: (id: number | null) => void;
  onDeleting: (isDeleting: boolean) => void;
}) {
  const onClose = () => setOpen(null);
  return (
    <>
      {open?.dialog === 'Create User' && (
        <UserForm
          player={null}
          tenantId={tenantId}
          onClose={onClose}
          onSaved={(id) => {
            onCreated(id);
            return reload();
          }}
        />
      )}
      {open?.dialog === 'Edit' && player && (
        <UserForm player={player} tenantId={tenantId} onClose={onClose} onSaved={reloadPlayers} />
      )}
      {open?.dialog === 'Edit Balances' && player && (
        <EditBalances player={player} onClose={onClose} onSaved={reloadPlayers} />
      )}
      {open?.dialog === 'Platform Credentials' && player && <PlatformCredentials player={player} onClose={onClose} />}
      {open?.dialog === 'Transaction History' && player && (
        <ZoneOf tenantId={player.tenant_id}>
          <TransactionHistory player={player} onClose={onClose} />
        </ZoneOf>
      )}
      {viewed && (
        <PlayerView
          key={viewed.player}
          playerId={Number(viewed.player)}
          part={viewed.part}
          onPart={(part) => setViewed({ part }, { replace: true })}
          onClose={() => setViewed({ player: '', part: '' }, { replace: true })}
          onChanged={reload}
        />
      )}
      {open?.dialog === 'Delete' && player && (
        <DeleteUser
          key={player.id}
          player={player}
          request={open}
          reload={reload}
          onBusy={onDeleting}
          onClose={onClose}
        />
      )}
      {open?.dialog === 'Menu' && player && open.opener && (
        <RowMenu
          key={player.id}
          player={player}
          opener={open.opener}
          onAudit={() => setOpen({ dialog: 'Audit', player })}
          onView={(part) => setViewed({ player: String(player.id), part })}
          onClose={onClose}
        />
      )}
      {open?.dialog === 'Audit' && player && <AuditLog player={player} onClose={onClose} />}
    </>
  );
}

interface RowMenuProps {
  player: Player;
  opener: HTMLElement;
  onAudit: () => void;
  /** Opens a part of the player view. */
  onView: (part: string) => void;
  onClose: () => void;
}
/** What a row of Users offers beyond its buttons. */
function RowMenu({ player, opener, onAudit, onView, onClose }: RowMenuProps) {
  const copy = useCopy();
  const hasAudit = useFeature('audit'),
    hasView = useFeature('player_view');
  const toPart = (label: string): MenuItem => ({ label, onSelect: () => onView(label.toLowerCase()) });
  const items: MenuItem[] = [
    ...(hasView ? ['Purchases', 'Redeems', 'Notes'].map(toPart) : []),
    ...(hasAudit ? [{ label: 'Audit', onSelect: onAudit }] : []),
    { label: 'Copy email', onSelect: () => copy('Email', player.email) },
  ];
  return <Menu label={`Actions for ${player.email}`} opener={opener} items={items} onClose={onClose} />;
}
