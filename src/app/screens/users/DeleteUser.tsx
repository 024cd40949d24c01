import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { balanceKinds, TOAST_MS } from '../../../contract/constants';
import type { Player } from '../../../contract/entities';
import { isOpen } from '../../../contract/rules';
import { toAmount } from '../../api/amount';
import { toFieldText } from '../../api/parse';
import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import { useResource } from '../../hooks/useResource';
import { sumOf } from '../../parts/queue/decision';
import { useQuestion } from '../../parts/useQuestion';
import { useApi, useFeature } from '../../state/session';
import { Button } from '../../ui/Button';
import { balanceLabels } from '../../ui/balanceLabels';
import { FormError } from '../../ui/FormError';
import { usd } from '../../ui/Money';
import { deniedOr } from './errorMessages';

interface Props {
  player: Player;
  request: { opener?: HTMLElement };
  reload: () => Promise<unknown>;
  /** Must not change between renders. */
  onBusy: (isBusy: boolean) => void;
  onClose: () => void;
}
/** Asks, and deletes the player, for each new `request`. A refusal's reason stays in the cell that was clicked. */
export function DeleteUser({ player, request, reload, onBusy, onClose }: Props) {
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
  const question = useQuestion({
    question: 'Delete this user?',
    about: <DeleteFacts player={player} />,
    submit: 'Delete',
    isDangerous: true,
  });

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

function DeleteFacts({ player }: { player: Player }) {
  const api = useApi();
  const { id } = player;
  const mayBreak = useFeature('protection');
  const money = useResource(
    useFeature('player_view')
      ? async (signal) => [
          ...(await api.listPlayerRedeems({ id }, { signal })),
          ...(await api.listPlayerPurchases({ id }, { signal })),
        ]
      : null,
    [api, id],
    'Failed to fetch what is pending',
  );
  const pending = money.data?.filter(({ status }) => isOpen(toFieldText(status))) ?? [];
  const left = balanceKinds.flatMap((kind) => {
    const amount = toAmount(player[`${kind}_balance`]);
    return amount ? [`${balanceLabels[kind]} ${usd(amount)}`] : [];
  });
  return (
    <>
      <p>{player.email}</p>
      <div role="status">
        {money.failed && <Button onClick={() => void money.reload()}>Retry</Button>}
        {pending.length > 0 && (
          <p className="why">
            {pending.length === 1 ? '1 payment is' : `${pending.length} payments are`} pending, {sumOf(pending)}. Decide
            them first: until then the user cannot be deleted.
          </p>
        )}
      </div>
      {mayBreak && (
        <p>
          Deleting also ends breaks and limits, unless users are linked with this one. Whoever signs up again can play.
        </p>
      )}
      {left.length > 0 && (
        <p className="why">
          {left.join(', ')} would stay frozen.{player.is_active && " To keep it theirs, untick 'Active' in Edit."}
        </p>
      )}
    </>
  );
}
