import type { Redeem, Transaction } from '../../contract/entities';
import type { AnswerRow } from '../resource';

/** A purchase or deposit as the driver hands it over. */
export type TransactionRow = AnswerRow<Transaction> & Owned;
/** A redeem as the driver hands it over. */
export type RedeemRow = AnswerRow<Redeem> & Owned;
interface Owned { tenant_id: number; player_id: number }
