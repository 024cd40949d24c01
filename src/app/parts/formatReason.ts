import type { ChangeReason } from '../../contract/entities';
import { orDash } from '../api/parse';

/** The label of a reason code: fraud_suspected is 'Fraud suspected'. */
export const formatReasonCode = (code: string): string =>
  code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');

/** Reason and note as one line; a dash for neither. */
export const formatReason = ({ reason, note }: { reason?: string | null; note?: string | null }): string =>
  orDash([reason && formatReasonCode(reason), note].filter(Boolean).join(': '));

/** The reason and note to send, without blank ones. */
export function cleanReason({ reason, note = '' }: ChangeReason): ChangeReason {
  return { ...(reason && { reason }), ...(note.trim() && { note: note.trim() }) };
}
