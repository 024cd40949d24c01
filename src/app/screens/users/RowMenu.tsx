import type { Player } from '../../../contract/entities';
import { useCopy } from '../../parts/useCopy';
import { useFeature } from '../../state/session';
import { Menu, type MenuItem } from '../../ui/Menu';

/** What a row of Users offers beyond its buttons. */
export function RowMenu({
  player,
  opener,
  onAudit,
  onView,
  onClose,
}: {
  player: Player;
  opener: HTMLElement;
  onAudit: () => void;
  /** Opens a part of the player view. */
  onView: (part: string) => void;
  onClose: () => void;
}) {
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
