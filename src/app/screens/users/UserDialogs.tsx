import type { Dispatch, SetStateAction } from 'react';
import { HISTORY_LIMIT } from '../../../contract/constants';
import type { Player } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { useCall } from '../../hooks/useCall';
import { AuditLog } from '../../parts/audit/lazyAuditLog';
import { formatReason } from '../../parts/formatReason';
import { useCopy } from '../../parts/useCopy';
import { useApi, useFeature } from '../../state/session';
import { DataTable } from '../../ui/DataTable';
import { DateTime } from '../../ui/DateTime';
import { Dialog } from '../../ui/Dialog';
import { Menu, type MenuItem } from '../../ui/Menu';
import { Money } from '../../ui/Money';
import { formatStatus } from '../../ui/StatusSelect';
import { ZoneOf } from '../../ui/ZoneOf';
import { DeleteUser } from './DeleteUser';
import { EditBalances } from './EditBalances';
import { deniedOr } from './errorMessages';
import { PlatformCredentials } from './PlatformCredentials';
import { PlayerView } from './player/PlayerView';
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
  player: Player | null | undefined;
  tenantId: number | undefined;
  viewed: Viewed | false;
  setViewed: (viewed: Partial<Viewed>, options?: { replace?: boolean }) => void;
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
        <DeleteUser key={player.id} {...{ player, reload, onClose }} request={open} onBusy={onDeleting} />
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
  onView: (part: string) => void;
  onClose: () => void;
}
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

/** Money in is green, money out red (docs/product.md, "Users"). */
const colours: Record<string, string> = { TOP_UP: 'gain', DEPOSIT: 'gain', RETURN: 'gain', WITHDRAWAL: 'loss' };

/** Pending or failed, so no money has moved. Other servers do not send a status. */
const isUnsettled = (status: string | undefined) => ['pending', 'failed'].includes(orDash(status).toLowerCase());

function TransactionHistory({ player, onClose }: { player: Player; onClose: () => void }) {
  const api = useApi();
  const hasReasons = useFeature('reasons');
  const history = useCall(
    api.listPlayerTransactions,
    { id: player.id, limit: HISTORY_LIMIT },
    deniedOr('Failed to fetch transaction history'),
  );
  return (
    <Dialog title="Transaction History" wide withClose onClose={onClose}>
      <p>{player.email}</p>
      <DataTable
        label="Transaction History"
        className="stack lines"
        heads={[
          'Date',
          'Type',
          ['Amount', 'number'],
          'Payment Method',
          'Description',
          'Reference',
          hasReasons && 'Reason',
        ]}
        of={history}
        empty="No transaction history found for this user."
      >
        {(line) => (
          <tr key={`${line.transaction_type}-${line.id}`}>
            <td className="head">
              <DateTime at={line.initiated_at} />
            </td>
            <td data-label="Type">
              <span className={colours[orDash(line.transaction_type).toUpperCase()]}>
                {orDash(line.transaction_type)}
              </span>
              {isUnsettled(line.status) && <small> {formatStatus(line.status)}</small>}
            </td>
            <td className="number amount">
              <Money amount={line.amount} />
            </td>
            <td data-label="Payment Method">{orDash(line.payment_method)}</td>
            <td data-label="Description">{orDash(line.description)}</td>
            <td data-label="Reference">{orDash(line.payment_reference)}</td>
            {hasReasons && <td data-label="Reason">{formatReason(line)}</td>}
          </tr>
        )}
      </DataTable>
    </Dialog>
  );
}
