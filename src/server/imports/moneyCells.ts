/** The cells of a row of purchases, deposits, returns and redeems. */
import * as v from 'valibot';
import { balanceKinds } from '../../contract/constants';
import { email, money, positive, reference, status, text } from '../../contract/schemas/fields';
import { type Row, usd } from './batch';
import { timestamp } from './timestamps';

/** As lists and histories name them. */
const types: Record<string, 'TOP_UP' | 'DEPOSIT' | 'RETURN' | 'REDEEM'> = {
  top_up: 'TOP_UP',
  deposit: 'DEPOSIT',
  return: 'RETURN',
  redeem: 'REDEEM',
  withdrawal: 'REDEEM',
};
const depositTypes: Record<string, string> = {
  ...Object.fromEntries(balanceKinds.map((kind) => [kind, kind.toUpperCase()])),
  free_play: 'LOYALTY',
};
const oneOf = <T>(known: Readonly<Record<string, T>>, message: string) =>
  v.pipe(
    v.string(),
    v.transform((word) => word.toLowerCase().replace(/[\s-]+/g, '_')),
    v.check((word) => Object.hasOwn(known, word), message),
    v.transform((word): T => known[word]!),
  );

export const MoneyCells = v.object({
  source_id: v.optional(reference(200)),
  user_email: v.optional(email),
  user_source_id: v.optional(reference(200)),
  transaction_type: oneOf(types, 'expected one of TOP_UP, DEPOSIT, RETURN, REDEEM'),
  status: v.pipe(v.string(), v.toLowerCase(), status),
  amount: v.pipe(positive, usd),
  net_amount: v.optional(v.pipe(money, usd)),
  payment_method: v.optional(text(100)),
  deposit_type: v.optional(oneOf(depositTypes, 'expected one of CREDIT, BONUS, VIP, LOYALTY')),
  platform: v.optional(text(100)),
  payout_method: v.optional(text(100)),
  payout_address: v.optional(reference(500)),
  initiated_at: timestamp,
  completed_at: v.optional(timestamp),
  description: v.optional(text(2000)),
  payment_reference: v.optional(reference(200)),
});
export type MoneyCells = v.InferOutput<typeof MoneyCells>;
export interface MoneyRow extends Row {
  cells: MoneyCells;
}
/** Its player is known. */
export type OwnedRow = MoneyRow & { player_id: number };
