import type { Credentials } from '../../contract/entities';
import { checkoutCookie } from '../auth/authenticate';
import type { AccountRow } from '../auth/caller';
import {
  checkPasskey,
  findOwner,
  listCredentialIds,
  newChallenge,
  notAccepted,
  Refusal,
  requirePasskeys,
} from '../auth/passkeys';
import { checkPassword, refuseWhenBusy } from '../auth/passwords';
import { CODE_MISSING } from '../auth/rateLimits';
import {
  type Authenticated,
  noteRefusal,
  refuse,
  refuseEntry,
  type SignIn,
  selectAccounts,
  startSession,
} from '../auth/startSession';
import { CODE_ASKED, CODE_WRONG, checkCode, consumeProof, formatProof, SSO, twoFactorProblem } from '../auth/twoFactor';
import type { Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import type { Fragment, Sql } from '../db/open';
import { findSignOutUrl } from '../sso/flows';

/** The account with this e-mail, else the one with this user name. */
const findAccount = (sql: Sql, name: string): Promise<AccountRow | undefined> =>
  readAccount(
    sql,
    sql`
      lower(a.email) = lower(${name}) or lower(a.username) = lower(${name})
      order by lower(a.email) = lower(${name}) desc`,
  );
async function readAccount(sql: Sql, which: Fragment): Promise<AccountRow | undefined> {
  return sql<AccountRow[]>`
    ${selectAccounts(sql)}
    where ${which} limit 1`.first();
}

/**
 * Checks the credentials. A wrong password, an unknown account and a disabled one get the same refusal after the same
 * time. A code is requested only after the right password, which is neither a failure nor a success and is counted
 * apart. A wrong code counts as a failure. The database alone says which spellings name one account, so attempts are
 * counted by the id that it found. `withoutCode`: a code is not all that can follow.
 */
async function authenticate(
  ctx: SignIn,
  { email, password, code }: Credentials,
  withoutCode?: (found: AccountRow) => Authenticated,
): Promise<Authenticated> {
  const { sql, services, exchange, turn } = ctx,
    name = email.trim();
  const id = (await findAccount(sql, name))?.id;
  let found: AccountRow | undefined,
    problem = new Problem(401, 'Invalid credentials');
  const account = await services.rateLimits.attempt<Authenticated | typeof CODE_MISSING>(
    id ?? name,
    exchange.address,
    async () => {
      found = await findAccount(sql, name);
      const isRight = await checkPassword(password, found?.password_hash, turn);
      if (!isRight || !found?.is_active) return null;
      if (!found.has_two_factor) return { ...found, proof: null };
      if (!code) return CODE_MISSING;
      problem = twoFactorProblem(CODE_WRONG);
      const proof = await proveCode(ctx, found.id, code);
      return proof === null ? null : { ...found, proof };
    },
    async (network) => {
      const isKnown = await services.sessions.knows(sql, id ?? 0, network); // for no account too: it takes as long
      if (isKnown) turn.lane = 'known'; // from here on, in all queues
      await refuseWhenBusy(turn); // before anything else is looked up for a guess of many
      return isKnown;
    },
    { withoutCode: !code },
  );
  if (account === CODE_MISSING)
    return found && withoutCode ? withoutCode(found) : refuse(ctx, found, twoFactorProblem(CODE_ASKED));
  return account ?? refuse(ctx, found, problem);
}

/** Uses up a code. The tenant login sends the same: the general login's unused session there vouches for it once. */
async function proveCode({ sql, params, services, exchange, turn }: SignIn, adminId: number, code: string) {
  if ('tenant_id' in params) {
    // the clock may have moved on by a step since the general login, which took the code of the step before
    const known = await checkCode(sql, services.secrets, adminId, code, turn, 2);
    if (known && (await services.sessions.consumeProven(sql, adminId, exchange.address, formatProof(known))))
      return formatProof(known);
  }
  const proof = await checkCode(sql, services.secrets, adminId, code, turn);
  return proof && (await consumeProof(sql, adminId, proof)) ? formatProof(proof) : null;
}

export const auth = {
  login: async (ctx) => startSession(ctx, await authenticate(ctx, ctx.body)),

  /** A foreign tenant is 403: the password was right. Without a second factor the general session stays good. */
  async loginToTenant(ctx) {
    const account = await authenticate(ctx, ctx.body);
    if (account.role !== 'super_admin' && account.tenant_id !== ctx.params.tenant_id) {
      return refuse(ctx, account, new Problem(403, 'Access denied: You can only access your own tenant.'));
    }
    const [tenant] = await ctx.sql`select 1 from tenants where id = ${ctx.params.tenant_id}`;
    if (!tenant) return refuse(ctx, account, notFound('Tenant'));
    return startSession(ctx, account);
  },

  /** What a passkey shall sign: that of whoever has one, or, after the right password, one of that account. */
  async beginPasskey(ctx) {
    const { sql, body, services, exchange } = ctx,
      party = requirePasskeys(services);
    await services.rateLimits.passkeyBegun(exchange.address);
    const { email, password } = body;
    const account =
      email && password
        ? await authenticate(ctx, { email, password }, (found) => ({ ...found, proof: null }))
        : undefined;
    if (account) {
      await refuseEntry(ctx, account);
      await noteRefusal(ctx, account, 'A passkey is asked for');
    }
    const credential_ids = account ? await listCredentialIds(sql, account.id) : [];
    if (account && !credential_ids.length) throw new Problem(409, 'This account has no passkey. Enter a code');
    return { challenge: await newChallenge(sql, 'sign-in', account), rp_id: party.id, credential_ids };
  },

  /** A passkey counts like a password and a code; a wrong one like a wrong password. */
  async finishPasskey(ctx) {
    const { sql, body, services, exchange } = ctx,
      party = requirePasskeys(services);
    const id = await findOwner(sql, body.credential_id);
    let found: AccountRow | undefined,
      why = '';
    const account = await services.rateLimits.attempt<Authenticated>(
      id ?? `passkey ${body.credential_id}`,
      exchange.address,
      async () => {
        found = id === undefined ? undefined : await readAccount(sql, sql`a.id = ${id}`);
        try {
          const passkey = await checkPasskey(sql, party, found, body);
          return found ? { ...found, proof: `passkey ${passkey.id}`, passkey } : null;
        } catch (refusal) {
          if (!(refusal instanceof Refusal)) throw refusal;
          why = refusal.message;
          return null;
        }
      },
      (network) => services.sessions.knows(sql, id ?? 0, network),
    );
    return account ? startSession(ctx, account) : refuse(ctx, found, notAccepted(), why);
  },

  async logout({ sql, caller, services, exchange, audit }) {
    const proof = exchange.token && (await services.sessions.end(sql, exchange.token));
    exchange.setHeader('Set-Cookie', checkoutCookie('', { isSecure: exchange.isSecure, maxAge: 0 }));
    audit.about({ kind: 'sign-in', id: caller.admin_id, tenant_id: caller.tenant_id, after: { signed_in: false } });
    const sign_out_url = proof?.startsWith(SSO) ? await findSignOutUrl(sql, services, caller) : undefined;
    return { ok: true as const, ...(sign_out_url && { sign_out_url }) };
  },
} satisfies Partial<Handlers>;
