import type { BalanceKind, BalanceOperation } from '../../contract/constants';
import { notFound, Problem } from '../core/problem';
import type { Owner } from '../core/tenancy';
import type { Sql } from '../db/open';
import { formatBalance, insufficientBalance, postMovement } from './post';

/** Opens an empty wallet for a new player. Repeating it is harmless. */
export async function openWallet(sql: Sql, tenantId: number, playerId: number): Promise<void> {
  await sql`insert into wallets (tenant_id, player_id) values (${tenantId}, ${playerId}) on conflict do nothing`;
}

/**
 * Closes a wallet: 409 while anything is pending; then nothing can be created for the player. Returns the balance in
 * USD, which stays in the ledger: whoever removes it must be allowed to.
 */
export async function closeWallet(sql: Sql, tenantId: number, playerId: number): Promise<number> {
  // Every verb that creates something locks the wallet first, so nothing can appear after this.
  const [closed] = await sql<{ left: number }[]>`
    update wallets set closed_at = now()
    where tenant_id = ${tenantId} and player_id = ${playerId} and closed_at is null
    returning credit_balance + bonus_balance + vip_balance + loyalty_balance as left`;
  const [pending] = await sql`
    select 1 from transactions where tenant_id = ${tenantId} and player_id = ${playerId} and status = 'pending'
    union all select 1 from redeems
    where tenant_id = ${tenantId} and player_id = ${playerId} and status = 'pending' limit 1`;
  if (pending) throw new Problem(409, 'The user has pending transactions');
  return closed?.left ?? 0;
}

export interface BalanceChange {
  kind: BalanceKind;
  operation: BalanceOperation;
  amount: string;
}
export interface Adjustment extends Owner {
  admin_id: number;
  changes: readonly BalanceChange[];
}

/** Adds to and removes from balances by hand, all or none; 400 when one is too small. Returns transfers and before. */
export async function adjustBalances(sql: Sql, { tenant_id, player_id, admin_id, changes }: Adjustment) {
  const [wallet] = await sql<Wallet[]>`
    select credit_balance, bonus_balance, vip_balance, loyalty_balance,
      ${formatBalance(sql, 'credit_balance')} as credit, ${formatBalance(sql, 'bonus_balance')} as bonus,
      ${formatBalance(sql, 'vip_balance')} as vip, ${formatBalance(sql, 'loyalty_balance')} as loyalty
    from wallets where tenant_id = ${tenant_id} and player_id = ${player_id} and closed_at is null for update`;
  if (!wallet) throw notFound('User');
  for (const { kind, operation, amount } of changes) {
    if (operation === 'remove' && Number(amount) > wallet[`${kind}_balance`])
      throw insufficientBalance(kind, wallet[kind]);
  }
  const { credit_balance, bonus_balance, vip_balance, loyalty_balance } = wallet;
  const before = { credit_balance, bonus_balance, vip_balance, loyalty_balance };
  const transferIds: number[] = [];
  for (const { kind, operation, amount } of changes) {
    const [from_account, to_account] = operation === 'add' ? ['adjustment', kind] : [kind, 'adjustment'];
    const movement = { tenant_id, player_id, from_account, to_account, amount, money_id: null, admin_id };
    transferIds.push(await postMovement(sql, movement));
  }
  return { before, transferIds };
}

type Balances = Record<`${BalanceKind}_balance`, number>;
type Wallet = Record<BalanceKind, string> & Balances;
