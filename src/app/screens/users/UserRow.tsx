import { memo } from 'react';
import type { Player } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { TenantCell } from '../../parts/tenantColumn';
import { columnClass } from '../../ui/columnClass';
import { EmailLink } from '../../ui/EmailLink';
import { Money } from '../../ui/Money';
import { UserActions, type UserDialog } from './UserActions';

/** Memoized: opening a dialog must not render 200 rows again. So the handlers must not change between renders. */
export const UserRow = memo(function UserRow({
  player,
  isNew,
  isBusy,
  offered,
  onOpen,
  isCard,
  isSelected,
  onSelect,
}: {
  player: Player;
  isNew: boolean;
  isBusy: boolean;
  offered: ReadonlySet<UserDialog>;
  onOpen: (dialog: UserDialog, player: Player, opener: HTMLElement) => void;
  isCard: boolean;
  isSelected: boolean | undefined;
  onSelect: UserTableTools['onSelect'];
}) {
  const name = formatName(player);
  const inactive = player.is_active === false ? ' inactive' : '';
  const who = inactive ? `Inactive, ${name}` : name;
  const phone = orDash(player.phone_number);
  const affiliate = orDash(player.affiliate_id);
  const referral = orDash(player.referral_id);
  return (
    <tr aria-busy={isBusy} className={(isSelected ? 'picked' : '') + inactive}>
      <td className="email" data-name={who}>
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
        {isNew && <small className="badge">New</small>}
      </td>
      <TenantCell id={player.tenant_id} />
      <td className={columnClass('name', name)} title={who}>
        {name}
      </td>
      <td className={columnClass('phone', phone)}>{phone}</td>
      <td className={columnClass('affiliate', affiliate)}>{affiliate}</td>
      <td className={columnClass('referral', referral)}>{referral}</td>
      <td className="number ggr" data-label="GGR">
        <Money amount={player.individual_ggr} signed />
      </td>
      <td className="number credit" data-label="Credit">
        <Money amount={player.credit_balance} />
      </td>
      <td className="balances">
        <Balance name="Bonus" amount={player.bonus_balance} /> <Balance name="VIP" amount={player.vip_balance} />{' '}
        <Balance name="Loyalty" amount={player.loyalty_balance} />
      </td>
      <td className="actions">
        <UserActions isCard={isCard} player={player} offered={offered} isBusy={isBusy} onOpen={onOpen} />
      </td>
    </tr>
  );
});

const Balance = ({ name, amount }: { name: string; amount: Player['bonus_balance'] }) => (
  <span>
    <small>{name} </small>
    <Money amount={amount} />
  </span>
);

const formatName = ({ first_name, last_name }: Player) =>
  orDash(
    [first_name, last_name]
      .map(orDash)
      .filter((part) => part !== '-')
      .join(' '),
  );

export interface UserTableTools {
  toClass: (base: string) => string;
  selected?: ReadonlyMap<number, Player>;
  /** `isRange`: from the one that was clicked last. */
  onSelect?: (player: Player, isRange: boolean) => void;
}
