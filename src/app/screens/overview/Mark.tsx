import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { RowLink } from '../../ui/RowLink';
import { formatValue, linkOf, nameLink, type Picture } from './picture';

/** A bar that leads to the list behind it, or without a list only says what it is. */
export function Mark({
  to,
  children,
  ...mark
}: { to: string | undefined; children: ReactNode } & ReturnType<ReturnType<typeof useMarks>['mark']>) {
  return to ? (
    <RowLink to={to} {...mark}>
      {children}
    </RowLink>
  ) : (
    <g role="img" {...mark}>
      {children}
    </g>
  );
}

interface Place {
  row: number;
  column: number;
}
/** The bar whose values are shown; under a finger they have a link. */
export interface Shown extends Place {
  isTouched: boolean;
}
/**
 * The bars of a drawing as one stop of the Tab key: arrow keys, Home and End move between them, Enter opens the list
 * behind one. `active` is the bar under the mouse or with the focus; Escape hides what is said about it. A finger
 * has nothing to point with: its first tap says what a bar is, and the next one on it opens the list.
 */
export function useMarks(marks: readonly Place[]) {
  const [active, setActive] = useState<Shown | null>(null);
  const isFirstTap = useRef(false);
  const [last, setLast] = useState<Place | null>(null);
  const isAt = (place: Place | null | undefined, { row, column }: Place) =>
    place?.row === row && place.column === column;
  const stop = marks.find((mark) => isAt(last, mark)) ?? marks[0];

  function turn(event: KeyboardEvent<Element>, from: Place) {
    if (event.key === 'Escape') return setActive(null);
    const inRow = marks.filter(({ row }) => row === from.row),
      inColumn = marks.filter(({ column }) => column === from.column);
    const [across, along] = [inColumn.findIndex((one) => isAt(from, one)), inRow.findIndex((one) => isAt(from, one))];
    const to = {
      ArrowRight: inColumn[across + 1],
      ArrowLeft: inColumn[across - 1],
      ArrowDown: inRow[along + 1] ?? inColumn[across + 1],
      ArrowUp: inRow[along - 1] ?? inColumn[across - 1],
      Home: inColumn[0],
      End: inColumn.at(-1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    event.currentTarget.closest('svg')?.querySelector<SVGElement>(`[data-mark="${to.row}-${to.column}"]`)?.focus();
  }

  /** The attributes of a bar. */
  const mark = (place: Place, label: string) => ({
    'data-mark': `${place.row}-${place.column}`,
    'aria-label': label,
    tabIndex: isAt(stop, place) ? 0 : -1,
    className: isAt(active, place) ? 'mark active' : 'mark',
    onPointerEnter: ({ pointerType }: PointerEvent) =>
      pointerType !== 'touch' && setActive({ ...place, isTouched: false }),
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType !== 'touch' && setActive(null),
    onPointerDown: ({ pointerType }: PointerEvent) => {
      isFirstTap.current = pointerType === 'touch' && !isAt(active, place);
    },
    onClickCapture: (event: MouseEvent<SVGElement | HTMLElement>) => {
      if (!isFirstTap.current) return;
      event.preventDefault();
      event.currentTarget.focus({ preventScroll: true });
      setActive({ ...place, isTouched: true });
    },
    onFocus: () => {
      setActive({ ...place, isTouched: isFirstTap.current });
      setLast(place);
    },
    onBlur: () => setActive(null),
    onKeyDown: (event: KeyboardEvent<Element>) => turn(event, place),
  });
  return { active, mark };
}

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
        {columns.slice(0, most).map(
          ({ name, unit }, n) =>
            // Where nothing was before, there is nothing to compare with.
            !(name.endsWith(' before') && row.values[n] === 0) && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{formatValue(row.values[n], unit)}</dd>
              </div>
            ),
        )}
      </dl>
      {to && column && <RowLink to={to}>{nameLink(column, row, n)}</RowLink>}
    </div>
  );
}
