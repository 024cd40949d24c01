/** Random numbers that are the same for the same seed. */
export type Random = () => number;

/** Uniform between 0 and 1 (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random());

/** `variation` is the squared coefficient of variation: 1 is as uneven as an exponential time, 0 always the mean. */
export function lognormal(random: Random, mean: number, variation: number): number {
  if (variation === 0 || mean === 0) return mean;
  const spread = Math.log(1 + variation);
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return mean * Math.exp(Math.sqrt(spread) * normal - spread / 2);
}

/** Spreads whole numbers evenly over 32 bits, as the database hashes a tenant's id. */
export function hash(value: number, seed: number): number {
  let mixed = (value + Math.imul(seed, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
