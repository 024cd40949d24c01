import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Status } from '../../../contract/constants';
import type { ChangeReason } from '../../../contract/entities';
import { isOpen } from '../../../contract/rules';
import type { ChangeReasonInput } from '../changeReason';

interface Item {
  id: number;
  status: string;
}
/** A decision made with a key. It is sent when it can no longer be undone. */
export interface Decision<Row> {
  row: Row;
  status: Status;
  changeReason: ChangeReason;
  /** Undone, or sent already. */
  isOver: boolean;
}

export interface KeyboardDecisions<Row> {
  decisions: readonly Decision<Row>[];
  planned: ReadonlyMap<number, Status>;
  /** Undoes a decision, or removes one that was sent. */
  undo: (decision: Decision<Row>) => void;
  /** Props of the element around the table, whose rows have `data-id`. */
  box: {
    ref: { current: HTMLDivElement | null };
    onKeyDown: (event: KeyboardEvent) => void;
    onFocus: (event: FocusEvent) => void;
  };
}

const verdicts: Partial<Record<string, Status>> = { s: 'success', f: 'failed' };

/**
 * Keys while the focus is in the table: j next, k previous, s success, f failed, u undo. They do nothing in an input,
 * with a modifier, or in a dialog.
 */
export function useKeyboardDecisions<Row extends Item>(
  rows: readonly Row[] | undefined,
  changeReason: ChangeReasonInput,
): KeyboardDecisions<Row> {
  const [decisions, setDecisions] = useState<readonly Decision<Row>[]>([]);
  const ref = useRef<HTMLDivElement>(null);
  const at = useRef<{ row: Element; index: number } | null>(null);
  const planned = new Map(decisions.map(({ row, status }) => [row.id, status]));

  const lines = () => [...(ref.current?.querySelectorAll<HTMLElement>('tr[data-id]') ?? [])];
  const here = () => lines().findIndex((line) => line.contains(document.activeElement));
  const focus = (index: number) => {
    const all = lines();
    all[Math.max(0, Math.min(index, all.length - 1))]?.focus();
  };
  const rowAt = (index: number) => rows?.find(({ id }) => String(id) === lines()[index]?.dataset['id']);
  const isDecidable = (row: Row | undefined) => row !== undefined && isOpen(row.status) && !planned.has(row.id);

  // If the focused row has left the list, focus the row that took its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new rows can replace the focused one
  useEffect(() => {
    if (at.current && !at.current.row.isConnected && document.activeElement === document.body) focus(at.current.index);
  }, [rows]);

  function undo(decision: Decision<Row>): void {
    decision.isOver = true;
    setDecisions((old) => old.filter((other) => other !== decision));
  }

  function decide(status: Status): void {
    const index = here(),
      row = rowAt(index);
    if (!row || !isDecidable(row)) return;
    const why = changeReason.take();
    changeReason.clear(why);
    setDecisions((old) => [...old, { row, status, changeReason: why, isOver: false }]);
    const next = lines().findIndex((_, other) => other > index && isDecidable(rowAt(other)));
    if (next >= 0) focus(next);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    if (!(target instanceof Element) || target.closest('input, select, textarea, [contenteditable], dialog')) return;
    const verdict = verdicts[key],
      last = decisions.findLast(({ isOver }) => !isOver);
    if (key === 'j') focus(here() < 0 ? (at.current?.index ?? 0) : here() + 1);
    else if (key === 'k') focus(here() < 0 ? (at.current?.index ?? 0) : here() - 1);
    else if (verdict && !event.repeat) decide(verdict);
    else if (key === 'u' && last && !event.repeat) undo(last);
    else return;
    event.preventDefault();
  }

  function onFocus({ target }: FocusEvent): void {
    const row = target.closest('tr[data-id]');
    if (row) at.current = { row, index: here() };
  }

  return { decisions, planned, undo, box: { ref, onKeyDown, onFocus } };
}
