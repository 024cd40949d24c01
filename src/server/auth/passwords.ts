import { cpus } from 'node:os';
import { hash, hashRaw, verify } from '@node-rs/argon2';

/** OWASP's argon2id floor with room above it: 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// At most as many at once as there are cores: a flood of sign-ins must not starve everything else.
const places = Math.max(1, cpus().length);
let running = 0;
const waiting: (() => void)[] = [];
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= places) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next(); // hands its place on
    else running--;
  }
}

/** An argon2id hash in PHC format. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, cost));

/** The same hash without its wrapping, with a salt that several share: one hash then finds which of them it is. */
export const hashWithSalt = (text: string, salt: Uint8Array): Promise<Buffer> => inTurn(() => hashRaw(text, { ...cost, salt }));

let decoyHash: Promise<string> | undefined;
const getDecoy = (): Promise<string> => (decoyHash ??= hashPassword('no account has this'));

/** Checks a password; without a hash it takes as long and is false, so that a missing account cannot be told from a wrong password. */
export async function checkPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const decoy = getDecoy();
  const isRight = await inTurn(async () => verify(passwordHash ?? await decoy, password));
  return isRight && passwordHash != null;
}
