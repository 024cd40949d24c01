import { formatValue, type Picture } from './picture';

const WIDE = 236;

/** What a bar stands for, beside it. Screen readers hear the same from the bar itself. */
export function Tip({
  picture: { columns, rows },
  row,
  x,
  y,
  width,
}: {
  picture: Picture;
  row: number;
  x: number;
  y: number;
  width: number;
}) {
  const shown = rows[row];
  if (!shown) return null;
  const left = x + 16 + WIDE < width ? x + 16 : Math.max(0, x - WIDE - 16);
  return (
    <div className="tip" aria-hidden="true" style={{ left, top: y, width: WIDE }}>
      <strong>{shown.label}</strong>
      <dl>
        {columns.map(({ name, unit }, n) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatValue(shown.values[n], unit)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
