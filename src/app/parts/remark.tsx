import { useCallback, useMemo, useRef, useState } from 'react';
import type { ChangeReason } from '../../contract/entities';
import { orDash } from '../read';
import { useFeature } from '../session';
import { lazyPart } from '../ui/lazyPart';

const RemarkFields = lazyPart(() => import('./RemarkFields').then((file) => file.RemarkFields));

/** Why something is changed, as it is typed. Always the same object, so that rows may remember it. */
export interface RemarkTaker {
  /** What is to be sent along: nothing, unless something was chosen. */
  take(): ChangeReason;
  /** It has been sent: the next change has its own reason, unless that stands there already. */
  clear(sent: ChangeReason): void;
}

/** Why the next change is made: an optional reason and note beside the specified controls; `fields` is null where the server does not take them. */
export function useRemark(label = 'Reason for the next change') {
  const isOffered = useFeature('reasons');
  const [typed, setTyped] = useState<ChangeReason | null>(null);
  const latest = useRef(typed);
  latest.current = typed;
  const take = useCallback((): ChangeReason => {
    const { reason, note = '' } = latest.current ?? {};
    return { ...(reason && { reason }), ...(note.trim() && { note: note.trim() }) };
  }, []);
  const clear = useCallback((sent: ChangeReason) => { if (JSON.stringify(sent) === JSON.stringify(take())) setTyped(null); }, [take]);
  const taker = useMemo<RemarkTaker>(() => ({ take, clear }), [take, clear]);

  const fields = isOffered && (typed
    ? <RemarkFields label={label} typed={typed} onChange={setTyped} />
    : <button type="button" className="secondary" onClick={() => setTyped({})}>Give a reason</button>);
  return { ...taker, taker, fields };
}

/** A code as words: fraud_suspected is 'Fraud suspected'. */
export const wordsOfReason = (code: string): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');

/** Reason and note in words; a dash for neither. */
export const reasonOf = ({ reason, note }: { reason?: string | null; note?: string | null }): string =>
  orDash([reason && wordsOfReason(reason), note].filter(Boolean).join(': '));
