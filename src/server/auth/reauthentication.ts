/**
 * Asks people who are signed in once more who they are (docs/product.md, "Sign-in and sessions"), because a session can
 * be stolen.
 */
import type { Exchange, Services } from '../context';
import type { Sql } from '../db/open';
import type { Turn } from '../fairQueue';
import { Problem } from '../problem';
import type { Caller } from './caller';
import { checkPassword } from './passwords';
import { CODE_WRONG, checkCode, consumeProof } from './twoFactor';

/** What is needed of the context of a call. No transaction may be open, because hashing takes its time. */
export interface OwnCall {
  sql: Sql;
  caller: Caller;
  services: Services;
  exchange: Exchange;
  turn: Turn;
}

/**
 * Runs a check of the caller's password or code, which returns null when it is wrong. Failures count against the
 * account like failed sign-ins; 429 after too many.
 */
export const countedAttempt = <T>(
  { sql, caller, services, exchange }: OwnCall,
  check: () => Promise<T | null>,
): Promise<T | null> =>
  services.rateLimits.attempt(caller.admin_id, exchange.address, check, (network) =>
    services.sessions.knows(sql, caller.admin_id, network),
  );

/**
 * Checks the password, and the code if one is given, and returns the password's hash. The refusal is not a 401, which
 * would end the session.
 */
export async function prove(ctx: OwnCall, password: string, code?: string): Promise<string> {
  const { sql, caller, services, turn } = ctx;
  let refusal = 'The password is wrong';
  const hash = await countedAttempt(ctx, async () => {
    const [account] = await sql<
      { password_hash: string }[]
    >`select password_hash from admins where id = ${caller.admin_id}`;
    if (!(await checkPassword(password, account?.password_hash, turn)) || !account) return null;
    if (code === undefined) return account.password_hash;
    refusal = CODE_WRONG;
    const proof = await checkCode(sql, services.secrets, caller.admin_id, code, turn);
    return proof && (await consumeProof(sql, caller.admin_id, proof)) ? account.password_hash : null;
  });
  if (hash === null) throw new Problem(400, refusal);
  return hash;
}

/** Whether two-factor sign-in is on for the caller's account. */
export async function hasConfirmed({ sql, caller }: Pick<OwnCall, 'sql' | 'caller'>): Promise<boolean> {
  const rows = await sql`select from two_factor where admin_id = ${caller.admin_id} and confirmed_at is not null`;
  return rows.length > 0;
}

/** Checks the password, and the code where two-factor sign-in is on. Returns the password's hash. */
export async function confirmIdentity(
  ctx: OwnCall,
  { password, code }: { password: string; code?: string | undefined },
): Promise<string> {
  const needsCode = await hasConfirmed(ctx);
  // Asked for first: the right password alone would reset the count of wrong codes.
  if (needsCode && !code) throw new Problem(422, 'body.code: is required, because you use two-factor sign-in');
  return prove(ctx, password, needsCode ? code : undefined);
}

/** Refuses a session that is older than 10 minutes. It needs no new field, so every client can follow. */
export async function requireRecentSignIn({ sql, services, exchange }: OwnCall): Promise<void> {
  if (!(await services.sessions.isRecent(sql, exchange.token)))
    throw new Problem(403, 'Sign out and in again first: this needs a sign-in of the last 10 minutes');
}
