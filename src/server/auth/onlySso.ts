import { Problem } from '../core/problem';
import type { Fragment, Sql } from '../db/open';

/** A query condition: it is the account that keeps its password where others have only single sign-on. */
export const isKept = (sql: Sql, adminId: Fragment) => sql`
  exists (select 1 from identity_providers where break_glass_admin_id = ${adminId} and is_active and only_sso)`;

/** Without that account nobody gets in once the provider is gone. */
export async function refuseDisablingKept(sql: Sql, adminId: number): Promise<void> {
  const kept = await sql`select a.id from admins a where a.id = ${adminId} and ${isKept(sql, sql`a.id`)}`;
  if (kept.length)
    throw new Problem(409, 'This account keeps its password for emergencies. Name another under Single sign-on first');
}
