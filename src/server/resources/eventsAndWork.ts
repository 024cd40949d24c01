import type { WorkItem } from '../../contract/entities';
import { EVENTS_MAX, type EventKind } from '../../contract/events';
import { saveReason } from '../audit/auditLog';
import type { Handlers } from '../core/context';
import { notFound } from '../core/problem';
import { getTenantId } from '../core/tenancy';
import type { DbRow } from '../db/row';
import { toHolder } from '../ledger/claims';
import { type KeptEvent, toMessage } from '../notifications/webhook';

export const eventsAndWork = {
  async readEvents({ sql, caller, query: { after = 0, limit = EVENTS_MAX } }) {
    const rows = await sql<(KeptEvent & { kind: EventKind })[]>`
      select id, kind, data, at from events
      where tenant_id = ${getTenantId(caller)} and id > ${after} order by id limit ${limit}`;
    const found = rows.map((event) => ({ id: event.id, ...toMessage(event, false), type: event.kind }));
    return { events: found, next: rows.at(-1)?.id ?? (after || null) };
  },

  listWork: ({ sql, caller, query: { platform, limit = EVENTS_MAX } }) => sql<DbRow<WorkItem>[]>`
    select m.id, m.transaction_type as type, m.platform, m.amount, m.player_id as user_id, p.email, p.external_id,
      lower(m.payment_metadata ->> 'type') as balance, l.platform_username as username, m.initiated_at,
      coalesce(a.email, k.name) as claimed_by, c.claimed_until
    from transactions m
      join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
      left join player_credentials l on l.tenant_id = m.tenant_id and l.player_id = m.player_id
        and l.platform_name = m.platform and l.is_active
      left join row_claims c on c.tenant_id = m.tenant_id and c.money_id = m.id and c.claimed_until > now()
      left join admins a on a.id = c.admin_id
      left join api_keys k on k.tenant_id = c.tenant_id and k.id = c.api_key_id
    where m.tenant_id = ${getTenantId(caller)} and m.status = 'pending' and m.transaction_type in ('DEPOSIT', 'RETURN')
      and m.platform is not null and ${platform === undefined ? sql`true` : sql`m.platform = ${platform}`}
    order by m.initiated_at, m.id limit ${limit}`,

  /** What the robot could not do: staff see why, and whoever wants it has it. */
  async releaseWork({ sql, caller, params, body, audit }) {
    const tenant_id = getTenantId(caller);
    const { api_key_id } = toHolder({ admin_id: caller.admin_id, key: caller.key });
    const [claim] = await sql<{ kind: 'deposit' | 'return'; player_id: number }[]>`
      delete from row_claims c using transactions m
      where c.tenant_id = ${tenant_id} and c.money_id = ${params.id} and c.api_key_id = ${api_key_id}
        and m.tenant_id = c.tenant_id and m.id = c.money_id
      returning c.kind, m.player_id`;
    if (!claim) throw notFound('Claim');
    await saveReason(sql, tenant_id, [params.id], body);
    const { kind, player_id } = claim;
    const before = { claimed_by: caller.email };
    audit.about({ kind, id: params.id, tenant_id, player_id, before, after: { claimed_by: null } });
  },
} satisfies Partial<Handlers>;
