import { LIST_MAX, PLATFORM_TENANT_ID } from '../../contract/constants';
import { permissions } from '../../contract/permissions';
import type { IdentityProvider, IdentityProviderForm } from '../../contract/schemas/sso';
import { requirePermissions } from '../auth/authenticate';
import type { Caller } from '../auth/caller';
import { confirmIdentity, requireUnchanged } from '../auth/reauthentication';
import { keepsSecret, maskSecret, secretContext } from '../auth/secrets';
import type { Ctx, Handlers, Services } from '../core/context';
import { Problem } from '../core/problem';
import { requireKnownTenant, tenantOrPlatform } from '../core/tenancy';
import type { Sql } from '../db/open';
import { refuseApprovalsByProvider } from '../ledger/approvals';
import { isAllowedUrl } from '../outgoing/address';
import { isManaged } from '../queries/managedAdmins';
import { appUrlOf, redirectUri } from '../sso/flows';
import { openProvider, ProviderFailed } from '../sso/provider';

type Row = Omit<IdentityProvider, 'redirect_uri' | 'sign_out_uri' | 'accounts'> & { set_by: number };

const findRow = async (sql: Sql, tenantId: number, { isLocked = false } = {}): Promise<Row | undefined> =>
  sql<Row[]>`
      select issuer, client_id, client_secret, groups_claim, group_permissions as groups, is_active, only_sso,
        break_glass_admin_id, set_by
      from identity_providers where tenant_id = ${tenantId} ${isLocked ? sql`for no key update` : sql``}`.first();

/** Blank where there is none yet. */
async function read(sql: Sql, services: Services, tenantId: number): Promise<IdentityProvider> {
  await requireKnownTenant(sql, tenantId);
  const row = await findRow(sql, tenantId);
  const none = { issuer: '', client_id: '', client_secret: '', groups_claim: 'groups', groups: [] };
  return {
    ...(row ?? { ...none, is_active: true, only_sso: false, break_glass_admin_id: null }),
    client_secret: maskSecret(row?.client_secret),
    redirect_uri: services.outgoing?.appUrl ? redirectUri(services, tenantId) : '',
    sign_out_uri: services.outgoing?.appUrl ? appUrlOf(services) : '',
    accounts: await sql<{ id: number; email: string }[]>`
      select a.id, a.email from admins a where a.tenant_id = ${tenantId} and a.is_active and ${isManaged(sql)}
      order by lower(a.email), a.id limit ${LIST_MAX}`,
  };
}

/** Whoever chooses the provider decides who anybody is, so it takes what anybody may do. */
function refuseUnfit({ caller, services, body }: Ctx<'saveIdentityProvider'>, tenantId: number): void {
  if (!caller.role.is_super_admin) requirePermissions(caller, permissions);
  if (body.is_active) appUrlOf(services);
  const mayBeOwn = tenantId === PLATFORM_TENANT_ID || services.outgoing?.mayBeOwn === true;
  if (!isAllowedUrl(new URL(body.issuer), mayBeOwn))
    throw new Problem(422, 'body.issuer: must begin with https:// and be outside of the own network');
  if (tenantId === PLATFORM_TENANT_ID && body.groups.length)
    throw new Problem(422, 'body.groups: no group makes a super admin');
  if (body.only_sso && body.break_glass_admin_id === null)
    throw new Problem(422, 'body.break_glass_admin_id: name the account that always has a password');
}

const ask = (...asked: Parameters<typeof openProvider>) =>
  openProvider(...asked).catch((error: unknown) => {
    if (!(error instanceof ProviderFailed)) throw error;
    throw new Problem(422, `body.issuer: the identity provider does not answer as it should: ${error.message}`);
  });

/** A mistake must not lock everybody out: the provider has let this person in, and one account keeps its password. */
async function refuseLockout(
  sql: Sql,
  { admin_id, role }: Caller,
  tenantId: number,
  { issuer, is_active, break_glass_admin_id: kept }: IdentityProviderForm,
): Promise<void> {
  const [known] = await sql`
    select 1 from identities i join admins a on a.id = i.admin_id
    where i.issuer = ${issuer} and a.tenant_id = ${tenantId}
      and (a.id = ${admin_id} or ${role.is_super_admin && tenantId !== PLATFORM_TENANT_ID}) limit 1`;
  if (is_active && !known)
    throw new Problem(409, 'Sign in by this identity provider once before you make it the only way');
  const [account] =
    await sql`select 1 from admins where id = ${kept} and tenant_id = ${tenantId} and is_active for no key update`;
  if (!account) throw new Problem(422, 'body.break_glass_admin_id: must be an account that may sign in here');
}

/** By a colleague with another issuer; by a super admin, who vouches for what they enter, with another client too. */
const isChosenAnew = (before: Row, { issuer, client_id }: IdentityProviderForm, { role }: Caller): boolean =>
  before.issuer !== issuer || (role.is_super_admin && before.client_id !== client_id);

/** Before it is changed: who was in, or may have approved, by what it was. */
async function endWhatItGave(ctx: Ctx<'saveIdentityProvider'>, sql: Sql, tenantId: number, was: Row, now: Chosen) {
  const isOther = was.issuer !== now.issuer || was.is_active !== now.is_active;
  if (isOther || was.set_by !== now.set_by)
    await refuseApprovalsByProvider(sql, sql`a.tenant_id = ${tenantId}`, ctx.caller.admin_id);
  if (!isOther && was.only_sso === now.only_sso) return;
  // Locked: a sign-in in progress is in before, and ends here, or asks again (`Sessions.startWith`).
  const people = await sql<{ id: number }[]>`
    select id from admins where tenant_id = ${tenantId} order by id for no key update`;
  for (const { id } of people) await ctx.services.sessions.endAll(sql, id, ctx.exchange.token);
}
type Chosen = Pick<Row, 'issuer' | 'is_active' | 'only_sso' | 'set_by'>;

/** The identity provider of a tenant's people, or of super admins (docs/extras/account.md). */
export const identityProvider = {
  getIdentityProvider: ({ sql, caller, query, services }) =>
    read(sql, services, tenantOrPlatform(caller, query.tenant_id)),

  /** It is asked before it is saved, unless it is switched off: it may be gone. */
  async saveIdentityProvider(ctx) {
    const { sql, caller, body, services, audit, inTransaction } = ctx;
    const tenantId = tenantOrPlatform(caller, body.tenant_id);
    await requireKnownTenant(sql, tenantId);
    refuseUnfit(ctx, tenantId);
    const confirmed = await confirmIdentity(ctx, { password: body.current_password, code: body.code });
    const { issuer, client_id, groups_claim, is_active, only_sso, break_glass_admin_id } = body;
    const stored = (await findRow(sql, tenantId))?.client_secret;
    const isKept = keepsSecret(body.client_secret);
    if (isKept && !stored) throw new Problem(422, 'body.client_secret: is required');
    const context = secretContext.identityProvider(tenantId),
      secret = isKept ? services.secrets.decrypt(stored ?? '', context) : body.client_secret,
      asked = { tenant_id: tenantId, issuer, client_id, client_secret: services.secrets.encrypt(secret, context) };
    const config = is_active ? await ask(services, asked) : undefined;
    return inTransaction(async (sql) => {
      await requireUnchanged(sql, caller, confirmed);
      const before = await findRow(sql, tenantId, { isLocked: true });
      // A stored key does not follow its server to another one.
      if (isKept && before?.issuer !== issuer)
        throw new Problem(422, 'body.client_secret: is required for a new issuer');
      if (only_sso) await refuseLockout(sql, caller, tenantId, body);
      const row = {
        ...{ issuer, client_id, groups_claim, is_active, only_sso, break_glass_admin_id },
        client_secret: services.secrets.encrypt(secret, context), // with the key of now
        set_by: before && !isChosenAnew(before, body, caller) ? before.set_by : caller.admin_id,
      };
      if (before) await endWhatItGave(ctx, sql, tenantId, before, row);
      const also = {
        ...(config && { end_session_url: config.serverMetadata().end_session_endpoint ?? null }),
        group_permissions: JSON.stringify(body.groups),
      };
      await (before
        ? sql`update identity_providers set ${sql({ ...row, ...also })} where tenant_id = ${tenantId}`
        : sql`insert into identity_providers ${sql({ tenant_id: tenantId, ...row, ...also })}`);
      const after = { ...row, groups: body.groups };
      audit.about({ kind: 'tenant', id: tenantId, tenant_id: tenantId, before: before ?? null, after });
      return read(sql, services, tenantId);
    });
  },
} satisfies Partial<Handlers>;
