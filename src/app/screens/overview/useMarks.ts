import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react';

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
    onClick: (event: MouseEvent<SVGElement | HTMLElement>) => {
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
