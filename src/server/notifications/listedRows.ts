/** The rows that a listed kind of rule is about (docs/notifications.md), by tenant, from an index, up to `limit`. */
import type { NotificationRow } from '../../contract/entities';
import { type ListedKind, ROW_DAYS, ruleFacts } from '../../contract/notifications';
import { lookUp } from '../db/lookUp';
import type { Fragment, Sql } from '../db/open';
import type { DbRow } from '../db/row';
import type { Found } from './record';
import { AT_ONCE, isNew, usd, watchedTenants } from './rules';

const recent = (sql: Sql, column: string) => sql`${sql(column)} > now() - make_interval(days => ${ROW_DAYS})`;
const newestFinds = (sql: Sql, of: Fragment, alarm: ListedKind, limit: number) => sql`(
    select * from alarm_finds where tenant_id = ${of} and alarm = ${alarm} and ${recent(sql, 'found_at')}
    order by found_at desc, money_id desc limit ${limit})`;
const named = (sql: Sql) => sql`case when p.deleted_at is null then x.player_id end as player_id,
  case when p.deleted_at is null then p.email end as user_email`;

/** The rows of a kind in the tenant `of`, newest first, with the columns of `NotificationRow` but the e-mail. */
const sources: Record<ListedKind, (sql: Sql, of: Fragment, limit: number) => Fragment> = {
  no_reference: (sql, of, limit) => sql`
    select id::text as key, tenant_id, player_id, id as payment_id, amount, completed_at as at,
      coalesce(payment_method, '') as detail
    from transactions
    where tenant_id = ${of} and transaction_type = 'TOP_UP' and status = 'success'
      and coalesce(payment_reference, '') = '' and ${recent(sql, 'completed_at')}
    order by completed_at desc, id desc limit ${limit}`,

  no_reason: (sql, of, limit) => sql`
    select m.id::text as key, m.tenant_id, m.player_id, null::bigint as payment_id,
      case when m.from_account = 'adjustment' then m.amount else -m.amount end as amount, m.created_at as at,
      concat_ws(', ', case when m.from_account = 'adjustment' then m.to_account else m.from_account end, a.email)
        as detail
    from transfers m left join admins a on a.id = m.admin_id
    where m.tenant_id = ${of} and m.money_id is null and (m.from_account = 'adjustment' or m.to_account = 'adjustment')
      and ${recent(sql, 'm.created_at')}
      and not exists (select 1 from remarks where tenant_id = ${of} and line_id = -m.id)
    order by m.created_at desc, m.id desc limit ${limit}`,

  frozen_balance: (sql, of, limit) => sql`
    select w.player_id::text as key, w.tenant_id, w.player_id, null::bigint as payment_id,
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
    select m.id::text as key, m.tenant_id, m.player_id, m.id as payment_id, m.amount,
      coalesce(m.completed_at, m.initiated_at) as at,
      m.payment_reference || ', also of purchase ' || o.id as detail
    from ${newestFinds(sql, of, 'reference_twice', limit * 10)} f
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
    select m.id::text as key, m.tenant_id, m.player_id, m.id as payment_id, m.amount, m.completed_at as at,
      m.payout_address as detail
    from ${newestFinds(sql, of, 'foreign_address', limit)} f
    join redeems m on m.tenant_id = ${of} and m.id = f.money_id
    order by f.found_at desc, f.money_id desc`,

  protected_player: (sql, of, limit) => sql`
    select m.id::text as key, m.tenant_id, m.player_id, m.id as payment_id, m.amount, f.found_at as at,
      case m.attention when 'excluded' then 'on a break' when 'over_limit' then 'over the limit'
        when 'too_young' then 'below the age' else 'refused region' end as detail
    from ${newestFinds(sql, of, 'protected_player', limit)} f
    join transactions m on m.tenant_id = ${of} and m.id = f.money_id
    order by f.found_at desc, f.money_id desc`,
};

/** At most `limit` rows of a kind: of one tenant, or of each tenant that has players. */
function selectRows(sql: Sql, kind: ListedKind, tenant: number | null, limit: number): Fragment {
  if (tenant !== null) return sources[kind](sql, sql`${tenant}`, limit);
  return sql`
    select x.* from (select distinct tenant_id from player_counts) t
      cross join lateral (${sources[kind](sql, sql`t.tenant_id`, limit)}) x`;
}

/** The rows of a kind in a tenant or in all, at most `limit`, newest first. */
export const readRows = (sql: Sql, kind: ListedKind, tenant: number | null, limit: number) =>
  sql<DbRow<NotificationRow>[]>`
    with x as materialized (
      select * from (${selectRows(sql, kind, tenant, limit)}) found
      order by at desc nulls last, key desc limit ${limit}
    )
    select x.key, x.tenant_id, ${named(sql)}, x.payment_id, x.amount, x.at, x.detail
    from x ${lookUp(sql, tenant, { table: 'players', as: 'p', page: 'x', id: 'player_id', isOptional: true })}
    order by x.at desc nulls last, x.key desc`;

/** New rows of a kind. What a row is about is named by number: no notification has the name of a player. */
export const findNewRows = (sql: Sql, kind: ListedKind) => {
  const what = kind === 'foreign_address' ? 'redeem' : 'purchase';
  return sql<Found[]>`
    with ${watchedTenants(sql, kind)}
    select w.tenant_id, x.key as dedup_key, w.about as about_tenant_id,
      coalesce(x.payment_id, x.player_id)::text as object_id,
      ${ruleFacts[kind].name}::text || ': '
        || case when x.payment_id is null then 'player ' || x.player_id else ${what}::text || ' ' || x.payment_id end
        || case when x.amount < 0 then ', -' else ', ' end || ${usd(sql, sql`abs(x.amount)`)} as title,
      '' as detail
    from watched w join (${selectRows(sql, kind, null, AT_ONCE)}) x on x.tenant_id = w.about
    where ${isNew(sql, kind, 'w.tenant_id', sql`x.key`)}`;
};
