import type { Redeem, Transaction } from '../../contract/entities';
import type { Owner } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';

/** A purchase or deposit as the driver returns it. */
export type TransactionRow = DbRow<Transaction> & Owner;
/** A redeem as the driver returns it. */
export type RedeemRow = DbRow<Redeem> & Owner;

/** A row of money with the e-mail of its player. */
export const findRow = <R extends object>(sql: Sql, table: 'transactions' | 'redeems', tenant: number, id: number) =>
  sql<R[]>`
    select m.*, p.email as user_email
    from ${sql(table)} m join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
    where m.tenant_id = ${tenant} and m.id = ${id}`;

/** What people call a purchase, deposit, return and redeem. */
export const moneyKinds = { TOP_UP: 'purchase', DEPOSIT: 'deposit', RETURN: 'return', REDEEM: 'redeem' } as const;
export type MoneyType = keyof typeof moneyKinds;
/** The same for a row of `transactions`. */
export const moneyKind = (sql: Sql) => sql`
  case transaction_type when 'TOP_UP' then 'purchase' when 'RETURN' then 'return' else 'deposit' end`;
