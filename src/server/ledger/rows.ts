import type { Redeem, Transaction } from '../../contract/entities';
import type { AnswerRow, Owner } from '../context';

/** A purchase or deposit as the driver hands it over. */
export type TransactionRow = AnswerRow<Transaction> & Owner;
/** A redeem as the driver hands it over. */
export type RedeemRow = AnswerRow<Redeem> & Owner;
