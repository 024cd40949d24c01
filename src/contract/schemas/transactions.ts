/** Purchases, deposits and redeems. */
import * as v from 'valibot';
import { LIST_MAX, listOrders, moneyLists, moneySorts, returnRisks, risks } from '../constants';
import { listParts } from '../overview';
import { manualRedeemPlatforms, payoutMethods } from '../platforms';
import { attentions } from '../protection';
import { claimed } from './claims';
import {
  boolean,
  date,
  email,
  filled,
  given,
  givenReason,
  id,
  instant,
  limit,
  maybe,
  nullAsBlank,
  number,
  oneOf,
  optionalElsewhere,
  playerId,
  reasonInBody,
  reference,
  searchText,
  sentMoney,
  sentPositive,
  sortOrder,
  status,
  string,
  text,
  trueOrFalse,
  unlessBlank,
} from './fields';

/** Money in (`TOP_UP`), from the wallet onto a platform (`DEPOSIT`), or back from it (`RETURN`). */
export const Transaction = optionalElsewhere(['tenant_id', 'player_id'], {
  id: number,
  user_email: string,
  /** Only in lists; needs the feature `list_tools`. */
  user_name: v.optional(maybe(string)),
  transaction_type: string,
  status,
  amount: number,
  /** `amount` less the processor's fee. */
  net_amount: maybe(number),
  payment_method: maybe(string),
  /** For a deposit, `type` is the balance that paid: CREDIT, BONUS, VIP or LOYALTY. Nothing else leaves the server. */
  payment_metadata: maybe(v.object({ type: v.optional(string) })),
  initiated_at: instant,
  completed_at: maybe(instant),
  description: maybe(string),
  payment_reference: maybe(string),
  tenant_id: number,
  player_id: playerId,
  ...claimed,
  /** Of a purchase: why a person has to look at it; needs the feature `protection`. */
  attention: v.optional(maybe(v.picklist(attentions))),
  /** Of a pending row in a list, where the tenant has its own; needs the feature `late_minutes`. */
  late_minutes: v.optional(number),
  overdue_minutes: v.optional(number),
});
export type Transaction = v.InferOutput<typeof Transaction>;

/** Winnings on their way from a game platform back to the credit balance (`RETURN`); needs the feature `returns`. */
export const ReturnRow = v.object({
  ...Transaction.entries,
  platform: string,
  /** Only in lists, while it is pending. */
  risks: v.optional(v.array(v.picklist(returnRisks))),
});
export type ReturnRow = v.InferOutput<typeof ReturnRow>;

export const ReturnForm = v.object({
  user_email: email,
  amount: sentPositive,
  platform: filled(100),
  description: nullAsBlank(text(2000)),
  /** A super admin can name the tenant. */
  tenant_id: unlessBlank(id),
});

/** How a tenant pays winnings. */
export const ReturnSettings = v.object({
  /** A redeem needs no credit: its success takes the amount from its game platform. */
  redeems_from_game: boolean,
});
export type ReturnSettings = v.InferOutput<typeof ReturnSettings>;

export const ReturnSettingsForm = v.object({
  redeems_from_game: trueOrFalse,
  /** A super admin names the tenant. */
  tenant_id: given(id),
});

export const StatusForm = v.object({
  status,
  /** The account that is paid in to or out of; needs the feature `accounts`. Without it the method says which. */
  account_id: unlessBlank(id),
  ...reasonInBody,
});
export type StatusForm = v.InferOutput<typeof StatusForm>;

/** Filters of the transaction lists; they need the feature `queue`. All bounds are inclusive. */
const filters = {
  tenant_id: given(id),
  status: given(status),
  /** Business days of `initiated_at` in the row's tenant. */
  from_date: given(date),
  to_date: given(date),
  platform: given(text(100)),
  /** A part of the payment method; for a redeem the payout method, for a deposit the balance that paid. */
  method: given(text(100)),
  min_amount: given(sentMoney),
  max_amount: given(sentMoney),
  /** Matches a part of the e-mail, reference, payout address or description. */
  text: given(searchText),
  /** Only redeems and returns that one of two people has approved; needs the feature `approvals`. */
  approval: given(oneOf(['waiting'])),
  /** Business days of `completed_at` in the row's tenant; this and the following need the feature `overview`. */
  settled_from: given(date),
  settled_to: given(date),
  /** What one bar of the overview stands for. Without a `key`: where none was given. */
  part: given(oneOf(listParts)),
  key: given(text(100)),
};
export const ListFilter = v.object(filters);
export type ListFilter = v.InferOutput<typeof ListFilter>;

export const ListQuery = v.object({
  ...filters,
  /** `pending_first`: pending rows, oldest first, then settled rows, newest first. */
  order: given(oneOf(listOrders)),
  /** Instead of `order`; needs the feature `list_tools`. */
  sort_by: given(oneOf(moneySorts)),
  /** `asc` if left out. */
  sort_order: given(sortOrder),
  page: limit(100_000),
  /** The page size. */
  limit: limit(LIST_MAX),
});
export type ListQuery = v.InferOutput<typeof ListQuery>;

/** Typed as the transactions themselves are: as text. */
const transactionType: v.GenericSchema<unknown, string> = v.picklist(
  ['TOP_UP', 'DEPOSIT'],
  'expected TOP_UP or DEPOSIT',
);
export const PurchasesQuery = v.object({
  ...ListQuery.entries,
  /** Both when left out. */
  transaction_type: given(transactionType),
});

export const CountQuery = v.object({ ...filters, list: oneOf(moneyLists) });
export type CountQuery = v.InferOutput<typeof CountQuery>;

export const Count = optionalElsewhere(['last_id'], {
  total: number,
  /** The highest id in the list, whatever the filter; 0 for an empty one. */
  last_id: number,
});

export const NewRowsQuery = v.object({ ...CountQuery.entries, after_id: id });

/** The number of rows of a list that came in after the one with this id. */
export const NewRows = v.object({ total: number });

/** `net_amount` only of purchases: after fees, where one without a net amount counts whole. */
const StatusSum = v.object({ total: number, amount: number, net_amount: v.optional(number) });
export type StatusSum = v.InferOutput<typeof StatusSum>;
/** The rows that match a filter, by status: how many, and the sum of their amounts. */
export const ListSums = v.object({
  pending: StatusSum,
  success: StatusSum,
  failed: StatusSum,
  /** False if there are more than 1,000,000 rows: then the figures are lower bounds. */
  is_complete: boolean,
});
export type ListSums = v.InferOutput<typeof ListSums>;

/** The number of pending rows in each list. */
export const PendingCounts = v.object({
  purchases: number,
  deposits: number,
  /** Needs the feature `returns`. */
  returns: v.optional(number),
  redeems: number,
});
export type PendingCounts = v.InferOutput<typeof PendingCounts>;

/** A cash-out. */
export const Redeem = optionalElsewhere(['tenant_id', 'player_id'], {
  id: number,
  user_email: string,
  /** Only in filtered lists; needs the feature `list_tools`. */
  user_name: v.optional(maybe(string)),
  platform: string,
  amount: number,
  payout_method: maybe(string),
  payout_address: maybe(string),
  status,
  initiated_at: instant,
  completed_at: maybe(instant),
  /** Only for a pending redeem in a filtered list, or in that of its player. */
  risks: v.optional(v.array(v.picklist(risks))),
  /** Only for a pending redeem: why the player's payouts are on hold. */
  payout_hold: v.optional(maybe(string)),
  tenant_id: number,
  player_id: playerId,
  ...claimed,
  /** Of a pending row in a list, where the tenant has its own; needs the feature `late_minutes`. */
  late_minutes: v.optional(number),
  overdue_minutes: v.optional(number),
});
export type Redeem = v.InferOutput<typeof Redeem>;

/** What a purchase, deposit or redeem says beyond its list; needs the feature `details`. */
export const TransactionDetails = v.object({
  id: number,
  kind: oneOf(['purchase', 'deposit', 'return', 'redeem']),
  status,
  description: maybe(string),
  /** The e-mail of the person, or the name of the system, that made it; null if unknown. */
  made_by: maybe(string),
  /** Null while it is pending, and if unknown. */
  decided_by: maybe(string),
  completed_at: maybe(instant),
  ...givenReason,
});
export type TransactionDetails = v.InferOutput<typeof TransactionDetails>;

export const RedeemForm = v.object({ platform_name: filled(100), amount: sentPositive });

export const ManualRedeemForm = v.object({
  user_email: email,
  amount: sentPositive,
  platform: v.picklist(manualRedeemPlatforms, 'unknown platform'),
  payout_method: oneOf(payoutMethods),
  payout_address: reference(500),
  description: nullAsBlank(text(2000)),
  /** Needs the feature `redeem_tenant`. */
  tenant_id: unlessBlank(id),
});
export type ManualRedeemForm = v.InferOutput<typeof ManualRedeemForm>;
