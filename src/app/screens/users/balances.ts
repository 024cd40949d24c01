import { type BalanceKind, type BalanceOperation, balanceKinds } from '../../../contract/constants';
import type { BalanceForm } from '../../../contract/entities';

export const balanceLabels: Record<BalanceKind, string> = {
  credit: 'Credit',
  bonus: 'Bonus',
  vip: 'VIP',
  loyalty: 'Loyalty',
};
export type BalanceChanges = Record<BalanceKind, { amount: string; operation: BalanceOperation }>;

export const noChanges: BalanceChanges = {
  credit: { amount: '', operation: 'add' },
  bonus: { amount: '', operation: 'add' },
  vip: { amount: '', operation: 'add' },
  loyalty: { amount: '', operation: 'add' },
};

/**
 * The form to send: the amounts that were filled in, each with its operation (docs/product.md, "Users"). Or the balance
 * whose amount is invalid.
 */
export function buildBalanceForm(
  changes: BalanceChanges,
): { form: BalanceForm; bad?: undefined } | { form?: undefined; bad: BalanceKind } {
  const filled = balanceKinds.filter((kind) => changes[kind].amount.trim() !== '');
  const bad = filled.find(
    (kind) =>
      !/^(\d{1,11}(\.\d{0,2})?|\.\d{1,2})$/.test(changes[kind].amount.trim()) || Number(changes[kind].amount) === 0,
  );
  if (bad) return { bad };
  const form: BalanceForm = {};
  for (const kind of filled) {
    form[kind] = Number(changes[kind].amount);
    form[`${kind}_op`] = changes[kind].operation;
  }
  return { form };
}
