import type { Player, Protection } from '../../../../contract/entities';
import { detailOr } from '../../../hooks/useErrorToast';
import { CommandButton } from '../../../parts/CommandButton';
import { useAskedAction } from '../../../parts/useAskedAction';
import { useDialogApi } from '../../../state/useDialogApi';
import { EmailLink } from '../../../ui/EmailLink';

/** With whom the player shares breaks and limits, and the way out. */
export function Linked({
  player,
  linked,
  mayUnlink,
  reload,
}: {
  player: Player;
  linked: Protection['linked'];
  mayUnlink: boolean;
  reload: () => Promise<unknown>;
}) {
  const api = useDialogApi();
  const unlink = useAskedAction(api.unlinkPlayer, {
    done: 'Unlinked',
    failed: detailOr('Failed to unlink'),
    onDone: reload,
    question: 'Unlink this user?',
    about: <p>{player.email} no longer shares breaks and limits with the others.</p>,
    submit: 'Unlink',
    isExtra: true,
  });
  return (
    <>
      <p>
        Linked with{' '}
        {linked.map(({ id, email, is_on_break }, n) => (
          <span key={id}>
            {n > 0 && ', '}
            <EmailLink email={email} playerId={id} />
            {is_on_break && ' (on a break)'}
          </span>
        ))}
        . A break of one stops all. What all buy and deposit counts against each limit.
      </p>
      {mayUnlink && (
        <p>
          <CommandButton
            className="secondary"
            disabled={unlink.busy}
            onClick={() => void unlink.ask({ id: player.id })}
          >
            Unlink
          </CommandButton>
        </p>
      )}
      {unlink.dialog}
    </>
  );
}
