import { LATE_MINUTES, PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Notification, NotificationRule } from '../../contract/entities';
import {
  approvalKind,
  MUTE_HOURS,
  NOTIFICATION_ROWS_SHOWN,
  NOTIFICATIONS_SHOWN,
  overdueLists,
  type RuleKind,
  ruleFacts,
  ruleKinds,
  UNREAD_MAX,
} from '../../contract/notifications';
import { neededFor } from '../../contract/permissions';
import type { Caller } from '../auth/caller';
import type { Handlers } from '../core/context';
import { ownMinutes } from '../core/ownMinutes';
import { Problem } from '../core/problem';
import { requireKnownTenant, tenantOrPlatform, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { subjectOf } from './detectState';
import { readRows } from './listedRows';

type Row = DbRow<Notification>;
type Table = 'redeems' | 'transactions' | 'players' | 'approvals';
/** What the number of a notification names. */
const tables: Partial<Record<RuleKind, Table>> = {
  large_redeem: 'redeems',
  old_redeem: 'redeems',
  foreign_address: 'redeems',
  old_purchase: 'transactions',
  approval_waits: 'approvals',
  unusual_return: 'transactions',
  no_reference: 'transactions',
  reference_twice: 'transactions',
  protected_player: 'transactions',
  no_reason: 'players',
  frozen_balance: 'players',
};

/** Names the players they are about, and what still waits. An approval that has ended says how, and what it was of. */
async function withFacts(sql: Sql, rows: readonly Row[]): Promise<Row[]> {
  const facts = new Map<string | null, Fact>();
  for (const tenant of new Set(rows.map((row) => row.about_tenant_id))) {
    if (tenant === null) continue; // about the platform
    const about = rows.filter((row) => row.about_tenant_id === tenant);
    for (const fact of await findFacts(sql, tenant, about)) facts.set(fact.key, fact);
  }
  return rows.map((row) => {
    const fact = facts.get(`${tables[row.kind]} ${row.object_id}`);
    const { email = null, initiated_at = null, subject, end } = fact ?? {};
    const isOver = subject || (overdueLists[row.kind] && !initiated_at);
    const ended = isOver && { title: row.title.replace(' waits for ', ' waited for ') };
    const done = subject && { detail: `${row.detail}. ${end}`, object_id: subject };
    return { ...row, user_email: email, initiated_at, ...ended, ...done };
  });
}

type Fact = Record<'key' | 'email' | 'subject' | 'end', string | null> & { initiated_at: Date | null };
/** Of one tenant, so that one machine of a distributed database answers. */
async function findFacts(sql: Sql, tenant: number, rows: readonly Row[]) {
  const named = (table: Table) => {
    const ids = rows.flatMap(({ kind, object_id }) => (tables[kind] === table && object_id ? [object_id] : []));
    const hasStatus = table === 'redeems' || table === 'transactions';
    return sql`
      select id, ${table}::text as kind, ${sql.unsafe(table === 'players' ? 'id' : 'player_id')} as player_id,
        ${hasStatus ? sql`case status when 'pending' then initiated_at end` : sql`null::timestamptz`} as initiated_at
      from ${sql(table)} where tenant_id = ${tenant} and id = any (${ids}::bigint[])`;
  };
  return sql<Fact[]>`
    select m.kind || ' ' || m.id as key, p.email, m.initiated_at, o.subject, o.end
    from (${named('redeems')} union all ${named('transactions')} union all ${named('players')}
      union all ${named('approvals')}) m
    left join players p on p.tenant_id = ${tenant} and p.id = m.player_id and p.deleted_at is null
    left join (select o.*, ${subjectOf(sql)} as subject, initcap(outcome) || coalesce(' by ' || a.email, '') as end
      from approvals o left join admins a on a.id = o.ended_by where o.tenant_id = ${tenant} and ended_at is not null
    ) o on m.kind = 'approvals' and o.id = m.id`;
}

const isFor = (sql: Sql, { permissions }: Caller) =>
  Object.values(neededFor).some((one) => permissions.includes(one)) ? sql`true` : sql`n.kind <> ${approvalKind}`;

/** What a person has not read; what is older than the account is not new to it. Expects notifications `n`. */
const isUnread = (sql: Sql, { admin_id }: Caller) => sql`
  n.at > (select created_at from admins where id = ${admin_id})
  and not exists (
    select 1 from notification_reads r
    where r.admin_id = ${admin_id} and r.tenant_id = n.tenant_id and r.notification_id = n.id)`;

async function countUnread(sql: Sql, caller: Caller, tenantId: number): Promise<{ unread: number }> {
  return sql<{ unread: number }[]>`
    select count(*)::int as unread from (
      select 1 from (
        select n.tenant_id, n.id, n.at from notifications n
        where n.tenant_id = ${tenantId} and ${isFor(sql, caller)} order by n.id desc limit ${UNREAD_MAX}) n
      where ${isUnread(sql, caller)}) new`.one();
}

type RuleRow = DbRow<NotificationRule>;
/** Every rule of a tenant, in the order of the contract, and from when on its rows are overdue. */
async function readRules(sql: Sql, tenantId: number): Promise<RuleRow[]> {
  const rows = await sql<RuleRow[]>`
    select kind, is_active, threshold, channel_ids,
      case when muted_until > now() then muted_until end as muted_until
    from notification_rules where tenant_id = ${tenantId}`;
  const isPlatform = tenantId === PLATFORM_TENANT_ID;
  const own = await sql<{ list: string; overdue: number }[]>`
    select list, overdue from ${ownMinutes(sql)} own where id = ${tenantId}`;
  const overdueOf = (kind: RuleKind) => own.find(({ list }) => list === overdueLists[kind])?.overdue;
  return ruleKinds
    .filter((kind) => isPlatform || !ruleFacts[kind].isPlatformOnly)
    .map((kind) => ({
      ...(rows.find((row) => row.kind === kind) ?? defaultRule(kind, isPlatform)),
      ...(kind in overdueLists && { overdue_minutes: overdueOf(kind) ?? LATE_MINUTES.overdue }),
    }));
}
const defaultRule = (kind: RuleKind, isPlatform: boolean): RuleRow => ({
  kind,
  is_active: ruleFacts[kind].isOn[isPlatform ? 'platform' : 'tenant'],
  threshold: kind in overdueLists ? null : ruleFacts[kind].threshold,
  channel_ids: null,
  muted_until: null,
});

/** A rule of this tenant as it is, with its tenant locked, so that changes of one rule follow each other. */
async function lockRule(sql: Sql, tenantId: number, kind: RuleKind): Promise<RuleRow> {
  await requireKnownTenant(sql, tenantId);
  await sql`select 1 from tenants where id = ${tenantId} for no key update`;
  const rule = (await readRules(sql, tenantId)).find((one) => one.kind === kind);
  if (!rule) throw new Problem(422, 'body.kind: only the platform has this rule');
  return rule;
}
async function writeRule(sql: Sql, tenantId: number, rule: RuleRow): Promise<RuleRow> {
  const { kind, is_active, threshold, channel_ids, muted_until, ...more } = rule;
  const written = await sql<RuleRow[]>`
    insert into notification_rules (tenant_id, kind, is_active, threshold, channel_ids, muted_until)
    values (${tenantId}, ${kind}, ${is_active}, ${threshold}::numeric, ${channel_ids}::bigint[],
      ${muted_until}::timestamptz)
    on conflict (tenant_id, kind) do update set is_active = excluded.is_active, threshold = excluded.threshold,
      channel_ids = excluded.channel_ids, muted_until = excluded.muted_until
    returning kind, is_active, threshold, channel_ids, muted_until`.one();
  return { ...written, ...more };
}

export const notifications = {
  /** The newest ones of a tenant, or of the platform for a super admin who names none. */
  async listNotifications({ sql, caller, query }) {
    const rows = await sql<DbRow<Notification>[]>`
      select n.id, n.kind, n.tenant_id, n.about_tenant_id,
        (select name from tenants where id = n.about_tenant_id) as about_tenant_name, n.title, n.detail, n.object_id,
        n.at, not (${isUnread(sql, caller)}) as is_read
      from notifications n where n.tenant_id = ${tenantOrPlatform(caller, query.tenant_id)} and ${isFor(sql, caller)}
      order by n.id desc limit ${NOTIFICATIONS_SHOWN}`;
    return withFacts(sql, rows);
  },

  countUnreadNotifications: ({ sql, caller, query }) =>
    countUnread(sql, caller, tenantOrPlatform(caller, query.tenant_id)),

  listNotificationRows: ({ sql, caller, query }) =>
    readRows(sql, query.kind, tenantScope(caller, query.tenant_id), NOTIFICATION_ROWS_SHOWN),

  /** For the caller alone. Ids that are not of this tenant are ignored. */
  async readNotifications({ sql, caller, body }) {
    const owner = tenantOrPlatform(caller, body.tenant_id);
    await sql`
      insert into notification_reads (admin_id, tenant_id, notification_id)
      select ${caller.admin_id}, n.tenant_id, n.id from notifications n
      where n.tenant_id = ${owner}
        and ${body.ids ? sql`n.id = any (${body.ids}::bigint[])` : sql`n.id <= ${body.up_to ?? 0}`}
      order by n.id desc limit 1000
      on conflict do nothing`;
    return countUnread(sql, caller, owner);
  },

  async listNotificationRules({ sql, caller, query }) {
    const owner = tenantOrPlatform(caller, query.tenant_id);
    await requireKnownTenant(sql, owner);
    return readRules(sql, owner);
  },

  async saveNotificationRule({ sql, caller, body, audit }) {
    const { tenant_id, kind, channel_ids = null, ...changed } = body;
    const owner = tenantOrPlatform(caller, tenant_id);
    const before = await lockRule(sql, owner, kind);
    const known = await sql<{ id: number }[]>`
      select id from notification_channels
      where tenant_id = ${owner} and id = any (${channel_ids ?? []}::bigint[]) and kind <> 'events'`;
    if (channel_ids && known.length < new Set(channel_ids).size)
      throw new Problem(422, 'body.channel_ids: one of them does not exist');
    const rule = await writeRule(sql, owner, { ...before, ...changed, channel_ids });
    audit.about({ kind: 'notification rule', id: kind, tenant_id: owner, before, after: rule });
    return rule;
  },

  /** For a day, for everybody. What still holds then fires. */
  async muteNotificationRule({ sql, caller, body, audit }) {
    const owner = tenantOrPlatform(caller, body.tenant_id);
    const before = await lockRule(sql, owner, body.kind);
    const muted_until = body.is_muted ? new Date(Date.now() + MUTE_HOURS * 3_600_000).toISOString() : null;
    const rule = await writeRule(sql, owner, { ...before, muted_until });
    audit.about({ kind: 'notification rule', id: body.kind, tenant_id: owner, before, after: rule });
    return rule;
  },

  async getNotificationSettings({ sql, caller, query, services }) {
    const owner = tenantOrPlatform(caller, query.tenant_id);
    await requireKnownTenant(sql, owner);
    return { has_email: services.outgoing?.hasEmail ?? false };
  },
} satisfies Partial<Handlers>;
