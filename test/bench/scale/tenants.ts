/** Tenants of very different sizes, and where they live. */
import { hash } from './random';

/** The share of all calls of each tenant, the largest first: the n-th has 1 / n ** exponent of the first. */
export function zipf(count: number, exponent: number): Float64Array {
  const shares = new Float64Array(count);
  let sum = 0;
  for (let n = 0; n < count; n++) sum += shares[n] = (n + 1) ** -exponent;
  return shares.map((share) => share / sum);
}

/** The sum of the shares in each place; `place` says where a tenant lives. */
export function sumByPlace(shares: Float64Array, place: Int32Array, places: number): Float64Array {
  const sums = new Float64Array(places);
  for (const [n, share] of shares.entries()) sums[place[n]!]! += share;
  return sums;
}

interface Placing {
  workers: number;
  shards: number;
  seed: number;
  /** Tenants larger than an even share get a worker of their own. */
  ownWorkers: boolean;
}
/** The worker of each tenant: a shard by the hash of its id, and the shards to the workers in turns. */
export function placeTenants(shares: Float64Array, { workers, shards, seed, ownWorkers }: Placing) {
  const total = shares.reduce((sum, share) => sum + share, 0);
  let own = 0;
  if (ownWorkers) while (own < workers / 2 && (shares[own] ?? 0) > total / workers) own += 1;
  const worker = new Int32Array(shares.length),
    rest = workers - own;
  for (let n = 0; n < shares.length; n++)
    worker[n] = n < own ? n : own + ((hash(n + 1, seed) % Math.max(shards, rest)) % rest);
  return { worker, own };
}

/** The region of each tenant: the largest first, each to the region with the least so far. */
export function placeInRegions(shares: Float64Array, regions: number): Int32Array {
  const sums = new Float64Array(regions);
  return Int32Array.from(shares, (share) => {
    let least = 0;
    for (let n = 1; n < regions; n++) if (sums[n]! < sums[least]!) least = n;
    sums[least]! += share;
    return least;
  });
}
