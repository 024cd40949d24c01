import { ADMIN_ROLE, type Feature } from '../../contract/constants';
import type { Credentials, LoginAnswer } from '../../contract/entities';
import type { Permission } from '../../contract/permissions';
import { mayEnter } from '../../contract/rules';
import { isAllowed, notFromHere } from '../auth/allowedNetworks';
import { checkoutCookie } from '../auth/authenticate';
import { getsNotice, offeredFeatures, offersMail, queueMail } from '../auth/mailLinks';
import { checkPassword, refuseWhenBusy } from '../auth/passwords';
import { CODE_MISSING } from '../auth/rateLimits';
import {
  CODE_ASKED,
  CODE_WRONG,
  checkCode,
  consumeProof,
  describeProof,
  formatProof,
  hasTwoFactor,
  twoFactorProblem,
} from '../auth/twoFactor';
import { toNetwork } from '../core/clientNetwork';
import type { Ctx, Handlers } from '../core/context';
import { notFound, Problem } from '../core/problem';
import type { Sql } from '../db/open';
import { notifyNewPlace } from '../notifications/immediateRules';

type SignIn = Ctx<'login'> | Ctx<'loginToTenant'>;
interface AccountRow {
  id: number;
  email: string;
  tenant_id: number;
  password_hash: string;
  is_active: boolean;
  tenant_is_active: boolean;
  tenant_name: string;
  mail_links: boolean;
  allowed_networks: string[];
  time_zone: string;
  role: string;
  permissions: Permission[];
  has_two_factor: boolean;
}
/** `proof`: the second factor, already used up; null when the account has none. */
interface Authenticated extends AccountRow {
  proof: string | null;
}

/** The account with this e-mail, else the one with this user name. */
async function findAccount(sql: Sql, name: string): Promise<AccountRow | undefined> {
  const [account] = await sql<AccountRow[]>`
    select a.id, a.email, a.tenant_id, a.password_hash, a.is_active, t.is_active as tenant_is_active,
      t.name as tenant_name, t.mail_links, t.allowed_networks, t.time_zone, r.name as role, a.permissions,
      ${hasTwoFactor(sql, sql`a.id`)} as has_two_factor
    from admins a join roles r on r.id = a.role_id join tenants t on t.id = a.tenant_id
    where lower(a.email) = lower(${name}) or lower(a.username) = lower(${name})
    order by lower(a.email) = lower(${name}) desc limit 1`;
  return account;
}

/**
 * Checks the credentials. A wrong password, an unknown account and a disabled one get the same refusal after the same
 * time. A code is requested only after the right password, which is neither a failure nor a success and is counted
 * apart. A wrong code counts as a failure. The database alone says which spellings name one account, so attempts are
 * counted by the id that it found.
 */
async function authenticate(ctx: SignIn, { email, password, code }: Credentials): Promise<Authenticated> {
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
      const isKnown = await services.sessions.knows(sql, id ?? 0, network); // asked for no account too, which takes as long
      if (isKnown) turn.lane = 'known'; // from here on, in all queues
      await refuseWhenBusy(turn); // before anything else is looked up for a guess of many
      return isKnown;
    },
    { withoutCode: !code },
  );
  if (account === CODE_MISSING) return refuse(ctx, found, twoFactorProblem(CODE_ASKED));
  return account ?? refuse(ctx, found, problem);
}

/**
 * Uses up a code. The tenant login after the general login sends the same code; the unused session of the general login
 * from the same address vouches for it once.
 */
async function proveCode(
  { sql, params, services, exchange, turn }: SignIn,
  adminId: number,
  code: string,
): Promise<string | null> {
  if ('tenant_id' in params) {
    // the clock may have moved on by a step since the general login, which took the code of the step before
    const known = await checkCode(sql, services.secrets, adminId, code, turn, 2);
    if (known && (await services.sessions.consumeProven(sql, adminId, exchange.address, formatProof(known))))
      return formatProof(known);
  }
  const proof = await checkCode(sql, services.secrets, adminId, code, turn);
  return proof && (await consumeProof(sql, adminId, proof)) ? formatProof(proof) : null;
}

/**
 * A failure is audited too. The name of an unknown account is not stored, because people type passwords into the wrong
 * field.
 */
async function refuse(ctx: SignIn, account: AccountRow | undefined, problem: Problem): Promise<never> {
  await ctx.inTransaction(async () => {
    ctx.audit.by({ admin_id: null, email: account?.email ?? '' });
    ctx.audit.about({
      kind: 'sign-in',
      id: account?.id ?? null,
      tenant_id: account?.tenant_id ?? null,
      after: { signed_in: false, why: problem.message },
    });
  });
  throw problem;
}

async function startSession(ctx: SignIn, account: Authenticated): Promise<LoginAnswer> {
  const { services, exchange } = ctx;
  if (!account.tenant_is_active) return refuse(ctx, account, new Problem(403, 'This tenant is not active'));
  if (!isAllowed(account.allowed_networks, exchange.address)) return refuse(ctx, account, notFromHere());
  const session = await ctx.inTransaction(async (sql) => {
    const { id, email, tenant_id } = account;
    const isGeneral = !('tenant_id' in ctx.params);
    const started = await services.sessions.startWith(sql, account, exchange.address, {
      browser: exchange.browser,
      proof: account.proof,
      isGeneral,
    });
    if (started) {
      const { address, browser } = exchange;
      const place = { network: toNetwork(address), address, browser };
      const isNew = await notifyNewPlace(sql, { admin_id: id, email, tenant_id, ...place });
      if (isNew && (await getsNotice(sql, services, account)))
        await queueMail(sql, { kind: 'new_place', email, detail: [address, browser].filter(Boolean).join(' · ') });
      await services.sessions.remember(sql, id, toNetwork(address));
    }
    ctx.audit.by({ admin_id: started && id, email });
    const after = started ? { signed_in: true, factor: describeProof(account.proof) } : { signed_in: false };
    ctx.audit.about({ kind: 'sign-in', id, tenant_id, after });
    return started;
  });
  if (!session) throw new Problem(401, 'Invalid credentials');
  exchange.setHeader('Set-Cookie', checkoutCookie(session.checkout, { isSecure: exchange.isSecure }));
  const user = {
    role: { name: account.role, is_super_admin: account.role === 'super_admin' },
    tenant_id: account.tenant_id,
    email: account.email,
    tenant_name: account.tenant_name,
    time_zone: account.time_zone,
    ...(account.role === ADMIN_ROLE && { permissions: account.permissions }),
  };
  if (!mayEnter(user)) return { access_token: session.token, user, features: ['logout'] };
  const mustSetUp = !account.has_two_factor && (await services.sessions.needsTwoFactor(ctx.sql, account.id));
  return {
    access_token: session.token,
    user,
    features: mustSetUp ? setupFeatures : offeredFeatures(offersMail(services, account)),
  };
}

/** What is offered to a session that must set up a second factor first. */
const setupFeatures: Feature[] = ['logout', 'account', 'two_factor_setup'];

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

  async logout({ sql, caller, services, exchange, audit }) {
    if (exchange.token) await services.sessions.end(sql, exchange.token);
    exchange.setHeader('Set-Cookie', checkoutCookie('', { isSecure: exchange.isSecure, maxAge: 0 }));
    audit.about({ kind: 'sign-in', id: caller.admin_id, tenant_id: caller.tenant_id, after: { signed_in: false } });
    return { ok: true as const };
  },
} satisfies Partial<Handlers>;
