import type { BalanceKind, BalanceOperation } from '../../contract/constants';
import type { Sql } from '../db/open';
import { notFound, Problem } from '../problem';
import { formatBalance, insufficientBalance, move, post } from './post';

/** Opens an empty wallet for a new player. Repeating it is harmless. */
export async function openWallet(sql: Sql, tenantId: number, playerId: number): Promise<void> {
  await sql`insert into wallets (tenant_id, player_id) values (${tenantId}, ${playerId}) on conflict do nothing`;
}

/**
 * Closes a player's wallet for good: 409 while anything is pending. Afterwards nothing can be created for the player.
 * The balance stays in the ledger.
 */
export async function closeWallet(sql: Sql, tenantId: number, playerId: number): Promise<void> {
  // Every verb that creates something locks the wallet first, so nothing can appear after this.
  await sql`
    update wallets set closed_at = now()
    where tenant_id = ${tenantId} and player_id = ${playerId} and closed_at is null`;
  const [pending] = await sql`
    select 1 from transactions where tenant_id = ${tenantId} and player_id = ${playerId} and status = 'pending'
    union all select 1 from redeems
    where tenant_id = ${tenantId} and player_id = ${playerId} and status = 'pending' limit 1`;
  if (pending) throw new Problem(409, 'The user has pending transactions');
}

export interface BalanceChange {
  kind: BalanceKind;
  operation: BalanceOperation;
  amount: string;
}
export interface Adjustment {
  tenant_id: number;
  player_id: number;
  admin_id: number;
  changes: readonly BalanceChange[];
}

/**
 * Adds to and removes from balances by hand, all changes or none; 400 when a balance is too small. Returns the
 * transfers and the balances before.
 */
export async function adjustBalances(
  sql: Sql,
  { tenant_id, player_id, admin_id, changes }: Adjustment,
): Promise<Adjusted> {
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
  if (changes.length === 0) return { before, transferIds: [] };
  const posted = await move(sql<{ id: number }[]>`
    with change as (
      select * from unnest(
        ${changes.map((c) => c.kind)}::text[],
        ${changes.map((c) => c.operation)}::text[],
        ${changes.map((c) => c.amount)}::numeric[]
      ) as c (kind, operation, amount)
    ), move as (
      select ${tenant_id}::bigint as tenant_id, ${player_id}::bigint as player_id, amount, null::bigint as money_id,
        ${admin_id}::bigint as admin_id, 0::numeric as ggr,
        case operation when 'add' then 'adjustment' else kind end as from_account,
        case operation when 'add' then kind else 'adjustment' end as to_account
      from change
    ), ${post(sql, tenant_id)}
    select id from posted`);
  return { before, transferIds: posted.map(({ id }) => id) };
}

export interface Adjusted {
  before: Balances;
  transferIds: number[];
}
type Balances = Record<`${BalanceKind}_balance`, number>;
type Wallet = Record<BalanceKind, string> & Balances;
