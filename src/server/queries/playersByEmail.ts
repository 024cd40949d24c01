import { inTenant } from '../core/tenancy';
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
