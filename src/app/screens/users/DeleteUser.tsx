import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { TOAST_MS } from '../../../contract/constants';
import type { Player } from '../../../contract/entities';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import { useQuestion } from '../../parts/useQuestion';
import { useApi } from '../../state/session';
import { FormError } from '../../ui/FormError';
import { deniedOr } from './errorMessages';

/**
 * Asks, and deletes the player. Each new `request` is a click. If the server refuses, its reason stays in the cell of
 * the button that was clicked.
 */
export function DeleteUser({
  player,
  request,
  reload,
  onBusy,
  onClose,
}: {
  player: Player;
  request: { opener?: HTMLElement };
  reload: () => Promise<unknown>;
  /** Must not change between renders. */
  onBusy: (isBusy: boolean) => void;
  onClose: () => void;
}) {
  const api = useApi();
  const [reason, setReason] = useState('');
  const remove = useAction(api.deletePlayer, {
    done: 'User deleted',
    failed: (error) => {
      setReason(detailOr('')(error));
      return deniedOr('Failed to delete user')(error);
    },
    onDone: reload,
  });
  const question = useQuestion({ question: 'Delete this user?', about: player.email, submit: 'Delete' });

  async function askAndRemove() {
    if (remove.busy) return;
    setReason('');
    const why = await question.ask();
    if (!why || (await remove.run({ id: player.id, ...why }))) onClose();
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each click asks once
  useEffect(() => void askAndRemove(), [request]);

  useEffect(() => {
    if (!remove.busy) return;
    onBusy(true);
    return () => onBusy(false);
  }, [remove.busy, onBusy]);
  const cell = request.opener?.closest('td');
  return (
    <>
      {question.dialog}
      {cell && createPortal(<FormError reason={{ text: reason, at: '', ms: TOAST_MS }} />, cell)}
    </>
  );
}
