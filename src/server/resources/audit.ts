import { type CallSpec, calls } from '../../contract/calls';
import { AUDIT_PAGE } from '../../contract/constants';
import type { AuditEntry } from '../../contract/entities';
import { openWords, type StoredEntry } from '../audit/personal';
import type { Caller } from '../auth/caller';
import type { Handlers } from '../context';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { inTenant, tenantScope } from '../tenancy';

const callsOfTenants = Object.entries<CallSpec>(calls)
  .filter(([, { who }]) => who !== 'super')
  .map(([name]) => name);

/**
 * A tenant's admin sees the calls that tenant admins may make; calls for super admins may contain what only they may
 * see.
 */
const isForThem = (sql: Sql, caller: Caller) =>
  caller.role.is_super_admin ? sql`true` : sql`a.call = any (${callsOfTenants})`;

export const audit = {
  /**
   * Keyset paging by id: new entries do not shift the pages. What an entry says about a player is decrypted, or shown
   * as deleted.
   */
  async getAudit({ sql, caller, query, services: { secrets } }) {
    const { person, kind, object_id, player_id, from, to, cursor } = query;
    const dayOfEntry = sql`
      (a.at at time zone coalesce(t.time_zone, (select time_zone from tenants where id = 1)))::date`;
    const rows = await sql<(DbRow<AuditEntry> & StoredEntry)[]>`
      select a.*, case when p.deleted_at is null then p.email end as player_email,
        k.sealed as player_key, p.deleted_at is not null as is_gone
      from audit_log a
        left join tenants t on t.id = a.tenant_id
        left join players p on p.tenant_id = a.tenant_id and p.id = a.player_id
        left join player_keys k on k.tenant_id = a.tenant_id and k.player_id = a.player_id
      where ${inTenant(sql, tenantScope(caller, query.tenant_id), 'a.tenant_id')} and ${isForThem(sql, caller)}
        and ${person ? sql`position(lower(${person}) in lower(a.email)) > 0` : sql`true`}
        and ${kind ? sql`a.kind = ${kind}` : sql`true`}
        and ${object_id ? sql`a.object_id = ${object_id}` : sql`true`}
        and ${player_id === undefined ? sql`true` : sql`a.player_id = ${player_id}`}
        and ${from ? sql`${dayOfEntry} >= ${from}::date` : sql`true`}
        and ${to ? sql`${dayOfEntry} <= ${to}::date` : sql`true`}
        and ${cursor === undefined ? sql`true` : sql`a.id < ${cursor}`}
      order by a.id desc limit ${AUDIT_PAGE + 1}`;
    const entries = openWords(secrets, rows.slice(0, AUDIT_PAGE));
    return { entries, next_cursor: rows.length > AUDIT_PAGE ? (entries.at(-1)?.id ?? null) : null };
  },
} satisfies Partial<Handlers>;
