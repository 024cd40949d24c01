import type { Redeem, Transaction } from '../../../contract/entities';

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

/**
 * Rows as text that a spreadsheet takes: a tab between cells. A cell that would be a formula there begins with a quote.
 */
export const formatRows = (rows: readonly Row[]): string =>
  [fields.map(([title]) => title), ...rows.map((row) => fields.map(([, get]) => toCell(get(row))))]
    .map((cells) => cells.join('\t'))
    .join('\n');

function toCell(value: unknown): string {
  const text = value === null || value === undefined || value === false ? '' : String(value).replace(/\s+/g, ' ');
  return /^[=+\-@]/.test(text) ? `'${text}` : text;
}
