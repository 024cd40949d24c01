/** Shifts of cashiers, and the profit; they need the feature `shifts`. */
import * as v from 'valibot';
import { profitParts } from '../months';
import * as f from './fields';
import { ACCOUNTS_MAX, accountKinds } from './valueAccounts';

const { boolean, given, id, instant, maybe, number, string } = f;
const account = { account_id: number, name: string, kind: f.oneOf(accountKinds) };

/** A business day; today if left out. */
export const ShiftsQuery = v.object({ tenant_id: given(id), day: given(f.date) });
/** Of a day, or one shift. */
export const ShiftsExportQuery = v.object({ ...ShiftsQuery.entries, shift_id: given(id) });

const shift = {
  id: number,
  cashier: string,
  opened_at: instant,
  closed_at: maybe(instant),
  closed_by: maybe(string),
  /** Whose shift this one took over from. */
  relieved: maybe(string),
};
/** `differences`: how many accounts did not have what was expected. */
export const Shift = v.object({ ...shift, differences: number });
export type Shift = v.InferOutput<typeof Shift>;

/** What the closed shifts of a day make of an account; `shifts` of them counted it. */
export const ShiftSum = v.object({ ...account, shifts: number, moved: number, difference: number });
export type ShiftSum = v.InferOutput<typeof ShiftSum>;

/** The shifts that were closed on a day, and today the open ones. */
export const ShiftDay = v.object({
  day: string,
  /** Whoever settles what moves an account must have an open shift. */
  is_required: boolean,
  own_id: maybe(number),
  shifts: v.array(Shift),
  sums: v.array(ShiftSum),
});
export type ShiftDay = v.InferOutput<typeof ShiftDay>;

/** An account in a shift. What was not counted at its opening has no expected amount. */
export const ShiftCount = v.object({
  ...account,
  opening: maybe(number),
  moved: number,
  expected: maybe(number),
  counted: maybe(number),
  difference: maybe(number),
  reason: maybe(string),
});
export type ShiftCount = v.InferOutput<typeof ShiftCount>;
export const ShiftPaper = v.object({ ...shift, tenant_name: string, counts: v.array(ShiftCount) });
export type ShiftPaper = v.InferOutput<typeof ShiftPaper>;

const counted = { account_id: id, counted: f.sentMoney };
const listOf = <T extends v.GenericSchema>(of: T) =>
  v.pipe(v.array(of, 'expected a list'), v.minLength(1, 'count an account'), v.maxLength(ACCOUNTS_MAX, 'too many'));

/** `relieves_id`: the shift that it takes over from. */
export const OpenShiftForm = v.object({
  counts: listOf(v.object(counted)),
  relieves_id: f.unlessBlank(id),
  tenant_id: given(id),
});

/** Every account that was counted when it opened, with a reason where it is not what was expected. */
export const CloseShiftForm = v.object({
  counts: listOf(v.object({ ...counted, reason: f.unlessBlank(f.reference(500)) })),
  tenant_id: given(id),
});
export type CloseShiftForm = v.InferOutput<typeof CloseShiftForm>;

export const ShiftSettingsForm = v.object({ is_required: f.trueOrFalse, tenant_id: given(id) });

/** Business days; both count. */
export const ProfitQuery = v.object({ tenant_id: given(id), from: f.date, to: f.date, by: f.oneOf(profitParts) });

/** `credits`: what those had cost that players took to games. Of `unpriced` ones no cost is known: they add nothing. */
const profit = { purchases: number, redeems: number, fees: number, credits: number, profit: number, unpriced: number };
/** A day, or what people call it; null if nothing is known. */
export const ProfitLine = v.object({ name: maybe(string), ...profit });
export type ProfitLine = v.InferOutput<typeof ProfitLine>;
/** In USD. The credits of each line, and of the total, are rounded on their own; then it adds up to the cent. */
export const Profit = v.object({ lines: v.array(ProfitLine), total: v.object(profit) });
export type Profit = v.InferOutput<typeof Profit>;
