import type { Assignment, Platform } from '../../contract/entities';
import { auditedLogin, findPlatformLogin, requirePlatform, savePlatformLogin, setPlatformActive, type PlatformLoginRow } from '../queries/platformCredentials';
import { requireKnownTenant, requireTenant } from '../tenancy';
import type { Handlers } from '../context';
import { masked } from '../auth/secrets';

const assignmentOf = ({ platform_id, tenant_id, is_active, username, password_secret }: PlatformLoginRow): Assignment =>
  ({ platform_id, tenant_id, is_active, credentials: { username: username ?? '', password: masked(password_secret) } });

export const platforms = {
  listPlatforms: ({ sql }) => sql<Platform[]>`select * from platforms order by id`,
  listPlatformNames: ({ sql }) => sql<Platform[]>`select * from platforms where is_active order by id`,

  /** Unassigned ones too, marked as not active: their credentials are still there. */
  async listAssignments({ sql, params }) {
    await requireKnownTenant(sql, params.id);
    const rows = await sql<PlatformLoginRow[]>`select * from tenant_platforms where tenant_id = ${params.id} order by platform_id`;
    return rows.map(assignmentOf);
  },

  /** There is no call to assign a platform: saving its credentials assigns it. */
  async saveAssignment({ sql, params, body, services, audit }) {
    await requireTenant(sql, params.tenant_id);
    await requirePlatform(sql, params.platform_id);
    const before = await findPlatformLogin(sql, params.tenant_id, params.platform_id);
    const row = await savePlatformLogin(sql, services.secrets, params.tenant_id, params.platform_id, body);
    await setPlatformActive(sql, params.tenant_id, params.platform_id, true);
    audit.about(auditedLogin(params.tenant_id, params.platform_id, before, { ...row, is_active: true }));
    return assignmentOf({ ...row, is_active: true });
  },

  /** Keeps the credentials; one that is not assigned stays so. */
  async unassignPlatform({ sql, params, body, audit }) {
    await requireTenant(sql, body.tenant_id);
    await requirePlatform(sql, params.id);
    const before = await findPlatformLogin(sql, body.tenant_id, params.id);
    await setPlatformActive(sql, body.tenant_id, params.id, false);
    audit.about(auditedLogin(body.tenant_id, params.id, before, before && { ...before, is_active: false }));
    return { ok: true as const };
  },
} satisfies Partial<Handlers>;
