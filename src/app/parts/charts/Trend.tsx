import type { DayAmounts } from '../../../contract/entities';
import { formatDay } from '../../ui/formatDay';
import { usd } from '../../ui/Money';
import { parseLines } from './amounts';
import { DayBars } from './DayBars';

/** A small picture of the last days, and as a list for screen readers. */
export function Trend({ days }: { days: DayAmounts[] }) {
  const lines = parseLines(days),
    [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return null;
  return (
    <section>
      <h3>Last {lines.length} days</h3>
      <DayBars lines={lines} height={48} />
      <div>
        <small>
          Purchases above, redeems below, {formatDay(first.label)} to {formatDay(last.label)}
        </small>
      </div>
      {/* A list and not a table, so that a screen's own table is the first on the page. */}
      <ul className="unseen" aria-label={`Last ${lines.length} days`}>
        {lines.map(({ label, purchases, redeems }) => (
          <li key={label}>
            <time dateTime={label}>{formatDay(label)}</time>: purchases {usd(purchases)}, redeems {usd(redeems)}
          </li>
        ))}
      </ul>
    </section>
  );
}
