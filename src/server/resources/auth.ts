import type { Credentials, LoginAnswer } from '../../contract/entities';
import { features } from '../../contract/constants';
import { checkPassword } from '../passwords';
import { Problem } from '../problem';
import type { Ctx, Handlers } from '../resource';

interface AccountRow { id: number; tenant_id: number; password_hash: string; is_active: boolean; tenant_is_active: boolean; role: string }

/** Checks who it is; the same refusal, after the same time, for a wrong password, an unknown account and a disabled one. */
async function authenticate({ sql, services, exchange }: Ctx<'login'> | Ctx<'loginToTenant'>, { email, password }: Credentials): Promise<AccountRow> {
  const account = await services.throttle.attempt(email, exchange.address, async () => {
    const [found] = await sql<AccountRow[]>`
      select a.id, a.tenant_id, a.password_hash, a.is_active, t.is_active as tenant_is_active, r.name as role
      from admins a join roles r on r.id = a.role_id join tenants t on t.id = a.tenant_id
      where lower(a.email) = lower(${email.trim()}) or lower(a.username) = lower(${email.trim()})
      order by lower(a.email) = lower(${email.trim()}) desc limit 1`;
    const isRight = await checkPassword(password, found?.password_hash);
    return isRight && found?.is_active ? found : null;
  });
  if (!account) throw new Problem(401, 'Invalid credentials');
  return account;
}

async function startSession({ sql, services, exchange }: Ctx<'login'> | Ctx<'loginToTenant'>, account: AccountRow): Promise<LoginAnswer> {
  if (!account.tenant_is_active) throw new Problem(403, 'This tenant is not active');
  const session = await services.sessions.startWith(sql, account, exchange.address);
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
      throw new Problem(403, 'Access denied: You can only access your own tenant.');
    }
    await ctx.services.sessions.replaceUnused(ctx.sql, account.id, ctx.exchange.address);
    return startSession(ctx, account);
  },

  async logout({ sql, services, exchange }) {
    if (exchange.token) await services.sessions.end(sql, exchange.token);
    exchange.setHeader('Set-Cookie', checkoutCookie('', exchange.isSecure, 0));
    return { ok: true as const };
  },
} satisfies Partial<Handlers>;
