import type { Player } from '../../../../contract/entities';
import { useRepeats } from '../../../hooks/useRepeats';
import { type Bulk, useBulk } from '../../../parts/bulk/useBulk';
import { useApi } from '../../../state/session';
import { useToast } from '../../../state/toasts';
import { formatCountOf } from '../../../ui/formatCount';

/** What is done to each of several users. */
export type BulkChange = { kind: 'tag'; tags: string[] } | { kind: 'activate' } | { kind: 'deactivate' };

export const bulkVerbs: Record<BulkChange['kind'], string> = {
  tag: 'Tag',
  activate: 'Activate',
  deactivate: 'Deactivate',
};

/** Changes users one after another, and reports what became of each. */
export function useBulkChange(reload: () => Promise<void>): Bulk<Player, BulkChange> {
  const api = useApi();
  const repeats = useRepeats();
  const toast = useToast();
  return useBulk<Player, BulkChange>({
    title: ({ kind }, count) => `${bulkVerbs[kind]} ${formatCountOf(count, 'user')}`,
    toBulkRow: ({ id, email }) => ({ id, email }),
    send: ({ id }, change) =>
      repeats({
        of: `${change.kind} ${id}`,
        input: change,
        call: (options): Promise<unknown> =>
          change.kind === 'tag'
            ? api.addPlayerTags({ id, body: { tags: change.tags } }, options)
            : api.setPlayerActive({ id, body: { is_active: change.kind === 'activate' } }, options),
      }),
    async onEnd(players, _, lines) {
      const rest = lines.filter(({ is }) => is !== 'done').length;
      if (rest) toast.error(`${rest} of ${formatCountOf(players.length, 'user')} could not be changed`, { of: lines });
      await reload();
    },
    showsProgress: true,
  });
}
