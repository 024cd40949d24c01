import { Mark, Tip, useMarks } from './Mark';
import { type Drawn, describeRow, formatValue, linkOf } from './picture';

const NAME = 22;
const LINE = 18;
const GAP = 12;
/** The room for an amount, alone and with its share. */
const AMOUNT = 92;
const AMOUNT_AND_SHARE = 158;

/** A ranking: under each name its bars on one scale, with their amounts and shares. */
export function RankChart({ picture, width, svg }: Drawn) {
  const { columns, rows, title } = picture;
  const shown = columns.flatMap((column, n) => (column.tone ? [{ column, n }] : []));
  const barsOf = (row: (typeof rows)[number]) => {
    const some = shown.filter(({ n }) => row.values[n]);
    return some.length ? some : shown.slice(0, 1);
  };
  const drawn = ({ isApart, values }: (typeof rows)[number], n: number) => (isApart ? 0 : (values[n] ?? 0));
  const most = Math.max(...rows.flatMap((row) => shown.map(({ n }) => drawn(row, n))), 0.01);
  const heights = rows.map((row) => NAME + barsOf(row).length * LINE + GAP);
  const tops = heights.map((_, n) => heights.slice(0, n).reduce((sum, height) => sum + height, 0));
  const height = heights.reduce((sum, one) => sum + one, 0) || 1;
  const hasShares = columns.some(({ shareOf }) => shareOf !== undefined);
  const room = Math.max(width - (hasShares ? AMOUNT_AND_SHARE : AMOUNT), 40);
  const { active, mark } = useMarks(rows.flatMap((one, row) => barsOf(one).map(({ n }) => ({ row, column: n }))));

  return (
    <>
      <svg ref={svg} role="group" aria-label={title} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {rows.map((row, place) => (
          <g key={row.label}>
            <text className="name" x="0" y={(tops[place] ?? 0) + 15} aria-hidden="true">
              {row.label.length > width / 8 ? `${row.label.slice(0, width / 8)}…` : row.label}
            </text>
            {barsOf(row).map(({ column, n }, line) => {
              const top = (tops[place] ?? 0) + NAME + line * LINE,
                long = (drawn(row, n) / most) * room,
                share = columns.findIndex(({ shareOf }) => shareOf === n);
              return (
                <g key={n}>
                  <Mark to={linkOf(row, n)} {...mark({ row: place, column: n }, describeRow(picture, row))}>
                    <rect className="hit" x="0" width={width} y={top - 1} height={LINE} />
                    <rect
                      className={column.tone === 'out' ? 'out' : 'in'}
                      x="0"
                      width={long && Math.max(long, 2)}
                      y={top + 3}
                      height="10"
                      rx="2"
                    />
                  </Mark>
                  <text className="amount" aria-hidden="true" x={width - 2} y={top + 12} textAnchor="end">
                    {formatValue(row.values[n], column.unit)}
                    {share >= 0 && ` · ${formatValue(row.values[share], 'percent')}`}
                  </text>
                </g>
              );
            })}
          </g>
        ))}
      </svg>
      {active && <Tip picture={picture} of={active} x={width / 2} y={(tops[active.row] ?? 0) + NAME} width={width} />}
    </>
  );
}
