import type { DayAmounts } from '../../../contract/entities';
import { formatDay } from '../../ui/formatDay';
import { usd } from '../../ui/Money';
import { type Line, parseLines } from './amounts';

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

const STEP = 8;
const bar = (n: number) => ({ fill: 'currentColor', x: n * STEP + 1, width: STEP - 2 });

/** Bars of days: purchases above the line, redeems below. Screen readers do not see it: show the amounts beside it. */
function DayBars({ lines, height }: { lines: readonly Line[]; height: number }) {
  const top = Math.max(...lines.map(({ purchases }) => purchases), 0),
    bottom = Math.max(...lines.map(({ redeems }) => redeems), 0);
  const scale = (height - 2) / (top + bottom || 1),
    zero = 1 + top * scale;
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width="100%"
      height={height}
      viewBox={`0 0 ${Math.max(lines.length, 1) * STEP} ${height}`}
      preserveAspectRatio="none"
    >
      {lines.map(({ label, purchases, redeems }, n) => (
        <g key={label}>
          <rect className="in" {...bar(n)} y={zero - purchases * scale} height={purchases * scale} />
          <rect className="out" {...bar(n)} y={zero} height={redeems * scale} />
        </g>
      ))}
      <path
        d={`M0 ${zero}H${lines.length * STEP}`}
        stroke="currentColor"
        strokeWidth="1"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
