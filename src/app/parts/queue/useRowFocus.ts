import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import type { Status } from '../../../contract/constants';

export interface RowFocus {
  /** Focuses the next row that can be decided, below or else above; the row itself if there is none. */
  next: (id: number) => void;
  /** Focuses this row. */
  at: (id: number) => void;
  /** Focuses the row that had the focus last. */
  back: () => void;
  /** Props of the element around the table, whose rows have `data-id`. */
  box: {
    ref: RefObject<HTMLDivElement | null>;
    onKeyDown: (event: KeyboardEvent) => void;
    onFocus: (event: FocusEvent) => void;
  };
}

const verdicts: Partial<Record<string, Status>> = { s: 'success', f: 'failed' };

const hasModifier = (event: { ctrlKey: boolean; metaKey: boolean; altKey: boolean }): boolean =>
  event.ctrlKey || event.metaKey || event.altKey;

const dialogOf = (element: Element | null) => element?.closest('dialog') ?? null;

/**
 * The focus in a table that is worked through, and its keys: j next, k previous, s success, f failed, u undo, r reason.
 * They do nothing in an input, with a modifier, or in a dialog over the table. While nothing has the focus, j leads
 * into the table.
 */
export function useRowFocus<Row extends { id: number }>(
  rows: readonly Row[] | undefined,
  {
    isDecidable,
    onVerdict,
    onUndo,
    onExplain,
  }: {
    isDecidable: (row: Row | undefined) => boolean;
    onVerdict: (row: Row, status: Status) => void;
    onUndo: () => void;
    onExplain: () => void;
  },
): RowFocus {
  const ref = useRef<HTMLDivElement>(null);
  const last = useRef<{ line: Element; index: number } | null>(null);

  const lines = () => [...(ref.current?.querySelectorAll<HTMLElement>('[data-id]') ?? [])];
  const here = () => lines().findIndex((line) => line.contains(document.activeElement));
  const indexOf = (id: number) => lines().findIndex((line) => line.dataset['id'] === String(id));
  const rowAt = (index: number) => rows?.find(({ id }) => String(id) === lines()[index]?.dataset['id']);
  // A list that scrolled would move a row from under the pointer.
  const focus = (index: number, preventScroll = false) => {
    const all = lines();
    all[Math.max(0, Math.min(index, all.length - 1))]?.focus({ preventScroll });
  };

  const focusNow = useRef(focus);
  focusNow.current = focus;
  useEffect(() => {
    function onKey(event: globalThis.KeyboardEvent): void {
      const isNowhere = document.activeElement === document.body || document.activeElement?.matches('main, dialog');
      const open = [...document.querySelectorAll('dialog[open]')].at(-1) ?? null;
      if (event.key !== 'j' || hasModifier(event) || !isNowhere || open !== dialogOf(ref.current)) return;
      focusNow.current(last.current?.index ?? 0);
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  // If the focused row has left the list, focus the row that took its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new rows can replace the focused one
  useEffect(() => {
    if (last.current && !last.current.line.isConnected && document.activeElement === document.body)
      focus(last.current.index, true);
  }, [rows]);

  function next(id: number): void {
    const from = indexOf(id),
      line = lines()[from];
    // A decided row shows less. The rows below must not move up for it.
    if (line) line.style.minHeight = `${line.getBoundingClientRect().height}px`;
    const open = lines().flatMap((_, index) => (index !== from && isDecidable(rowAt(index)) ? [index] : []));
    const isByKey = last.current?.index === from && document.activeElement === line;
    focus(open.find((index) => index > from) ?? open.at(-1) ?? from, !isByKey);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { target, key } = event;
    if (hasModifier(event) || event.nativeEvent.isComposing) return;
    if (!(target instanceof Element) || target.closest('input:not(.pick), select, textarea, [contenteditable]')) return;
    if (dialogOf(target) !== dialogOf(ref.current)) return;
    const verdict = verdicts[key],
      row = rowAt(here());
    if (key === 'j') focus(here() < 0 ? (last.current?.index ?? 0) : here() + 1);
    else if (key === 'k') focus(here() < 0 ? (last.current?.index ?? 0) : here() - 1);
    else if (verdict && !event.repeat) {
      if (row) onVerdict(row, verdict);
    } else if (key === 'u' && !event.repeat) onUndo();
    else if (key === 'r' && !event.repeat) onExplain();
    else return;
    event.preventDefault();
  }

  function onFocus({ target }: FocusEvent): void {
    const line = target.closest('[data-id]');
    if (line) last.current = { line, index: here() };
  }

  return {
    next,
    at: (id) => {
      if (indexOf(id) >= 0) focus(indexOf(id), true);
    },
    back: () => last.current && focus(last.current.index, true),
    box: { ref, onKeyDown, onFocus },
  };
}
