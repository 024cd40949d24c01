import { type BalanceKind, balanceKinds } from '../../contract/constants';
import type { BalanceForm } from '../../contract/entities';
import { type Audit, saveReason, toPlayer } from '../audit/auditLog';
import type { Sql } from '../db/open';
import { adjustBalances, type BalanceChange } from '../ledger/adjust';

/** The changes that an edit of balances asks for, in the order of the balances. */
export const toBalanceChanges = (body: BalanceForm): BalanceChange[] =>
  balanceKinds.flatMap((kind) => {
    const amount = body[kind];
    return amount === undefined ? [] : [{ kind, amount: String(amount), operation: body[`${kind}_op`] ?? 'add' }];
  });

/** What each balance gets, for the audit log; negative if it is removed. */
export const toSigned = (changes: readonly BalanceChange[]): Partial<Record<BalanceKind, number>> =>
  Object.fromEntries(
    changes.map(({ kind, amount, operation }) => [kind, Number(amount) * (operation === 'add' ? 1 : -1)]),
  );

/** Edits balances, with reason and audit entry. `approved_by`: the first of two people who agreed to it. */
export async function editBalances(
  sql: Sql,
  audit: Audit,
  by: { tenant_id: number; player_id: number; admin_id: number; approved_by?: string },
  form: BalanceForm,
): Promise<void> {
  const { approved_by, ...who } = by,
    { tenant_id, player_id } = by;
  const { before, transferIds } = await adjustBalances(sql, { ...who, changes: toBalanceChanges(form) });
  const lineIds = transferIds.map((id) => -id);
  await saveReason(sql, tenant_id, lineIds, form);
  const [balances] = await sql<object[]>`
    select credit_balance, bonus_balance, vip_balance, loyalty_balance from wallets
    where tenant_id = ${tenant_id} and player_id = ${player_id}`;
  const after = { ...balances, ...(approved_by !== undefined && { approved_by }) };
  audit.about({ ...toPlayer(by), before, after });
}
