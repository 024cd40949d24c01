import { useRef, useState } from 'react';
import { useIsHere } from '../../hooks/useIsHere';
import { sayWhenSlow, useToast } from '../../state/toasts';
import { type BulkLine, type BulkRow, canRetry, mergeLines, type Report, toResult, workThrough } from './report';

export interface ShownReport extends Report {
  isShown: boolean;
}

interface Options<Row, Change> {
  title: (change: Change, count: number) => string;
  toBulkRow: (row: Row) => BulkRow;
  send: (row: Row, change: Change) => Promise<unknown>;
  /** Why it was refused, if more is known than the server has said. */
  findReason?: (error: unknown, row: Row) => Promise<string | undefined>;
  onBegin?: (rows: readonly Row[], change: Change) => void;
  /** `isHere`: the report can be seen. */
  onEnd: (rows: readonly Row[], change: Change, lines: readonly BulkLine[], isHere: boolean) => Promise<unknown>;
  /** Rows that are not tried again. */
  isTaken?: (row: Row) => boolean;
  /** The report is on screen from the start. Otherwise it opens when not all were done. */
  showsProgress?: boolean;
}

export interface Bulk<Row, Change> {
  /** What became of the rows that were worked on last. */
  report: ShownReport | null;
  run: (rows: readonly Row[], change: Change) => Promise<void>;
  /** Tries those again that were not reached, and those whose answer was lost. */
  again: () => void;
  show: (isShown: boolean) => void;
}

/** Changes rows one after another, each in a call of its own, and reports what became of each. */
export function useBulk<Row, Change>(options: Options<Row, Change>): Bulk<Row, Change> {
  const toast = useToast();
  const isHere = useIsHere();
  const [report, setReport] = useState<ShownReport | null>(null);
  const toRetry = useRef<{ rows: readonly Row[]; change: Change } | null>(null);

  async function send(row: Row, change: Change) {
    const answered = sayWhenSlow(toast);
    try {
      await options.send(row, change);
      return { is: 'done' } as const;
    } catch (error) {
      const why = await options.findReason?.(error, row);
      return why ? ({ is: 'refused', why } as const) : toResult(error);
    } finally {
      answered();
    }
  }

  async function work(rows: readonly Row[], change: Change, before: readonly BulkLine[]): Promise<void> {
    const lines: BulkLine[] = [],
      total = before.length || rows.length,
      isOpen = options.showsProgress || before.length > 0;
    const show = (isRunning: boolean, isShown?: boolean) =>
      setReport((old) => ({
        title: options.title(change, total),
        lines: mergeLines(before, lines),
        isRunning,
        total,
        isShown: isShown ?? old?.isShown ?? false,
      }));
    show(true, isOpen);
    options.onBegin?.(rows, change);
    await workThrough(
      rows,
      options.toBulkRow,
      (row) => send(row, change),
      (line) => {
        lines.push(line);
        show(true);
      },
    );
    toRetry.current = { rows: rows.filter((_, n) => lines[n] && canRetry(lines[n])), change };
    show(false, isOpen || lines.some(({ is }) => is !== 'done'));
    await options.onEnd(rows, change, lines, isHere.current);
  }

  return {
    report,
    run: (rows, change) => work(rows, change, []),
    again() {
      if (!toRetry.current || !report) return;
      const { rows, change } = toRetry.current;
      void work(
        rows.filter((row) => !options.isTaken?.(row)),
        change,
        report.lines,
      );
    },
    show: (isShown) => setReport((old) => old && { ...old, isShown }),
  };
}
