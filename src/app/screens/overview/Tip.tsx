import { RowLink } from '../../ui/RowLink';
import { formatValue, linkOf, nameLink, type Picture } from './picture';
import type { Shown } from './useMarks';

const WIDE = 236;

/** What a bar stands for, beside it. Screen readers hear the same from the bar itself. */
export function Tip({
  picture: { columns, rows },
  of: { row: place, column: at, isTouched },
  x,
  y,
  width,
  most,
}: {
  picture: Picture;
  of: Shown;
  x: number;
  y: number;
  width: number;
  /** So many columns are named. */
  most?: number;
}) {
  const row = rows[place];
  if (!row) return null;
  const left = x + 16 + WIDE < width ? x + 16 : Math.max(0, x - WIDE - 16);
  const n = columns[at]?.shareOf ?? at,
    column = columns[n],
    to = isTouched ? linkOf(row, n) : undefined;
  return (
    // What is pressed here must not take the focus from the bar, with which this would leave.
    <div
      className="tip"
      aria-hidden={!to}
      style={{ left, top: y, width: WIDE }}
      onMouseDown={(event) => event.preventDefault()}
    >
      <strong>{row.label}</strong>
      <dl>
        {columns.slice(0, most).map(({ name, unit }, n) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatValue(row.values[n], unit)}</dd>
          </div>
        ))}
      </dl>
      {to && column && <RowLink to={to}>{nameLink(column, row, n)}</RowLink>}
    </div>
  );
}
