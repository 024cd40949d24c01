import type { Caller } from '../auth/caller';
import { notFound, Problem } from '../core/problem';
import { inTenant, type Owner, refusePlatformTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';

interface PlayerRow {
  tenant_id: number;
  id: number;
  is_active: boolean;
}

/** At most two, which shows an e-mail that exists in several tenants. */
export const playersByEmail = (sql: Sql, tenant: number | null, email: string) => sql<PlayerRow[]>`
  select p.tenant_id, p.id, p.is_active
  from players p
  where ${inTenant(sql, tenant, 'p.tenant_id')} and lower(p.email) = lower(${email.trim()}) and p.deleted_at is null
  limit 2`;

/** The player whom a form of staff names; a super admin must name the tenant where several have the e-mail. */
export async function requirePlayerByEmail(
  sql: Sql,
  caller: Caller,
  { user_email, tenant_id }: { user_email: string; tenant_id?: number | undefined },
): Promise<Owner> {
  const tenant = tenantScope(caller, tenant_id);
  if (tenant !== null) refusePlatformTenant(tenant);
  const [player, other] = await playersByEmail(sql, tenant, user_email);
  if (!player) throw notFound('User');
  if (other) throw new Problem(409, 'Email exists in several tenants');
  return { tenant_id: player.tenant_id, player_id: player.id };
}
