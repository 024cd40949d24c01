/**
 * What lets somebody in to a restored database. A backup knows nothing of what was ended after it was made: such an API
 * key, account or recovery code works again.
 */
import { auditedTransaction, createAudit, serverItself } from '../audit/auditLog';
import type { Secrets } from '../auth/secrets';
import { migrate } from '../db/migrate';
import type { Database, Sql } from '../db/open';

export interface Revived {
  /** 'Acme: Shop (gbk_ab12…)' */
  apiKeys: string[];
  /** 'ann@acme.test (admin of Acme, two-factor sign-in with 9 recovery codes)' */
  accounts: string[];
}

/** Reads whole rows, because the schema is that of the backup's version, which may lack columns. */
async function readRows(sql: Sql, table: string): Promise<Record<string, unknown>[]> {
  return (await sql<{ row: Record<string, unknown> }[]>`select to_jsonb(t) as row from ${sql(table)} t`).map(
    ({ row }) => row,
  );
}

export async function findRevived(sql: Sql): Promise<Revived> {
  const [tenants, roles, admins, factors, codes, keys] = [
    await readRows(sql, 'tenants'),
    await readRows(sql, 'roles'),
    await readRows(sql, 'admins'),
    await readRows(sql, 'two_factor'),
    await readRows(sql, 'recovery_codes'),
    await readRows(sql, 'api_keys'),
  ];
  const byId = (rows: typeof tenants) => new Map(rows.map((row) => [row['id'], row]));
  const [tenantOf, roleOf] = [byId(tenants.filter((row) => row['is_active'])), byId(roles)];
  const tenantName = (row: Record<string, unknown>) => String(tenantOf.get(row['tenant_id'])?.['name']);
  const describeFactor = (id: unknown) => {
    if (!factors.some((row) => row['admin_id'] === id && row['confirmed_at'])) return '';
    return `, two-factor sign-in with ${codes.filter((row) => row['admin_id'] === id).length} recovery codes`;
  };
  const describeRole = (row: Record<string, unknown>) => {
    const role = String(roleOf.get(row['role_id'])?.['name']);
    return role === 'super_admin' ? 'super admin' : `${role} of ${tenantName(row)}`;
  };
  const works = (row: Record<string, unknown>) => tenantOf.has(row['tenant_id']);
  const hasEnded = (at: unknown) => typeof at === 'string' && new Date(at) <= new Date();
  return {
    apiKeys: keys
      .filter((row) => works(row) && !row['revoked_at'] && !hasEnded(row['expires_at']))
      .map((row) => `${tenantName(row)}: ${row['name']} (${row['prefix']}…)`)
      .sort(),
    accounts: admins
      .filter((row) => works(row) && row['is_active'])
      .map((row) => `${row['email']} (${describeRole(row)}${describeFactor(row['id'])})`)
      .sort(),
  };
}

/** Revokes every API key, with an entry in the audit log of each tenant; the log needs the schema of this version. */
export async function revokeAllKeys(db: Database, secrets: Secrets): Promise<void> {
  await migrate(db);
  const tenants = await db.sql<{ tenant_id: number }[]>`
    select distinct tenant_id from api_keys where revoked_at is null order by tenant_id`;
  for (const { tenant_id } of tenants) {
    const audit = createAudit();
    const inTransaction = auditedTransaction(db, secrets, audit, { ...serverItself, call: 'restore' });
    await inTransaction(async (sql) => {
      const revoked = await sql<{ key: string }[]>`
        update api_keys set revoked_at = now() where tenant_id = ${tenant_id} and revoked_at is null
        returning name || ' (' || prefix || '…)' as key`;
      const revoked_api_keys = revoked.map(({ key }) => key);
      audit.about({ kind: 'api key', id: null, tenant_id, after: { revoked_api_keys } });
    });
  }
}
