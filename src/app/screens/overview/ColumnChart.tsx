import { Fragment } from 'react';
import { Mark, Tip, useMarks } from './Mark';
import { type Column, type Drawn, describeRow, findTicks, formatTick, linkOf } from './picture';

const HEIGHT = 250;
const TOP = 10;
const BOTTOM = 26;
const LEFT = 56;
const RIGHT = 6;
/** A label below the columns needs so much room. */
const LABEL = 46;

/** Columns above and below a zero line on one axis, what was before pale behind them, and what remains as a line. */
export function ColumnChart({ picture, width, svg }: Drawn) {
  const { columns, rows, title } = picture;
  const unit = columns[0]?.unit ?? 'count';
  const isCut = ({ behind }: Column, value: number | null | undefined) =>
    behind !== undefined && (value ?? 0) > (picture.most ?? Infinity);
  const signed = (column: Column, value: number | null | undefined) =>
    (column.tone === 'out' ? -1 : 1) * ((isCut(column, value) ? picture.most : value) ?? 0);
  const shown = columns.flatMap((column, n) => (column.tone ? [{ column, n }] : []));
  const values = rows.flatMap((row) => shown.map(({ column, n }) => signed(column, row.values[n])));
  const ticks = findTicks(Math.min(0, ...values), Math.max(0, ...values), 4, unit === 'count');
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const plot = HEIGHT - TOP - BOTTOM;
  const y = (value: number) => TOP + ((high - value) / (high - low || 1)) * plot;
  const band = (width - LEFT - RIGHT) / Math.max(rows.length, 1);
  const centre = (row: number) => LEFT + (row + 0.5) * band;
  const every = Math.ceil(LABEL / band);

  const bars = shown.filter(({ column }) => column.tone !== 'net' && column.behind === undefined);
  const isSplit = bars.some(({ column }) => column.tone === 'out');
  const { active, mark } = useMarks(rows.flatMap((_, row) => bars.map(({ n }) => ({ row, column: n }))));
  const bar = (row: number, { column, n }: (typeof shown)[number], share: number, className: string) => {
    const to = y(signed(column, rows[row]?.values[n])),
      zero = y(0),
      wide = Math.min(band * share, 56 * share);
    return (
      <Fragment key={n}>
        <rect
          className={className}
          x={centre(row) - wide / 2}
          width={wide}
          y={Math.min(to, zero)}
          height={Math.abs(zero - to)}
          rx={Math.min(2, wide / 4)}
        />
        {isCut(column, rows[row]?.values[n]) && (
          <path className="cut" d={`M${centre(row) - wide / 2} ${to + (zero - to) / 8 + 3}l${wide}-6`} />
        )}
      </Fragment>
    );
  };

  return (
    <>
      <svg ref={svg} role="group" aria-label={title} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
        {ticks.map((tick) => (
          <g key={tick} aria-hidden="true">
            <path className={tick === 0 ? 'zero' : 'grid'} d={`M${LEFT} ${y(tick)}H${width - RIGHT}`} />
            <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
              {formatTick(tick, unit)}
            </text>
          </g>
        ))}
        {rows.map((row, place) => (
          <g key={row.label}>
            {place % every === 0 && (
              <text x={centre(place)} y={HEIGHT - 8} textAnchor="middle" aria-hidden="true">
                {row.short ?? row.label}
              </text>
            )}
            {shown
              .filter(({ column }) => column.behind !== undefined && column.tone !== 'net')
              .map((one) => bar(place, one, 0.86, 'before'))}
            {bars.map((one) => {
              const isOut = one.column.tone === 'out';
              const [from, to] = isSplit ? (isOut ? [y(0), HEIGHT - BOTTOM] : [TOP, y(0)]) : [TOP, HEIGHT - BOTTOM];
              return (
                <Mark
                  key={one.n}
                  to={linkOf(row, one.n)}
                  {...mark({ row: place, column: one.n }, describeRow(picture, row))}
                >
                  <rect className="hit" x={LEFT + place * band} width={band} y={from} height={Math.max(to - from, 1)} />
                  {bar(place, one, 0.5, isOut ? 'out' : 'in')}
                </Mark>
              );
            })}
          </g>
        ))}
        <path className="zero" aria-hidden="true" d={`M${LEFT} ${y(0)}H${width - RIGHT}`} />
        {shown
          .filter(({ column }) => column.tone === 'net' && rows.length > 1)
          .map(({ column, n }) => (
            <polyline
              key={column.name}
              className="net"
              aria-hidden="true"
              points={rows
                .flatMap(({ values }, place) => (values[n] === null ? [] : [`${centre(place)},${y(values[n] ?? 0)}`]))
                .join(' ')}
            />
          ))}
      </svg>
      {active && <Tip picture={picture} of={active} x={centre(active.row)} y={TOP} width={width} />}
    </>
  );
}
