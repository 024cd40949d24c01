import type { BalanceKind, Status } from '../../contract/constants';
import type { Owner } from '../core/tenancy';
import type { DemoPlayer } from './players';

/** A purchase, deposit, return or redeem of the sample data, as a row of its table. */
export interface Money {
  table: 'transactions' | 'redeems';
  row: Owner & {
    /** Assigned once all are known, in order of time. */
    id: number;
    status: Status;
    amount: number;
    initiated_at: Date;
    completed_at: Date | null;
    /** Of redeems. */
    decided_by?: number;
    transaction_type?: string;
    platform?: string;
    payment_method?: string;
    payout_method?: string;
  };
}

/** A row of `transfers`; its `money_id` is assigned with the ids. */
export interface Transfer {
  money: Money | null;
  row: Record<string, unknown> & { from_account: string; to_account: string; created_at: Date };
}

/** All money movements of the sample data. */
export interface Book {
  money: Money[];
  transfers: Transfer[];
}

/** What an account is given. Amounts are in cents, times in milliseconds. */
export interface Entry {
  status: Status;
  amount: number;
  initiatedAt: number;
  completedAt: number | null;
  columns: Record<string, unknown>;
}

export type Account = ReturnType<typeof openAccount>;
/** Opens an account with its opening balance; `adminId` settles. It records what the ledger would. */
export function openAccount(book: Book, player: DemoPlayer, adminId: number, openedAt: number) {
  const balances = { credit: 0, bonus: 0, vip: 0, loyalty: 0, held: 0 };
  const isBalance = (account: string): account is keyof typeof balances => account in balances;
  const of = { tenant_id: player.tenant_id, player_id: player.id };
  let ggr = 0;
  let first: Money | undefined;
  let lastPaid: number | null = null;

  const move = (from: string, to: string, amount: number, at: number, money: Money | null, by: number | null) => {
    if (isBalance(from)) balances[from] -= amount;
    if (isBalance(to)) balances[to] += amount;
    if (from === 'cash_in') ggr += amount;
    if (to === 'cash_out') ggr -= amount;
    const row = { ...of, from_account: from, to_account: to, amount: amount / 100, admin_id: by };
    book.transfers.push({ money, row: { ...row, created_at: new Date(at) } });
  };
  const enter = (table: Money['table'], { status, amount, initiatedAt, completedAt, columns }: Entry): Money => {
    const times = {
      initiated_at: new Date(initiatedAt),
      completed_at: completedAt === null ? null : new Date(completedAt),
    };
    const money: Money = { table, row: { ...of, id: 0, status, amount: amount / 100, ...times, ...columns } };
    book.money.push(money);
    return money;
  };
  const hold = (money: Money, entry: Entry, kind: BalanceKind, to: string, by: number | null) => {
    const { amount, initiatedAt, completedAt, status } = entry;
    if (balances[kind] < amount) throw new RangeError(`player ${player.id} has not enough ${kind}`);
    move(kind, 'held', amount, initiatedAt, money, by);
    if (completedAt !== null) move('held', status === 'success' ? to : kind, amount, completedAt, money, adminId);
  };

  const payFromGame = (money: Money, { amount, completedAt, status }: Entry) => {
    if (completedAt === null || status !== 'success') return;
    move('platform', 'credit', amount, completedAt, money, adminId);
    move('credit', 'cash_out', amount, completedAt, money, adminId);
  };

  if (player.openingCredit > 0) move('opening', 'credit', player.openingCredit, openedAt, null, null);
  if (player.openingBonus > 0) move('opening', 'bonus', player.openingBonus, openedAt, null, null);
  return {
    balance: (kind: BalanceKind) => balances[kind],
    buy(entry: Entry) {
      const money = enter('transactions', entry);
      if (entry.status !== 'failed') first ??= money;
      if (entry.status !== 'success' || entry.completedAt === null) return;
      lastPaid = Math.max(lastPaid ?? 0, entry.completedAt);
      move('cash_in', 'credit', entry.amount, entry.completedAt, money, adminId);
    },
    deposit: (entry: Entry, kind: BalanceKind) => hold(enter('transactions', entry), entry, kind, 'platform', null),
    giveBack(entry: Entry) {
      const money = enter('transactions', entry);
      if (entry.status !== 'success' || entry.completedAt === null) return;
      move('platform', 'credit', entry.amount, entry.completedAt, money, adminId);
    },
    redeem(entry: Entry) {
      const money = enter('redeems', entry);
      if (entry.completedAt !== null) money.row.decided_by = adminId;
      if (player.paidFromGame) return payFromGame(money, entry);
      hold(money, entry, 'credit', 'cash_out', entry.columns['is_manual'] === true ? adminId : null);
    },
    add: (at: number, kind: BalanceKind, amount: number) => move('adjustment', kind, amount, at, null, adminId),
    wallet: () => ({
      ...of,
      ...Object.fromEntries(Object.entries(balances).map(([kind, cents]) => [`${kind}_balance`, cents / 100])),
      individual_ggr: ggr / 100,
      first_purchase_id: first?.row.id ?? null,
      first_purchase_at: first?.row.initiated_at ?? null,
      last_purchase_at: lastPaid === null ? null : new Date(lastPaid),
    }),
  };
}
