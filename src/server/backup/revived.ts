/**
 * What lets somebody in to a restored database. A backup knows nothing of what was ended after it was made: such an API
 * key, account, passkey or recovery code works again.
 */
import { writeAsServer } from '../audit/auditLog';
import type { Secrets } from '../auth/secrets';
import { migrate } from '../db/migrate';
import type { Database, Sql } from '../db/open';

const listNames = async (rows: PromiseLike<readonly { name: string }[]>): Promise<string[]> =>
  (await rows).map(({ name }) => name).sort();

/**
 * API keys as 'Acme: Shop (gbk_ab12…)', accounts as 'ann@acme.test (admin of Acme, two-factor sign-in with 9 recovery
 * codes)'.
 */
export async function findRevived(sql: Sql): Promise<Record<'apiKeys' | 'accounts', string[]>> {
  const apiKeys = await listNames(sql<{ name: string }[]>`
    select format('%s: %s (%s…)', t.name, k.name, k.prefix) as name
    from api_keys k join tenants t on t.id = k.tenant_id and t.is_active
    where k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`);
  const [schema] = await sql`select 1 where to_regclass('public.passkeys') is not null`; // the backup's may be older
  const passkeys = schema
    ? sql`(select format(', passkeys: %s', string_agg(p.name, ', ' order by p.id)) from passkeys p
        where p.admin_id = a.id having count(*) > 0)`
    : sql`null`;
  const accounts = await listNames(sql<{ name: string }[]>`
    select format('%s (%s%s%s)', a.email,
      case r.name when 'super_admin' then 'super admin' else r.name || ' of ' || t.name end,
      case when f.confirmed_at is not null then format(', two-factor sign-in with %s recovery codes',
        (select count(*) from recovery_codes c where c.admin_id = a.id)) end,
      ${passkeys}) as name
    from admins a join tenants t on t.id = a.tenant_id and t.is_active join roles r on r.id = a.role_id
      left join two_factor f on f.admin_id = a.id
    where a.is_active`);
  return { apiKeys, accounts };
}

/** Revokes every API key, with an entry in the audit log of each tenant; the log needs the schema of this version. */
export async function revokeAllKeys(db: Database, secrets: Secrets): Promise<void> {
  await migrate(db);
  const tenants = await db.sql<{ tenant_id: number }[]>`
    select distinct tenant_id from api_keys where revoked_at is null order by tenant_id`;
  for (const { tenant_id } of tenants)
    await writeAsServer(db, secrets, 'restore', async (sql, audit) => {
      const revoked = await sql<{ key: string }[]>`
        update api_keys set revoked_at = now() where tenant_id = ${tenant_id} and revoked_at is null
        returning name || ' (' || prefix || '…)' as key`;
      const revoked_api_keys = revoked.map(({ key }) => key);
      audit.about({ kind: 'api key', id: null, tenant_id, after: { revoked_api_keys } });
    });
}
