import { useAction } from '../../hooks/useAction';
import { detailOr } from '../../hooks/useErrorToast';
import { useResource } from '../../hooks/useResource';
import { useQuestion } from '../../parts/useQuestion';
import { useApi, useRefusal } from '../../state/session';

/** How the tenant pays winnings: out of the credit balance, or straight from the game. */
export function PaidFromGame({ tenantId }: { tenantId: number }) {
  const api = useApi();
  const refusal = useRefusal('settings');
  const settings = useResource(
    (signal) => api.getReturnSettings({ tenant_id: tenantId }, { signal }),
    [api, tenantId],
    'Failed to fetch how winnings are paid',
  );
  const change = useAction(api.changeReturnSettings, {
    done: 'Saved',
    failed: detailOr('Failed to save'),
    onDone: settings.reload,
  });
  const isOn = settings.data?.redeems_from_game ?? false;
  const { ask, dialog } = useQuestion({
    question: isOn ? 'Pay redeems from the credit balance?' : 'Pay redeems from the game?',
    about: isOn
      ? 'From now on a redeem needs credit, and holds it until it is settled.'
      : 'From now on a redeem needs no credit. Its success takes the amount from its game platform.',
    submit: 'Change',
    isExtra: true,
  });
  if (!settings.data) return null;
  const flip = async () => {
    if (await ask()) await change.run({ body: { tenant_id: tenantId, redeems_from_game: !isOn } });
  };
  return (
    <>
      <label title={refusal ?? undefined}>
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          disabled={refusal !== null || change.busy}
          onChange={() => void flip()}
        />
        Winnings are paid from the game
      </label>
      {dialog}
    </>
  );
}
