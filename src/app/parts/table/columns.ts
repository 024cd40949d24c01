import type { SavedList } from '../../../contract/constants';

export interface Column {
  /** The class of its cells. */
  name: string;
  label: string;
}

const transactionColumns: readonly Column[] = [
  { name: 'type', label: 'Type' },
  { name: 'state', label: 'Status' },
  { name: 'amount', label: 'Amount' },
  { name: 'net', label: 'Net Amount' },
  { name: 'method', label: 'Payment Method' },
  { name: 'kind', label: 'Deposit Type' },
  { name: 'started', label: 'Initiated At' },
  { name: 'ended', label: 'Completed At' },
  { name: 'about', label: 'Description' },
  { name: 'reference', label: 'Reference' },
];

/** The columns that a person can hide. The e-mail and the actions always stay, and so does whose row it is. */
export const columns: Record<SavedList, readonly Column[]> = {
  users: [
    { name: 'name', label: 'Name' },
    { name: 'phone', label: 'Phone' },
    { name: 'affiliate', label: 'Affiliate' },
    { name: 'referral', label: 'Referral' },
    { name: 'ggr', label: 'Individual GGR' },
    { name: 'credit', label: 'Credit Balance' },
    { name: 'balances', label: 'Other Balances' },
  ],
  purchases: transactionColumns,
  deposits: transactionColumns,
  returns: transactionColumns
    .filter(({ name }) => !['type', 'net', 'kind'].includes(name))
    .map((column) => (column.name === 'method' ? { ...column, label: 'Platform' } : column)),
  redeems: [
    { name: 'platform', label: 'Platform' },
    { name: 'amount', label: 'Amount' },
    { name: 'method', label: 'Payout Method' },
    { name: 'address', label: 'Payout Address' },
    { name: 'state', label: 'Status' },
    { name: 'started', label: 'Initiated At' },
    { name: 'ended', label: 'Completed At' },
  ],
};

/** The hidden columns as a query parameter; the address leaves out that none is hidden. */
export const columnsAddress = { hide: '' };
/** A link says that no column is hidden, or else the choice of its reader would count. */
const NONE = 'none';

export const formatHidden = (hidden: readonly string[], { isFull = false } = {}): string =>
  hidden.join('.') || (isFull ? NONE : '');

/** Those of the names that are columns of the list, in its order. */
export const pickColumns = (list: SavedList, names: readonly unknown[]): string[] =>
  columns[list].map(({ name }) => name).filter((name) => names.includes(name));

/** The classes of a table whose hidden columns the style sheet hides (screens.css). */
export const hiddenClass = (base: string, hidden: readonly string[] = []): string =>
  [base, ...hidden.map((name) => `no-${name}`)].join(' ');
