import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from './problem';

/**
 * Slows guessing down: only failures count, by account together with address, by address, and by account from everywhere.
 * An IPv6 address counts as its network of 64 bits, all of which one subscriber has. A success clears the first, so an attacker elsewhere cannot lock the owner out of a network the owner has signed in from.
 */
export interface Throttle {
  /**
   * Runs one sign-in, whose result is null when it failed; a 429 with Retry-After while there have been too many failures.
   * Attempts on one account or from one address wait for one another: many at once are not more guesses than many in a row.
   */
  attempt<T>(account: string, address: string, signIn: () => Promise<T | null>, remembered?: Remembered): Promise<T | null>;
  /**
   * Checks one signature, the result null when it is wrong; a 429 while there have been too many wrong ones from the address. Whoever has
   * signed rightly from there before is never kept out by others.
   */
  signature<T>(sender: string, address: string, check: () => Promise<T | null>): Promise<T | null>;
  /** Counts one call with an API key; 429 with Retry-After when there were too many. */
  keyCall(id: number): Promise<void>;
}

/** What outlives this process: whether the account has signed in from there before. */
export type Remembered = (network: string) => Promise<boolean>;

const MINUTE = 60, HOUR = 3600;
/** The longest a timer runs: one of 25 days would fire at once. */
const REMEMBERED = 24 * 24 * HOUR;
const LONGEST_LINE = 100;
/** Calls with one API key in a minute. */
export const KEY_CALLS = 600;

export function createThrottle(): Throttle {
  const byPair = new RateLimiterMemory({ keyPrefix: 'pair', points: 8, duration: 15 * MINUTE, blockDuration: 15 * MINUTE });
  const byAddress = new RateLimiterMemory({ keyPrefix: 'address', points: 60, duration: 15 * MINUTE, blockDuration: 15 * MINUTE });
  const byAccount = new RateLimiterMemory({ keyPrefix: 'account', points: 60, duration: HOUR, blockDuration: HOUR });
  /** Where an account has signed in before; there, failures elsewhere do not count against it. */
  const known = new RateLimiterMemory({ keyPrefix: 'known', points: 1, duration: REMEMBERED });
  const bySigner = new RateLimiterMemory({ keyPrefix: 'signer', points: 60, duration: 15 * MINUTE, blockDuration: 15 * MINUTE });
  const knownSender = new RateLimiterMemory({ keyPrefix: 'sender', points: 1, duration: REMEMBERED });
  const byKey = new RateLimiterMemory({ keyPrefix: 'key', points: KEY_CALLS, duration: MINUTE });
  const inLine = createLines();

  async function refuse(limits: readonly (readonly [RateLimiterMemory, string])[]): Promise<void> {
    for (const [limiter, key] of limits) {
      const state = await limiter.get(key);
      if (state && state.consumedPoints > limiter.points) {
        throw new Problem(429, 'Too many failed sign-ins. Try again later.', Math.ceil(state.msBeforeNext / 1000));
      }
    }
  }

  return {
    async attempt(account, from, signIn, remembered = async () => false) {
      const address = networkOf(from), name = account.trim().toLowerCase().slice(0, 254), pair = `${name}|${address}`;
      const isKnown = (await known.get(pair)) !== null || await remembered(address);
      const guarded = async () => {
        await refuse([[byPair, pair], [byAddress, address], ...(isKnown ? [] : [[byAccount, name] as const])]);
        const result = await signIn();
        if (result === null) await Promise.all([count(byPair, pair), count(byAddress, address), count(byAccount, name)]);
        else await Promise.all([byPair.delete(pair), known.set(pair, 1, REMEMBERED)]);
        return result;
      };
      return inLine(`address ${address}`, () => (isKnown ? guarded() : inLine(`account ${name}`, guarded)));
    },
    async signature(sender, from, check) {
      const address = networkOf(from), pair = `${sender}|${address}`;
      if (await knownSender.get(pair)) return check();
      // Counted first, so that many at once are not more guesses.
      await spend(bySigner, address, 'Too many wrong signatures. Try again later.');
      const result = await check();
      if (result !== null) await Promise.all([bySigner.reward(address, 1), knownSender.set(pair, 1, REMEMBERED)]);
      return result;
    },
    keyCall: (id) => spend(byKey, String(id), 'Too many calls with this API key. Try again shortly.'),
  };
}

/** What counts as one place. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*/, '').split('::');
  const before = head.split(':').filter(Boolean), after = (tail ?? '').split(':').filter(Boolean);
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
  return `${groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

/** Over the limit is no error here: the next attempt is refused. */
async function count(limiter: RateLimiterMemory, key: string): Promise<void> {
  await limiter.consume(key).catch((over: unknown) => { if (!(over instanceof RateLimiterRes)) throw over; });
}

/** Over the limit is refused at once. */
async function spend(limiter: RateLimiterMemory, key: string, words: string): Promise<void> {
  await limiter.consume(key).catch((over: unknown) => {
    if (!(over instanceof RateLimiterRes)) throw over;
    throw new Problem(429, words, Math.ceil(over.msBeforeNext / 1000));
  });
}

/** Runs work of the same key one after another. */
function createLines() {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>();
  return async function inLine<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (line.length >= LONGEST_LINE) throw new Problem(429, 'Too many sign-ins at once. Try again shortly.', 5);
    line.length++;
    lines.set(key, line);
    const mine = line.last.then(work);
    line.last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      if (--line.length === 0) lines.delete(key);
    }
  };
}
