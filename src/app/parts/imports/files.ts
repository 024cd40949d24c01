/** The files that an import offers for download: a sample, and the rejected rows. */
import type { ImportReject } from '../../../contract/entities';
import { getImportColumns, type ImportKind } from '../../../contract/imports';
import { toCsvCell } from '../cells';

const csv = (lines: readonly (readonly string[])[]): Blob =>
  new Blob(['\uFEFF', ...lines.map((cells) => `${cells.map(toCsvCell).join(',')}\r\n`)], { type: 'text/csv' });

/** All columns with two sample rows. */
export const buildSample = (kind: ImportKind): Blob => {
  const columns = getImportColumns(kind);
  return csv([
    columns.map(([name]) => name),
    ...([0, 1] as const).map((n) => columns.map(([, { sample }]) => sample[n])),
  ]);
};

export const buildRejects = (rejects: readonly ImportReject[]): Blob =>
  csv([
    ['Line', 'Column', 'Reason'],
    ...rejects.map(({ line, column, reason }) => [String(line), column ?? '', reason]),
  ]);
