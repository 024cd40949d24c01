/** Constants of the overview (docs/extras/overview.md, "Overview"). */

/** The spans of time that the overview can be about. Weeks start on Sunday. */
export const overviewUnits = ['day', 'week', 'month'] as const;
export type OverviewUnit = (typeof overviewUnits)[number];

/** Of what a span consists: rankings, and what is held and pending now. Those of tenants are of all tenants alone. */
export const overviewParts = [
  ...(['tenant', 'platform', 'method', 'affiliate', 'game', 'paid', 'refused'] as const),
  ...(['deposit', 'payout', 'held', 'pending', 'late'] as const),
] as const;

/** How many days, weeks or months are drawn side by side; as many before them are drawn behind. */
export const overviewSteps: Readonly<Record<OverviewUnit, number>> = { day: 30, week: 13, month: 12 };
/** How many weeks of sign-ups are followed, and for how many weeks after the first. */
export const COHORT_WEEKS = 9;
/** A ranking shows at most this many names; the rest is their difference to the total. */
export const OVERVIEW_NAMES = 10;

/** The spans, in seconds, of the time from the request of a redeem to its payout; the last span has no end. */
export const payoutSeconds = [
  60, 120, 300, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200, 10800, 14400, 21600, 28800, 43200, 64800, 86400, 129600,
  172800, 259200, 345600, 432000, 604800, 864000, 1209600, 2592000,
] as const;

/** By what a list of purchases, deposits or redeems can be narrowed to what one bar of the overview stands for. */
export const listParts = ['hour', 'platform', 'method', 'affiliate', 'player', 'first', 'payout', 'decided'] as const;
export type ListPart = (typeof listParts)[number];
