const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export type Random = ReturnType<typeof createRandom>;
/** A small seeded generator (mulberry32): the same seed gives the same sample data on every machine. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const pick = <T>(from: readonly T[]): T => {
    const found = from[Math.floor(next() * from.length)];
    if (found === undefined) throw new RangeError('nothing to pick from');
    return found;
  };
  return {
    /** From 0 up to, but not including, 1. */
    next,
    pick,
    chance: (probability: number) => next() < probability,
    /** A whole number, both ends included. */
    between: (least: number, most: number) => least + Math.floor(next() * (most - least + 1)),
    weighted<T>(from: readonly (readonly [T, number])[]): T {
      let left = next() * from.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of from) if ((left -= weight) < 0) return value;
      return pick(from)[0];
    },
    /** Capital letters and digits, without those that look alike. */
    code: (length: number) => Array.from({ length }, () => SIGNS[Math.floor(next() * SIGNS.length)]).join(''),
  };
}
