import { type BalanceKind, type BalanceOperation, balanceKinds } from '../../../contract/constants';
import type { BalanceForm } from '../../../contract/entities';
import { toAmount } from '../../api/amount';

export type BalanceChanges = Record<BalanceKind, { amount: string; operation: BalanceOperation }>;

export const noChanges = Object.fromEntries(
  balanceKinds.map((kind) => [kind, { amount: '', operation: 'add' }]),
) as BalanceChanges;

const isAmount = (text: string): boolean => /^(\d{1,11}(\.\d{0,2})?|\.\d{1,2})$/.test(text) && Number(text) > 0;

/** The balance after a change, in USD; null if there is no change, or none that can be understood. */
export function balanceAfter(balance: unknown, { amount, operation }: BalanceChanges[BalanceKind]): number | null {
  const before = toAmount(balance),
    text = amount.trim();
  if (before === null || !isAmount(text)) return null;
  const cents = Math.round(Number(text) * 100) * (operation === 'add' ? 1 : -1);
  return (Math.round(before * 100) + cents) / 100;
}

/** The form to send: the amounts that were filled in (docs/product.md, "Users"); or the balance with an invalid one. */
export function buildBalanceForm(
  changes: BalanceChanges,
): { form: BalanceForm; bad?: undefined } | { form?: undefined; bad: BalanceKind } {
  const filled = balanceKinds.filter((kind) => changes[kind].amount.trim() !== '');
  const bad = filled.find((kind) => !isAmount(changes[kind].amount.trim()));
  if (bad) return { bad };
  const form: BalanceForm = {};
  for (const kind of filled) {
    form[kind] = Number(changes[kind].amount);
    form[`${kind}_op`] = changes[kind].operation;
  }
  return { form };
}
