import { cpus } from 'node:os';
import { hash, hashRaw, verify } from '@node-rs/argon2';

/** Above the minimum that OWASP recommends for argon2id: 19 MiB, 2 passes, 1 thread. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// At most one hash per core at a time, so that a flood of sign-ins does not starve everything else.
const slots = Math.max(1, cpus().length);
let running = 0;
const waiting: (() => void)[] = [];
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= slots) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next)
      next(); // passes its place on
    else running--;
  }
}

/** An argon2id hash in PHC format. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, cost));

/** The raw argon2id hash with a shared salt, so that one hash finds which of several codes matches. */
export const hashWithSalt = (text: string, salt: Uint8Array): Promise<Buffer> =>
  inTurn(() => hashRaw(text, { ...cost, salt }));

let decoyHash: Promise<string> | undefined;
const getDecoy = (): Promise<string> => (decoyHash ??= hashPassword('no account has this'));

/**
 * Checks a password. Without a hash it takes as long and returns false, so that a missing account looks like a wrong
 * password.
 */
export async function checkPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const decoy = getDecoy();
  const isRight = await inTurn(async () => verify(passwordHash ?? (await decoy), password));
  return isRight && passwordHash != null;
}
