import { LIST_MAX } from '../../contract/constants';
import type { Assignment, AvailablePlatform, MyPlatform, Platform } from '../../contract/entities';
import { isApiPlatform } from '../../contract/rules';
import type { Caller } from '../auth/caller';
import { maskSecret } from '../auth/secrets';
import type { Ctx, Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { requireKnownTenant, requireTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import {
  auditedCredentials,
  changePlatformCredentials,
  findPlatformCredentials,
  isConfigured,
  lockPlatformCredentials,
  type PlatformCredentialsRow,
  requirePlatform,
  savePlatformCredentials,
} from '../queries/platformCredentials';

/** A super admin has no platforms and must name the tenant. */
async function resolveTenant(sql: Sql, caller: Caller, requested: number | undefined, requireIt = requireTenant) {
  const tenant = tenantScope(caller, requested);
  if (tenant === null) throw new Problem(400, 'tenant_id is required for super admins');
  await requireIt(sql, tenant);
  return tenant;
}

const toMyPlatform = (row: PlatformCredentialsRow): MyPlatform => ({
  id: row.platform_id,
  is_activated: row.is_active,
  is_configured: isConfigured(row),
  platform_type: row.platform_type,
  ...(row.panel_url && { panel_url: row.panel_url }),
});

const toAssignment = ({
  platform_id,
  tenant_id,
  is_active,
  username,
  password_secret,
}: PlatformCredentialsRow): Assignment => ({
  platform_id,
  tenant_id,
  is_active,
  credentials: { username: username ?? '', password: maskSecret(password_secret) },
});

/** Changes the record of a tenant's platform, which is made if it is missing. `refuse` sees it before. */
async function change(
  { sql, caller, params, query, audit }: Ctx<'activateMyPlatform' | 'deactivateMyPlatform' | 'savePanelAddress'>,
  changes: Partial<PlatformCredentialsRow>,
  refuse?: (row: PlatformCredentialsRow, platform: { is_active: boolean }) => void,
): Promise<MyPlatform> {
  const tenant = await resolveTenant(sql, caller, query.tenant_id);
  const platform = await requirePlatform(sql, params.id);
  const row = await lockPlatformCredentials(sql, tenant, params.id);
  refuse?.(row, platform);
  await changePlatformCredentials(sql, tenant, params.id, changes);
  const changed = { ...row, ...changes };
  audit.about(auditedCredentials(tenant, params.id, row, changed));
  return toMyPlatform(changed);
}

export const myPlatforms = {
  async listAvailablePlatforms({ sql, caller, query }) {
    if (tenantScope(caller, query.tenant_id) !== null)
      await resolveTenant(sql, caller, query.tenant_id, requireKnownTenant);
    return sql<AvailablePlatform[]>`
      select * from platforms where is_active order by id limit ${LIST_MAX}`;
  },

  /** An API platform has no credentials, so once it was there its record alone says that it can be switched on. */
  async listMyPlatforms({ sql, caller, query }) {
    const tenant = await resolveTenant(sql, caller, query.tenant_id, requireKnownTenant);
    const rows = await sql<PlatformCredentialsRow[]>`
      select tp.*, p.platform_type from tenant_platforms tp join platforms p on p.id = tp.platform_id
      where tp.tenant_id = ${tenant} order by tp.platform_id limit ${LIST_MAX}`;
    return rows
      .map(toMyPlatform)
      .filter((one) => one.is_activated || one.is_configured || isApiPlatform(one.platform_type));
  },

  /** A platform without an API needs its credentials first (docs/product.md, "Platforms"). */
  activateMyPlatform: (ctx) =>
    change(ctx, { is_active: true }, (row, platform) => {
      if (!platform.is_active) throw new Problem(400, 'This platform is not available');
      if (!isApiPlatform(row.platform_type) && !isConfigured(row))
        throw new Problem(400, 'Please add credentials first before activating the platform');
    }),

  deactivateMyPlatform: (ctx) => change(ctx, { is_active: false }),

  /** Leaves the platform active or inactive as it was. */
  async saveMyPlatformCredentials({ sql, caller, params, query, body, services, audit }) {
    const tenant = await resolveTenant(sql, caller, query.tenant_id);
    const platform = await requirePlatform(sql, params.id);
    if (isApiPlatform(platform.platform_type))
      throw new Problem(400, 'The credentials of an API platform are managed by the system');
    const before = await findPlatformCredentials(sql, tenant, params.id);
    const row = await savePlatformCredentials(sql, services.secrets, tenant, params.id, body);
    audit.about(auditedCredentials(tenant, params.id, before, row));
    return toMyPlatform(row);
  },

  savePanelAddress: (ctx) => change(ctx, { panel_url: ctx.body.panel_url || null }),

  listPlatforms: ({ sql }) => sql<Platform[]>`select * from platforms order by id limit ${LIST_MAX}`,
  listPlatformNames: ({ sql }) => sql<Platform[]>`
    select * from platforms where is_active order by id limit ${LIST_MAX}`,

  /** Includes unassigned platforms as inactive, because their credentials still exist. */
  async listAssignments({ sql, params }) {
    await requireKnownTenant(sql, params.id);
    const rows = await sql<PlatformCredentialsRow[]>`
      select * from tenant_platforms where tenant_id = ${params.id} order by platform_id limit ${LIST_MAX}`;
    return rows.map(toAssignment);
  },

  /** There is no call to assign a platform: saving its credentials assigns it (docs/product.md, "Platforms"). */
  async saveAssignment({ sql, params, body, services, audit }) {
    await requireTenant(sql, params.tenant_id);
    await requirePlatform(sql, params.platform_id);
    const before = await findPlatformCredentials(sql, params.tenant_id, params.platform_id);
    const row = await savePlatformCredentials(sql, services.secrets, params.tenant_id, params.platform_id, body);
    await changePlatformCredentials(sql, params.tenant_id, params.platform_id, { is_active: true });
    audit.about(auditedCredentials(params.tenant_id, params.platform_id, before, { ...row, is_active: true }));
    return toAssignment({ ...row, is_active: true });
  },

  /** Keeps the credentials. A platform that is not assigned stays so. */
  async unassignPlatform({ sql, params, body, audit }) {
    await requireTenant(sql, body.tenant_id);
    await requirePlatform(sql, params.id);
    const before = await findPlatformCredentials(sql, body.tenant_id, params.id);
    await changePlatformCredentials(sql, body.tenant_id, params.id, { is_active: false });
    audit.about(auditedCredentials(body.tenant_id, params.id, before, before && { ...before, is_active: false }));
  },
} satisfies Partial<Handlers>;
