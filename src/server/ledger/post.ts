/** The only ways money moves: all verbs end in `post` or `postMovement`, so balances change with a transfer. */
import type { BalanceKind } from '../../contract/constants';
import { orRefuse, Problem } from '../core/problem';
import type { Owner } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';

/**
 * The end of a statement `with move as (select tenant_id, player_id, from_account, to_account, amount, money_id,
 * admin_id, ggr …), ${post(sql, tenant)} …`, all of one tenant. It writes the transfers of `move` and changes the
 * wallets by the same amounts. A row without accounts moves nothing, but locks its wallet. The CTE `wallet` contains
 * the changed wallets, `posted` the ids of the transfers.
 */
export const post = (sql: Sql, tenantId: number) => sql`
  delta as (
    select tenant_id, player_id,
      coalesce(sum(amount) filter (where to_account = 'credit'), 0)
        - coalesce(sum(amount) filter (where from_account = 'credit'), 0) as credit,
      coalesce(sum(amount) filter (where to_account = 'bonus'), 0)
        - coalesce(sum(amount) filter (where from_account = 'bonus'), 0) as bonus,
      coalesce(sum(amount) filter (where to_account = 'vip'), 0)
        - coalesce(sum(amount) filter (where from_account = 'vip'), 0) as vip,
      coalesce(sum(amount) filter (where to_account = 'loyalty'), 0)
        - coalesce(sum(amount) filter (where from_account = 'loyalty'), 0) as loyalty,
      coalesce(sum(amount) filter (where to_account = 'held'), 0)
        - coalesce(sum(amount) filter (where from_account = 'held'), 0) as held,
      sum(ggr) as ggr
    from move group by tenant_id, player_id
  ), wallet as (
    update wallets w set
      credit_balance = w.credit_balance + d.credit, bonus_balance = w.bonus_balance + d.bonus,
      vip_balance = w.vip_balance + d.vip, loyalty_balance = w.loyalty_balance + d.loyalty,
      held_balance = w.held_balance + d.held, individual_ggr = w.individual_ggr + d.ggr
    from delta d where w.tenant_id = ${tenantId} and w.player_id = d.player_id
    returning w.tenant_id, w.player_id, w.first_purchase_id
  ), posted as (
    insert into transfers (tenant_id, player_id, from_account, to_account, amount, money_id, admin_id)
    select tenant_id, player_id, from_account, to_account, amount, money_id, admin_id
    from move
    where from_account is not null
    returning id
  )`;

/** What one account of a player's gives to another. */
export interface Movement extends Owner {
  from_account: string;
  to_account: string;
  /** Decimal text above 0, as the database wrote it. */
  amount: string;
  /** The purchase, deposit or redeem; null for what is done by hand. */
  money_id: number | null;
  /** Null for the platform itself. */
  admin_id: number | null;
  account_id?: number | null;
  shift_id?: number | null;
}

/**
 * Posts one movement, the wallet first. Each statement names one row by its key, so a distributed database sends it as
 * it is. `purchasedAt`: when a purchase was settled. Returns the id of the transfer.
 */
export async function postMovement(sql: Sql, movement: Movement, purchasedAt?: Fragment): Promise<number> {
  const { tenant_id, player_id, from_account, to_account, amount } = movement;
  const change = (account: BalanceKind | 'held') =>
    sql`${to_account === account ? amount : from_account === account ? `-${amount}` : '0'}::numeric`;
  const ggr = sql`${from_account === 'cash_in' ? amount : to_account === 'cash_out' ? `-${amount}` : '0'}::numeric`;
  const { count } = await move(sql`
    update wallets set
      credit_balance = credit_balance + ${change('credit')}, bonus_balance = bonus_balance + ${change('bonus')},
      vip_balance = vip_balance + ${change('vip')}, loyalty_balance = loyalty_balance + ${change('loyalty')},
      held_balance = held_balance + ${change('held')}, individual_ggr = individual_ggr + ${ggr}
      ${purchasedAt ? sql`, last_purchase_at = greatest(last_purchase_at, ${purchasedAt})` : sql``}
    where tenant_id = ${tenant_id} and player_id = ${player_id}`);
  if (count !== 1) throw new Error(`player ${player_id} has no wallet`);
  const { account_id = null, shift_id = null } = movement;
  const row = { ...movement, account_id, shift_id };
  return (await sql<{ id: number }[]>`insert into transfers ${sql(row)} returning id`.one()).id;
}

export const insufficientBalance = (kind: BalanceKind, available: string) =>
  new Problem(400, `Insufficient ${kind} balance: $${available} available`);

/** A balance for people, '1234.50', formatted in SQL where it is exact. */
export const formatBalance = (sql: Sql, column: string) => sql`to_char(${sql(column)}, 'FM999999999990.00')`;

/** Runs a statement that moves money. A balance that exceeds its column (22003) is a refusal, not a crash. */
export const move = <T>(statement: PromiseLike<T>): Promise<T> =>
  orRefuse(statement, '22003', () => new Problem(400, 'The balance would become too large'));
