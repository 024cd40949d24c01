import { Problem } from '../core/problem';
import type { Fragment, Sql } from '../db/open';

/** A query condition: it is the account that keeps its password where others have only single sign-on. */
export const isKept = (sql: Sql, adminId: Fragment) => sql`
  exists (select 1 from identity_providers where break_glass_admin_id = ${adminId} and is_active and only_sso)`;

/** A query condition: only single sign-on is taken from account `a`. */
export const needsSso = (sql: Sql) => sql`
  exists (
    select 1 from identity_providers p
    where p.tenant_id = a.tenant_id and p.is_active and p.only_sso and p.break_glass_admin_id <> a.id)`;

/** A query condition: the identity provider of now knows account `a`. */
export const isLinked = (sql: Sql) => sql`
  exists (
    select 1 from identity_providers p join identities i on i.issuer = p.issuer
    where p.tenant_id = a.tenant_id and p.is_active and i.admin_id = a.id)`;

/** Without that account nobody gets in once the provider is gone. */
export async function refuseDisablingKept(sql: Sql, adminId: number): Promise<void> {
  const kept = await sql`select a.id from admins a where a.id = ${adminId} and ${isKept(sql, sql`a.id`)}`;
  if (kept.length)
    throw new Problem(409, 'This account keeps its password for emergencies. Name another under Single sign-on first');
}
