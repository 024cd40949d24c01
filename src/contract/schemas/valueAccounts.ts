/** Where the money is: cash accounts and stocks of credits; they need the feature `accounts`. */
import * as v from 'valibot';
import {
  boolean,
  given,
  id,
  instant,
  maybe,
  number,
  oneOf,
  reference,
  sentPositive,
  string,
  trueOrFalse,
  unlessBlank,
} from './fields';

export const accountKinds = ['cash', 'credits'] as const;
export const entryKinds = ['bought', 'moved', 'corrected'] as const;
/** The most accounts of a tenant, and methods of one. */
export const ACCOUNTS_MAX = 100;
export const ACCOUNT_METHODS_MAX = 20;

export const ValueAccount = v.object({
  id: number,
  name: string,
  kind: oneOf(accountKinds),
  /** Payment and payout methods, or names of game platforms, that mean this account. */
  methods: v.array(string),
  /** In USD, of credits; what was paid for those bought, or as it was set. */
  cost_per_credit: maybe(number),
  /** As it was set, whatever was bought since. */
  set_cost: v.optional(maybe(number)),
  is_active: boolean,
  /** In USD, or in credits. */
  balance: number,
});
export type ValueAccount = v.InferOutput<typeof ValueAccount>;

export const ValueAccounts = v.object({
  /** Whoever settles a purchase or redeem must name an account, unless its method does. */
  is_required: boolean,
  accounts: v.array(ValueAccount),
});
export type ValueAccounts = v.InferOutput<typeof ValueAccounts>;

/** A credit costs a part of a dollar, so in finer steps than cents. */
const cost = v.pipe(
  v.union([v.number(), v.string()], 'expected a cost with at most 6 decimals'),
  v.transform((value) => String(value).trim()),
  v.regex(/^\d{1,4}(\.\d{1,6})?$/, 'expected a cost with at most 6 decimals'),
);
const sentCost: v.GenericSchema<number | string> = cost;

export const ValueAccountForm = v.object({
  name: reference(100),
  kind: oneOf(accountKinds),
  methods: v.pipe(v.array(reference(100), 'expected a list'), v.maxLength(ACCOUNT_METHODS_MAX, 'too many methods')),
  cost_per_credit: unlessBlank(sentCost),
  is_active: trueOrFalse,
  /** A super admin names the tenant. */
  tenant_id: given(id),
});
export type ValueAccountForm = v.InferOutput<typeof ValueAccountForm>;

export const AccountSettingsForm = v.object({ is_required: trueOrFalse, tenant_id: given(id) });

/** `bought`: credits, from a cash account or paid elsewhere. `moved`: between two. `corrected`: into or out of one. */
export const AccountEntryForm = v.object({
  entry: oneOf(entryKinds),
  from_id: unlessBlank(id),
  to_id: unlessBlank(id),
  /** In USD; in credits between two stocks or for the correction of one. */
  amount: sentPositive,
  /** How many credits were bought. */
  credits: unlessBlank(sentPositive),
  /** Required for a correction. */
  reason: unlessBlank(reference(500)),
  tenant_id: given(id),
});
export type AccountEntryForm = v.InferOutput<typeof AccountEntryForm>;

/** `waits`: a second person must agree first. */
export const AccountEntryAnswer = v.object({ waits: boolean });

/** One movement of an account: of a purchase, deposit, return or redeem, or by hand. */
export const AccountMove = v.object({
  at: instant,
  kind: string,
  /** Negative: out of it. */
  amount: number,
  /** The purchase, deposit, return or redeem. */
  money_id: maybe(number),
  reason: maybe(string),
  by: maybe(string),
});
export type AccountMove = v.InferOutput<typeof AccountMove>;
