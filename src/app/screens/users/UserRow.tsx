import { memo, useState } from 'react';
import type { Player } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { Cells } from '../../parts/table/Cells';
import { TenantCell } from '../../parts/tenantColumn';
import { useFeature, useMay } from '../../state/session';
import { columnClass } from '../../ui/columnClass';
import { EmailLink } from '../../ui/EmailLink';
import { Money } from '../../ui/Money';
import type { UserTableTools } from './userTableTools';

/** The dialogs of a row's actions, in order (docs/product.md, "Users"). Delete stands apart from them, at the end. */
const userDialogs = ['Edit', 'Edit Balances', 'Platform Credentials', 'Transaction History'] as const;
export type UserDialog = (typeof userDialogs)[number] | 'Audit' | 'View' | 'Menu' | 'Delete';

/** Memoized: opening a dialog must not render 200 rows again. So the handlers must not change between renders. */
export const UserRow = memo(function UserRow({
  player,
  isBusy,
  onOpen,
  isNarrow,
  order,
  isSelected,
  onSelect,
}: {
  player: Player;
  /** It is being deleted. */
  isBusy: boolean;
  /** The menu opens below the button that was clicked. */
  onOpen: (dialog: UserDialog, player: Player, opener: HTMLElement) => void;
  /** Few actions at first, in words. */
  isNarrow: boolean;
  order: readonly string[] | undefined;
  isSelected: boolean | undefined;
  onSelect: UserTableTools['onSelect'];
}) {
  const [isOpen, setOpen] = useState(false);
  const name = formatName(player);
  const hasAudit = useFeature('audit'),
    hasView = useFeature('player_view'),
    maySupport = useMay('support'),
    mayEdit = useMay('money');

  const may = (action: UserDialog) => (action === 'Edit' ? maySupport : action === 'Edit Balances' ? mayEdit : true);
  const actions: UserDialog[] = [...userDialogs, ...(hasView ? ['View' as const] : [])];
  // On a phone the two that are used most; the others unfold.
  const first = isNarrow ? (['Edit Balances', hasView ? 'View' : 'Edit'] satisfies UserDialog[]) : actions;
  const rest = [...actions, ...(hasAudit ? ['Audit' as const] : [])].filter((action) => !first.includes(action));
  const toButton = (action: UserDialog) => (
    <button
      key={action}
      type="button"
      title={action}
      onClick={({ currentTarget }) => onOpen(action, player, currentTarget)}
    >
      {action}
    </button>
  );
  // The icons of a row are one image, so what is missing from it is covered.
  const offered = (action: UserDialog) =>
    may(action) ? toButton(action) : !isNarrow && <span key={action} className="gone" />;
  const remover = (
    <button
      type="button"
      title="Delete"
      className="danger"
      disabled={isBusy}
      onClick={({ currentTarget }) => onOpen('Delete', player, currentTarget)}
    >
      Delete
    </button>
  );

  return (
    <tr aria-busy={isBusy}>
      <Cells order={order}>
        <td className="email">
          {onSelect && (
            <input
              type="checkbox"
              className="pick"
              aria-label={`Select ${player.email}`}
              checked={isSelected ?? false}
              onClick={({ shiftKey }) => onSelect(player, shiftKey)}
              readOnly
            />
          )}
          <EmailLink email={player.email} playerId={player.id} />
        </td>
        <TenantCell id={player.tenant_id} />
        <td className="name" title={name}>
          {name}
        </td>
        <td className={columnClass('phone', orDash(player.phone_number))}>{orDash(player.phone_number)}</td>
        <td className="affiliate">{orDash(player.affiliate_id)}</td>
        <td className="referral">{orDash(player.referral_id)}</td>
        <td className="number ggr" data-label="GGR">
          <Money amount={player.individual_ggr} signed />
        </td>
        <td className="number credit" data-label="Credit">
          <Money amount={player.credit_balance} />
        </td>
        <td className="balances">
          <span>
            <small>Bonus </small>
            <Money amount={player.bonus_balance} />
          </span>{' '}
          <span>
            <small>VIP </small>
            <Money amount={player.vip_balance} />
          </span>{' '}
          <span>
            <small>Loyalty </small>
            <Money amount={player.loyalty_balance} />
          </span>
        </td>
        <td className="actions">
          <span className={isNarrow ? 'chips' : 'icons'} role="group" aria-label={player.email}>
            {first.map(offered)}
            {isNarrow ? (
              <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                More
              </button>
            ) : (
              (hasAudit || hasView) && (
                <button
                  type="button"
                  className="more"
                  aria-label={`Actions for ${player.email}`}
                  aria-haspopup="menu"
                  onClick={({ currentTarget }) => onOpen('Menu', player, currentTarget)}
                />
              )
            )}
            {isNarrow && isOpen && rest.map(offered)}
            {(!isNarrow || isOpen) && (maySupport ? remover : !isNarrow && <span className="danger gone" />)}
          </span>
        </td>
      </Cells>
    </tr>
  );
});

const formatName = ({ first_name, last_name }: Player) =>
  orDash(
    [first_name, last_name]
      .map(orDash)
      .filter((part) => part !== '-')
      .join(' '),
  );
