import type { BalanceKind, PayoutMethod, Status } from '../../contract/constants';
import type { DemoPlayer } from './players';

/** A purchase, deposit or redeem of the sample data. Amounts are in cents, times in milliseconds. */
export interface Money {
  tenantId: number;
  playerId: number;
  /** Assigned once all are known, in order of time. */
  id: number;
  type: 'TOP_UP' | 'DEPOSIT' | 'REDEEM';
  status: Status;
  amount: number;
  initiatedAt: number;
  completedAt: number | null;
  netAmount?: number | null;
  paymentMethod?: string;
  metadata?: Record<string, string> | null;
  platform?: string;
  description?: string | null;
  reference?: string;
  isManual?: boolean;
  payoutMethod?: PayoutMethod | null;
  payoutAddress?: string | null;
}

export interface Transfer {
  tenantId: number;
  playerId: number;
  from: string;
  to: string;
  amount: number;
  money: Money | null;
  adminId: number | null;
  at: number;
}

/** All money movements of the sample data. */
export interface Book {
  money: Money[];
  transfers: Transfer[];
}

/** The account of a player. It records each movement as the ledger would, and tracks the balances. */
export interface Account {
  balance(kind: BalanceKind): number;
  buy(purchase: Entry): void;
  deposit(deposit: Entry, from: BalanceKind): void;
  redeem(redeem: Entry): void;
  /** Adds to a balance by hand. */
  add(at: number, kind: BalanceKind, amount: number): void;
}
type Entry = Omit<Money, 'tenantId' | 'playerId' | 'id'>;

/** Opens an account with the player's opening balance; `adminId` settles and adjusts it. */
export function openAccount(book: Book, player: DemoPlayer, adminId: number, openedAt: number): Account {
  const balances: Record<BalanceKind, number> = { credit: 0, bonus: 0, vip: 0, loyalty: 0 };
  const of = { tenantId: player.tenantId, playerId: player.id };

  const move = (from: string, to: string, amount: number, at: number, money: Money | null, by: number | null) => {
    book.transfers.push({ ...of, from, to, amount, money, adminId: by, at });
  };
  const enter = (entry: Entry): Money => {
    const money = { ...of, id: 0, ...entry };
    book.money.push(money);
    return money;
  };
  /** Holds the amount; success pays it out, failed returns it. */
  const hold = (entry: Entry, kind: BalanceKind, to: string, by: number | null) => {
    if (balances[kind] < entry.amount) throw new RangeError(`player ${player.id} has not enough ${kind}`);
    const money = enter(entry);
    move(kind, 'held', money.amount, money.initiatedAt, money, by);
    balances[kind] -= money.amount;
    if (money.completedAt === null) return;
    const isPaid = money.status === 'success';
    move('held', isPaid ? to : kind, money.amount, money.completedAt, money, adminId);
    if (!isPaid) balances[kind] += money.amount;
  };

  const opening = { credit: player.openingCredit, bonus: player.openingBonus };
  for (const kind of ['credit', 'bonus'] as const) {
    if (opening[kind] > 0) move('opening', kind, opening[kind], openedAt, null, null);
    balances[kind] = opening[kind];
  }
  return {
    balance: (kind) => balances[kind],
    buy(entry) {
      const money = enter(entry);
      if (money.status !== 'success' || money.completedAt === null) return;
      move('cash_in', 'credit', money.amount, money.completedAt, money, adminId);
      balances.credit += money.amount;
    },
    deposit: (entry, kind) => hold(entry, kind, 'platform', null),
    redeem: (entry) => hold(entry, 'credit', 'cash_out', entry.isManual ? adminId : null),
    add(at, kind, amount) {
      move('adjustment', kind, amount, at, null, adminId);
      balances[kind] += amount;
    },
  };
}
