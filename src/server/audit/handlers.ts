import { calls } from '../../contract/allCalls';
import type { CallSpec } from '../../contract/calls';
import { AUDIT_PAGE } from '../../contract/constants';
import type { AuditEntry } from '../../contract/entities';
import type { Caller } from '../auth/caller';
import type { Handlers } from '../core/context';
import { inTenant, type Owner, tenantScope } from '../core/tenancy';
import { lookUp } from '../db/lookUp';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { openWords, type StoredEntry } from './personal';

const callsOfTenants = Object.entries<CallSpec>(calls)
  .filter(([, { who }]) => who !== 'super')
  .map(([name]) => name);

/** A tenant's admin sees the calls of tenant admins; those of super admins may contain what only they may see. */
const isForThem = (sql: Sql, caller: Caller) =>
  caller.role.is_super_admin ? sql`true` : sql`a.call = any (${callsOfTenants})`;

type Row = Omit<DbRow<AuditEntry> & StoredEntry, 'player_email' | 'is_gone'>;
interface Named extends Owner {
  email: string;
  is_gone: boolean;
}

/** Adds the players' present e-mails, by a statement of its own: the log can be on another machine than players. */
async function withPlayers(sql: Sql, tenant: number | null, rows: readonly Row[]) {
  const page = rows.flatMap(({ tenant_id, player_id }) => (player_id === null ? [] : [{ tenant_id, player_id }]));
  const players = page.length
    ? await sql<Named[]>`
      with page as materialized (
        select distinct tenant_id, player_id
        from json_to_recordset(${JSON.stringify(page)}::text::json) as r (tenant_id bigint, player_id bigint)
      )
      select page.tenant_id, page.player_id, p.email, p.deleted_at is not null as is_gone
      from page ${lookUp(sql, tenant, { table: 'players', as: 'p', page: 'page', id: 'player_id' })}`
    : [];
  const found = new Map(players.map((player) => [`${player.tenant_id} ${player.player_id}`, player]));
  return rows.map((row) => {
    const player = found.get(`${row.tenant_id} ${row.player_id}`);
    const is_gone = player?.is_gone ?? false;
    return { ...row, player_email: is_gone ? null : (player?.email ?? null), is_gone };
  });
}

export const audit = {
  /** Paged by id, so new entries shift nothing. Words about a player are decrypted, or shown as deleted. */
  async getAudit({ sql, caller, query, services: { secrets } }) {
    const { person, kind, object_id, player_id, from, to, cursor } = query;
    const dayOfEntry = sql`
      (a.at at time zone coalesce(t.time_zone, (select time_zone from tenants where id = 1)))::date`;
    const tenant = tenantScope(caller, query.tenant_id);
    const rows = await sql<Row[]>`
      select a.*, k.sealed as player_key
      from audit_log a
        left join tenants t on t.id = a.tenant_id
        left join player_keys k on k.tenant_id = a.tenant_id and k.player_id = a.player_id
      where ${inTenant(sql, tenant, 'a.tenant_id')} and ${isForThem(sql, caller)}
        and ${person ? sql`position(lower(${person}) in lower(a.email)) > 0` : sql`true`}
        and ${kind === 'change' ? sql`a.kind <> 'sign-in'` : kind ? sql`a.kind = ${kind}` : sql`true`}
        and ${object_id ? sql`a.object_id = ${object_id}` : sql`true`}
        and ${player_id === undefined ? sql`true` : sql`a.player_id = ${player_id}`}
        and ${from ? sql`${dayOfEntry} >= ${from}::date` : sql`true`}
        and ${to ? sql`${dayOfEntry} <= ${to}::date` : sql`true`}
        and ${cursor === undefined ? sql`true` : sql`a.id < ${cursor}`}
      order by a.id desc limit ${AUDIT_PAGE + 1}`;
    const entries = openWords(secrets, await withPlayers(sql, tenant, rows.slice(0, AUDIT_PAGE)));
    return { entries, next_cursor: rows.length > AUDIT_PAGE ? (entries.at(-1)?.id ?? null) : null };
  },
} satisfies Partial<Handlers>;
