/** Months of the books as YYYY-MM, and what stands in their statements. */

const names = 'January February March April May June July August September October November December'.split(' ');

/** 'September 2026'. */
export const formatMonth = (month: string): string => `${names[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`;

/** Whether a line of a statement is about an account of the players. */
export const isPlayers = ({ account }: { account: string }): boolean =>
  ['credit', 'bonus', 'vip', 'loyalty', 'held'].includes(account);
/** The accounts of the ledger in the order of a statement: those of players, then those of the tenant. */
export const accountLabels = {
  credit: 'Credit',
  bonus: 'Bonus',
  vip: 'VIP',
  loyalty: 'Loyalty',
  held: 'Held for pending',
  cash_in: 'Paid in by players',
  cash_out: 'Paid out to players',
  platform: 'On game platforms',
  adjustment: 'Changed by hand',
  opening: 'Brought in',
} as const;
export type LedgerAccount = keyof typeof accountLabels;
export const ledgerAccounts = /* @__PURE__ */ Object.keys(accountLabels) as readonly LedgerAccount[];

/** The kinds of movements in a statement, in order. */
export const movementLabels = {
  purchases: 'Purchases',
  deposits: 'Deposits',
  returns: 'From games',
  redeems: 'Redeems',
  held: 'Held',
  returned: 'Returned',
  added: 'Added by hand',
  removed: 'Removed by hand',
  brought_in: 'Brought in',
} as const;
export type MovementKind = keyof typeof movementLabels;
export const movementKinds = /* @__PURE__ */ Object.keys(movementLabels) as readonly MovementKind[];

/** The most months in the list of a tenant, the newest first. */
export const BOOK_MONTHS = 120;

/** The most days of a profit, and what it can be parted by. */
export const PROFIT_DAYS = 31;
export const profitParts = ['day', 'platform', 'account', 'cashier'] as const;
export type ProfitPart = (typeof profitParts)[number];
