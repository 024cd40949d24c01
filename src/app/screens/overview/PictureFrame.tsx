import { type ComponentType, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { isDemoMode } from '../../state/demoMode';
import { Button } from '../../ui/Button';
import { RowLink } from '../../ui/RowLink';
import { TableFrame } from '../../ui/TableFrame';
import { saveCsv, savePng } from './files';
import { formatValue, type Picture } from './picture';

export type Chart = ComponentType<{ picture: Picture; width: number; svg: RefObject<SVGSVGElement | null> }>;

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
  const behind = columns.find((column) => column.behind !== undefined);
  const before = behind?.name.slice((columns[behind.behind ?? 0]?.name.length ?? 0) + 1);
  const legend = columns.filter((column) => column.tone && column.behind === undefined);
  const name = `${file}-${picture.id}`;

  return (
    <figure className={isWide ? 'picture wide' : 'picture'} aria-labelledby={id}>
      <figcaption>
        <h3 id={id}>{title}</h3>
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
        {isEmpty ? <p className="none">No data for this period.</p> : <Chart {...{ picture, width, svg }} />}
      </div>
      {!isEmpty && (
        <div className="tools">
          <Button aria-expanded={hasTable} onClick={() => setTable(!hasTable)}>
            Table
          </Button>
          {!isDemoMode() && (
            <>
              <Button aria-label={`${title} as CSV`} onClick={() => saveCsv(picture, name)}>
                CSV
              </Button>
              <Button
                aria-label={`${title} as PNG`}
                onClick={() => svg.current && void savePng(svg.current, picture, name)}
              >
                PNG
              </Button>
            </>
          )}
        </div>
      )}
      {hasTable && !isEmpty && (
        <TableFrame label={title}>
          <table>
            <thead>
              <tr>
                <th>{picture.by}</th>
                {columns.map(({ name: head }) => (
                  <th key={head} className="number">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ label, values, links }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  {columns.map(({ name: head, unit }, n) => (
                    <td key={head} className="number">
                      {links?.[n] && values[n] !== null ? (
                        <RowLink to={links[n]}>{formatValue(values[n], unit)}</RowLink>
                      ) : (
                        formatValue(values[n], unit)
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </figure>
  );
}
