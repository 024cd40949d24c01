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
