import { useRef, useState } from 'react';
import type { Player } from '../../../../contract/entities';
import { useRepeats } from '../../../hooks/useRepeats';
import { type BulkLine, canRetry, mergeLines, type Report, toResult, workThrough } from '../../../parts/bulk/report';
import { useApi } from '../../../state/session';
import { sayWhenSlow, useToast } from '../../../state/toasts';
import { formatCountOf } from '../../../ui/formatCount';

/** What is done to each of several users. */
export type BulkChange = { kind: 'tag'; tags: string[] } | { kind: 'activate' } | { kind: 'deactivate' };

export const bulkVerbs: Record<BulkChange['kind'], string> = {
  tag: 'Tag',
  activate: 'Activate',
  deactivate: 'Deactivate',
};

interface ShownReport extends Report {
  /** Of all rows of this run. */
  total: number;
  isShown: boolean;
}

/** Changes users one after another, each in a call of its own, and reports what became of each. */
export function useBulkChange(reload: () => Promise<void>): {
  report: ShownReport | null;
  run: (players: readonly Player[], change: BulkChange) => Promise<void>;
  again: () => void;
  show: (isShown: boolean) => void;
} {
  const api = useApi();
  const repeats = useRepeats();
  const toast = useToast();
  const [report, setReport] = useState<ShownReport | null>(null);
  const toRetry = useRef<{ players: readonly Player[]; change: BulkChange }>({
    players: [],
    change: { kind: 'activate' },
  });

  const send = ({ id }: Player, change: BulkChange) =>
    repeats({
      of: `${change.kind} ${id}`,
      input: change,
      call: (options): Promise<unknown> =>
        change.kind === 'tag'
          ? api.addPlayerTags({ id, body: { tags: change.tags } }, options)
          : api.setPlayerActive({ id, body: { is_active: change.kind === 'activate' } }, options),
    });

  async function work(players: readonly Player[], change: BulkChange, before: readonly BulkLine[], of: string) {
    const title = `${bulkVerbs[change.kind]} ${of}`,
      lines: BulkLine[] = [];
    const show = (isRunning: boolean) =>
      setReport((old) => ({
        title,
        lines: mergeLines(before, lines),
        isRunning,
        total: before.length || players.length,
        isShown: isRunning && lines.length > 0 ? (old?.isShown ?? true) : true,
      }));
    show(true);
    await workThrough(
      players,
      ({ id, email }) => ({ id, email }),
      async (player) => {
        const answered = sayWhenSlow(toast);
        try {
          await send(player, change);
          return { is: 'done' };
        } catch (error) {
          return toResult(error);
        } finally {
          answered();
        }
      },
      {
        onLine: (line) => {
          lines.push(line);
          show(true);
        },
      },
    );
    toRetry.current = { players: players.filter((_, n) => lines[n] && canRetry(lines[n])), change };
    const rest = lines.filter(({ is }) => is !== 'done').length;
    if (rest) toast.error(`${rest} of ${formatCountOf(players.length, 'user')} could not be changed`, { of: toRetry });
    show(false);
    await reload();
  }

  return {
    report,
    run: (players, change) => work(players, change, [], formatCountOf(players.length, 'user')),
    again: () => {
      const { players, change } = toRetry.current,
        { lines = [] } = report ?? {};
      void work(players, change, lines, formatCountOf(lines.length, 'user'));
    },
    show: (isShown) => setReport((old) => old && { ...old, isShown }),
  };
}
