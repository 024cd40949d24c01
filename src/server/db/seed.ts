/**
 * What every database contains from its first start on: the platform's own tenant, the game platforms, and one super
 * admin.
 */
import { manualRedeemPlatforms, platformLabels } from '../../contract/platforms';
import { DatabaseRefused, type Sql } from './open';

/** Their credentials are managed by the system. */
const apiPlatforms: readonly string[] = ['yolo', 'juwa777'];
const platforms = manualRedeemPlatforms.map((name) => ({
  name,
  display_name: platformLabels[name],
  platform_type: apiPlatforms.includes(name) ? 'api' : 'manual',
}));

/** Adds missing parts of tenant 1 and the eleven platforms, and changes nothing that exists. Runs at every start. */
export async function seedPlatform(sql: Sql, { timeZone }: { timeZone: string }): Promise<void> {
  const added = await sql`
    insert into tenants (id, name, description, time_zone) values (1, 'Platform', 'The platform itself', ${timeZone})
    on conflict (id) do nothing returning id`;
  // Only then: resetting the sequence while another server adds tenants could use an id twice.
  if (added.length)
    await sql`select setval(pg_get_serial_sequence('tenants', 'id'), greatest((select max(id) from tenants), 1))`;
  const present = await sql<{ name: string }[]>`select name from platforms`;
  const missing = platforms.filter(({ name }) => !present.some((platform) => platform.name === name));
  if (missing.length) await sql`insert into platforms ${sql(missing)} on conflict (name) do nothing`;
}

/** Creates the first super admin in tenant 1. Returns false when there is one already. */
export async function createFirstSuperAdmin(
  sql: Sql,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<boolean> {
  const [taken] = await sql`
    select 1 from admins a join roles r on r.id = a.role_id
    where lower(a.email) = lower(${email.trim()}) and r.name <> 'super_admin'`;
  if (taken) throw new DatabaseRefused('ADMIN_EMAIL belongs to an account that is not a super admin; choose another.');
  const [present] = await sql`
    select 1 from admins a join roles r on r.id = a.role_id where r.name = 'super_admin' limit 1`;
  if (present) return false; // whoever sets up the database is alone
  const made = await sql`
    insert into admins (tenant_id, role_id, email, password_hash)
    select 1, r.id, ${email.trim()}, ${passwordHash} from roles r
    where r.name = 'super_admin'
    on conflict do nothing returning id`;
  return made.length === 1;
}
