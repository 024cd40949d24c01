/** Purchases, deposits and redeems. */
import * as v from 'valibot';
import { LIST_MAX, listOrders, moneyLists, moneySorts, returnRisks, risks } from '../constants';
import { listParts } from '../overview';
import { manualRedeemPlatforms, payoutMethods } from '../platforms';
import { attentions } from '../protection';
import { claimed } from './claims';
import * as f from './fields';

const row = {
  id: f.number,
  user_email: f.string,
  /** Only in lists, those of redeems if they are filtered; needs the feature `list_tools`. */
  user_name: v.optional(f.maybe(f.string)),
  status: f.status,
  amount: f.number,
  initiated_at: f.instant,
  completed_at: f.maybe(f.instant),
  tenant_id: f.number,
  player_id: f.playerId,
  ...claimed,
  /** Of a pending row in a list, where the tenant has its own; needs the feature `late_minutes`. */
  late_minutes: v.optional(f.number),
  overdue_minutes: v.optional(f.number),
};

/** Money in (`TOP_UP`), from the wallet onto a platform (`DEPOSIT`), or back from it (`RETURN`). */
export const Transaction = f.optionalElsewhere(['tenant_id', 'player_id'], {
  ...row,
  transaction_type: f.string,
  /** `amount` less the processor's fee. */
  net_amount: f.maybe(f.number),
  payment_method: f.maybe(f.string),
  /** For a deposit, `type` is the balance that paid: CREDIT, BONUS, VIP or LOYALTY. Nothing else leaves the server. */
  payment_metadata: f.maybe(v.object({ type: v.optional(f.string) })),
  description: f.maybe(f.string),
  payment_reference: f.maybe(f.string),
  /** Of a purchase: why a person has to look at it; needs the feature `protection`. */
  attention: v.optional(f.maybe(v.picklist(attentions))),
});
export type Transaction = v.InferOutput<typeof Transaction>;

/** Winnings on their way from a game platform back to the credit balance (`RETURN`); needs the feature `returns`. */
export const ReturnRow = v.object({
  ...Transaction.entries,
  platform: f.string,
  /** Only in lists, while it is pending. */
  risks: v.optional(v.array(v.picklist(returnRisks))),
});
export type ReturnRow = v.InferOutput<typeof ReturnRow>;

export const ReturnForm = v.object({
  user_email: f.email,
  amount: f.sentPositive,
  platform: f.filled(100),
  description: f.nullAsBlank(f.text(2000)),
  /** A super admin can name the tenant. */
  tenant_id: f.unlessBlank(f.id),
});

/** How a tenant pays winnings. */
export const ReturnSettings = v.object({
  /** A redeem needs no credit: its success takes the amount from its game platform. */
  redeems_from_game: f.boolean,
});
export type ReturnSettings = v.InferOutput<typeof ReturnSettings>;

export const ReturnSettingsForm = v.object({
  redeems_from_game: f.trueOrFalse,
  tenant_id: f.given(f.id),
});

export const StatusForm = v.object({
  status: f.status,
  /** The account that is paid in to or out of; needs the feature `accounts`. Without it the method says which. */
  account_id: f.unlessBlank(f.id),
  ...f.reasonInBody,
});
export type StatusForm = v.InferOutput<typeof StatusForm>;

/** Filters of the transaction lists; they need the feature `queue`. All bounds are inclusive. */
const filters = {
  tenant_id: f.given(f.id),
  status: f.given(f.status),
  /** Business days of `initiated_at` in the row's tenant. */
  from_date: f.given(f.date),
  to_date: f.given(f.date),
  platform: f.given(f.text(100)),
  /** A part of the payment method; for a redeem the payout method, for a deposit the balance that paid. */
  method: f.given(f.text(100)),
  min_amount: f.given(f.sentMoney),
  max_amount: f.given(f.sentMoney),
  /** Matches a part of the e-mail, reference, payout address or description. */
  text: f.given(f.searchText),
  /** Only redeems and returns that one of two people has approved; needs the feature `approvals`. */
  approval: f.given(f.oneOf(['waiting'])),
  /** Business days of `completed_at` in the row's tenant; this and the following need the feature `overview`. */
  settled_from: f.given(f.date),
  settled_to: f.given(f.date),
  /** What one bar of the overview stands for. Without a `key`: where none was given. */
  part: f.given(f.oneOf(listParts)),
  key: f.given(f.text(100)),
};
export const ListFilter = v.object(filters);
export type ListFilter = v.InferOutput<typeof ListFilter>;

export const ListQuery = v.object({
  ...filters,
  /** `pending_first`: pending rows, oldest first, then settled rows, newest first. */
  order: f.given(f.oneOf(listOrders)),
  /** Instead of `order`; needs the feature `list_tools`. */
  sort_by: f.given(f.oneOf(moneySorts)),
  sort_order: f.given(f.sortOrder),
  page: f.limit(100_000),
  limit: f.limit(LIST_MAX),
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
  transaction_type: f.given(transactionType),
});

export const CountQuery = v.object({ ...filters, list: f.oneOf(moneyLists) });
export type CountQuery = v.InferOutput<typeof CountQuery>;

export const Count = f.optionalElsewhere(['last_id'], {
  total: f.number,
  /** The highest id in the list, whatever the filter; 0 for an empty one. */
  last_id: f.number,
});

export const NewRowsQuery = v.object({ ...CountQuery.entries, after_id: f.id });

/** The number of rows of a list that came in after the one with this id. */
export const NewRows = v.object({ total: f.number });

/** `net_amount` only of purchases: after fees, where one without a net amount counts whole. */
const StatusSum = v.object({ total: f.number, amount: f.number, net_amount: v.optional(f.number) });
export type StatusSum = v.InferOutput<typeof StatusSum>;
/** The rows that match a filter, by status: how many, and the sum of their amounts. */
export const ListSums = v.object({
  pending: StatusSum,
  success: StatusSum,
  failed: StatusSum,
  /** False if there are more than 1,000,000 rows: then the figures are lower bounds. */
  is_complete: f.boolean,
});
export type ListSums = v.InferOutput<typeof ListSums>;

/** The number of pending rows in each list. */
export const PendingCounts = v.object({
  purchases: f.number,
  deposits: f.number,
  /** Needs the feature `returns`. */
  returns: v.optional(f.number),
  redeems: f.number,
});
export type PendingCounts = v.InferOutput<typeof PendingCounts>;

/** A cash-out. */
export const Redeem = f.optionalElsewhere(['tenant_id', 'player_id'], {
  ...row,
  platform: f.string,
  payout_method: f.maybe(f.string),
  payout_address: f.maybe(f.string),
  /** Only for a pending redeem in a filtered list, or in that of its player. */
  risks: v.optional(v.array(v.picklist(risks))),
  /** Only for a pending redeem: why the player's payouts are on hold. */
  payout_hold: v.optional(f.maybe(f.string)),
  /** It holds nothing of the player: its game platform pays. Needs the feature `returns`. */
  from_game: v.optional(f.boolean),
});
export type Redeem = v.InferOutput<typeof Redeem>;

/** What a purchase, deposit or redeem says beyond its list; needs the feature `details`. */
export const TransactionDetails = v.object({
  id: f.number,
  kind: f.oneOf(['purchase', 'deposit', 'return', 'redeem']),
  status: f.status,
  description: f.maybe(f.string),
  /** The e-mail of the person, or the name of the system, that made it; null if unknown. */
  made_by: f.maybe(f.string),
  /** Null while it is pending, and if unknown. */
  decided_by: f.maybe(f.string),
  completed_at: f.maybe(f.instant),
  ...f.givenReason,
});
export type TransactionDetails = v.InferOutput<typeof TransactionDetails>;

export const RedeemForm = v.object({ platform_name: f.filled(100), amount: f.sentPositive });

export const ManualRedeemForm = v.object({
  user_email: f.email,
  amount: f.sentPositive,
  platform: v.picklist(manualRedeemPlatforms, 'unknown platform'),
  payout_method: f.oneOf(payoutMethods),
  payout_address: f.reference(500),
  description: f.nullAsBlank(f.text(2000)),
  /** Needs the feature `redeem_tenant`. */
  tenant_id: f.unlessBlank(f.id),
});
export type ManualRedeemForm = v.InferOutput<typeof ManualRedeemForm>;
