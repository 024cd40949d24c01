import type { Redeem, Transaction } from '../../../contract/entities';
import { toPlainCell } from '../cells';

type Row = Transaction | Redeem;
const fields: readonly [title: string, get: (row: Row) => unknown][] = [
  ['ID', (row) => row.id],
  ['User Email', (row) => row.user_email],
  ['Name', (row) => row.user_name],
  ['Status', (row) => row.status],
  ['Amount', (row) => row.amount],
  ['Initiated At', (row) => row.initiated_at],
  ['Method', (row) => ('payout_method' in row ? row.payout_method : 'payment_method' in row && row.payment_method)],
  [
    'Reference',
    (row) => ('payout_address' in row ? row.payout_address : 'payment_reference' in row && row.payment_reference),
  ],
];

/** Rows as text that a spreadsheet takes: a tab between cells. */
export const formatRows = (rows: readonly Row[]): string =>
  [fields.map(([title]) => title), ...rows.map((row) => fields.map(([, get]) => toCell(get(row))))]
    .map((cells) => cells.join('\t'))
    .join('\n');

const toCell = (value: unknown): string =>
  value === null || value === undefined || value === false ? '' : toPlainCell(String(value));
