import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from './problem';

/**
 * Slows guessing down: only failures count, by account together with address, by address, and by account from everywhere.
 * A success clears the first, so an attacker elsewhere cannot lock the owner out of the address the owner works from.
 */
export interface Throttle {
  /** Throws a 429 with Retry-After while there have been too many failures. */
  check(account: string, address: string): Promise<void>;
  failed(account: string, address: string): Promise<void>;
  succeeded(account: string, address: string): Promise<void>;
}

const MINUTE = 60, HOUR = 3600;
/** The longest a timer runs: one of 25 days would fire at once. */
const REMEMBERED = 24 * 24 * HOUR;

export function createThrottle(): Throttle {
  const byPair = new RateLimiterMemory({ keyPrefix: 'pair', points: 8, duration: 15 * MINUTE, blockDuration: 15 * MINUTE });
  const byAddress = new RateLimiterMemory({ keyPrefix: 'address', points: 60, duration: 15 * MINUTE, blockDuration: 15 * MINUTE });
  const byAccount = new RateLimiterMemory({ keyPrefix: 'account', points: 60, duration: HOUR, blockDuration: HOUR });
  /** Where an account has signed in before; there, failures elsewhere do not count against it. */
  const known = new RateLimiterMemory({ keyPrefix: 'known', points: 1, duration: REMEMBERED });

  const keysOf = (account: string, address: string) => {
    const name = account.trim().toLowerCase().slice(0, 254);
    return { name, pair: `${name}|${address}` };
  };

  return {
    async check(account, address) {
      const { name, pair } = keysOf(account, address);
      const isKnown = (await known.get(pair)) !== null;
      const limits: [RateLimiterMemory, string][] = [[byPair, pair], [byAddress, address], ...(isKnown ? [] : [[byAccount, name] as [RateLimiterMemory, string]])];
      for (const [limiter, key] of limits) {
        const state = await limiter.get(key);
        if (state && state.consumedPoints > limiter.points) {
          throw new Problem(429, 'Too many failed sign-ins. Try again later.', Math.ceil(state.msBeforeNext / 1000));
        }
      }
    },
    async failed(account, address) {
      const { name, pair } = keysOf(account, address);
      await Promise.all([byPair.consume(pair), byAddress.consume(address), byAccount.consume(name)].map((counted) => counted.catch((over: unknown) => {
        if (!(over instanceof RateLimiterRes)) throw over; // over the limit is what check() answers with
      })));
    },
    async succeeded(account, address) {
      const { pair } = keysOf(account, address);
      await byPair.delete(pair);
      await known.set(pair, 1, REMEMBERED);
    },
  };
}
