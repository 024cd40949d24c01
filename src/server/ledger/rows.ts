import type { Redeem, Transaction } from '../../contract/entities';
import type { Owner } from '../core/tenancy';
import type { DbRow } from '../db/row';

/** A purchase or deposit as the driver returns it. */
export type TransactionRow = DbRow<Transaction> & Owner;
/** A redeem as the driver returns it. */
export type RedeemRow = DbRow<Redeem> & Owner;
