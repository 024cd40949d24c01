/** What rules about money find. Each statement reads an index, and no more rows than its bound. */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { RuleKind } from '../../contract/notifications';
import type { Fragment, Sql } from '../db/open';
import type { Found } from './record';
import { activeRules, counted, isNew, usd, watchedTenants } from './rules';

/** The most things that one run finds for a rule in one tenant; the next run finds the rest. */
const AT_ONCE = 100;
/** How far back a run looks, so that nothing is missed while no server ran for a while. */
const LOOK_BACK = '1 hour';

/** Redeems of more than the amount, whatever became of them since. */
export const findLargeRedeems = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'large_redeem')}
  select r.tenant_id, 'redeem ' || r.id as thing, r.about as about_tenant_id, r.id::text as object_id,
    'Redeem ' || r.id || ' is ' || ${usd(sql, sql`r.amount`)} as title,
    'More than ' || ${usd(sql, sql`r.threshold`)} as detail
  from (
    select w.*, r.id, r.amount,
      row_number() over (partition by r.tenant_id, w.tenant_id order by r.initiated_at desc) as place
    from watched w join redeems r on r.tenant_id = w.about
    where r.initiated_at > now() - ${LOOK_BACK}::interval and not r.is_history and r.amount > w.threshold
      and ${isNew(sql, 'large_redeem', 'w.tenant_id', sql`'redeem ' || r.id`)}
  ) r where place <= ${AT_ONCE}`;

/** Redeems that have waited too long. */
export const findOldRedeems = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'old_redeem')}
  select r.tenant_id, 'redeem ' || r.id as thing, r.about as about_tenant_id, r.id::text as object_id,
    'Redeem ' || r.id || ' of ' || ${usd(sql, sql`r.amount`)} || ' waits for '
      || ${counted(sql, sql`floor(extract(epoch from now() - r.initiated_at) / 3600)`, 'hour')} as title,
    'Longer than ' || ${counted(sql, sql`trunc(r.threshold)`, 'hour')} as detail
  from (
    select w.*, r.id, r.amount, r.initiated_at,
      row_number() over (partition by r.tenant_id, w.tenant_id order by r.initiated_at) as place
    from watched w join redeems r on r.tenant_id = w.about
    where r.status = 'pending' and r.initiated_at < now() - make_interval(hours => w.threshold::int)
      and ${isNew(sql, 'old_redeem', 'w.tenant_id', sql`'redeem ' || r.id`)}
  ) r where place <= ${AT_ONCE}`;

/** All pending money of a tenant, or for the platform's rule of all tenants together. Read from the partial indexes. */
export const findPendingMoney = (sql: Sql) => sql<Found[]>`
  with ${activeRules(sql, 'pending_money')},
  pending as materialized (
    select tenant_id, sum(amount) as amount, count(*) as count from (
      select tenant_id, amount from transactions where status = 'pending'
      union all
      select tenant_id, amount from redeems where status = 'pending') m
    where exists (select 1 from rule) group by tenant_id
  ), summed as (
    select r.tenant_id, r.threshold, sum(p.amount) as amount, sum(p.count) as count
    from rule r join pending p on p.tenant_id = r.tenant_id or r.tenant_id = ${PLATFORM_TENANT_ID}
    group by r.tenant_id, r.threshold
  )
  select tenant_id, 'pending' as thing, nullif(tenant_id, ${PLATFORM_TENANT_ID}) as about_tenant_id,
    null::text as object_id, ${usd(sql, sql`amount`)} || ' is pending' as title,
    'In ' || count || ' purchases, deposits and redeems; more than ' || ${usd(sql, sql`threshold`)} as detail
  from summed where amount > threshold`;

/** From this sum on, in USD, a day can be unusual; and a habit needs so many days before it. */
const LEAST_USUAL = 200;
const HABIT_DAYS = 3;
/** Players are looked at while they do something. */
const ACTIVE = '10 minutes';
const ACTIVE_MAX = 5000;

/**
 * Players who bought or redeemed in the last 24 hours many times what they do on such a day. The habit is the average
 * of the days of the last 30 on which they did it at all.
 */
const findUnusual = (
  sql: Sql,
  kind: Extract<RuleKind, 'large_win' | 'large_purchase'>,
  money: (columns: Fragment) => Fragment,
  words: string,
) => sql<Found[]>`
  with ${watchedTenants(sql, kind)},
  active as materialized (
    select distinct tenant_id, player_id from (
      ${money(sql`tenant_id, player_id, initiated_at`)} and initiated_at > now() - ${ACTIVE}::interval
      order by initiated_at desc limit ${ACTIVE_MAX}) newest
    where exists (select 1 from rule)
  ), habit as materialized (
    select tenant_id, player_id, coalesce(sum(amount) filter (where is_now), 0) as amount,
      round(sum(amount) filter (where not is_now) / nullif(count(distinct day) filter (where not is_now), 0), 2)
        as usual,
      count(distinct day) filter (where not is_now) as days
    from (
      select m.*, m.initiated_at > now() - interval '24 hours' as is_now, m.initiated_at::date as day
      from (select tenant_id, array_agg(player_id) as ids from active group by tenant_id) a
      join (${money(sql`tenant_id, player_id, amount, initiated_at, status`)}) m
        on m.tenant_id = any (array[a.tenant_id]) and m.player_id = any (a.ids)
          and m.initiated_at > now() - interval '31 days' and m.status <> 'failed'
    ) days
    group by tenant_id, player_id
  )
  select w.tenant_id, 'player ' || h.player_id || ' ' || (now() at time zone t.time_zone)::date as thing,
    w.about as about_tenant_id, h.player_id::text as object_id,
    'Player ' || h.player_id || ' ' || ${words}::text || ' ' || ${usd(sql, sql`h.amount`)} || ' in 24 hours' as title,
    'Usually ' || ${usd(sql, sql`h.usual`)} || ' on a day: more than ' || trim_scale(w.threshold) || ' times as much'
      as detail
  from watched w join tenants t on t.id = w.about join habit h on h.tenant_id = w.about
  where h.days >= ${HABIT_DAYS} and h.amount >= ${LEAST_USUAL} and h.amount > h.usual * w.threshold`;

/** What a player wins is seen when they cash it out. */
export const findLargeWins = (sql: Sql) =>
  findUnusual(sql, 'large_win', (columns) => sql`select ${columns} from redeems where not is_history`, 'cashed out');
export const findLargePurchases = (sql: Sql) =>
  findUnusual(
    sql,
    'large_purchase',
    (columns) => sql`select ${columns} from transactions where transaction_type = 'TOP_UP' and not is_history`,
    'bought for',
  );
