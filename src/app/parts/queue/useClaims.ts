import { type KeyboardEvent, type ReactNode, useCallback, useRef } from 'react';
import { useErrorToast } from '../../hooks/useErrorToast';
import { useApi, useFeature, useSession } from '../../state/session';
import { useQuestion } from '../useQuestion';
import { findClaim, type TakeHow } from './claim';
import { describe, type Item } from './decision';
import type { Watch } from './useWatch';

export interface Claims<Row extends Item> {
  /** Takes a row, gives it back or takes it over. It never changes; undefined if the server knows no such thing. */
  take: ((row: Row, how: TakeHow) => void) | undefined;
  /** Takes the row with the focus, or gives it back. */
  toggle: (row: Row | undefined, may: (row: Row | undefined) => row is Row) => void;
  /** Takes a row that nobody has, where the tenant wants that its first key does. */
  onKey: (event: KeyboardEvent, row: Row | undefined, may: (row: Row | undefined) => row is Row) => void;
  dialog: ReactNode;
}

/** A key that is about the row; others move on, or do what they say. */
const ofARow = /^([^jktu]|Enter)$/;

/** Rows that are somebody's for a while (docs/extras/counter-claims.md). */
export function useClaims<Row extends Item>(watch: Watch | undefined, reload: () => Promise<unknown>): Claims<Row> {
  const api = useApi(),
    fail = useErrorToast(),
    me = useSession().session.user?.email;
  const has = useFeature('claims') && watch !== undefined;
  const question = useQuestion({ question: 'Take it over?', submit: 'Take over', needsReason: true });

  async function act({ id, ...row }: Row, how: TakeHow): Promise<void> {
    const reason = how === 'over' ? await question.ask(`${describe(row)}: ${row.claimed_by} has it.`) : {};
    if (!reason) return;
    try {
      if (how === 'release') await api.releaseRow({ id });
      else await api.claimRow({ body: { id, ...(how === 'over' && { take_over: true, ...reason }) } });
      await watch?.reload();
    } catch (error) {
      fail(error, how === 'release' ? 'Failed to give it back' : 'Failed to take it', id);
      await Promise.all([watch?.reload(), reload()]);
    }
  }
  const latest = useRef(act);
  latest.current = act;
  const take = useCallback((row: Row, how: TakeHow) => void latest.current(row, how), []);
  return {
    take: has ? take : undefined,
    toggle(row, may) {
      if (!has || !may(row)) return;
      const claim = findClaim(row, Date.now());
      take(row, !claim ? 'take' : claim.by === me ? 'release' : 'over');
    },
    onKey({ key, ctrlKey, metaKey, altKey }, row, may) {
      if (!has || ctrlKey || metaKey || altKey || !watch.data?.key_takes || !ofARow.test(key) || !may(row)) return;
      if (!findClaim(row, Date.now())) take(row, 'take');
    },
    dialog: question.dialog,
  };
}
