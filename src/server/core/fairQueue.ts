/** Shares places fairly: lanes take turns, and keys within a lane, so whoever asks for much waits behind themselves. */
import { clientGone, type Problem } from './problem';

/** People on a network where their account has signed in before; sessions and API keys; everybody else. */
export const lanes = ['known', 'signedIn', 'stranger'] as const;
export type Lane = (typeof lanes)[number];

/** For whom something is done. */
export interface Turn {
  lane: Lane;
  /** Who takes turns with others in the lane: a tenant, a person or a network. */
  key: string;
  /** Aborted when nobody waits for the result any more. */
  signal?: AbortSignal | undefined;
}

export interface FairQueueOptions {
  /** How many run at once, and how many of these may have the same key. */
  places: number;
  placesPerKey?: number;
  /** How many with the same key may wait, and for how many milliseconds. */
  waitingPerKey?: number;
  maxWaitMs: number;
  /** What somebody is told who would wait, or has waited, too long. */
  refusal: () => Problem;
  /** Told how many milliseconds each one waited, in vain or not. */
  onWaited?: ((ms: number) => void) | undefined;
}

interface Waiting {
  key: string;
  begin: () => void;
}

export class FairQueue {
  readonly #options: FairQueueOptions & { placesPerKey: number; waitingPerKey: number };
  /** The keys of a lane, in the order of their turns. */
  readonly #waiting: Record<Lane, Map<string, Waiting[]>> = {
    known: new Map(),
    signedIn: new Map(),
    stranger: new Map(),
  };
  readonly #runningOf = new Map<string, number>();
  #running = 0;
  #nextLane = 0;

  constructor(options: FairQueueOptions) {
    this.#options = { placesPerKey: options.places, waitingPerKey: Infinity, ...options };
  }

  /** Runs `work` when there is a place for it; throws instead of starting it when it has to wait too long. */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const { onWaited } = this.#options;
    if (turn.signal?.aborted) throw clientGone();
    if (this.#hasPlace(turn.key)) {
      this.#start(turn.key);
      onWaited?.(0);
    } else {
      const begun = performance.now();
      await this.#wait(turn).finally(() => onWaited?.(performance.now() - begun));
    }
    try {
      return await work();
    } finally {
      this.#end(turn.key);
    }
  }

  count(): { running: number; waiting: number } {
    return { running: this.#running, waiting: lanes.reduce((sum, lane) => sum + this.#countIn(lane), 0) };
  }

  /** How many would be served first, if nobody else came; 0 when there is a free place. */
  countAhead({ lane, key }: Turn): number {
    if (this.#hasPlace(key)) return 0;
    const own = this.#waiting[lane].get(key)?.length ?? 0;
    let ahead = 0;
    for (const [other, line] of this.#waiting[lane]) ahead += Math.min(line.length, other === key ? own : own + 1);
    const inLane = ahead + 1;
    for (const other of lanes) if (other !== lane) ahead += Math.min(this.#countIn(other), inLane);
    return ahead + 1;
  }

  #hasPlace(key: string): boolean {
    const { places, placesPerKey } = this.#options;
    return this.#running < places && (this.#runningOf.get(key) ?? 0) < placesPerKey;
  }

  #countIn(lane: Lane): number {
    return [...this.#waiting[lane].values()].reduce((sum, line) => sum + line.length, 0);
  }

  #start(key: string): void {
    this.#running++;
    this.#runningOf.set(key, (this.#runningOf.get(key) ?? 0) + 1);
  }

  #end(key: string): void {
    this.#running--;
    const left = (this.#runningOf.get(key) ?? 1) - 1;
    if (left) this.#runningOf.set(key, left);
    else this.#runningOf.delete(key);
    for (let next = this.#takeNext(); next; next = this.#takeNext()) {
      this.#start(next.key);
      next.begin();
    }
  }

  #takeNext(): Waiting | undefined {
    for (let tried = 0; tried < lanes.length; tried++) {
      const index = (this.#nextLane + tried) % lanes.length,
        lane = this.#waiting[lanes[index] ?? 'stranger'];
      for (const [key, line] of lane) {
        if (!this.#hasPlace(key)) continue;
        const first = line.shift();
        lane.delete(key);
        if (line.length) lane.set(key, line); // its next turn comes after everybody else's
        this.#nextLane = (index + 1) % lanes.length;
        return first;
      }
    }
    return undefined;
  }

  #wait({ lane, key, signal }: Turn): Promise<void> {
    const { waitingPerKey, maxWaitMs, refusal } = this.#options,
      keys = this.#waiting[lane],
      line = keys.get(key) ?? [];
    if (line.length >= waitingPerKey) throw refusal();
    return new Promise((resolve, reject) => {
      const leave = (why: Problem) => {
        line.splice(line.indexOf(entry), 1);
        if (!line.length) keys.delete(key);
        settle();
        reject(why);
      };
      const timer = setTimeout(() => leave(refusal()), maxWaitMs);
      const giveUp = () => leave(clientGone());
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const begin = () => {
        settle();
        resolve();
      };
      const entry: Waiting = { key, begin };
      signal?.addEventListener('abort', giveUp);
      line.push(entry);
      keys.set(key, line);
    });
  }
}
