/** What two people must agree on (docs/permissions.md, "Two people"). */
import * as v from 'valibot';
import { given, id, instant, maybe, number, oneOf, sentPositive, string } from './fields';
import { entryKinds } from './valueAccounts';

const approvalKinds = ['redeem', 'return', 'balances', 'limits', 'account'] as const;

/** Null: one person is enough. */
const approvalLimit = maybe(number);
export const ApprovalLimits = v.object({
  /** From this amount on, two people must agree on a payout. */
  payouts_from: approvalLimit,
  /** From this sum on, two people must agree on an edit of a player's balances, and on a return. */
  edits_from: approvalLimit,
});
export type ApprovalLimits = v.InferOutput<typeof ApprovalLimits>;
/** Elsewhere nobody is named. */
export const ApprovalLimitsAnswer = v.object({
  ...ApprovalLimits.entries,
  /** Who can make API keys that report payments, and settle payments. */
  both_ends: v.optional(v.array(string)),
  /** Who in the tenant can change the limits. */
  changers: v.optional(v.array(string)),
});

export const ApprovalLimitsForm = v.object({
  payouts_from: v.nullable(sentPositive),
  edits_from: v.nullable(sentPositive),
  tenant_id: given(id),
});
export type ApprovalLimitsForm = v.InferOutput<typeof ApprovalLimitsForm>;

/** What one person has approved and a second must approve too. */
export const Approval = v.object({
  id: number,
  tenant_id: number,
  kind: oneOf(approvalKinds),
  /** Of a payout. */
  redeem_id: maybe(number),
  /** Of a return; needs the feature `returns`. */
  return_id: v.optional(maybe(number)),
  user_email: maybe(string),
  player_id: maybe(number),
  /** The payout or the return, or the sum of the edits; what a correction adds to an account, or credits cost. */
  amount: maybe(number),
  /** What happens to which account, also that of a payout, and how many credits are bought: needs `accounts`. */
  entry: v.optional(maybe(oneOf(entryKinds))),
  account_name: v.optional(maybe(string)),
  credits: v.optional(maybe(number)),
  /** What an edit adds to each balance; negative if it removes. */
  credit: maybe(number),
  bonus: maybe(number),
  vip: maybe(number),
  loyalty: maybe(number),
  /** Why the first person wants the edit. */
  reason: v.optional(maybe(string)),
  note: v.optional(maybe(string)),
  ...ApprovalLimits.entries,
  first_email: string,
  first_at: instant,
  /** Whether the caller was first, and so can only withdraw it. */
  is_own: v.boolean(),
  /** Why the caller cannot be the second; null if they can, as far as their permissions go. */
  refusal: maybe(string),
});
export type Approval = v.InferOutput<typeof Approval>;
