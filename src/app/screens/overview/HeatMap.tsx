import { Mark, Tip, useMarks } from './Mark';
import { type Drawn, describeRow, formatValue, linkOf } from './picture';

const HEAD = 24;
const LINE = 30;
const LEFT = 92;
/** So many times as strong as its share; the words on it stay readable. */
const STRENGTH = 0.5;

/** A table whose cells are the darker the more they hold. The first column is the size of each row. */
export function HeatMap({ picture, width, svg }: Drawn) {
  const { columns, rows, title } = picture;
  const cells = columns.flatMap(({ shareOf }, n) => (shareOf === undefined ? [] : [{ n, of: shareOf }]));
  const wide = Math.max((width - LEFT) / (cells.length + 1), 2);
  const x = (cell: number) => LEFT + (cell + 1) * wide;
  const { active, mark } = useMarks(
    rows.flatMap(({ values }, row) => [
      { row, column: 0 },
      ...cells.flatMap(({ n }) => (values[n] === null ? [] : [{ row, column: n }])),
    ]),
  );

  const height = HEAD + rows.length * LINE;

  return (
    <>
      <svg ref={svg} role="group" aria-label={title} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <text x={LEFT + wide / 2} y="15" textAnchor="middle" aria-hidden="true">
          {width < 500 ? 'New' : 'Sign-ups'}
        </text>
        {cells.map(({ n }, cell) => (
          <text key={n} x={x(cell) + wide / 2} y="15" textAnchor="middle" aria-hidden="true">
            {width < 500 ? cell : `Week ${cell}`}
          </text>
        ))}
        {rows.map((row, place) => {
          const top = HEAD + place * LINE;
          return (
            <g key={row.label}>
              <text x="0" y={top + 19} aria-hidden="true">
                {row.short ?? row.label}
              </text>
              <Mark to={linkOf(row, 0)} {...mark({ row: place, column: 0 }, describeRow(picture, row))}>
                <rect className="hit" x={LEFT} y={top} width={wide} height={LINE} />
                <text className="cell" x={LEFT + wide / 2} y={top + 19} textAnchor="middle">
                  {formatValue(row.values[0], 'count')}
                </text>
              </Mark>
              {cells.map(({ n, of }, cell) => {
                const share = row.values[n],
                  box = { x: x(cell) + 1, y: top + 1, width: wide - 2, height: LINE - 2, rx: 2 };
                return share === null || share === undefined ? null : (
                  <Mark
                    key={n}
                    to={linkOf(row, of)}
                    {...mark(
                      { row: place, column: n },
                      `${row.label}, ${columns[of]?.name}: ${row.values[of]}, ${Math.round(share)}%`,
                    )}
                  >
                    <rect className="cell" {...box} />
                    <rect className="in" fillOpacity={(share / 100) * STRENGTH} {...box} />
                    <text className="cell" x={x(cell) + wide / 2} y={top + 19} textAnchor="middle">
                      {Math.round(share)}
                      {width < 500 ? '' : '%'}
                    </text>
                  </Mark>
                );
              })}
            </g>
          );
        })}
      </svg>
      {active && (
        <Tip
          picture={picture}
          most={1 + cells.length}
          of={active}
          x={LEFT}
          y={HEAD + (active.row + 1) * LINE}
          width={width}
        />
      )}
    </>
  );
}
