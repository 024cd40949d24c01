import { ADMIN_ROLE, type Feature } from '../../contract/constants';
import type { LoginAnswer } from '../../contract/entities';
import type { Permission } from '../../contract/permissions';
import { mayEnter } from '../../contract/rules';
import { toNetwork } from '../core/clientNetwork';
import type { Ctx } from '../core/context';
import { Problem } from '../core/problem';
import { notifyNewPlace } from '../notifications/immediateRules';
import { isAllowed, notFromHere } from './allowedNetworks';
import { checkoutCookie } from './authenticate';
import { getsNotice, offeredFeatures, queueMail } from './mailLinks';
import { notAccepted, type UsedPasskey } from './passkeys';
import { describeProof } from './twoFactor';

export type SignIn = Ctx<'login'> | Ctx<'loginToTenant'> | Ctx<'beginPasskey'> | Ctx<'finishPasskey'>;
export interface AccountRow {
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
/** `proof`: the second factor, already used up; null when the account has none. A passkey is all that was needed. */
export interface Authenticated extends AccountRow {
  proof: string | null;
  passkey?: UsedPasskey;
}

/**
 * A failure is audited too, with `why` if the person is not told. The name of an unknown account is not stored, because
 * people type passwords into the wrong field.
 */
export async function refuse(
  ctx: SignIn,
  account: AccountRow | undefined,
  problem: Problem,
  why = problem.message,
): Promise<never> {
  await ctx.inTransaction(async () => {
    ctx.audit.by({ admin_id: null, email: account?.email ?? '' });
    ctx.audit.about({
      kind: 'sign-in',
      id: account?.id ?? null,
      tenant_id: account?.tenant_id ?? null,
      after: { signed_in: false, why },
    });
  });
  throw problem;
}

export async function startSession(ctx: SignIn, account: Authenticated): Promise<LoginAnswer> {
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
    const after = started
      ? { signed_in: true, factor: describeProof(account.proof) }
      : { signed_in: false, ...(account.passkey && { why: CHANGED }) };
    ctx.audit.about({ kind: 'sign-in', id, tenant_id, after });
    return started;
  });
  if (!session) throw account.passkey ? notAccepted() : new Problem(401, 'Invalid credentials');
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
  const mustSetUp =
    !account.has_two_factor && !account.passkey && (await services.sessions.needsTwoFactor(ctx.sql, account.id));
  return {
    access_token: session.token,
    user,
    features: mustSetUp ? setupFeatures : offeredFeatures(services, account),
  };
}

const CHANGED = 'The account or the passkey has changed meanwhile';

/** What is offered to a session that must set up a second factor first. */
export const setupFeatures: Feature[] = ['logout', 'account', 'two_factor_setup'];
