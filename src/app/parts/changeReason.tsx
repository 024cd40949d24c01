import { useCallback, useMemo, useRef, useState } from 'react';
import type { ChangeReason } from '../../contract/entities';
import { useFeature } from '../state/session';
import { lazyWithRetry } from '../ui/lazyWithRetry';

const ChangeReasonFields = lazyWithRetry(() => import('./ChangeReasonFields').then((file) => file.ChangeReasonFields));

/** Why something is changed, as it is typed. Always the same object, so that rows may remember it. */
export interface ChangeReasonInput {
  /** What is to be sent along: nothing, unless something was chosen. */
  take(): ChangeReason;
  /** It has been sent: the next change has its own reason, unless that stands there already. */
  clear(sent: ChangeReason): void;
}

/** Why the next change is made: an optional reason and note beside the specified controls; `fields` is null where the server does not take them. */
export function useChangeReason(label = 'Reason for the next change') {
  const isOffered = useFeature('reasons');
  const [typed, setTyped] = useState<ChangeReason | null>(null);
  const latest = useRef(typed);
  latest.current = typed;
  const take = useCallback((): ChangeReason => {
    const { reason, note = '' } = latest.current ?? {};
    return { ...(reason && { reason }), ...(note.trim() && { note: note.trim() }) };
  }, []);
  const clear = useCallback((sent: ChangeReason) => { if (JSON.stringify(sent) === JSON.stringify(take())) setTyped(null); }, [take]);
  const input = useMemo<ChangeReasonInput>(() => ({ take, clear }), [take, clear]);

  const fields = isOffered && (typed
    ? <ChangeReasonFields label={label} typed={typed} onChange={setTyped} />
    : <button type="button" className="secondary" onClick={() => setTyped({})}>Give a reason</button>);
  return { ...input, input, fields };
}
