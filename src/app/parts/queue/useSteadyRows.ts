import { type FocusEvent, type PointerEvent, useReducer, useRef } from 'react';
import type { Status } from '../../../contract/constants';

/** What a decision that was sent has changed in its row. */
export interface SentChange {
  status: Status;
  completed_at?: string;
}

/** Props of the element around the table. */
export interface SteadyBox {
  onPointerMove: (event: PointerEvent) => void;
  onPointerLeave: (event: PointerEvent) => void;
  onFocusCapture: () => void;
  onBlurCapture: (event: FocusEvent) => void;
  onPointerDownCapture: (event: PointerEvent) => void;
  onKeyDownCapture: () => void;
}

/**
 * Keeps each row in its place while somebody works in the list: with the mouse over it, or with the focus in it for
 * keys and fingers. A row that a decision moves elsewhere stays, changed as was `sent`; further rows follow at the end.
 * Another list, by `key`, and a list that nobody works in, are shown as the server sends them.
 */
export function useSteadyRows<Row extends { id: number; status: string }>(
  rows: Row[] | undefined,
  key: string,
  sent: ReadonlyMap<number, SentChange>,
): { rows: Row[] | undefined; box: SteadyBox } {
  const [, renew] = useReducer((count: number) => count + 1, 0);
  const use = useRef({ isOver: false, isFocused: false, isByMouse: false });
  const shown = useRef<{ key: string; from: Row[] | undefined; rows: Row[] | undefined }>({
    key,
    from: undefined,
    rows: undefined,
  });

  const isInUse = () => use.current.isOver || (use.current.isFocused && !use.current.isByMouse);
  const last = shown.current;
  if (last.key !== key || !last.rows || !rows || !isInUse()) shown.current = { key, from: rows, rows };
  else if (last.from !== rows) shown.current = { key, from: rows, rows: keepPlaces(last.rows, rows, sent) };

  const set = (patch: Partial<typeof use.current>) => {
    const before = isInUse();
    Object.assign(use.current, patch);
    if (before && !isInUse() && shown.current.rows !== shown.current.from) renew();
  };
  const isMouse = ({ pointerType }: PointerEvent) => pointerType === 'mouse';
  return {
    rows: shown.current.rows,
    box: {
      // Enter is not reported when what was under the pointer is gone.
      onPointerMove: (event) => isMouse(event) && set({ isOver: true }),
      onPointerLeave: (event) => isMouse(event) && set({ isOver: false }),
      onPointerDownCapture: (event) => set(isMouse(event) ? { isByMouse: true, isOver: true } : { isByMouse: false }),
      onKeyDownCapture: () => set({ isByMouse: false }),
      onFocusCapture: () => set({ isFocused: true }),
      onBlurCapture: ({ currentTarget, relatedTarget }) =>
        set({ isFocused: relatedTarget instanceof Node && currentTarget.contains(relatedTarget) }),
    },
  };
}

function keepPlaces<Row extends { id: number; status: string }>(
  before: readonly Row[],
  now: readonly Row[],
  sent: ReadonlyMap<number, SentChange>,
): Row[] {
  const newest = new Map(now.map((row) => [row.id, row])),
    known = new Set(before.map(({ id }) => id));
  const kept = before.flatMap((row) => {
    const change = sent.get(row.id);
    return newest.get(row.id) ?? (change ? { ...row, ...change } : []);
  });
  return [...kept, ...now.filter(({ id }) => !known.has(id))];
}
