import { memo } from 'react';
import type { Player } from '../../../contract/entities';
import { orDash } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { FormError, useFormError } from '../../parts/FormError';
import { useQuestion } from '../../parts/useQuestion';
import { useApi, useFeature } from '../../state/session';
import { EmailLink } from '../../ui/EmailLink';
import { Money } from '../../ui/Money';
import { deniedOr } from './errorMessages';

/** The dialogs of a row's actions, in order (docs/product.md, "Users"). Delete follows them. */
export const userDialogs = ['Edit', 'Edit Balances', 'Platform Credentials', 'Transaction History'] as const;
export type UserDialog = (typeof userDialogs)[number] | 'Audit' | 'View';

/** Memoized: opening a dialog must not render 200 rows again. So the handlers must not change between renders. */
export const UserRow = memo(function UserRow({
  player,
  onOpen,
  reload,
}: {
  player: Player;
  onOpen: (dialog: UserDialog, player: Player) => void;
  reload: () => Promise<unknown>;
}) {
  const api = useApi();
  const formError = useFormError();
  const remove = useAction(api.deletePlayer, {
    done: 'User deleted',
    failed: formError.withMessage(deniedOr('Failed to delete user')),
    onDone: reload,
  });

  const name = formatName(player);
  const hasAudit = useFeature('audit'),
    hasView = useFeature('player_view');

  const question = useQuestion({ question: 'Delete this user?', about: player.email, submit: 'Delete' });

  async function askAndRemove() {
    const why = await question.ask();
    if (!why) return;
    formError.clear();
    await remove.run({ id: player.id, ...why });
  }

  return (
    <tr aria-busy={remove.busy}>
      <td>
        <EmailLink email={player.email} />
      </td>
      <td title={name}>{name}</td>
      <td>{orDash(player.phone_number)}</td>
      <td>{orDash(player.affiliate_id)}</td>
      <td>{orDash(player.referral_id)}</td>
      <td className="number">
        <Money amount={player.individual_ggr} signed />
      </td>
      <td className="number">
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
        <span className="icons">
          {userDialogs.map((dialog) => (
            <button key={dialog} type="button" title={dialog} onClick={() => onOpen(dialog, player)}>
              {dialog}
            </button>
          ))}
          <button type="button" title="Delete" disabled={remove.busy} onClick={askAndRemove}>
            Delete
          </button>
          {hasAudit && (
            <button type="button" title="Audit" onClick={() => onOpen('Audit', player)}>
              Audit
            </button>
          )}
          {hasView && (
            <button type="button" title="View" onClick={() => onOpen('View', player)}>
              View
            </button>
          )}
        </span>
        <FormError error={formError} />
        {question.dialog}
      </td>
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
