import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

export interface RowFocus {
  /** The id of the row with the focus. */
  here: () => number | undefined;
  /** Focuses the next row or the previous one. While no row has the focus, the one that had it last. */
  step: (by: 1 | -1) => void;
  /** Focuses the next row that `may`, below or else above; the row itself if there is none. */
  next: (id: number, may: (id: number) => boolean) => void;
  /** Focuses this row. */
  at: (id: number) => void;
  /** Focuses the row that had the focus last. */
  back: () => void;
  onFocus: (event: FocusEvent) => void;
}

const idOf = (line: HTMLElement | undefined) => (line ? Number(line.dataset['id']) : undefined);

/** The focus in a table that is worked through, whose rows in the `box` have `data-id`. */
export function useRowFocus(box: RefObject<HTMLElement | null>, rows: readonly unknown[] | undefined): RowFocus {
  const last = useRef<{ line: Element; index: number } | null>(null);

  const lines = () => [...(box.current?.querySelectorAll<HTMLElement>('[data-id]') ?? [])];
  /** What was looked up for a row stands below it. */
  const contains = (line: Element | null) => line?.contains(document.activeElement) ?? false;
  const indexHere = () =>
    lines().findIndex(
      (line) => contains(line) || (line.nextElementSibling?.matches('.needs') && contains(line.nextElementSibling)),
    );
  const indexOf = (id: number) => lines().findIndex((line) => idOf(line) === id);
  // A list that scrolled would move a row from under the pointer.
  const focus = (index: number, preventScroll = false) => {
    const all = lines();
    all[Math.max(0, Math.min(index, all.length - 1))]?.focus({ preventScroll });
  };

  // If the focused row has left the list, focus the row that took its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new rows can replace the focused one
  useEffect(() => {
    if (last.current && !last.current.line.isConnected && document.activeElement === document.body)
      focus(last.current.index, true);
  }, [rows]);

  return {
    here: () => idOf(lines()[indexHere()]),
    step: (by) => focus(indexHere() < 0 ? (last.current?.index ?? 0) : indexHere() + by),
    next(id, may) {
      const all = lines(),
        from = indexOf(id),
        line = all[from];
      // A decided row shows less. The rows below must not move up for it.
      if (line) line.style.minHeight = `${line.getBoundingClientRect().height}px`;
      const open = all.flatMap((one, index) => (index !== from && may(idOf(one) ?? 0) ? [index] : []));
      const isByKey = last.current?.index === from && document.activeElement === line;
      focus(open.find((index) => index > from) ?? open.at(-1) ?? from, !isByKey);
    },
    at: (id) => {
      if (indexOf(id) >= 0) focus(indexOf(id), true);
    },
    back: () => {
      if (last.current) focus(last.current.index, true);
    },
    onFocus({ target }) {
      const line = target.closest('[data-id]');
      if (line) last.current = { line, index: indexHere() };
    },
  };
}
