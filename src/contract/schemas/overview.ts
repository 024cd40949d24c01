/** The pictures of the overview; it needs the feature `overview`. */
import * as v from 'valibot';
import { overviewParts, overviewUnits } from '../overview';
import { date, given, id, instant, maybe, number, oneOf, optionalElsewhere, string } from './fields';
import { Amounts } from './metrics';

export const OverviewQuery = v.object({
  tenant_id: given(id),
  unit: given(oneOf(overviewUnits)),
  /** A day of the span that is meant; today if left out. */
  date: given(date),
});

const step = {
  purchases: number,
  /** Purchases after fees. */
  net_amount: number,
  redeems: number,
  ggr: number,
  purchase_count: number,
  redeem_count: number,
  sign_ups: number,
  first_purchases: number,
};
/** A day, week or month, and the one that is drawn behind it. */
export const OverviewStep = v.object({
  starts: string,
  ends: string,
  ...step,
  before_starts: string,
  before_purchases: number,
  before_redeems: number,
  before_ggr: number,
  before_purchase_count: number,
  before_sign_ups: number,
  before_first_purchases: number,
});
export type OverviewStep = v.InferOutput<typeof OverviewStep>;

/** The days before that the span is compared with: as many as have begun of it. */
export const OverviewCompared = v.object({ starts: string, ends: string, ...step });
export type OverviewCompared = v.InferOutput<typeof OverviewCompared>;

/** An hour of `hours_day`, and the same a week before. */
export const OverviewHour = v.object({
  hour: string,
  ...Amounts.entries,
  before_purchases: number,
  before_redeems: number,
  before_ggr: number,
});
export type OverviewHour = v.InferOutput<typeof OverviewHour>;

/**
 * A part of the span. `amount_in`: purchases, deposits or what is held; `amount_out`: redeems or returns. `late` has
 * numbers alone. The last row of a long ranking is the rest, with `key` null.
 */
export const OverviewPart = v.object({
  part: oneOf(overviewParts),
  key: maybe(string),
  /** The e-mail of an admin, the name of a tenant, an affiliate as it is spelled. */
  name: maybe(string),
  amount_in: number,
  amount_out: number,
  count_in: number,
  count_out: number,
  /** When the oldest that is pending was made. */
  oldest: maybe(instant),
});
export type OverviewPart = v.InferOutput<typeof OverviewPart>;

/** One of the players who bought most in the span. */
export const OverviewPlayer = v.object({
  player_id: number,
  tenant_id: number,
  tenant_name: string,
  email: string,
  ...Amounts.entries,
  purchase_count: number,
});
export type OverviewPlayer = v.InferOutput<typeof OverviewPlayer>;

/** The sign-ups of a week, and how many of these players bought in the same week, in the next one and so on. */
export const OverviewCohort = v.object({ week: string, sign_ups: number, buyers: v.array(number) });

/** Business days of each tenant. All amounts are in USD; what is read at once agrees to the cent. */
export const Overview = optionalElsewhere(['compared'], {
  unit: oneOf(overviewUnits),
  /** The first and the last day of the span. */
  starts: string,
  ends: string,
  today: string,
  /** Up to the span, which is the last. */
  steps: v.array(OverviewStep),
  compared: OverviewCompared,
  hours_day: string,
  hours: v.array(OverviewHour),
  cohorts: v.array(OverviewCohort),
  parts: v.array(OverviewPart),
  players: v.array(OverviewPlayer),
});
export type Overview = v.InferOutput<typeof Overview>;
