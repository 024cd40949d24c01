/** What became of each of many rows that were worked on together. */

import { ApiError } from '../../api/client';
import { listen } from '../../api/listen';
import { isUnknownOutcome } from '../../api/repeat';
import { getDetail } from '../../hooks/useErrorToast';
import { formatCount } from '../../ui/formatCount';
import { toCsvCell, toPlainCell } from '../cells';

export interface BulkRow {
  id: number;
  email: string;
  /** In USD, of money. */
  amount?: number;
}
/** `unknown`: the answer was lost. `waiting`: the row was not reached, so nothing was done. */
export type Outcome = 'done' | 'refused' | 'unknown' | 'waiting';
export interface Result {
  is: Outcome;
  why?: string | undefined;
}
export interface BulkLine extends Result {
  row: BulkRow;
}
export interface Report {
  title: string;
  lines: readonly BulkLine[];
  isRunning: boolean;
  /** Of all rows. */
  total: number;
}

export const outcomeLabels: Record<Outcome, string> = {
  done: 'Done',
  refused: 'Refused',
  unknown: 'Not known',
  waiting: 'Not reached',
};
/** What can be tried again: a lost answer with the same key, so that nothing is done twice. */
export const canRetry = ({ is }: Result): boolean => is === 'unknown' || is === 'waiting';

/** Nothing was done, and the next row would fare no better: no connection, no session, a server that is too busy. */
const atStandstill = [0, 401, 429, 503];

export function toResult(error: unknown): Result {
  if (isUnknownOutcome(error)) return { is: 'unknown', why: 'The answer was lost.' };
  const isOver = !(error instanceof ApiError) || atStandstill.includes(error.status);
  return isOver
    ? { is: 'waiting', why: getDetail(error) }
    : { is: 'refused', why: getDetail(error) ?? 'The server gave no reason.' };
}

/** What did not work comes first. */
export const outcomes: readonly Outcome[] = ['refused', 'unknown', 'waiting', 'done'];
/** '1 refused, 11 done' */
export const countOutcomes = (lines: readonly BulkLine[]): string =>
  outcomes
    .map((is) => [is, lines.filter((line) => line.is === is).length] as const)
    .filter(([, count]) => count > 0)
    .map(([is, count]) => `${formatCount(count)} ${outcomeLabels[is].toLowerCase()}`)
    .join(', ');

/**
 * Sends one row after another, each in a call of its own, and stops where the next would not arrive. `onLine` hears of
 * each as it ends. Meanwhile the browser asks before it closes the page.
 */
export async function workThrough<Row>(
  rows: readonly Row[],
  toBulkRow: (row: Row) => BulkRow,
  send: (row: Row) => Promise<Result>,
  onLine: (line: BulkLine) => void,
): Promise<void> {
  const end = listen(['beforeunload'], (event) => event.preventDefault());
  let isOver = false;
  for (const row of rows) {
    const result: Result = isOver ? { is: 'waiting' } : await send(row);
    isOver ||= canRetry(result);
    onLine({ row: toBulkRow(row), ...result });
  }
  end();
}

/** The lines of a report with those of a further try in place of their own. */
export const mergeLines = (before: readonly BulkLine[], now: readonly BulkLine[]): BulkLine[] => [
  ...before.map((line) => now.find(({ row }) => row.id === line.row.id) ?? line),
  ...now.filter(({ row }) => !before.some((line) => line.row.id === row.id)),
];

const titles = ['ID', 'Email', 'Amount', 'Result', 'Reason'];
const toCells = ({ row, is, why }: BulkLine): string[] =>
  [row.id, row.email, row.amount ?? '', outcomeLabels[is], why ?? ''].map(String);

export const toCsv = (lines: readonly BulkLine[]): string =>
  [titles, ...lines.map(toCells)].map((cells) => cells.map(toCsvCell).join(',')).join('\r\n');
/** As a spreadsheet takes it from the clipboard. */
export const toText = (lines: readonly BulkLine[]): string =>
  [titles, ...lines.map(toCells)].map((cells) => cells.map(toPlainCell).join('\t')).join('\n');
