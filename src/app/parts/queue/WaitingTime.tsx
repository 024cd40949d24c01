import { LATE_MINUTES } from '../../../contract/constants';
import type { LateMinutes } from '../../../contract/entities';
import { isOpen } from '../../../contract/rules';
import { parseTimestamp } from '../../api/parse';
import { useNow } from './useNow';

const MINUTE_MS = 60_000;

/** How long an item has waited: 'Waiting 5 min', after four hours 'Late: 5 h', after a day 'Overdue: 2 d'. */
export function formatWaitingTime(
  ms: number,
  { late, overdue }: LateMinutes = LATE_MINUTES,
): { words: string; level: 'fresh' | 'late' | 'overdue' } {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  const span =
    minutes < 60
      ? `${minutes} min`
      : minutes < 48 * 60
        ? `${Math.floor(minutes / 60)} h`
        : `${Math.floor(minutes / 1440)} d`;
  if (ms >= overdue * MINUTE_MS) return { words: `Overdue: ${span}`, level: 'overdue' };
  return ms >= late * MINUTE_MS
    ? { words: `Late: ${span}`, level: 'late' }
    : { words: `Waiting ${span}`, level: 'fresh' };
}

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
/** '4 hours', '90 minutes'. */
export const formatSpan = (minutes: number): string =>
  minutes % 60 || minutes === 0 ? count(minutes, 'minute') : count(minutes / 60, 'hour');
/** What the two words mean. */
export const waitingHint = ({ late, overdue }: LateMinutes = LATE_MINUTES): string =>
  `Late: has waited for ${formatSpan(late)}. Overdue: for ${formatSpan(overdue)}.`;

/** The colours of the statuses pending and failed: amber, then red. */
const colours = { fresh: '', late: 'pending', overdue: 'failed' };

/** How long a pending item has waited, updated every minute; nothing for a settled one. */
export function WaitingTime({
  status,
  at,
  row,
}: {
  status: string | null | undefined;
  at: string | null | undefined;
  /** Says when it is late, where its tenant has said so. */
  row?: { late_minutes?: number | undefined; overdue_minutes?: number | undefined } | undefined;
}) {
  const { late_minutes: late, overdue_minutes: overdue } = row ?? {};
  const limits = late && overdue ? { late, overdue } : LATE_MINUTES;
  const since = isOpen(status ?? '') ? parseTimestamp(at) : null;
  const now = useNow(MINUTE_MS, since !== null);
  if (!since) return null;
  const { words, level } = formatWaitingTime(now - since.getTime(), limits);
  return (
    <div className={`age ${colours[level]}`} title={level === 'fresh' ? undefined : waitingHint(limits)}>
      <small>{words}</small>
    </div>
  );
}
