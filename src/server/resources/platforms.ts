import { LIST_MAX } from '../../contract/constants';
import type { Assignment, Platform } from '../../contract/entities';
import { maskSecret } from '../auth/secrets';
import type { Handlers } from '../core/context';
import { requireKnownTenant, requireTenant } from '../core/tenancy';
import {
  auditedCredentials,
  findPlatformCredentials,
  type PlatformCredentialsRow,
  requirePlatform,
  savePlatformCredentials,
  setPlatformActive,
} from '../queries/platformCredentials';

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

export const platforms = {
  listPlatforms: ({ sql }) => sql<Platform[]>`select * from platforms order by id limit ${LIST_MAX}`,
  listPlatformNames: ({ sql }) => sql<Platform[]>`
    select * from platforms where is_active order by id limit ${LIST_MAX}`,

  /** Includes unassigned platforms as inactive, because their credentials still exist. */
  async listAssignments({ sql, params }) {
    await requireKnownTenant(sql, params.id);
    const rows = await sql<
      PlatformCredentialsRow[]
    >`select * from tenant_platforms where tenant_id = ${params.id} order by platform_id limit ${LIST_MAX}`;
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
