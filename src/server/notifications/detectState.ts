/** What rules about the state of the installation find, and those about its books, accounts and shifts. */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Sql } from '../db/open';
import { accountBalance } from '../totals/accountSums';
import type { Found } from './record';
import { AT_ONCE, activeRules, counted, isNew, usd, watchedTenants } from './rules';

/** Deliveries of payment processors, in the last hour, that need a person or were left halfway. */
export const findFailingProviders = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'provider_failing')},
  failing as materialized (
    select tenant_id, payment_platform, count(*) as count, max(detail) as detail from webhook_deliveries
    where last_at > now() - interval '1 hour'
      and (outcome = 'attention' or (outcome = 'received' and last_at < now() - interval '5 minutes'))
    group by tenant_id, payment_platform
  )
  select w.tenant_id, f.payment_platform || ' ' || w.about as dedup_key, w.about as about_tenant_id,
    f.payment_platform as object_id,
    ${counted(sql, sql`f.count`, 'delivery', 'deliveries')} || ' of ' || f.payment_platform
      || ' failed in the last hour' as title,
    coalesce('One of them: ' || f.detail, '') as detail
  from watched w join failing f on f.tenant_id = w.about
  where f.count >= w.threshold`;

/** A processor is silent too long after this time, if it delivered something in the week before. */
const SILENT_HOURS = 24;

/** Active payment processors that delivered something in the week before, and now nothing for a day. */
export const findSilentProviders = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'provider_failing')}
  select w.tenant_id, m.payment_platform || ' ' || w.about || ' silent' as dedup_key, w.about as about_tenant_id,
    m.payment_platform as object_id,
    m.payment_platform || ' has delivered nothing for ' || ${SILENT_HOURS}::int || ' hours' as title, '' as detail
  from watched w join payment_methods m on m.tenant_id = w.about and m.is_active
  cross join lateral (
    select last_at from webhook_deliveries
    where tenant_id = m.tenant_id and payment_platform = m.payment_platform
    order by last_at desc, id desc limit 1
  ) last
  where last.last_at < now() - make_interval(hours => ${SILENT_HOURS})
    and last.last_at > now() - make_interval(hours => ${SILENT_HOURS}, days => 7)`;

/** In words, with the amount, what approvals o are about. A player's name is in none. */
function agreedOn(sql: Sql) {
  const amount = sql`coalesce(
    (select amount from redeems where tenant_id = o.tenant_id and id = o.redeem_id),
    (select amount from transactions where tenant_id = o.tenant_id and id = o.return_id),
    (select sum(value::numeric) from json_each_text(o.change) where key in ('credit', 'bonus', 'vip', 'loyalty')),
    case o.change ->> 'kind' when 'bought' then (o.change ->> 'amount')::numeric end)`;
  return sql`
    case o.kind when 'redeem' then 'Payout ' || o.redeem_id when 'return' then 'Return ' || o.return_id
      when 'balances' then 'An edit of balances' when 'limits' then 'A change of the limits'
      else case o.change ->> 'kind' when 'bought' then 'A purchase of credits' else 'A correction of an account' end
    end || coalesce(' of ' || ${usd(sql, amount)}, '')`;
}

/** The kind and the number by which the audit log finds what approvals o are about: 'redeem 12'. */
export const subjectOf = (sql: Sql) => sql`
  case o.kind when 'balances' then 'player ' || o.player_id when 'limits' then 'tenant ' || o.tenant_id
    when 'account' then 'books' else o.kind || ' ' || coalesce(o.redeem_id, o.return_id) end`;

/** What one person has approved, and a second must. */
export const findWaitingApprovals = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'approval_waits')}
  select w.tenant_id, 'approval ' || o.id as dedup_key, w.about as about_tenant_id, o.id::text as object_id,
    ${agreedOn(sql)} || ' waits for a second person' as title, a.email || ' was first' as detail
  from watched w join approvals o on o.tenant_id = w.about join admins a on a.id = o.first_admin_id
  where o.ended_at is null and ${isNew(sql, 'approval_waits', 'w.tenant_id', sql`'approval ' || o.id`)}
  order by o.first_at limit ${AT_ONCE}`;

/** Two who agreed in the last day, one with an account just made or given a password: they could be one person. */
export const findNewSeconds = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'new_second')}
  select w.tenant_id, 'approval ' || o.tenant_id || ' ' || o.id as dedup_key, w.about as about_tenant_id,
    ${subjectOf(sql)} as object_id,
    ${agreedOn(sql)} || ' was approved by an account ' || a.how || ' in the 7 days before' as title,
    a.email || ' agreed with ' || a.other || '. They could be one person' as detail
  from watched w join approvals o on o.tenant_id = w.about
  cross join lateral (
    select a.email, case when a.created_at > o.ended_at - interval '7 days' then 'made' else 'changed' end as how,
      b.email as other
    from admins a join admins b on b.id in (o.first_admin_id, o.ended_by) and b.id <> a.id
    where a.id in (o.first_admin_id, o.ended_by) and a.updated_at > o.ended_at - interval '7 days'
    order by a.updated_at desc limit 1
  ) a
  where o.outcome = 'approved' and o.ended_at > now() - interval '1 day'`;

/** Without any backup, the age of the installation counts. */
export const findOldBackup = (sql: Sql) => sql<Found[]>`
  with ${activeRules(sql, 'old_backup')},
  last as (
    select max(at) as at from upkeep where task = 'backup'
  ), since as (
    select coalesce(last.at, (select created_at from installation), now()) as at, last.at is null as is_none from last
  )
  select ${PLATFORM_TENANT_ID}::bigint as tenant_id, 'backup' as dedup_key, null::bigint as about_tenant_id,
    null::text as object_id,
    case when is_none then 'There is no backup yet'
      else 'The last backup is ' || ${counted(sql, sql`floor(extract(epoch from now() - since.at) / 3600)`, 'hour')}
        || ' old' end
      as title,
    'Older than ' || ${counted(sql, sql`trunc(r.threshold)`, 'hour')} as detail
  from rule r cross join since
  where since.at < now() - make_interval(hours => r.threshold::int)`;

/** Stocks in use with fewer credits than the number. */
export const findLowStock = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'low_stock')}
  select w.tenant_id, 'stock ' || w.about || ' ' || k.id as dedup_key, w.about as about_tenant_id,
    k.id::text as object_id,
    k.name || ' has ' || to_char(k.balance, 'FM999,999,999,999,990.00') || ' credits left' as title,
    'Fewer than ' || to_char(w.threshold, 'FM999,999,999') as detail
  from watched w join (
    select a.tenant_id, a.id, a.name, ${accountBalance(sql, sql`a.tenant_id`)} as balance
    from value_accounts a where a.kind = 'credits' and a.is_active
  ) k on k.tenant_id = w.about
  where k.balance < w.threshold`;

/** Shifts closed in the last hour in which an account, in dollars or credits, was off by more than the amount. */
export const findShiftDifferences = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'shift_difference')}
  select w.tenant_id, x.key as dedup_key, w.about as about_tenant_id, x.shift_id::text as object_id,
    x.name || ' was off by ' || case when x.off < 0 then '-' else '' end
      || case when x.kind = 'cash' then '$' else '' end || to_char(abs(x.off), 'FM999,999,999,990.00')
      || case when x.kind = 'cash' then '' else ' credits' end || ' in the shift of ' || d.email as title,
    coalesce(x.reason, '') as detail
  from watched w join (
    select s.tenant_id, s.admin_id, c.shift_id, v.name, v.kind, c.counted - c.opening - c.moved as off, c.reason,
      'shift ' || s.tenant_id || ' ' || s.id || ' ' || v.id as key
    from shifts s join shift_counts c on c.tenant_id = s.tenant_id and c.shift_id = s.id
      join value_accounts v on v.tenant_id = s.tenant_id and v.id = c.account_id
    where s.closed_at > (select now() - interval '1 hour')
  ) x on x.tenant_id = w.about
  join admins d on d.id = x.admin_id
  where abs(x.off) > w.threshold and ${isNew(sql, 'shift_difference', 'w.tenant_id', sql`x.key`)}
  limit ${AT_ONCE}`;

/**
 * Each difference that the last complete check of a tenant's books found. It is the same one as long as it is off by as
 * much, although the balances in its sentence move on. The platform also learns of what `npm run verify`, a backup and
 * the quick comparison of monitoring (`drift`) found, if that is more than the books know.
 */
export const findLedgerOff = (sql: Sql, drift: number) => sql<Found[]>`
  with ${watchedTenants(sql, 'ledger_off')},
  known as materialized (
    select coalesce(sum(differences), 0) as differences, coalesce(sum(off_by), 0) as off_by from book_checks
  ), off as (
    select task as dedup_key, findings || ' differences were found by the last ' || task as title,
      'Run npm run verify to see them' as detail
    from upkeep cross join known where findings > known.differences
    union all
    select 'drift', 'Wallets and transfers differ by ' || ${usd(sql, sql`${drift}::numeric`)},
      'Among the wallets moved in the last minutes. Verify the books'
    from known where ${drift}::numeric > known.off_by
  )
  select w.tenant_id, d.dedup_key, w.about as about_tenant_id, null::text as object_id,
    'Ledger off: ' || d.sentence as title,
    case when d.off_by > 0 then 'Off by ' || ${usd(sql, sql`d.off_by`)} else '' end as detail
  from watched w join book_checks c on c.tenant_id = w.about
  cross join lateral (
    select sentence, off_by,
      'book ' || w.about || ' '
        || md5(regexp_replace(sentence, '-?[0-9]+[.][0-9]+|[[:<:]]0[[:>:]]', '', 'g') || ' ' || off_by) as dedup_key
    from book_differences
    where tenant_id = c.tenant_id and started_at <= c.finished_at -- not of a check that is under way
    order by id limit ${AT_ONCE}
  ) d
  union all
  select r.tenant_id, off.dedup_key, null, null, off.title, off.detail
  from rule r cross join off where r.tenant_id = ${PLATFORM_TENANT_ID}`;
