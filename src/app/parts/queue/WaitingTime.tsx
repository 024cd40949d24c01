import { useEffect, useState } from 'react';
import { LATE_MS, OVERDUE_MS } from '../../../contract/constants';
import { isOpen } from '../../../contract/rules';
import { parseTimestamp } from '../../api/parse';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** How long an item has waited: 'Waiting 5 min', after four hours 'Late: 5 h', after a day 'Overdue: 2 d'. */
export function formatWaitingTime(ms: number): { words: string; level: 'fresh' | 'late' | 'overdue' } {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  const span =
    minutes < 60
      ? `${minutes} min`
      : minutes < 48 * 60
        ? `${Math.floor(minutes / 60)} h`
        : `${Math.floor(minutes / 1440)} d`;
  if (ms >= OVERDUE_MS) return { words: `Overdue: ${span}`, level: 'overdue' };
  return ms >= LATE_MS ? { words: `Late: ${span}`, level: 'late' } : { words: `Waiting ${span}`, level: 'fresh' };
}

const [late, overdue] = [LATE_MS / HOUR_MS, OVERDUE_MS / HOUR_MS];
/** What the two words mean. */
export const WAITING_HINT = `Late: has waited for ${late} hours. Overdue: for ${overdue} hours.`;

/** The colours of the statuses pending and failed: amber, then red. */
const colours = { fresh: '', late: 'pending', overdue: 'failed' };

/** How long a pending item has waited, updated every minute; nothing for a settled one. */
export function WaitingTime({ status, at }: { status: string | null | undefined; at: string | null | undefined }) {
  const [now, setNow] = useState(Date.now);
  const since = isOpen(status ?? '') ? parseTimestamp(at) : null;
  const isWaiting = since !== null;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
  if (!since) return null;
  const { words, level } = formatWaitingTime(now - since.getTime());
  return (
    <div className={`age ${colours[level]}`} title={level === 'fresh' ? undefined : WAITING_HINT}>
      <small>{words}</small>
    </div>
  );
}
