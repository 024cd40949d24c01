import { useCallback, useMemo, useRef, useState } from 'react';
import type { ChangeReason } from '../../contract/entities';
import { useFeature } from '../state/session';
import { lazyWithRetry } from '../ui/lazyWithRetry';

const ChangeReasonFields = lazyWithRetry(() => import('./ChangeReasonFields').then((file) => file.ChangeReasonFields));

/** The reason that is typed in. The object never changes, so memoized rows do not render again. */
export interface ChangeReasonInput {
  /** The reason and note to send; empty if none was given. */
  take(): ChangeReason;
  /** Clears what was sent, unless something else was typed since. */
  clear(sent: ChangeReason): void;
}

/** An optional reason and note for the next change. `fields` is false if the server does not take them. */
export function useChangeReason(label = 'Reason for the next change') {
  const isOffered = useFeature('reasons');
  const [typed, setTyped] = useState<ChangeReason | null>(null);
  const latest = useRef(typed);
  latest.current = typed;
  const take = useCallback((): ChangeReason => {
    const { reason, note = '' } = latest.current ?? {};
    return { ...(reason && { reason }), ...(note.trim() && { note: note.trim() }) };
  }, []);
  const clear = useCallback(
    (sent: ChangeReason) => {
      if (JSON.stringify(sent) === JSON.stringify(take())) setTyped(null);
    },
    [take],
  );
  const input = useMemo<ChangeReasonInput>(() => ({ take, clear }), [take, clear]);

  const fields =
    isOffered &&
    (typed ? (
      <ChangeReasonFields label={label} typed={typed} onChange={setTyped} />
    ) : (
      <button type="button" className="secondary" onClick={() => setTyped({})}>
        Give a reason
      </button>
    ));
  return { ...input, input, fields };
}
