/** Asks people who are signed in again who they are (docs/product.md, "Sign-in and sessions"): sessions are stolen. */
import type { CallName } from '../../contract/calls';
import type { Ctx } from '../core/context';
import { Problem } from '../core/problem';
import type { Sql } from '../db/open';
import type { Caller } from './caller';
import { checkPassword } from './passwords';
import { sha256 } from './secrets';
import { CODE_WRONG, checkCode, consumeProof, hasTwoFactor, isBySso, SSO, SSO_ASKED } from './twoFactor';

/** What is needed of the context of a call. No transaction may be open, because hashing takes its time. */
export type OwnCall = Pick<Ctx<CallName>, 'sql' | 'caller' | 'services' | 'exchange' | 'turn'>;
/** A check can fail, which adds an entry to the audit log. */
type CheckedCall = OwnCall & Pick<Ctx<CallName>, 'audit' | 'inTransaction'>;

/**
 * Runs a check of the caller's password or code, null when it is wrong. Failures count like failed sign-ins (429), and
 * are in the audit log without what was typed. They are no 401, which would end the session.
 */
export async function countedAttempt<T>(
  { sql, caller, services, exchange, audit, inTransaction }: CheckedCall,
  check: () => Promise<T | null>,
  why: () => string,
): Promise<T> {
  const result = await services.rateLimits.attempt(caller.admin_id, exchange.address, check, (network) =>
    services.sessions.knows(sql, caller.admin_id, network),
  );
  if (result !== null) return result;
  const { admin_id: id, tenant_id } = caller;
  await inTransaction(async () =>
    audit.about({ kind: 'sign-in', id, tenant_id, after: { identity_confirmed: false, why: why() } }),
  );
  throw new Problem(400, why());
}

/** How the session began, and whether somebody was asked for it who they are within the last 10 minutes. */
async function findStart(sql: Sql, token: string | null): Promise<Start | undefined> {
  return sql<Start[]>`
    select ${isBySso(sql)} as is_sso, s.proof is not distinct from ${SSO} as is_silent,
      s.created_at > now() - interval '10 minutes' and (not ${isBySso(sql)} or extract(epoch from now()) - 600 <
        coalesce(nullif(split_part(s.proof, ${`${SSO_ASKED} `}, 2), '')::bigint, 0)) as is_fresh
    from sessions s where s.token_hash = ${sha256(token ?? '')}`.first();
}
interface Start {
  is_sso: boolean;
  /** The identity provider did not say when it asked. */
  is_silent: boolean;
  is_fresh: boolean;
}
const askedAnew = ({ is_silent }: Start) =>
  new Problem(
    403,
    is_silent
      ? 'Your identity provider does not say when it asked you (auth_time), so sign in with your password for this'
      : 'Sign in again by single sign-on first, or use your password: this needs it anew',
  );

/**
 * Checks the password, and the code where two-factor sign-in is on: the right password alone would reset the count of
 * wrong codes. Whoever came by single sign-on may have no password and sends 'sso', which is too short for one: the
 * provider must have asked them just now. Returns the password's hash.
 */
export async function confirmIdentity(
  ctx: CheckedCall,
  { password, code }: { password: string; code?: string | undefined },
): Promise<string> {
  const { sql, caller, services, exchange, turn } = ctx;
  const start = password === SSO ? await findStart(sql, exchange.token) : undefined;
  if (start?.is_sso) {
    if (!start.is_fresh) throw askedAnew(start);
    const own = sql<{ password_hash: string }[]>`select password_hash from admins where id = ${caller.admin_id}`;
    return (await own.one()).password_hash;
  }
  let refusal = 'The password is wrong';
  return countedAttempt(
    ctx,
    async () => {
      const [account] = await sql<{ password_hash: string; has_two_factor: boolean }[]>`
        select password_hash, ${hasTwoFactor(sql, sql`id`)} as has_two_factor
        from admins where id = ${caller.admin_id}`;
      if (account?.has_two_factor && !code)
        throw new Problem(422, 'body.code: is required, because you use two-factor sign-in');
      if (!(await checkPassword(password, account?.password_hash, turn)) || !account) return null;
      if (!account.has_two_factor || !code) return account.password_hash;
      refusal = CODE_WRONG;
      const proof = await checkCode(sql, services.secrets, caller.admin_id, code, turn);
      return proof && (await consumeProof(sql, caller.admin_id, proof)) ? account.password_hash : null;
    },
    () => refusal,
  );
}

/** In the transaction of what was confirmed: waits for who changes the account or its rights, then refuses. */
export async function requireUnchanged(sql: Sql, { admin_id, permissions, role }: Caller, password_hash: string) {
  const still = await sql`
    select 1 from admins
    where id = ${admin_id} and is_active and password_hash = ${password_hash}
      and (${role.is_super_admin} or permissions = ${permissions}) for no key update`;
  if (!still.length) throw new Problem(401, 'Not signed in');
}

/** Whether two-factor sign-in is on for the caller's account. */
export async function hasConfirmed({ sql, caller }: { sql: Sql; caller: Pick<Caller, 'admin_id'> }): Promise<boolean> {
  return sql`select 1 from two_factor where admin_id = ${caller.admin_id} and confirmed_at is not null`.hasRow();
}

/** Refuses a session that is older than 10 minutes. It needs no new field, so every client can follow. */
export async function requireRecentSignIn({ sql, exchange }: OwnCall): Promise<void> {
  const start = await findStart(sql, exchange.token);
  if (start?.is_sso && !start.is_fresh) throw askedAnew(start);
  if (!start?.is_fresh)
    throw new Problem(403, 'Sign out and in again first: this needs a sign-in of the last 10 minutes');
}
