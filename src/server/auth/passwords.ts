import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { FairQueue, type Turn } from '../core/fairQueue';
import { busy } from '../core/problem';

/** Above the minimum that OWASP recommends for argon2id: 19 MiB, 2 passes, 1 thread. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** One core is left for everything else. */
const AT_ONCE = Math.max(1, cpus().length - 1);
const MAX_WAIT_MS = 2_000;
/** A refusal takes about a second, so that a crowd that asks again at once does not take all of the server's time. */
const pauseMs = () => 500 + Math.random() * 1_000;
const refusal = () => busy('Too many passwords are being checked at the moment. Try again in a few seconds.');
const queue = new FairQueue({ places: AT_ONCE, maxWaitMs: MAX_WAIT_MS, refusal });
let usualMs = 50;

/** Refuses what would wait too long, without letting it wait. */
export async function refuseWhenBusy(turn: Turn): Promise<void> {
  if ((queue.countAhead(turn) * usualMs) / AT_ONCE <= MAX_WAIT_MS) return;
  await setTimeout(pauseMs());
  throw refusal();
}

async function inTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  await refuseWhenBusy(turn);
  return queue.run(turn, async () => {
    const started = performance.now();
    try {
      return await work();
    } finally {
      usualMs += (performance.now() - started - usualMs) / 10;
    }
  });
}

/** The server's own work, such as the account that its first start creates. */
const ownTurn: Turn = { lane: 'known', key: 'server' };

/** An argon2id hash in PHC format. As for all work here, a caller who would wait more than two seconds gets 503. */
export const hashPassword = (password: string, turn = ownTurn): Promise<string> =>
  inTurn(turn, () => hash(password, cost));

/** The raw argon2id hash with a shared salt, so that one hash finds which of several codes matches. */
export const hashWithSalt = (text: string, salt: Uint8Array, turn = ownTurn): Promise<Buffer> =>
  inTurn(turn, () => hashRaw(text, { ...cost, salt }));

let decoyHash: Promise<string> | undefined;
const getDecoy = (): Promise<string> => (decoyHash ??= hash('no account has this', cost));

/** Checks a password; without a hash it takes as long, so that a missing account looks like a wrong password. */
export async function checkPassword(password: string, passwordHash: string | null | undefined, turn = ownTurn) {
  const decoy = getDecoy();
  const isRight = await inTurn(turn, async () => verify(passwordHash ?? (await decoy), password));
  return isRight && passwordHash != null;
}
