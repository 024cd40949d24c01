import { LIST_MAX } from '../../contract/constants';
import type { Assignment, AvailablePlatform, MyPlatform, Platform } from '../../contract/entities';
import { isApiPlatform } from '../../contract/rules';
import type { Caller } from '../auth/caller';
import { maskSecret } from '../auth/secrets';
import type { Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { requireKnownTenant, requireTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import {
  auditedCredentials,
  findPlatformCredentials,
  isConfigured,
  lockPlatformCredentials,
  type PlatformCredentialsRow,
  requirePlatform,
  savePlatformCredentials,
  setPlatformActive,
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
  async activateMyPlatform({ sql, caller, params, query, audit }) {
    const tenant = await resolveTenant(sql, caller, query.tenant_id);
    if (!(await requirePlatform(sql, params.id)).is_active) throw new Problem(400, 'This platform is not available');
    const row = await lockPlatformCredentials(sql, tenant, params.id);
    if (!isApiPlatform(row.platform_type) && !isConfigured(row))
      throw new Problem(400, 'Please add credentials first before activating the platform');
    await setPlatformActive(sql, tenant, params.id, { isActive: true });
    audit.about(auditedCredentials(tenant, params.id, row, { ...row, is_active: true }));
    return { ...toMyPlatform(row), is_activated: true };
  },

  async deactivateMyPlatform({ sql, caller, params, query, audit }) {
    const tenant = await resolveTenant(sql, caller, query.tenant_id);
    await requirePlatform(sql, params.id);
    const row = await lockPlatformCredentials(sql, tenant, params.id);
    await setPlatformActive(sql, tenant, params.id, { isActive: false });
    audit.about(auditedCredentials(tenant, params.id, row, { ...row, is_active: false }));
    return { ...toMyPlatform(row), is_activated: false };
  },

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

  async savePanelAddress({ sql, caller, params, query, body, audit }) {
    const tenant = await resolveTenant(sql, caller, query.tenant_id);
    await requirePlatform(sql, params.id);
    const row = await lockPlatformCredentials(sql, tenant, params.id);
    const panel_url = body.panel_url || null;
    await sql`
      update tenant_platforms set panel_url = ${panel_url}, updated_at = now()
      where tenant_id = ${tenant} and platform_id = ${params.id}`;
    const changed = { ...row, panel_url };
    audit.about(auditedCredentials(tenant, params.id, row, changed));
    return toMyPlatform(changed);
  },

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
    await setPlatformActive(sql, params.tenant_id, params.platform_id, { isActive: true });
    audit.about(auditedCredentials(params.tenant_id, params.platform_id, before, { ...row, is_active: true }));
    return toAssignment({ ...row, is_active: true });
  },

  /** Keeps the credentials. A platform that is not assigned stays so. */
  async unassignPlatform({ sql, params, body, audit }) {
    await requireTenant(sql, body.tenant_id);
    await requirePlatform(sql, params.id);
    const before = await findPlatformCredentials(sql, body.tenant_id, params.id);
    await setPlatformActive(sql, body.tenant_id, params.id, { isActive: false });
    audit.about(auditedCredentials(body.tenant_id, params.id, before, before && { ...before, is_active: false }));
  },
} satisfies Partial<Handlers>;
