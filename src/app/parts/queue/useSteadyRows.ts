import { type FocusEvent, type RefObject, useReducer, useRef } from 'react';
import type { SentChange } from './decision';

/**
 * Keeps each row in its place while somebody works in the list: with the mouse over it, or with the focus in it by
 * keyboard. A row that a decision moves elsewhere stays, changed as was `sent`; further rows follow at the end. Another
 * list, by `key`, and a list that nobody works in, are shown as the server sends them.
 */
export function useSteadyRows<Row extends { id: number; status: string }>(
  box: RefObject<HTMLElement | null>,
  rows: Row[] | undefined,
  key: string | undefined,
  sent: ReadonlyMap<number, SentChange>,
): { rows: Row[] | undefined; onPointerLeave: () => void; onBlur: (event: FocusEvent) => void } {
  const [, renew] = useReducer((count: number) => count + 1, 0);
  const shown = useRef({ key, from: rows, rows });
  const isInUse = () => key !== undefined && box.current?.matches(':hover, :has(:focus-visible)') === true;

  const last = shown.current;
  if (last.key !== key || !last.rows || !rows) shown.current = { key, from: rows, rows };
  else if (last.from !== rows)
    shown.current = { key, from: rows, rows: isInUse() ? keepPlaces(last.rows, rows, sent) : rows };

  function leave(): void {
    const { from, rows } = shown.current;
    if (rows === from || isInUse()) return;
    shown.current = { key, from, rows: from };
    renew();
  }
  return {
    rows: shown.current.rows,
    onPointerLeave: leave,
    onBlur: ({ currentTarget, relatedTarget }) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) leave();
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
