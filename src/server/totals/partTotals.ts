/**
 * The totals of the overview, counted from the rows they stand for: after a change of the time zone, and for
 * `npm run verify`. Otherwise they are added up from what changes (totalChanges.ts).
 */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import { inTenant } from '../core/tenancy';
import type { Sql } from '../db/open';
import { lockTotals } from './addChanges';
import { partsOfPayment, units, waitingCtes } from './totalChanges';

/** The CTEs `player_day` and `part_day`: the totals of each day, of one tenant or of all. */
const dayCtes = (sql: Sql, tenant: number | null) => sql`
  part_money as materialized (
    select m.*, (settled_at at time zone t.time_zone)::date as day,
      to_char(settled_at at time zone t.time_zone, 'HH24') as hour
    from (
      select tenant_id, player_id, case transaction_type when 'TOP_UP' then 'purchase' else 'deposit' end as kind,
        amount, initiated_at as asked_at, completed_at as settled_at, left(coalesce(platform, ''), 100) as platform,
        left(coalesce(
          case transaction_type when 'TOP_UP' then payment_method else payment_metadata ->> 'type' end, ''), 100)
          as method,
        null::bigint as decided_by
      from public.transactions where status = 'success' and ${inTenant(sql, tenant)}
      union all
      select tenant_id, player_id, case status when 'success' then 'redeem' else 'refused' end, amount, initiated_at,
        completed_at, left(platform, 100), left(coalesce(payout_method, ''), 100), decided_by
      from public.redeems where status <> 'pending' and ${inTenant(sql, tenant)}
    ) m join public.tenants t on t.id = m.tenant_id
  ), player_day as materialized (
    select tenant_id, player_id, day, coalesce(sum(amount) filter (where kind = 'purchase'), 0) as purchases,
      coalesce(sum(amount) filter (where kind = 'redeem'), 0) as redeems,
      count(*) filter (where kind = 'purchase') as purchase_count,
      count(*) filter (where kind = 'redeem') as redeem_count
    from part_money where kind in ('purchase', 'redeem') group by 1, 2, 3
  ), part_day as materialized (
    select tenant_id, x.part, day, x.key,
      sum(case when kind in ('purchase', 'deposit') then amount else 0 end) as amount_in,
      sum(case when kind in ('redeem', 'refused') then amount else 0 end) as amount_out,
      count(*) filter (where kind in ('purchase', 'deposit')) as count_in,
      count(*) filter (where kind in ('redeem', 'refused')) as count_out
    from part_money ${partsOfPayment(sql)} where x.is_counted group by 1, 2, 3, 4
    union all
    select b.tenant_id, 'affiliate', day, lower(p.affiliate_id), sum(purchases), sum(redeems), sum(purchase_count),
      sum(redeem_count)
    from player_day b join public.players p on p.tenant_id = b.tenant_id and p.id = b.player_id
    where p.affiliate_id <> '' group by 1, 2, 3, 4
    union all
    select p.tenant_id, 'signup', (p.created_at at time zone t.time_zone)::date, '', 0, 0, count(*), 0
    from public.players p join public.tenants t on t.id = p.tenant_id
    where p.deleted_at is null and ${inTenant(sql, tenant, 'p.tenant_id')} group by 1, 2, 3, 4
    union all
    select w.tenant_id, 'first', (w.first_purchase_at at time zone t.time_zone)::date, '', 0, 0, count(*), 0
    from public.wallets w join public.tenants t on t.id = w.tenant_id
    where w.first_purchase_at is not null and w.closed_at is null and ${inTenant(sql, tenant, 'w.tenant_id')}
    group by 1, 2, 3, 4
  )`;

/** The CTE `other_parts`: those that are not of days. Needs `bought_week`: who bought in which week. */
const otherCte = (sql: Sql, tenant: number | null) => sql`
  other_parts as (
    select b.tenant_id, 'cohort' as part, 'week' as unit, w.starts, ((b.starts - w.starts) / 7)::text as key,
      0::numeric as amount_in, 0::numeric as amount_out, count(*) as count_in, 0::bigint as count_out
    from bought_week b
      join public.players p on p.tenant_id = b.tenant_id and p.id = b.player_id and p.deleted_at is null
      join public.tenants t on t.id = b.tenant_id
      cross join lateral (select (p.created_at at time zone t.time_zone)::date as day) d
      cross join lateral (select day - extract(dow from day)::int as starts) w
    group by 1, 4, 5
    union all
    select tenant_id, 'held', 'all', '1970-01-01'::date, v.kind, v.amount, 0, 0, 0
    from (
        select tenant_id, sum(credit_balance) as credit, sum(bonus_balance) as bonus, sum(vip_balance) as vip,
          sum(loyalty_balance) as loyalty, sum(held_balance) as held
        from public.wallets where closed_at is null and ${inTenant(sql, tenant)} group by 1
      ) sums cross join lateral (values ('credit', credit), ('bonus', bonus), ('vip', vip), ('loyalty', loyalty),
        ('held', held)) as v (kind, amount)
    where v.amount <> 0
  )`;

/** Counts the totals of a tenant, or of all, again; nothing of it waits then. Expects `lockTimeZone`. */
export async function recountParts(sql: Sql, tenantId: number | null): Promise<void> {
  await lockTotals(sql);
  await sql`delete from total_changes where ${inTenant(sql, tenantId)}`;
  await sql`delete from player_totals where ${inTenant(sql, tenantId)}`;
  if (tenantId === null) await sql`delete from part_totals`;
  else
    await sql`
      with gone as (delete from part_totals where tenant_id = ${tenantId} returning *)
      update part_totals k set
        amount_in = k.amount_in - g.amount_in, amount_out = k.amount_out - g.amount_out,
        count_in = k.count_in - g.count_in, count_out = k.count_out - g.count_out
      from gone g
      where k.tenant_id = ${PLATFORM_TENANT_ID} and k.part = g.part and k.unit = g.unit and k.starts = g.starts
        and k.key = g.key`;
  await sql`
    with ${dayCtes(sql, tenantId)}, player_parts as materialized (
      select tenant_id, player_id, u.unit, u.starts, sum(purchases) as purchases, sum(redeems) as redeems,
        sum(purchase_count) as purchase_count, sum(redeem_count) as redeem_count
      from player_day ${units(sql)} group by 1, 2, 3, 4
    ), bought_week as (
      select tenant_id, player_id, starts from player_parts where unit = 'week' and purchase_count > 0
    ), ${otherCte(sql, tenantId)}, by_player as (
      insert into player_totals (tenant_id, player_id, unit, starts, purchases, redeems, purchase_count, redeem_count)
      select tenant_id, player_id, unit, starts, purchases, redeems, purchase_count, redeem_count from player_parts
      order by 1, 2, 3, 4
    )
    insert into part_totals (tenant_id, part, unit, starts, key, amount_in, amount_out, count_in, count_out)
    select tenant_id, part, u.unit, u.starts, key, sum(amount_in), sum(amount_out), sum(count_in), sum(count_out)
    from part_day ${units(sql)} where part <> 'hour' or u.unit = 'day' group by 1, 2, 3, 4, 5
    union all
    select tenant_id, part, unit, starts, key, amount_in, amount_out, count_in, count_out from other_parts
    order by 1, 2, 3, 4, 5`;
  const counted = tenantId === null ? sql`tenant_id <> ${PLATFORM_TENANT_ID}` : sql`tenant_id = ${tenantId}`;
  await sql`
    insert into part_totals as k (tenant_id, part, unit, starts, key, amount_in, amount_out, count_in, count_out)
    select ${PLATFORM_TENANT_ID}::bigint, part, unit, starts, key, sum(amount_in), sum(amount_out), sum(count_in),
      sum(count_out)
    from part_totals where ${counted} group by 2, 3, 4, 5
    on conflict (tenant_id, part, unit, starts, key) do update set
      amount_in = k.amount_in + excluded.amount_in, amount_out = k.amount_out + excluded.amount_out,
      count_in = k.count_in + excluded.count_in, count_out = k.count_out + excluded.count_out`;
}

/** Whether the database has these totals: a backup of an older version is checked before it is migrated. */
async function hasParts(sql: Sql): Promise<boolean> {
  const [found] = await sql`select 1 from pg_class where oid = to_regclass('public.total_changes')`;
  return found !== undefined;
}

const figures = {
  parts: ['amount_in', 'amount_out', 'count_in', 'count_out'],
  players: ['purchases', 'redeems', 'purchase_count', 'redeem_count'],
} as const;
type Kind = keyof typeof figures;
const list = (sql: Sql, kind: Kind, of: (name: string) => string) => sql.unsafe(figures[kind].map(of).join(', '));
/** The columns of a row that is kept, or due. */
const asKept = (sql: Sql, kind: Kind) => list(sql, kind, (name) => `${name} as kept_${name}, 0 as due_${name}`);
const asDue = (sql: Sql, kind: Kind) => list(sql, kind, (name) => `0, ${name}`);
const areUnequal = (sql: Sql, kind: Kind) =>
  sql`(${list(sql, kind, (name) => `sum(kept_${name})`)})
    is distinct from (${list(sql, kind, (name) => `sum(due_${name})`)})`;
/** The sums of a group as text. */
const asText = (sql: Sql, kind: Kind, side: 'kept' | 'due') =>
  sql`concat_ws(', ', ${list(sql, kind, (name) => `trim_scale(sum(${side}_${name})::numeric)`)})`;

/** A sentence for each total that is not what its rows add up to, or its days. */
export async function verifyParts(sql: Sql): Promise<string[]> {
  if (!(await hasParts(sql))) return [];
  const sentences: string[] = [];
  // One by one: what is added up of a tenant fits into memory, and each is compared in one snapshot.
  for (const { id } of await sql<{ id: number }[]>`select id from public.tenants order by id`)
    sentences.push(...(id === PLATFORM_TENANT_ID ? await verifyPlatform(sql) : await verifyTenant(sql, id)));
  return sentences;
}

/** The totals of days against the rows, those of weeks and months against those of days. */
async function verifyTenant(sql: Sql, tenant: number): Promise<string[]> {
  const rows = await sql<{ sentence: string }[]>`
    with ${dayCtes(sql, tenant)}, ${waitingCtes(sql, tenant)}, kept_player as materialized (
      select player_id, unit, starts, ${list(sql, 'players', (name) => name)}
      from public.player_totals where tenant_id = ${tenant}
      union all
      select player_id, unit, starts, ${list(sql, 'players', (name) => name)} from player_changes
    ), kept_part as materialized (
      select part, unit, starts, key, ${list(sql, 'parts', (name) => name)}
      from public.part_totals where tenant_id = ${tenant}
      union all
      select part, unit, starts, key, ${list(sql, 'parts', (name) => name)} from part_changes
    ), bought_week as (
      select distinct ${tenant}::bigint as tenant_id, player_id, starts from kept_player
      where unit = 'week' and purchase_count > 0
    ), ${otherCte(sql, tenant)}
    select format('The totals of tenant %s for the %s of %s by %s ''%s'' are %s, but the %s say %s.',
      ${tenant}::bigint, unit, starts, part, key, ${asText(sql, 'parts', 'kept')}, source,
      ${asText(sql, 'parts', 'due')}) as sentence
    from (
      select part, unit, starts, key,
        case when unit in ('week', 'month') and part <> 'cohort' then 'days' else 'rows' end as source,
        ${asKept(sql, 'parts')}
      from kept_part
      union all
      select part, 'day', day, key, 'rows', ${asDue(sql, 'parts')} from part_day
      union all
      select part, unit, starts, key, 'rows', ${asDue(sql, 'parts')} from other_parts
      union all
      select part, u.unit, u.starts, key, 'days', ${asDue(sql, 'parts')}
      from (select *, starts as day from kept_part where unit = 'day' and part <> 'hour') k (part, of_unit, of_starts,
        key, ${list(sql, 'parts', (name) => name)}, day) ${units(sql)} where u.unit <> 'day'
    ) compared group by part, unit, starts, key, source having ${areUnequal(sql, 'parts')}
    union all
    select format('The totals of player %s of tenant %s for the %s of %s are %s, but the %s say %s.', player_id,
      ${tenant}::bigint, unit, starts, ${asText(sql, 'players', 'kept')},
      case unit when 'day' then 'rows' else 'days' end, ${asText(sql, 'players', 'due')})
    from (
      select player_id, unit, starts, ${asKept(sql, 'players')} from kept_player
      union all
      select player_id, 'day', day, ${asDue(sql, 'players')} from player_day
      union all
      select player_id, u.unit, u.starts, ${asDue(sql, 'players')}
      from (select *, starts as day from kept_player where unit = 'day') k (player_id, of_unit, of_starts,
        ${list(sql, 'players', (name) => name)}, day) ${units(sql)} where u.unit <> 'day'
    ) compared group by player_id, unit, starts having ${areUnequal(sql, 'players')}
    limit 1000`;
  return rows.map(({ sentence }) => sentence);
}

/** The totals of all tenants together against those of each. */
async function verifyPlatform(sql: Sql): Promise<string[]> {
  const rows = await sql<{ sentence: string }[]>`
    select format('The totals of all tenants for the %s of %s by %s ''%s'' are %s, but those of the tenants are %s.',
      unit, starts, part, key, ${asText(sql, 'parts', 'kept')}, ${asText(sql, 'parts', 'due')}) as sentence
    from (
      select part, unit, starts, key, ${asKept(sql, 'parts')}
      from public.part_totals where tenant_id = ${PLATFORM_TENANT_ID}
      union all
      select part, unit, starts, key, ${asDue(sql, 'parts')}
      from public.part_totals where tenant_id <> ${PLATFORM_TENANT_ID}
    ) compared group by part, unit, starts, key having ${areUnequal(sql, 'parts')}
    limit 1000`;
  return rows.map(({ sentence }) => sentence);
}
