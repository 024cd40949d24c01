/** What is kept of a player, for that person; needs the feature `personal_data`. */
import * as v from 'valibot';
import { Eligibility } from './eligibility';
import { boolean, given, id, instant, maybe, number, status, string } from './fields';
import { balances, person } from './players';
import { PayoutHold } from './playerView';
import { Exclusion, PlayerLimit } from './protection';

export const PersonalDataQuery = v.object({ cursor: given(id) });

/** A purchase, deposit, return or redeem. */
export const PersonalPayment = v.object({
  id: number,
  /** TOP_UP, DEPOSIT, RETURN or REDEEM. */
  type: string,
  status,
  amount: number,
  method: maybe(string),
  /** The processor's, of a purchase. */
  reference: maybe(string),
  payout_address: maybe(string),
  platform: maybe(string),
  description: maybe(string),
  initiated_at: instant,
  completed_at: maybe(instant),
});
export type PersonalPayment = v.InferOutput<typeof PersonalPayment>;

/** No password and no name of staff is in it. */
export const PersonalData = v.object({
  player: v.object({
    id: number,
    email: string,
    ...person,
    external_id: maybe(string),
    is_active: boolean,
    created_at: instant,
    updated_at: instant,
    ...balances,
  }),
  eligibility: v.omit(Eligibility, ['since', 'by']),
  break: maybe(v.pick(Exclusion, ['until', 'since'])),
  limits: v.array(v.pick(PlayerLimit, ['money', 'span', 'amount', 'next_amount', 'next_at', 'since'])),
  /** Since when a break and limits count for another user, too, who may be the same person. */
  linked_since: maybe(instant),
  payout_hold: maybe(v.pick(PayoutHold, ['reason', 'note', 'created_at'])),
  tags: v.array(string),
  logins: v.array(
    v.object({ platform_name: string, platform_username: string, is_active: boolean, updated_at: instant }),
  ),
  /** What staff wrote: the newest 1000. */
  notes: v.array(v.object({ text: string, created_at: instant })),
  /** Of balances, by staff: the newest 1000. */
  corrections: v.array(v.object({ account: string, amount: number, created_at: instant })),
  /** The oldest first, 1000 at a time. */
  payments: v.array(PersonalPayment),
  /** Where the next payments begin; null after the last. */
  next_cursor: maybe(number),
});
export type PersonalData = v.InferOutput<typeof PersonalData>;
