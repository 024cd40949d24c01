/** Formulas of queues. Times in milliseconds, rates per millisecond. */

/** A time with its spread. Times of steps in a row add up, as if they were independent. */
export interface Time {
  mean: number;
  variance: number;
}
export const none: Time = { mean: 0, variance: 0 };
export const plus = (a: Time, b: Time): Time => ({ mean: a.mean + b.mean, variance: a.variance + b.variance });

/** What arrives at a station: how often, and the sums of the work of one millisecond and of its squares. */
export interface Load {
  rate: number;
  work: number;
  squares: number;
}
export const idle = (): Load => ({ rate: 0, work: 0, squares: 0 });
export function addLoad(load: Load, rate: number, ms: number, variation: number): void {
  load.rate += rate;
  load.work += rate * ms;
  load.squares += rate * ms * ms * (1 + variation);
}

/** The probability that an arrival waits at `places` places that are offered `work` (Erlang C). */
export function erlangC(places: number, work: number): number {
  let blocked = 1; // Erlang B by its recursion, which does not overflow
  for (let n = 1; n <= places; n++) blocked = (work * blocked) / (n + work * blocked);
  const busy = work / places;
  return blocked / (1 - busy * (1 - blocked));
}

/** The wait before the work begins: M/M/c, corrected for how uneven the work is (Allen and Cunneen). */
export function waitAt({ rate, work, squares }: Load, places: number): Time {
  if (rate === 0 || work === 0) return none;
  if (work >= places) return { mean: Infinity, variance: Infinity };
  const service = work / rate,
    variation = squares / rate / service ** 2 - 1,
    waits = erlangC(places, work);
  if (waits < 1e-9) return none;
  const mean = ((waits * service) / (places - work)) * ((1 + variation) / 2);
  // Who waits does so about exponentially.
  return { mean, variance: mean * mean * (2 / waits - 1) };
}

/**
 * A commit waits for the flush of the disk that is under way, and then for the next, which it shares with all others
 * that wait. `rate` commits arrive; a flush takes `ms`.
 */
export function groupCommit(rate: number, ms: number): Time {
  const grown = rate * ms * Math.exp(Math.min(rate * ms, 500)),
    busy = grown / (1 + grown);
  return { mean: ms + (busy * ms) / 2, variance: busy * ms * ms * (1 / 3 - busy / 4) };
}

/** The share of times over `limit`, taken as gamma distributed (by the cube root of Wilson and Hilferty). */
export function shareOver({ mean, variance }: Time, limit: number): number {
  if (!Number.isFinite(mean)) return 1;
  if (variance <= 0) return mean > limit ? 1 : 0;
  const ninth = variance / (9 * mean * mean);
  return 1 - normal((Math.cbrt(limit / mean) - 1 + ninth) / Math.sqrt(ninth));
}

/** The normal distribution (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z > 0 ? 1 - tail : tail;
}
