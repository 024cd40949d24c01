/** What charts show. Apart from the other constants: only who opens them needs it. */

/** How many days a chart can show. */
export const chartDays = [30, 90] as const;
export type ChartDays = (typeof chartDays)[number];
/** A chart by platform or method names no more than this many, the rest together. */
export const CHART_NAMES = 12;
