import type { Redeem, Transaction } from '../../contract/entities';
import type { DbRow } from '../db/row';
import type { Owner } from '../tenancy';

/** A purchase or deposit as the driver returns it. */
export type TransactionRow = DbRow<Transaction> & Owner;
/** A redeem as the driver returns it. */
export type RedeemRow = DbRow<Redeem> & Owner;
