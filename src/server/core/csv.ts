/** CSV (RFC 4180): read as UTF-8 by spreadsheets (byte order mark), and no cell can be taken for a formula. */
import { type Options, stringify } from 'csv-stringify/sync';
import { escapeFormulas } from '../../contract/formulas';
import type { Statement } from '../db/open';

/** Text is quoted and made harmless. `raw` is written as it is, for numbers and timestamps. */
export type CsvCell = string | null | undefined | { raw: string };
export type CsvColumn<Row> = readonly [title: string, cell: (row: Row) => CsvCell];

/** A CSV file whose rows are read with a cursor while it is sent. */
export interface CsvFile {
  readonly count: number;
  lines(batchSize: number): AsyncIterable<string>;
}

/** The columns of a list; in a file of all tenants the second one names the tenant. */
export const withTenantColumn = <Row>(
  [first, ...rest]: readonly [CsvColumn<Row>, ...CsvColumn<Row>[]],
  tenant: number | null,
): readonly CsvColumn<Row & { tenant_name: string }>[] =>
  tenant === null ? [first, ['Tenant', (row) => row.tenant_name], ...rest] : [first, ...rest];

export const formatUsd = (amount: number | null): CsvCell => (amount === null ? null : { raw: amount.toFixed(2) });
export const formatTimestamp = (timestamp: Date | string | null): CsvCell =>
  timestamp === null ? null : { raw: new Date(timestamp).toISOString() };

/** The first line contains the titles. While nobody reads, the transaction is idle; the database limits how long. */
export const createCsvFile = <Row extends object>(
  rows: Statement<Row[]>,
  columns: readonly CsvColumn<Row>[],
): CsvFile => ({
  count: 0,
  async *lines(this: { count: number }, batchSize) {
    let head = `\uFEFF${formatLines([columns.map(([title]) => title)])}`;
    for await (const batch of rows.cursor(batchSize)) {
      this.count += batch.length;
      yield head + formatLines(batch.map((row) => columns.map(([, cell]) => cell(row))));
      head = '';
    }
    if (head) yield head;
  },
});

/** The option `escape_formulas` would miss a formula behind white space or behind a semicolon. */
const format: Options = {
  record_delimiter: 'windows',
  quoted_string: true,
  quoted_empty: false,
  cast: {
    string: escapeFormulas,
    object: ({ raw }) => String(raw),
  },
};
export const formatLines = (rows: readonly (readonly CsvCell[])[]): string => stringify([...rows], format);
