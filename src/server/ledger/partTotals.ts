/**
 * The totals of the overview, counted from the rows they stand for. Triggers keep them (migration 0035); this counts
 * them again after a change of the time zone, and for `npm run verify`.
 */
import { payoutSeconds } from '../../contract/overview';
import type { Sql } from '../db/open';
import { inTenant } from '../tenancy';

const units = (sql: Sql) => sql`
  cross join lateral (values ('day', day), ('month', date_trunc('month', day::timestamp)::date),
    ('week', day - extract(dow from day)::int)) as u (unit, starts)`;

/** The CTEs `player_parts` and `parts`: what `player_totals` and `part_totals` should be, of one tenant or of all. */
export const countParts = (sql: Sql, tenant: number | null) => sql`
  part_money as materialized (
    select m.*, (completed_at at time zone t.time_zone)::date as day,
      to_char(completed_at at time zone t.time_zone, 'HH24') as hour
    from (
      select tenant_id, player_id, case transaction_type when 'TOP_UP' then 'purchase' else 'deposit' end as kind,
        amount, initiated_at, completed_at, left(coalesce(platform, ''), 100) as platform,
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
  ), player_parts as materialized (
    select tenant_id, player_id, u.unit, u.starts, sum(purchases) as purchases, sum(redeems) as redeems,
      sum(purchase_count) as purchase_count, sum(redeem_count) as redeem_count
    from player_day ${units(sql)} group by 1, 2, 3, 4
  ), part_day as (
    select tenant_id, x.part, day, x.key,
      sum(case when kind in ('purchase', 'deposit') then amount else 0 end) as amount_in,
      sum(case when kind in ('redeem', 'refused') then amount else 0 end) as amount_out,
      count(*) filter (where kind in ('purchase', 'deposit')) as count_in,
      count(*) filter (where kind in ('redeem', 'refused')) as count_out
    from part_money cross join lateral (values
      ('total', '', kind in ('purchase', 'redeem')), ('hour', hour, kind in ('purchase', 'redeem')),
      ('platform', platform, kind in ('purchase', 'redeem')), ('method', method, kind in ('purchase', 'redeem')),
      ('deposit', method, kind = 'deposit'),
      ('payout', width_bucket(extract(epoch from completed_at - initiated_at)::bigint,
        ${[...payoutSeconds]}::bigint[])::text, kind = 'redeem'),
      ('paid', coalesce(decided_by::text, ''), kind = 'redeem'),
      ('refused', coalesce(decided_by::text, ''), kind = 'refused')) as x (part, key, is_counted)
    where x.is_counted group by 1, 2, 3, 4
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
  ), parts as materialized (
    select tenant_id, part, u.unit, u.starts, key, sum(amount_in) as amount_in, sum(amount_out) as amount_out,
      sum(count_in) as count_in, sum(count_out) as count_out
    from part_day ${units(sql)} where part <> 'hour' or u.unit = 'day' group by 1, 2, 3, 4, 5
    union all
    select b.tenant_id, 'cohort', 'week', w.starts, ((b.starts - w.starts) / 7)::text, 0, 0, count(*), 0
    from player_parts b
      join public.players p on p.tenant_id = b.tenant_id and p.id = b.player_id and p.deleted_at is null
      join public.tenants t on t.id = b.tenant_id
      cross join lateral (select (p.created_at at time zone t.time_zone)::date as day) d
      cross join lateral (select day - extract(dow from day)::int as starts) w
    where b.unit = 'week' and b.purchase_count > 0 group by 1, 4, 5
    union all
    select tenant_id, 'held', 'all', '1970-01-01'::date, v.kind, sum(v.amount), 0, 0, 0
    from public.wallets cross join lateral (values ('credit', credit_balance), ('bonus', bonus_balance),
      ('vip', vip_balance), ('loyalty', loyalty_balance), ('held', held_balance)) as v (kind, amount)
    where closed_at is null and v.amount <> 0 and ${inTenant(sql, tenant)} group by 1, 5
  )`;

/** Counts the totals of a tenant, or of all, again. Expects `lockDays`. */
export async function recountParts(sql: Sql, tenantId: number | null): Promise<void> {
  await sql`delete from part_totals where ${inTenant(sql, tenantId)}`;
  await sql`delete from player_totals where ${inTenant(sql, tenantId)}`;
  await sql`
    with ${countParts(sql, tenantId)}, by_player as (
      insert into player_totals (tenant_id, player_id, unit, starts, purchases, redeems, purchase_count, redeem_count)
      select tenant_id, player_id, unit, starts, purchases, redeems, purchase_count, redeem_count from player_parts
    )
    insert into part_totals (tenant_id, part, unit, starts, key, slot, amount_in, amount_out, count_in, count_out)
    select tenant_id, part, unit, starts, key, 0, amount_in, amount_out, count_in, count_out from parts`;
}

/** Whether the database has these totals: a backup of an older version is checked before it is migrated. */
export async function hasParts(sql: Sql): Promise<boolean> {
  const [found] = await sql`select from pg_class where oid = to_regclass('public.part_totals')`;
  return found !== undefined;
}

const columns = {
  parts: ['amount_in', 'amount_out', 'count_in', 'count_out'],
  players: ['purchases', 'redeems', 'purchase_count', 'redeem_count'],
} as const;
const listColumns = (table: 'kept' | 'due', kind: keyof typeof columns) =>
  columns[kind].map((name) => `coalesce(${table}.${name}, 0)`);
/** The totals of a row as text, 0 where there is no row. */
const asText = (sql: Sql, table: 'kept' | 'due', kind: keyof typeof columns) =>
  sql.unsafe(
    `concat_ws(', ', ${listColumns(table, kind)
      .map((value) => `trim_scale(${value}::numeric)`)
      .join(', ')})`,
  );
const areUnequal = (sql: Sql, kind: keyof typeof columns) =>
  sql.unsafe(`(${listColumns('kept', kind).join(', ')}) is distinct from (${listColumns('due', kind).join(', ')})`);

/** A sentence for each total that is not what its rows add up to. */
export async function verifyParts(sql: Sql): Promise<string[]> {
  const rows = await sql<{ sentence: string }[]>`
    with ${countParts(sql, null)}, kept_part as (
      select tenant_id, part, unit, starts, key, sum(amount_in) as amount_in, sum(amount_out) as amount_out,
        sum(count_in) as count_in, sum(count_out) as count_out
      from public.part_totals group by 1, 2, 3, 4, 5
    )
    select format('The totals of tenant %s for the %s of %s by %s ''%s'' are %s, but the rows say %s.',
      tenant_id, unit, starts, part, key, ${asText(sql, 'kept', 'parts')}, ${asText(sql, 'due', 'parts')}) as sentence
    from kept_part kept full join parts due using (tenant_id, part, unit, starts, key)
    where ${areUnequal(sql, 'parts')}
    union all
    select format('The totals of player %s of tenant %s for the %s of %s are %s, but the rows say %s.',
      player_id, tenant_id, unit, starts, ${asText(sql, 'kept', 'players')}, ${asText(sql, 'due', 'players')})
    from public.player_totals kept full join player_parts due using (tenant_id, player_id, unit, starts)
    where ${areUnequal(sql, 'players')}
    limit 1000`;
  return rows.map(({ sentence }) => sentence);
}
