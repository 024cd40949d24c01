import { ADMIN_ROLE, type Feature } from '../../contract/constants';
import type { LoginAnswer } from '../../contract/entities';
import { mayEnter } from '../../contract/rules';
import { toNetwork } from '../core/clientNetwork';
import type { Ctx } from '../core/context';
import { Problem } from '../core/problem';
import type { Sql } from '../db/open';
import { notifyNewPlace } from '../notifications/immediateRules';
import { isAllowed, notFromHere } from './allowedNetworks';
import { checkoutCookie } from './authenticate';
import type { AccountRow } from './caller';
import { getsNotice, offeredFeatures, queueMail } from './mailLinks';
import { needsSso } from './onlySso';
import { notAccepted, type UsedPasskey } from './passkeys';
import { describeProof, hasTwoFactor, SSO } from './twoFactor';

/** What is needed of the context of a call that signs somebody in. */
export type SignIn = Pick<Ctx<'login'>, 'sql' | 'services' | 'exchange' | 'turn' | 'audit' | 'inTransaction'> & {
  params: object;
};
type TenantRow = Pick<AccountRow, 'tenant_is_active' | 'allowed_networks'>;

/** Accounts `a` with their tenant `t` and role `r`; a condition follows. */
export const selectAccounts = (sql: Sql) => sql`
  select a.id, a.email, a.tenant_id, a.password_hash, a.is_active, t.is_active as tenant_is_active,
    t.name as tenant_name, t.mail_links, t.allowed_networks, t.time_zone, r.name as role, a.permissions,
    ${hasTwoFactor(sql, sql`a.id`)} as has_two_factor, ${needsSso(sql)} as needs_sso
  from admins a join roles r on r.id = a.role_id join tenants t on t.id = a.tenant_id`;

/** `proof`: the second factor, already used up; null when the account has none. A passkey is all that was needed. */
export interface Authenticated extends AccountRow {
  proof: string | null;
  passkey?: UsedPasskey;
}

/** Notes why nobody was signed in; not the name of an unknown account: people type passwords into that field. */
export const noteRefusal = (
  ctx: SignIn,
  account: { id: number | null; email: string; tenant_id: number | null } | undefined,
  why: string,
): Promise<void> =>
  ctx.inTransaction(async () => {
    ctx.audit.by({ admin_id: null, email: account?.email ?? '' });
    ctx.audit.about({
      kind: 'sign-in',
      id: account?.id ?? null,
      tenant_id: account?.tenant_id ?? null,
      after: { signed_in: false, why },
    });
  });

/** A failure is audited too, with `why` if the person is not told. */
export async function refuse(
  ctx: SignIn,
  account: Parameters<typeof noteRefusal>[1],
  problem: Problem,
  why = problem.message,
): Promise<never> {
  await noteRefusal(ctx, account, why);
  throw problem;
}

const ONLY_SSO = 'Your company lets you sign in by single sign-on only';

/** Refuses whom their tenant does not let in. */
export async function refuseByTenant(ctx: SignIn, account: Parameters<typeof refuse>[1] & TenantRow): Promise<void> {
  if (!account.tenant_is_active) await refuse(ctx, account, new Problem(403, 'This tenant is not active'));
  if (!isAllowed(account.allowed_networks, ctx.exchange.address)) await refuse(ctx, account, notFromHere());
}

const cameBySso = ({ proof }: Authenticated): boolean => proof?.startsWith(SSO) ?? false;

/** Refuses whom their tenant does not let in, or not in this way. */
export async function refuseEntry(ctx: SignIn, account: Authenticated): Promise<void> {
  await refuseByTenant(ctx, account);
  if (account.needs_sso && !cameBySso(account))
    await refuse(ctx, account, new Problem(403, ONLY_SSO, undefined, 'sso'));
}

export async function startSession(ctx: SignIn, account: Authenticated): Promise<LoginAnswer> {
  const { services, exchange } = ctx,
    isSso = cameBySso(account);
  await refuseEntry(ctx, account);
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
    ...(isSso && { signed_in_by: 'sso' as const }),
  };
  if (!mayEnter(user)) return { access_token: session.token, user, features: ['logout'] };
  const hasOne = !isSso && !account.has_two_factor && !account.passkey;
  const mustSetUp = hasOne && (await services.sessions.needsTwoFactor(ctx.sql, account.id));
  return {
    access_token: session.token,
    user,
    features: mustSetUp ? setupFeatures : offeredFeatures(services, account),
  };
}

const CHANGED = 'The account or the passkey has changed meanwhile';

/** What is offered to a session that must set up a second factor first. */
export const setupFeatures: Feature[] = ['logout', 'account', 'two_factor_setup'];
