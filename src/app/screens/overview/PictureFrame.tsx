import { type ComponentType, useId, useLayoutEffect, useRef, useState } from 'react';
import { isDemoMode } from '../../state/demoMode';
import { DataTable } from '../../ui/DataTable';
import { Menu } from '../../ui/Menu';
import { RowLink } from '../../ui/RowLink';
import { saveCsv, savePng } from './files';
import { type Drawn, formatValue, linkOf, type Picture } from './picture';

export type Chart = ComponentType<Drawn>;

const FIRST_WIDTH = 560;

/** A picture with its title, its legend, its table, and its files, which `file` names. */
export function PictureFrame({
  picture,
  Chart,
  file,
  isWide = false,
}: {
  picture: Picture;
  Chart: Chart;
  file: string;
  isWide?: boolean;
}) {
  const { title, note, columns, rows } = picture;
  const id = useId();
  const plot = useRef<HTMLDivElement>(null),
    svg = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  const [hasTable, setTable] = useState(false);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const { current } = plot;
    if (!current) return;
    const measure = () => setWidth((old) => Math.floor(current.clientWidth) || old);
    measure();
    // Not the window: on a phone that is turned, the side menu leaves later.
    const watch = new ResizeObserver(measure);
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  const isEmpty = !rows.some(({ values }) => values.some((value) => value));
  // What is behind has one colour, so it is explained once: '12 months before'.
  const behind = columns.find(({ behind }, n) => behind !== undefined && rows.some(({ values }) => values[n]));
  const before = behind?.name.slice((columns[behind.behind ?? 0]?.name.length ?? 0) + 1);
  const legend = columns.filter((column) => column.tone && column.behind === undefined);
  const name = `${file}-${picture.id}`;

  return (
    <figure className={isWide ? 'picture wide' : 'picture'} aria-labelledby={id}>
      <figcaption>
        <div className="bar">
          <h3 id={id}>{title}</h3>
          {!isEmpty && (
            <button
              type="button"
              className="secondary"
              aria-label={`Actions for ${title}`}
              aria-haspopup="menu"
              onClick={({ currentTarget }) => setOpener(opener ? null : currentTarget)}
            >
              …
            </button>
          )}
        </div>
        <p>{note}</p>
      </figcaption>
      {(legend.length > 1 || before) && (
        <ul className="legend" aria-label="Legend">
          {legend.map(({ name: what, tone }) => (
            <li key={what}>
              <i className={tone} aria-hidden="true" />
              {what}
            </li>
          ))}
          {before && (
            <li>
              <i className="before" aria-hidden="true" />
              {before[0]?.toUpperCase()}
              {before.slice(1)}
            </li>
          )}
        </ul>
      )}
      <div className="plot" ref={plot}>
        {isEmpty ? <p>No data for this period.</p> : <Chart {...{ picture, width, svg }} />}
      </div>
      {opener && (
        <Menu
          label={`Actions for ${title}`}
          opener={opener}
          onClose={() => setOpener(null)}
          items={[
            { label: hasTable ? 'Hide table' : 'Show table', onSelect: () => setTable(!hasTable) },
            ...(isDemoMode()
              ? []
              : [
                  { label: 'Save as CSV', onSelect: () => saveCsv(picture, name) },
                  { label: 'Save as PNG', onSelect: () => void (svg.current && savePng(svg.current, picture, name)) },
                ]),
          ]}
        />
      )}
      {hasTable && !isEmpty && (
        <DataTable
          label={title}
          className=""
          heads={[picture.by, ...columns.map(({ name: head }) => [head, 'number'] as const)]}
          of={{ data: [...rows], busy: false, failed: false }}
        >
          {(row) => (
            <tr key={row.label}>
              <th scope="row">{row.label}</th>
              {columns.map(({ name: head, unit }, n) => (
                <td key={head} className="number">
                  <Value to={linkOf(row, n)}>{formatValue(row.values[n], unit)}</Value>
                </td>
              ))}
            </tr>
          )}
        </DataTable>
      )}
    </figure>
  );
}

const Value = ({ to, children }: { to: string | undefined; children: string }) =>
  to ? <RowLink to={to}>{children}</RowLink> : children;
