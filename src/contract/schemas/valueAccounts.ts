/** Where the money is: cash accounts and stocks of credits; they need the feature `accounts`. */
import * as v from 'valibot';
import * as f from './fields';

export const accountKinds = ['cash', 'credits'] as const;
export const entryKinds = ['bought', 'moved', 'corrected'] as const;
/** The most accounts of a tenant, and methods of one. */
export const ACCOUNTS_MAX = 100;
export const ACCOUNT_METHODS_MAX = 20;

export const ValueAccount = v.object({
  id: f.number,
  name: f.string,
  kind: f.oneOf(accountKinds),
  /** Payment and payout methods, or names of game platforms, that mean this account. */
  methods: v.array(f.string),
  /** In USD, of credits; what was paid for those bought, or as it was set. */
  cost_per_credit: f.maybe(f.number),
  /** As it was set, whatever was bought since. */
  set_cost: v.optional(f.maybe(f.number)),
  is_active: f.boolean,
  balance: f.number,
});
export type ValueAccount = v.InferOutput<typeof ValueAccount>;

export const ValueAccounts = v.object({
  /** Whoever settles a purchase or redeem must name an account, unless its method does. */
  is_required: f.boolean,
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
  name: f.reference(100),
  kind: f.oneOf(accountKinds),
  methods: v.pipe(v.array(f.reference(100), 'expected a list'), v.maxLength(ACCOUNT_METHODS_MAX, 'too many methods')),
  cost_per_credit: f.unlessBlank(sentCost),
  is_active: f.trueOrFalse,
  tenant_id: f.given(f.id),
});
export type ValueAccountForm = v.InferOutput<typeof ValueAccountForm>;

export const AccountSettingsForm = v.object({ is_required: f.trueOrFalse, tenant_id: f.given(f.id) });

/** `bought`: credits, from a cash account or paid elsewhere. `moved`: between two. `corrected`: into or out of one. */
export const AccountEntryForm = v.object({
  entry: f.oneOf(entryKinds),
  from_id: f.unlessBlank(f.id),
  to_id: f.unlessBlank(f.id),
  /** In USD; in credits between two stocks or for the correction of one. */
  amount: f.sentPositive,
  /** How many credits were bought. */
  credits: f.unlessBlank(f.sentPositive),
  /** Required for a correction. */
  reason: f.unlessBlank(f.reference(500)),
  tenant_id: f.given(f.id),
});
export type AccountEntryForm = v.InferOutput<typeof AccountEntryForm>;

/** `waits`: a second person must agree first. */
export const AccountEntryAnswer = v.object({ waits: f.boolean });

/** One movement of an account: of a purchase, deposit, return or redeem, or by hand. */
export const AccountMove = v.object({
  at: f.instant,
  kind: f.string,
  /** Negative: out of it. */
  amount: f.number,
  money_id: f.maybe(f.number),
  reason: f.maybe(f.string),
  by: f.maybe(f.string),
});
export type AccountMove = v.InferOutput<typeof AccountMove>;
