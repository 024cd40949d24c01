/** Writes notifications and their deliveries, each thing once. */
import { DELIVERIES_AN_HOUR, DELIVERY_HOURS, type RuleKind } from '../../contract/notifications';
import type { Sql } from '../db/open';

/** Something that a rule found. */
export interface Found {
  /** Of the rule. */
  tenant_id: number;
  /** What must not ring twice for this rule. */
  thing: string;
  about_tenant_id: number | null;
  object_id: string | null;
  title: string;
  detail: string;
  /** For the channels. */
  payload?: object;
}

/** From this number of new things on, one notification tells of all of them. */
const MANY = 4;
/** How many of them it names. */
const NAMED = 10;
/** What is said of a delivery that is one too many. */
const TOO_MANY = `Not sent: more than ${DELIVERIES_AN_HOUR} deliveries of this rule in an hour`;

/** Rings for what is new. `summarize` says that there are many. Returns how many notifications were written. */
export async function record(
  sql: Sql,
  kind: RuleKind,
  found: readonly Found[],
  summarize: (count: number) => string = (count) => `${count} new notifications`,
): Promise<number> {
  if (!found.length) return 0;
  const rows = await sql<{ tenant_id: number; thing: string }[]>`
    insert into notification_things (tenant_id, kind, thing)
    select tenant_id, ${kind}, thing from ${listed(sql, found)} as t (tenant_id, thing)
    order by 1, 3
    on conflict do nothing returning tenant_id, thing`;
  const isNew = new Set(rows.map(({ tenant_id, thing }) => `${tenant_id} ${thing}`));
  const fresh = found.filter(({ tenant_id, thing }) => isNew.delete(`${tenant_id} ${thing}`));
  const written = group(fresh, summarize);
  const due = endOfQuietHours(sql);
  for (const { tenant_id, about_tenant_id, object_id, title, detail, payload } of written) {
    const left = DELIVERIES_AN_HOUR - (await countDeliveries(sql, tenant_id, kind));
    await sql`
      with made as (
        insert into notifications (tenant_id, kind, about_tenant_id, object_id, title, detail, payload)
        values (${tenant_id}, ${kind}, ${about_tenant_id}, ${object_id}, ${title.slice(0, 300)},
          ${detail.slice(0, 2000)}, ${payload ? JSON.stringify(payload) : null}::text::jsonb)
        returning tenant_id, id
      )
      insert into notification_deliveries
        (tenant_id, notification_id, channel_id, next_at, give_up_at, status, answer)
      select m.tenant_id, m.id, c.id, ${due}, ${due} + make_interval(hours => ${DELIVERY_HOURS}),
        case when row_number() over (order by c.id) > ${left} then 'failed' else 'waiting' end,
        case when row_number() over (order by c.id) > ${left} then ${TOO_MANY}::text end
      from made m
        join tenants t on t.id = m.tenant_id
        join notification_channels c on c.tenant_id = m.tenant_id
        left join notification_rules r on r.tenant_id = m.tenant_id and r.kind = ${kind}
        left join notification_hours h on h.tenant_id = m.tenant_id
          and not coalesce(r.is_urgent, false) and ${kind} <> 'digest'
      where r.channel_ids is null or c.id = any (r.channel_ids)`;
  }
  return written.length;
}

/**
 * How many deliveries of a rule were to be sent in the last hour, so that one that rings often silences no other. One
 * that is over the limit fails before its first try, and does not count.
 */
async function countDeliveries(sql: Sql, tenantId: number, kind: RuleKind): Promise<number> {
  const [sent] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select d.tenant_id from notification_deliveries d
        join notifications n on n.tenant_id = d.tenant_id and n.id = d.notification_id
      where d.tenant_id = ${tenantId} and d.created_at > now() - interval '1 hour' and n.kind = ${kind}
        and not (d.status = 'failed' and d.attempts = 0)
      limit ${DELIVERIES_AN_HOUR}) sent`;
  return sent?.count ?? 0;
}

const listed = (sql: Sql, found: readonly Found[]) => sql`
  unnest(${found.map(({ tenant_id }) => tenant_id)}::bigint[], ${found.map(({ thing }) => thing)}::text[])`;

/** Many new things of one tenant about one tenant become one notification. */
function group(fresh: readonly Found[], summarize: (count: number) => string): Found[] {
  const groups = new Map<string, Found[]>();
  for (const one of fresh) {
    const key = `${one.tenant_id} ${one.about_tenant_id}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((list) => {
    const [first] = list;
    if (!first || list.length < MANY) return list;
    const named = list.slice(0, NAMED).map(({ title }) => title);
    const rest = list.length - named.length;
    const detail = [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
    return [{ ...first, object_id: null, title: summarize(list.length), detail }];
  });
}

/** When something may be sent: now, or when the quiet hours end. Expects the tenant `t` and its hours `h`, if any. */
const endOfQuietHours = (sql: Sql) => {
  const here = sql`(now() at time zone t.time_zone)`;
  const hour = sql`extract(hour from ${here})::int`;
  return sql`
    case
      when h.tenant_id is null then now()
      when (h.quiet_from < h.quiet_to and ${hour} >= h.quiet_from and ${hour} < h.quiet_to)
        or (h.quiet_from > h.quiet_to and (${hour} >= h.quiet_from or ${hour} < h.quiet_to))
      then (date_trunc('day', ${here})
        + make_interval(days => case when ${hour} >= h.quiet_to then 1 else 0 end, hours => h.quiet_to))
        at time zone t.time_zone
      else now() end`;
};

/** Forgets the things of a state that is over, so that it rings when it comes back. */
export async function forgetOver(sql: Sql, kind: RuleKind, found: readonly Found[]): Promise<void> {
  await sql`
    delete from notification_things k
    where k.kind = ${kind} and k.at < now() - interval '1 hour'
      and not exists (
        select 1 from ${listed(sql, found)} as t (tenant_id, thing)
        where t.tenant_id = k.tenant_id and t.thing = k.thing)`;
}
