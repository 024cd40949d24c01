import type { Player } from '../../../../contract/entities';
import type { Api } from '../../../api/client';
import { useAction } from '../../../hooks/useAction';
import { detailOr } from '../../../hooks/useErrorToast';
import { CommandButton } from '../../../parts/CommandButton';
import { downloadFile } from '../../../parts/downloadFile';
import { useDialogApi } from '../../../state/useDialogApi';

/** Saves what is kept of a player as a JSON file, for that person. */
export function PersonalData({ player }: { player: Player }) {
  const api = useDialogApi();
  const save = useAction(
    async (_: null) => {
      const text = JSON.stringify(await readAll(api, player.id), null, 2);
      downloadFile(new Blob([text], { type: 'application/json' }), `player-${player.id}.json`);
    },
    { done: null, failed: detailOr('Failed to fetch the personal data') },
  );
  return (
    <CommandButton className="secondary" disabled={save.busy} onClick={() => void save.run(null)}>
      Personal data
    </CommandButton>
  );
}

async function readAll(api: Pick<Api, 'getPersonalData'>, id: number) {
  const { next_cursor, ...data } = await api.getPersonalData({ id });
  const payments = [...data.payments];
  let cursor = next_cursor;
  while (cursor !== null) {
    const more = await api.getPersonalData({ id, cursor });
    payments.push(...more.payments);
    // A cursor that does not grow leads nowhere.
    cursor = more.next_cursor !== null && more.next_cursor > cursor ? more.next_cursor : null;
  }
  return { ...data, payments };
}
