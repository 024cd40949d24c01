/**
 * What was settled since the totals of the overview were last added up. Triggers note it, each in the
 * transaction that settles, imports or deletes. Whoever reads the totals adds it in the same statement, and so in one
 * snapshot; addChanges.ts makes it part of the totals, so that there is never much of it.
 */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import { payoutSeconds } from '../../contract/overview';
import { inTenant } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';

// The lists below are of constants: PostgreSQL prepares the expressions of other lists anew for each row.

/** A day, and the week and the month it is in, as (unit, starts). Needs a column `day`. */
export const units = (sql: Sql) => sql`
  cross join (values ('day'), ('week'), ('month')) as each_unit (unit)
  cross join lateral (select each_unit.unit, case each_unit.unit when 'day' then day
    when 'week' then day - extract(dow from day)::int else date_trunc('month', day::timestamp)::date end as starts) u`;

/** The parts that a settled payment counts for, as (part, key, is_counted). Needs the columns of a payment. */
export const partsOfPayment = (sql: Sql) => sql`
  cross join (values ('total'), ('hour'), ('platform'), ('method'), ('deposit'), ('payout'), ('paid'), ('refused'))
    as each_part (part)
  cross join lateral (select each_part.part,
    case each_part.part when 'total' then '' when 'hour' then hour when 'platform' then platform
      when 'method' then method when 'deposit' then method
      when 'payout' then width_bucket(extract(epoch from settled_at - asked_at)::bigint,
        ${[...payoutSeconds]}::bigint[])::text
      else coalesce(decided_by::text, '') end as key,
    case each_part.part when 'deposit' then kind = 'deposit' when 'refused' then kind = 'refused'
      when 'payout' then kind = 'redeem' when 'paid' then kind = 'redeem'
      else kind in ('purchase', 'redeem') end as is_counted) x`;

/**
 * The CTEs `part_changes` and `player_changes`: what the rows of `changes`, of one tenant or of all, add to
 * `part_totals` and `player_totals`. It must have all the changes of each player that it has any of, because the player
 * is read as it is now.
 */
export const changeCtes = (sql: Sql, tenant: number | null, changes: Fragment) => sql`
  changes as materialized (${changes}),
  settled as materialized (
    select c.*, local::date as day, to_char(local, 'HH24') as hour
    from changes c
      join public.tenants t on t.id = c.tenant_id
      cross join lateral (select c.settled_at at time zone t.time_zone as local) l
    where c.kind in ('purchase', 'deposit', 'redeem', 'refused')
  ), player_changes as materialized (
    select tenant_id, player_id, u.unit, u.starts,
      coalesce(sum(amount) filter (where kind = 'purchase'), 0) as purchases,
      coalesce(sum(amount) filter (where kind = 'redeem'), 0) as redeems,
      count(*) filter (where kind = 'purchase') as purchase_count,
      count(*) filter (where kind = 'redeem') as redeem_count
    from settled ${units(sql)} where kind in ('purchase', 'redeem') group by 1, 2, 3, 4
  ), person as materialized (
    select g.*, lower(coalesce(p.affiliate_id, '')) as affiliate, signed_up,
      signed_up - extract(dow from signed_up)::int as signed_up_week,
      coalesce(first_was_counted, is_counted) as was_counted, is_counted
    from (
        select tenant_id, player_id,
          (array_agg(was_affiliate order by id) filter (where kind = 'moved'))[1] as was_affiliate,
          (array_agg((kind = 'left')::int order by id) filter (where kind in ('left', 'returned')))[1]
            as first_was_counted,
          sum(case when kind = 'left' then -1 when kind in ('signup', 'returned') then 1 else 0 end) as sign_ups
        from changes where kind <> 'wallet' group by 1, 2
      ) g
      join public.players p on p.tenant_id = g.tenant_id and p.id = g.player_id
        and ${inTenant(sql, tenant, 'p.tenant_id')}
      join public.tenants t on t.id = g.tenant_id
      cross join lateral (select (p.created_at at time zone t.time_zone)::date as signed_up,
        (p.deleted_at is null)::int as is_counted) d
  ), part_changes as materialized (
    select tenant_id, part, unit, starts, key, sum(amount_in) as amount_in, sum(amount_out) as amount_out,
      sum(count_in) as count_in, sum(count_out) as count_out
    from (
      select tenant_id, part, u.unit, u.starts, key, amount_in, amount_out, count_in, count_out
      from (
        select tenant_id, x.part, day, x.key,
          case when kind in ('purchase', 'deposit') then amount else 0 end as amount_in,
          case when kind in ('redeem', 'refused') then amount else 0 end as amount_out,
          (kind in ('purchase', 'deposit'))::int as count_in, (kind in ('redeem', 'refused'))::int as count_out
        from settled ${partsOfPayment(sql)} where x.is_counted
        union all
        select tenant_id, 'signup', signed_up, '', 0, 0, sign_ups, 0 from person where sign_ups <> 0
        union all
        select c.tenant_id, 'first', (v.at at time zone t.time_zone)::date, '', 0, 0, v.change, 0
        from changes c
          join public.tenants t on t.id = c.tenant_id
          cross join lateral (values (c.first_was, -1), (c.first_is, 1)) as v (at, change)
        where c.first_was is distinct from c.first_is and v.at is not null
      ) d ${units(sql)} where part <> 'hour' or u.unit = 'day'
      union all
      select tenant_id, 'affiliate', b.unit, b.starts, p.affiliate, b.purchases, b.redeems, b.purchase_count,
        b.redeem_count
      from player_changes b join person p using (tenant_id, player_id) where p.affiliate <> ''
      union all -- the past of whoever got another affiliate goes along
      select p.tenant_id, 'affiliate', b.unit, b.starts, v.affiliate, v.sign * b.purchases, v.sign * b.redeems,
        v.sign * b.purchase_count, v.sign * b.redeem_count
      from person p
        join public.player_totals b on b.tenant_id = p.tenant_id and b.player_id = p.player_id
          and ${inTenant(sql, tenant, 'b.tenant_id')}
        cross join lateral (values (p.was_affiliate, -1), (p.affiliate, 1)) as v (affiliate, sign)
      where p.was_affiliate <> p.affiliate and v.affiliate <> ''
      union all -- weeks of whoever was deleted
      select p.tenant_id, 'cohort', 'week', p.signed_up_week, ((b.starts - p.signed_up_week) / 7)::text, 0, 0,
        p.is_counted - p.was_counted, 0
      from person p
        join public.player_totals b on b.tenant_id = p.tenant_id and b.player_id = p.player_id
          and ${inTenant(sql, tenant, 'b.tenant_id')}
      where p.is_counted <> p.was_counted and b.unit = 'week' and b.purchase_count > 0
      union all -- weeks in which somebody bought for the first time
      select p.tenant_id, 'cohort', 'week', p.signed_up_week, ((b.starts - p.signed_up_week) / 7)::text, 0, 0, 1, 0
      from player_changes b
        join person p using (tenant_id, player_id)
        left join public.player_totals k on k.tenant_id = p.tenant_id and k.player_id = p.player_id
          and k.unit = b.unit and k.starts = b.starts and ${inTenant(sql, tenant, 'k.tenant_id')}
      where p.is_counted = 1 and b.unit = 'week' and b.purchase_count > 0 and coalesce(k.purchase_count, 0) = 0
      union all
      select tenant_id, 'held', 'all', '1970-01-01'::date, v.key, v.change, 0, 0, 0
      from (
          select tenant_id, sum(credit) as credit, sum(bonus) as bonus, sum(vip) as vip, sum(loyalty) as loyalty,
            sum(held) as held
          from changes where kind = 'wallet' group by 1
        ) sums cross join lateral (values ('credit', credit), ('bonus', bonus), ('vip', vip), ('loyalty', loyalty),
          ('held', held)) as v (key, change)
      where v.change <> 0
    ) change group by 1, 2, 3, 4, 5
  )`;

/** `changeCtes` of all that waits, of one tenant or of all. */
export const waitingCtes = (sql: Sql, tenant: number | null) =>
  changeCtes(sql, tenant, sql`select * from public.total_changes where ${inTenant(sql, tenant)}`);

/** The rows of `part_totals` of a tenant, or of all tenants together, with what waits. Needs `waitingCtes`. */
export const partsWithWaiting = (sql: Sql, tenant: number | null) => sql`(
  select part, unit, starts, key, amount_in, amount_out, count_in, count_out from part_totals
  where tenant_id = ${tenant ?? PLATFORM_TENANT_ID} and ${tenant !== PLATFORM_TENANT_ID}
  union all
  select part, unit, starts, key, amount_in, amount_out, count_in, count_out from part_changes)`;
