/** The most calls a second that the machines carry, and what bends first. */
import type { Mix, Shape } from './calls';
import type { Inputs } from './inputs';
import { calculate, type Figures, install } from './network';

export interface Carried {
  perSecond: number;
  /** What bends first: the busiest station, and how busy it is. */
  bends: string;
  busy: number;
  /** The 95th percentile there, in milliseconds. */
  p95: number;
  allTenants: number | undefined;
}

/** A station is too busy, or 95 of 100 calls take too long. */
export function carried(inputs: Inputs, shape: Shape, mix: Mix): Carried {
  const installations = install(inputs, shape, mix);
  const at = (perSecond: number): Figures[] => installations.map((each) => calculate(each, perSecond * each.share));
  const isCarried = (figures: readonly Figures[]) =>
    figures.every(
      ({ stations, shareOver }) =>
        stations.every(({ busy }) => busy <= inputs.busiest) && shareOver(inputs['most-ms']) <= 0.05,
    );
  let low = 0,
    high = 1;
  while (isCarried(at(high)) && high < 1e9) [low, high] = [high, high * 2];
  for (let n = 0; n < 24; n++) {
    const middle = (low + high) / 2;
    if (isCarried(at(middle))) low = middle;
    else high = middle;
  }
  const figures = at(low),
    busiest = figures.flatMap(({ stations }) => stations).reduce((most, each) => (each.busy > most.busy ? each : most));
  return {
    perSecond: low,
    bends: busiest.isForLists ? `${busiest.name}, by lists of all tenants` : busiest.name,
    busy: busiest.busy,
    p95: Math.max(...figures.map(percentile95)),
    allTenants: figures.reduce<number | undefined>(
      (most, { allTenants }) => (allTenants === undefined ? most : Math.max(most ?? 0, allTenants)),
      undefined,
    ),
  };
}

/** Found by halving the interval. */
export function percentile95({ shareOver }: Figures): number {
  let low = 0,
    high = 1;
  while (shareOver(high) > 0.05 && high < 1e6) high *= 2;
  for (let n = 0; n < 24; n++) {
    const middle = (low + high) / 2;
    if (shareOver(middle) > 0.05) low = middle;
    else high = middle;
  }
  return high;
}
