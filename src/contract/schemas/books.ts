/** The books: whether they add up, closed months and statements. */
import * as v from 'valibot';
import { movementKinds } from '../months';
import { boolean, id, instant, maybe, number, playerId, string } from './fields';

const month = v.pipe(
  v.string('expected a month'),
  v.regex(/^(19|20)\d\d-(0[1-9]|1[0-2])$/, 'expected a month as YYYY-MM'),
);

export const Books = v.object({
  /** When the last complete check began; of several tenants the oldest. Null if one was never checked. */
  verified_at: maybe(instant),
  /** What it found, and by how many USD the books are off. */
  differences: number,
  off_by: number,
  /** The first of what it found, as sentences. */
  findings: v.array(string),
  /** Whether a check runs or was asked for, and how much of it is done, from 0 to 100. */
  is_checking: boolean,
  progress: number,
});
export type Books = v.InferOutput<typeof Books>;

/** Without a tenant a super admin means all. */
export const VerifyForm = v.object({ tenant_id: v.optional(id) });

/** A month of the books, as YYYY-MM. */
export const BookMonth = v.object({
  month: string,
  closed_at: maybe(instant),
  closed_by: maybe(string),
  /** It has ended, so it can be closed. */
  can_close: boolean,
  /** As in its statement; of open months the newest two. */
  purchases: v.optional(maybe(number)),
  redeems: v.optional(maybe(number)),
});
export type BookMonth = v.InferOutput<typeof BookMonth>;

export const ClosedAnswer = v.object({ closed: v.array(string) });

/** A month that is closed, or whose statement is read. */
export const MonthNamed = v.object({ tenant_id: id, month });

/** What an account had, what moved in and out of it by kind, and what it has. Amounts out of it are negative. */
export const AccountLine = v.object({
  account: string,
  opening: number,
  ...v.entriesFromList(movementKinds, number),
  closing: number,
});
export type AccountLine = v.InferOutput<typeof AccountLine>;
export const KindLine = v.object({ kind: string, transfers: number, amount: number });

/** The books of a tenant in a month of its time zone. The accounts of each column add up to 0. */
export const MonthStatement = v.object({
  tenant_id: number,
  tenant_name: string,
  month: string,
  time_zone: string,
  starts_at: instant,
  ends_at: instant,
  /** Null while the month is open: its figures can still change. */
  closed_at: maybe(instant),
  closed_by: maybe(string),
  accounts: v.array(AccountLine),
  kinds: v.array(KindLine),
});
export type MonthStatement = v.InferOutput<typeof MonthStatement>;

/** A calendar year of the tenant's time zone. */
export const YearQuery = v.object({
  tenant_id: id,
  year: v.pipe(id, v.minValue(2000, 'from 2000 to 2099'), v.maxValue(2099, 'from 2000 to 2099')),
});
export type YearQuery = v.InferOutput<typeof YearQuery>;

/** What a player was paid in a year. No tax number is kept. */
export const YearPayouts = v.object({
  player_id: playerId,
  user_email: string,
  payouts: number,
  amount: number,
});
export type YearPayouts = v.InferOutput<typeof YearPayouts>;
