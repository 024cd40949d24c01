import { type KeyboardEvent, useState } from 'react';

interface Place {
  row: number;
  column: number;
}
/**
 * The bars of a drawing as one stop of the Tab key: arrow keys, Home and End move between them, Enter opens the list
 * behind one. `active` is the bar under the mouse or with the focus; Escape hides what is said about it.
 */
export function useMarks(marks: readonly Place[]) {
  const [active, setActive] = useState<Place | null>(null);
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
    onPointerEnter: () => setActive(place),
    onPointerLeave: () => setActive(null),
    onFocus: () => {
      setActive(place);
      setLast(place);
    },
    onBlur: () => setActive(null),
    onKeyDown: (event: KeyboardEvent<Element>) => turn(event, place),
  });
  return { active, mark };
}
