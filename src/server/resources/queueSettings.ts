import type { QueueSettings } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { Problem } from '../core/problem';
import { requireTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import { onlyRow } from '../db/row';

const read = async (sql: Sql, tenant: number): Promise<QueueSettings> =>
  onlyRow(
    await sql<QueueSettings[]>`
      select coalesce(late_minutes, '[]') as late_minutes, coalesce(key_takes, false) as key_takes
      from tenants where id = ${tenant}`,
  );

export const queueSettings = {
  async getQueueSettings({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    if (tenant === null) throw new Problem(422, 'query.tenant_id: is required');
    await requireTenant(sql, tenant);
    return read(sql, tenant);
  },

  async changeQueueSettings({ sql, caller, body, audit }) {
    const tenant = tenantScope(caller, body.tenant_id);
    if (tenant === null) throw new Problem(422, 'body.tenant_id: is required');
    await requireTenant(sql, tenant);
    await sql`select 1 from tenants where id = ${tenant} for no key update`;
    const before = await read(sql, tenant);
    await sql`
      update tenants set late_minutes = ${JSON.stringify(body.late_minutes)}::text::json, key_takes = ${body.key_takes}
      where id = ${tenant}`;
    const after = await read(sql, tenant);
    audit.about({ kind: 'tenant', id: tenant, tenant_id: tenant, before, after });
    return after;
  },
} satisfies Partial<Handlers>;
