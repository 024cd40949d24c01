import type { Credentials, LoginAnswer } from '../../contract/entities';
import { features } from '../../contract/constants';
import { checkPassword } from '../passwords';
import { Problem } from '../problem';
import type { Ctx, Handlers } from '../resource';
import { networkOf } from '../throttle';

type SignIn = Ctx<'login'> | Ctx<'loginToTenant'>;
interface AccountRow { id: number; email: string; tenant_id: number; password_hash: string; is_active: boolean; tenant_is_active: boolean; role: string }

/** Checks who it is; the same refusal, after the same time, for a wrong password, an unknown account and a disabled one. */
async function authenticate(ctx: SignIn, { email, password }: Credentials): Promise<AccountRow> {
  const { sql, services, exchange } = ctx;
  let found: AccountRow | undefined;
  const account = await services.throttle.attempt(email, exchange.address, async () => {
    [found] = await sql<AccountRow[]>`
      select a.id, a.email, a.tenant_id, a.password_hash, a.is_active, t.is_active as tenant_is_active, r.name as role
      from admins a join roles r on r.id = a.role_id join tenants t on t.id = a.tenant_id
      where lower(a.email) = lower(${email.trim()}) or lower(a.username) = lower(${email.trim()})
      order by lower(a.email) = lower(${email.trim()}) desc limit 1`;
    const isRight = await checkPassword(password, found?.password_hash);
    return isRight && found?.is_active ? found : null;
  }, (network) => services.sessions.knows(sql, email.trim(), network));
  if (!account) return refuse(ctx, found, new Problem(401, 'Invalid credentials'));
  return account;
}

/** A failure leaves its entry too. Of an unknown account not even its name: people type passwords into the wrong field. */
async function refuse(ctx: SignIn, account: AccountRow | undefined, problem: Problem): Promise<never> {
  await ctx.inTransaction(async () => {
    ctx.audit.by({ admin_id: null, email: account?.email ?? '' });
    ctx.audit.about({ kind: 'sign-in', id: account?.id ?? null, tenant_id: account?.tenant_id ?? null, after: { signed_in: false, why: problem.message } });
  });
  throw problem;
}

async function startSession(ctx: SignIn, account: AccountRow): Promise<LoginAnswer> {
  const { services, exchange } = ctx;
  if (!account.tenant_is_active) return refuse(ctx, account, new Problem(403, 'This tenant is not active'));
  const session = await ctx.inTransaction(async (sql) => {
    const { id, email, tenant_id } = account;
    if ('tenant_id' in ctx.params) await services.sessions.replaceUnused(sql, id, exchange.address);
    const started = await services.sessions.startWith(sql, account, exchange.address);
    if (started) await services.sessions.remember(sql, id, networkOf(exchange.address));
    ctx.audit.by({ admin_id: started && id, email });
    ctx.audit.about({ kind: 'sign-in', id, tenant_id, after: { signed_in: started !== null } });
    return started;
  });
  if (!session) throw new Problem(401, 'Invalid credentials');
  exchange.setHeader('Set-Cookie', checkoutCookie(session.checkout, exchange.isSecure));
  return {
    access_token: session.token,
    user: { role: { name: account.role, is_super_admin: account.role === 'super_admin' }, tenant_id: account.tenant_id },
    features: [...features],
  };
}

/** The checkout call carries no Authorization header; this cookie says whose redeem it is, to that call alone. */
const checkoutCookie = (value: string, isSecure: boolean, maxAge?: number): string =>
  [`${isSecure ? '__Secure-' : ''}checkout=${value}`, 'HttpOnly', 'SameSite=Strict', 'Path=/api/v1/checkout',
    ...(isSecure ? ['Secure'] : []), ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`])].join('; ');

export const auth = {
  login: async (ctx) => startSession(ctx, await authenticate(ctx, ctx.body)),

  /** A foreign tenant is 403: the password was right, the place is not theirs. The general login's session, not used yet, is replaced. */
  async loginToTenant(ctx) {
    const account = await authenticate(ctx, ctx.body);
    if (account.role !== 'super_admin' && account.tenant_id !== ctx.params.tenant_id) {
      return refuse(ctx, account, new Problem(403, 'Access denied: You can only access your own tenant.'));
    }
    return startSession(ctx, account);
  },

  async logout({ sql, caller, services, exchange, audit }) {
    if (exchange.token) await services.sessions.end(sql, exchange.token);
    exchange.setHeader('Set-Cookie', checkoutCookie('', exchange.isSecure, 0));
    audit.about({ kind: 'sign-in', id: caller.admin_id, tenant_id: caller.tenant_id, after: { signed_in: false } });
    return { ok: true as const };
  },
} satisfies Partial<Handlers>;
