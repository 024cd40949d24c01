import { type MouseEvent, useMemo, useState } from 'react';
import type { Player } from '../../../contract/entities';
import { useFeature, useMay } from '../../state/session';

/** The actions of a row, in order (docs/product.md, "Users"). Delete stands apart from the others, at the end. */
const actions = [
  'Edit',
  'Edit Balances',
  'Platform Credentials',
  'Transaction History',
  'View',
  'Menu',
  'Delete',
] as const;
export type UserDialog = (typeof actions)[number] | 'Audit';

/** Those that the server offers and this person may do. */
export function useOfferedActions(): ReadonlySet<UserDialog> {
  const hasAudit = useFeature('audit'),
    hasView = useFeature('player_view'),
    maySupport = useMay('support'),
    mayEdit = useMay('money');
  return useMemo(() => {
    const refused: Partial<Record<UserDialog, boolean>> = {
      Edit: !maySupport,
      'Edit Balances': !mayEdit,
      View: !hasView,
      Menu: !hasView && !hasAudit,
      Audit: !hasAudit,
      Delete: !maySupport,
    };
    return new Set([...actions, 'Audit' as const].filter((action) => !refused[action]));
  }, [hasAudit, hasView, maySupport, mayEdit]);
}

interface ActionsProps {
  player: Player;
  offered: ReadonlySet<UserDialog>;
  isBusy: boolean;
  /** The menu opens below the button that was clicked. */
  onOpen: (dialog: UserDialog, player: Player, opener: HTMLElement) => void;
}

function ActionButton({ action, player, isBusy, onOpen }: ActionsProps & { action: UserDialog }) {
  const onClick = ({ currentTarget }: MouseEvent<HTMLElement>) => onOpen(action, player, currentTarget);
  if (action === 'Menu')
    return <button type="button" aria-label={`Actions for ${player.email}`} aria-haspopup="menu" onClick={onClick} />;
  const isDelete = action === 'Delete';
  return (
    <button
      type="button"
      title={action}
      className={isDelete ? 'danger' : undefined}
      disabled={isDelete && isBusy}
      onClick={onClick}
    >
      {action}
    </button>
  );
}

/** What can be done with a user: as icons, or on a card in words. */
export const UserActions = ({ isCard, ...props }: ActionsProps & { isCard: boolean }) =>
  isCard ? <CardActions {...props} /> : <RowActions {...props} />;

/** The actions as icons, which are one image for the whole row: what is not offered is covered. */
const RowActions = (props: ActionsProps) => (
  <span className="icons" role="group" aria-label={props.player.email}>
    {actions.map((action) =>
      props.offered.has(action) ? (
        <ActionButton key={action} action={action} {...props} />
      ) : (
        <span key={action} className={action === 'Delete' ? 'danger gone' : 'gone'} />
      ),
    )}
  </span>
);

/** On a phone, in words: the two that are used most; 'More' unfolds the others. */
function CardActions(props: ActionsProps) {
  const { offered, player } = props;
  const [isOpen, setOpen] = useState(false);
  const first: UserDialog[] = ['Edit Balances', offered.has('View') ? 'View' : 'Edit'];
  const rest = [...actions.slice(0, -2), 'Audit' as const, 'Delete' as const].filter((one) => !first.includes(one));
  const toButton = (action: UserDialog) =>
    offered.has(action) && <ActionButton key={action} action={action} {...props} />;
  return (
    <span className="chips" role="group" aria-label={player.email}>
      {first.map(toButton)}
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        More
      </button>
      {isOpen && rest.map(toButton)}
    </span>
  );
}
