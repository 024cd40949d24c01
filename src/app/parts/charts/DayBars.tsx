import type { Line } from './amounts';

const STEP = 8;

/**
 * A bar chart of days: purchases above the line, redeems below, on one scale. It is hidden from screen readers, so show
 * the amounts beside it as well.
 */
export function DayBars({ lines, height }: { lines: readonly Line[]; height: number }) {
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
          <rect
            className="in"
            fill="currentColor"
            x={n * STEP + 1}
            width={STEP - 2}
            y={zero - purchases * scale}
            height={purchases * scale}
          />
          <rect
            className="out"
            fill="currentColor"
            x={n * STEP + 1}
            width={STEP - 2}
            y={zero}
            height={redeems * scale}
          />
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
