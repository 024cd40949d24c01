/** Writes notifications and their deliveries, once for each key. */
import { DELIVERIES_AN_HOUR, DELIVERY_HOURS, type RuleKind } from '../../contract/notifications';
import type { Sql } from '../db/open';

/** Something that a rule found. */
export interface Found {
  tenant_id: number;
  dedup_key: string;
  about_tenant_id: number | null;
  object_id: string | null;
  title: string;
  detail: string;
  payload?: object;
}

/** From this number of new things on, one notification tells of all of them. */
const MANY = 4;
const NAMED = 10;
const TOO_MANY = `Not sent: more than ${DELIVERIES_AN_HOUR} deliveries of this rule in an hour`;

/** Notifies of what is new. `summarize` is the title of many. */
export async function record(
  sql: Sql,
  kind: RuleKind,
  found: readonly Found[],
  summarize: (count: number) => string = (count) => `${count} new notifications`,
): Promise<void> {
  if (!found.length) return;
  const rows = await sql<{ tenant_id: number; dedup_key: string }[]>`
    insert into notification_things (tenant_id, kind, dedup_key)
    select tenant_id, ${kind}, dedup_key from ${listed(sql, found)} as t (tenant_id, dedup_key)
    order by 1, 3
    on conflict do nothing returning tenant_id, dedup_key`;
  const isNew = new Set(rows.map(({ tenant_id, dedup_key }) => `${tenant_id} ${dedup_key}`));
  const fresh = found.filter(({ tenant_id, dedup_key }) => isNew.delete(`${tenant_id} ${dedup_key}`));
  for (const { tenant_id, about_tenant_id, object_id, title, detail, payload } of group(fresh, summarize)) {
    const left = DELIVERIES_AN_HOUR - (await countDeliveries(sql, tenant_id, kind));
    await sql`
      with made as (
        insert into notifications (tenant_id, kind, about_tenant_id, object_id, title, detail, payload)
        values (${tenant_id}, ${kind}, ${about_tenant_id}, ${object_id}, ${title.slice(0, 300)},
          ${detail.slice(0, 2000)}, ${payload ? JSON.stringify(payload) : null}::text::jsonb)
        returning tenant_id, id
      )
      insert into notification_deliveries
        (tenant_id, notification_id, channel_id, give_up_at, status, answer)
      select m.tenant_id, m.id, c.id, now() + make_interval(hours => ${DELIVERY_HOURS}),
        case when row_number() over (order by c.id) > ${left} then 'failed' else 'waiting' end,
        case when row_number() over (order by c.id) > ${left} then ${TOO_MANY}::text end
      from made m
        join notification_channels c on c.tenant_id = m.tenant_id
        left join notification_rules r on r.tenant_id = m.tenant_id and r.kind = ${kind}
      where c.kind <> 'events' and c.is_active and (r.channel_ids is null or c.id = any (r.channel_ids))`;
  }
}

/** Deliveries of a rule in the last hour, so that none silences others; one that is over the limit does not count. */
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
  unnest(${found.map(({ tenant_id }) => tenant_id)}::bigint[],
    ${found.map(({ dedup_key }) => dedup_key)}::text[])`;

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

/** Forgets the keys of a state that is over, so that the rule fires when it comes back. */
export async function forgetOver(sql: Sql, kind: RuleKind, found: readonly Found[]): Promise<void> {
  await sql`
    delete from notification_things k
    where k.kind = ${kind} and k.at < now() - interval '1 hour'
      and not exists (
        select 1 from ${listed(sql, found)} as t (tenant_id, dedup_key)
        where t.tenant_id = k.tenant_id and t.dedup_key = k.dedup_key)`;
}
