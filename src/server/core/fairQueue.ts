/**
 * Shares a number of places fairly. Lanes take turns, and within a lane its keys take turns, so that whoever asks for
 * much waits behind themselves and not in front of others.
 */
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

export interface FairQueue {
  /** Runs `work` when there is a place for it; throws instead of starting it when it has to wait too long. */
  run<T>(turn: Turn, work: () => Promise<T>): Promise<T>;
  /** How many are being served, and how many wait. */
  count(): { running: number; waiting: number };
  /** How many would be served first, if nobody else came; 0 when there is a free place. */
  countAhead(turn: Turn): number;
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

export function createFairQueue({
  places,
  placesPerKey = places,
  waitingPerKey = Infinity,
  maxWaitMs,
  refusal,
  onWaited,
}: FairQueueOptions): FairQueue {
  /** The keys of a lane, in the order of their turns. */
  const waiting: Record<Lane, Map<string, Waiting[]>> = { known: new Map(), signedIn: new Map(), stranger: new Map() };
  const runningOf = new Map<string, number>();
  let running = 0,
    nextLane = 0;

  const hasPlace = (key: string) => running < places && (runningOf.get(key) ?? 0) < placesPerKey;
  const countIn = (lane: Lane) => [...waiting[lane].values()].reduce((sum, line) => sum + line.length, 0);

  function start(key: string): void {
    running++;
    runningOf.set(key, (runningOf.get(key) ?? 0) + 1);
  }

  function end(key: string): void {
    running--;
    const left = (runningOf.get(key) ?? 1) - 1;
    if (left) runningOf.set(key, left);
    else runningOf.delete(key);
    for (let next = takeNext(); next; next = takeNext()) {
      start(next.key);
      next.begin();
    }
  }

  function takeNext(): Waiting | undefined {
    for (let tried = 0; tried < lanes.length; tried++) {
      const index = (nextLane + tried) % lanes.length,
        lane = waiting[lanes[index] ?? 'stranger'];
      for (const [key, line] of lane) {
        if (!hasPlace(key)) continue;
        const first = line.shift();
        lane.delete(key);
        if (line.length) lane.set(key, line); // its next turn comes after everybody else's
        nextLane = (index + 1) % lanes.length;
        return first;
      }
    }
    return undefined;
  }

  function wait({ lane, key, signal }: Turn): Promise<void> {
    const line = waiting[lane].get(key) ?? [];
    if (line.length >= waitingPerKey) throw refusal();
    return new Promise((resolve, reject) => {
      const leave = (why: Problem) => {
        line.splice(line.indexOf(entry), 1);
        if (!line.length) waiting[lane].delete(key);
        settle();
        reject(why);
      };
      const timer = setTimeout(() => leave(refusal()), maxWaitMs);
      const giveUp = () => leave(clientGone());
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const entry: Waiting = {
        key,
        begin() {
          settle();
          resolve();
        },
      };
      signal?.addEventListener('abort', giveUp);
      line.push(entry);
      waiting[lane].set(key, line);
    });
  }

  return {
    async run(turn, work) {
      if (turn.signal?.aborted) throw clientGone();
      if (hasPlace(turn.key)) {
        start(turn.key);
        onWaited?.(0);
      } else {
        const begun = performance.now();
        await wait(turn).finally(() => onWaited?.(performance.now() - begun));
      }
      try {
        return await work();
      } finally {
        end(turn.key);
      }
    },
    count: () => ({ running, waiting: lanes.reduce((sum, lane) => sum + countIn(lane), 0) }),
    countAhead({ lane, key }) {
      if (hasPlace(key)) return 0;
      const own = waiting[lane].get(key)?.length ?? 0;
      let ahead = 0;
      for (const [other, line] of waiting[lane]) ahead += Math.min(line.length, other === key ? own : own + 1);
      const inLane = ahead + 1;
      for (const other of lanes) if (other !== lane) ahead += Math.min(countIn(other), inLane);
      return ahead + 1;
    },
  };
}
