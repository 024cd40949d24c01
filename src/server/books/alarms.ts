/**
 * What the books warn of (docs/extras/books.md, "Books"). Each alarm is read tenant by tenant from an index that has
 * little more than its rows, and no further than `limit`.
 */

import type { AlarmRow } from '../../contract/entities';
import { ALARM_DAYS, type Alarm } from '../../contract/months';
import { lookUp } from '../db/lookUp';
import type { Fragment, Sql } from '../db/open';
import type { DbRow } from '../db/row';

/** A processor is silent too long after this time, if it delivered something in the week before. */
export const SILENT_HOURS = 24;
/** So many of its last deliveries tell whether it fails, and so many of them must have. */
const LAST_DELIVERIES = 20;
const FAILED_DELIVERIES = 3;

const recent = (sql: Sql, column: string) => sql`${sql(column)} > now() - make_interval(days => ${ALARM_DAYS})`;
const named = (sql: Sql) => sql`case when p.deleted_at is null then x.player_id end as player_id,
  case when p.deleted_at is null then p.email end as user_email`;

/** The rows of an alarm of the tenant `of`, newest first. Columns as in `AlarmRow`, the player not yet looked up. */
const sources: Record<Alarm, (sql: Sql, of: Fragment, limit: number) => Fragment> = {
  no_reference: (sql, of, limit) => sql`
    select id::text as key, tenant_id, player_id, id as money_id, amount, completed_at as at,
      coalesce(payment_method, '') as detail
    from transactions
    where tenant_id = ${of} and transaction_type = 'TOP_UP' and status = 'success'
      and coalesce(payment_reference, '') = '' and ${recent(sql, 'completed_at')}
    order by completed_at desc, id desc limit ${limit}`,

  no_reason: (sql, of, limit) => sql`
    select m.id::text as key, m.tenant_id, m.player_id, null::bigint as money_id,
      case when m.from_account = 'adjustment' then m.amount else -m.amount end as amount, m.created_at as at,
      concat_ws(', ', replace(case when m.from_account = 'adjustment' then m.to_account else m.from_account end,
        'loyalty',
        'free play'), a.email) as detail
    from transfers m left join admins a on a.id = m.admin_id
    where m.tenant_id = ${of} and m.money_id is null and (m.from_account = 'adjustment' or m.to_account = 'adjustment')
      and ${recent(sql, 'm.created_at')}
      and not exists (select 1 from remarks where tenant_id = ${of} and line_id = -m.id)
    order by m.created_at desc, m.id desc limit ${limit}`,

  frozen_balance: (sql, of, limit) => sql`
    select w.player_id::text as key, w.tenant_id, w.player_id, null::bigint as money_id,
      w.credit_balance + w.bonus_balance + w.vip_balance + w.loyalty_balance + w.held_balance as amount,
      w.at, w.detail
    from (
      (select *, null::timestamptz as at, 'negative' as detail from wallets
        where tenant_id = ${of} and (credit_balance < 0 or bonus_balance < 0 or vip_balance < 0 or loyalty_balance < 0
          or held_balance < 0) order by player_id limit ${limit})
      union all
      (select *, closed_at, 'deleted player' from wallets
        where tenant_id = ${of} and closed_at is not null
          and credit_balance + bonus_balance + vip_balance + loyalty_balance + held_balance > 0
        order by player_id limit ${limit})
      union all
      (select v.*, h.created_at, 'payouts on hold'
        from (select * from payout_holds where tenant_id = ${of} order by player_id limit ${limit * 10}) h
          join wallets v on v.tenant_id = ${of} and v.player_id = h.player_id
        where v.closed_at is null
          and v.credit_balance + v.bonus_balance + v.vip_balance + v.loyalty_balance + v.held_balance > 0)
    ) w
    limit ${limit}`,

  reference_twice: (sql, of, limit) => sql`
    select m.id::text as key, m.tenant_id, m.player_id, m.id as money_id, m.amount,
      coalesce(m.completed_at, m.initiated_at) as at,
      m.payment_reference || ', also of purchase ' || o.id as detail
    from (
      select * from alarm_finds
      where tenant_id = ${of} and alarm = 'reference_twice' and ${recent(sql, 'found_at')}
      order by found_at desc, money_id desc limit ${limit * 10}
    ) f
    join transactions m on m.tenant_id = ${of} and m.id = f.money_id and m.status <> 'failed'
    cross join lateral (
      select id from transactions o
      where o.tenant_id = ${of} and o.transaction_type = 'TOP_UP' and o.payment_reference is not null
        and left(lower(o.payment_reference), 100) = left(lower(m.payment_reference), 100)
        and o.payment_reference = m.payment_reference and o.id <> m.id and o.status <> 'failed'
        and lower(coalesce(o.payment_method, '')) = lower(coalesce(m.payment_method, ''))
      limit 1
    ) o
    order by f.found_at desc, f.money_id desc limit ${limit}`,

  foreign_address: (sql, of, limit) => sql`
    select m.id::text as key, m.tenant_id, m.player_id, m.id as money_id, m.amount, m.completed_at as at,
      m.payout_address as detail
    from (
      select * from alarm_finds
      where tenant_id = ${of} and alarm = 'foreign_address' and ${recent(sql, 'found_at')}
      order by found_at desc, money_id desc limit ${limit}
    ) f
    join redeems m on m.tenant_id = ${of} and m.id = f.money_id
    order by f.found_at desc, f.money_id desc`,

  provider: (sql, of, limit) => sql`
    select m.payment_platform as key, m.tenant_id, null::bigint as player_id, null::bigint as money_id,
      null::numeric as amount, d.last_at as at,
      case
        when d.last_at < now() - make_interval(hours => ${SILENT_HOURS})
          then m.payment_platform || ' has delivered nothing since'
        else m.payment_platform || ': ' || d.failed || ' of the last ' || d.deliveries || ' deliveries failed'
      end as detail
    from payment_methods m
    cross join lateral (
      select max(last_at) as last_at, count(*) as deliveries, count(*) filter (
        where outcome = 'attention' or (outcome = 'received' and last_at < now() - interval '10 minutes')) as failed
      from (
        select last_at, outcome from webhook_deliveries
        where tenant_id = ${of} and payment_platform = m.payment_platform
        order by last_at desc, id desc limit ${LAST_DELIVERIES}
      ) last
    ) d
    where m.tenant_id = ${of} and m.is_active and (
      (d.last_at < now() - make_interval(hours => ${SILENT_HOURS})
        and d.last_at > now() - make_interval(hours => ${SILENT_HOURS}, days => 7))
      or (d.last_at >= now() - make_interval(hours => ${SILENT_HOURS}) and d.failed >= ${FAILED_DELIVERIES}))
    order by m.payment_platform limit ${limit}`,
};

/** At most `limit` rows of an alarm: of one tenant, or of each tenant that has what it is about. */
export function selectAlarm(sql: Sql, alarm: Alarm, tenant: number | null, limit: number): Fragment {
  if (tenant !== null) return sources[alarm](sql, sql`${tenant}`, limit);
  const table = sql(alarm === 'provider' ? 'payment_methods' : 'player_counts');
  return sql`
    select x.* from (select distinct tenant_id from ${table}) t
      cross join lateral (${sources[alarm](sql, sql`t.tenant_id`, limit)}) x`;
}

/** The rows of an alarm of a tenant or of all, at most `limit`, newest first. */
export const readAlarm = (sql: Sql, alarm: Alarm, tenant: number | null, limit: number) => sql<DbRow<AlarmRow>[]>`
  with x as materialized (
    select * from (${selectAlarm(sql, alarm, tenant, limit)}) found
    order by at desc nulls last, key desc limit ${limit}
  )
  select x.key, x.tenant_id, ${named(sql)}, x.money_id, x.amount, x.at, x.detail
  from x ${lookUp(sql, tenant, { table: 'players', as: 'p', page: 'x', id: 'player_id', isOptional: true })}
  order by x.at desc nulls last, x.key desc`;

/** How many rows an alarm has, counted up to `most` and one more. */
export const countAlarm = (sql: Sql, alarm: Alarm, tenant: number | null, most: number) => sql`
  select ${alarm}::text as alarm, count(*) as rows from (
    select 1 from (${selectAlarm(sql, alarm, tenant, most + 1)}) found limit ${most + 1}
  ) found`;
