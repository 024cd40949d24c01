/** What every proof is given. One that cannot run on this machine returns the reason. */
export interface ProveOptions {
  seed: number;
  /** The form that takes hours rather than a minute. */
  long: boolean;
  rounds?: number;
  ops?: number;
  workers?: number;
  kills?: number;
  /** The round a long run goes on from, how long it goes on, and with which calls. */
  from?: number;
  minutes?: number;
  calls?: string[];
  say: (line: string) => void;
}

/** One more of what is counted by its name. */
export const count = (counts: Record<string, number>, name: string | number): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};
/** 'done 3, refused 1': what was counted, in the order of the names. */
export const inWords = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .sort()
    .map((entry) => entry.join(' '))
    .join(', ');

/** Numbers that only depend on the seed (mulberry32). */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
  /** A whole number, both ends included. */
  from(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }
  pick<T>(items: readonly T[]): T {
    const item = items[this.from(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
  shuffled<T>(items: readonly T[]): T[] {
    const rest = [...items],
      out: T[] = [];
    while (rest.length) out.push(...rest.splice(this.from(0, rest.length - 1), 1));
    return out;
  }
}
