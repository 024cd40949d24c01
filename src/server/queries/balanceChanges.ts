import { balanceKinds } from '../../contract/constants';
import type { BalanceForm } from '../../contract/entities';
import type { BalanceChange } from '../ledger/adjust';

/** The changes that an edit of balances asks for, in the order of the balances. */
export const toBalanceChanges = (body: BalanceForm): BalanceChange[] =>
  balanceKinds.flatMap((kind) => {
    const amount = body[kind];
    return amount === undefined ? [] : [{ kind, amount: String(amount), operation: body[`${kind}_op`] ?? 'add' }];
  });
