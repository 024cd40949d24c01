/** What rules about money find: of each tenant a part of an index, no more rows than a bound: none blocks another. */
import { PLATFORM_TENANT_ID, RETURN_TIMES } from '../../contract/constants';
import type { Sql } from '../db/open';
import { returnConditions } from '../queries/risks';
import type { Found } from './record';
import { AT_ONCE, activeRules, isNew, usd, waited, watchedTenants } from './rules';

/** How far back a run looks, so that nothing is missed while no server ran for a while. */
const LOOK_BACK = '1 hour';

/** The redeems of the last hour that are looked at in one tenant, newest first. */
const RECENT_MAX = 10_000;
/** The rows of a kind that wait too long which are looked at in one tenant: those that began to last. */
const WAITING_MAX = 5_000;
const PENDING_MAX = 50_000;

/** The tenants that can have rows, each on the machine of its rows: how a read of so many rows of each begins. */
const eachTenant = (sql: Sql) => sql`(select distinct tenant_id from player_counts) t cross join lateral`;

/** A query of its own: knowing the time, the planner would take it for empty, and look through all tenants' rows. */
const since = (sql: Sql, span: string) => sql`(select now() - ${span}::interval)`;

/** Redeems of more than the amount, whatever became of them since. */
export const findLargeRedeems = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'large_redeem')}
  select r.tenant_id, 'redeem ' || r.id as dedup_key, r.about as about_tenant_id, r.id::text as object_id,
    'Redeem ' || r.id || ' is ' || ${usd(sql, sql`r.amount`)} as title,
    'More than ' || ${usd(sql, sql`r.threshold`)} as detail
  from (
    select w.*, r.id, r.amount,
      row_number() over (partition by r.tenant_id, w.tenant_id order by r.initiated_at desc) as place
    from watched w join (
      select x.* from ${eachTenant(sql)} (
        select tenant_id, id, amount, initiated_at, is_history from redeems
        where tenant_id = t.tenant_id and initiated_at > ${since(sql, LOOK_BACK)}
        order by initiated_at desc, id desc limit ${RECENT_MAX}) x
    ) r on r.tenant_id = w.about
    where not r.is_history and r.amount > w.threshold
      and ${isNew(sql, 'large_redeem', 'w.tenant_id', sql`'redeem ' || r.id`)}
  ) r where place <= ${AT_ONCE}`;

/** Returns without a deposit there, or of many times what went there, whatever became of them since. */
export function findUnusualReturns(sql: Sql) {
  const { no_deposit, over_20_times } = returnConditions(sql, null);
  return sql<Found[]>`
  with ${watchedTenants(sql, 'unusual_return')}
  select r.tenant_id, 'return ' || r.id as dedup_key, r.about as about_tenant_id, r.id::text as object_id,
    'Return ' || r.id || ' of ' || ${usd(sql, sql`r.amount`)} || ' from ' || r.platform || ' is unusual' as title,
    case when r.no_deposit then 'The player has no deposit there'
      else 'More than ${sql.unsafe(String(RETURN_TIMES))} times what the player deposited there' end as detail
  from (
    select w.*, r.id, r.amount, r.platform, r.no_deposit,
      row_number() over (partition by r.tenant_id, w.tenant_id order by r.initiated_at desc) as place
    from watched w join (
      select x.* from ${eachTenant(sql)} (
        select m.*, ${no_deposit} as no_deposit from (
          select tenant_id, id, player_id, platform, amount, initiated_at, is_history from transactions
          where tenant_id = t.tenant_id and transaction_type = 'RETURN' and initiated_at > ${since(sql, LOOK_BACK)}
          order by initiated_at desc, id desc limit ${RECENT_MAX}) m
        where not m.is_history and (${no_deposit} or ${over_20_times})) x
    ) r on r.tenant_id = w.about
    where ${isNew(sql, 'unusual_return', 'w.tenant_id', sql`'return ' || r.id`)}
  ) r where place <= ${AT_ONCE}`;
}

const waitingKinds = {
  old_redeem: { table: 'redeems', name: 'Redeem', type: null },
  old_purchase: { table: 'transactions', name: 'Purchase', type: 'TOP_UP' },
} as const;

/** Rows that have waited too long. Those who wait as long are read together: the bound is of what is too long. */
export async function findOldRows(sql: Sql, kind: keyof typeof waitingKinds): Promise<Found[]> {
  const { table, name, type } = waitingKinds[kind],
    key = sql`${name.toLowerCase()}::text || ' ' || r.id`;
  const waits = await sql<{ minutes: number; tenants: number[] }[]>`
    with ${watchedTenants(sql, kind)}
    select (threshold * 60)::int as minutes, array_agg(distinct about) as tenants from watched group by 1 order by 1`;
  const found: Found[] = [];
  for (const { minutes, tenants } of waits)
    found.push(
      ...(await sql<Found[]>`
        with ${watchedTenants(sql, kind)}
        select r.tenant_id, ${key} as dedup_key, r.about as about_tenant_id, r.id::text as object_id,
          ${name}::text || ' ' || r.id || ' of ' || ${usd(sql, sql`r.amount`)} || ' waits for '
            || ${waited(sql, sql`floor(extract(epoch from now() - r.initiated_at) / 60)`)} as title, '' as detail
        from (
          select w.*, r.id, r.amount, r.initiated_at,
            row_number() over (partition by r.tenant_id, w.tenant_id order by r.initiated_at) as place
          from watched w join (
            select x.* from ${eachTenant(sql)} (
              select tenant_id, id, amount, initiated_at from ${sql.unsafe(table)}
              where tenant_id = t.tenant_id and status = 'pending' ${type ? sql`and transaction_type = ${type}` : sql``}
                and initiated_at < now() - make_interval(mins => ${minutes})
              order by initiated_at desc, id desc limit ${WAITING_MAX}) x
            where t.tenant_id = any (${tenants}::bigint[])
          ) r on r.tenant_id = w.about
          where (w.threshold * 60)::int = ${minutes} and ${isNew(sql, kind, 'w.tenant_id', key)}
        ) r where place <= ${AT_ONCE}`),
    );
  return found;
}

/** All pending money of a tenant, or of all for the platform's rule; of very many rows the first ones, and more. */
export const findPendingMoney = (sql: Sql) => sql<Found[]>`
  with ${activeRules(sql, 'pending_money')},
  pending as materialized (
    select tenant_id, sum(amount) as amount, count(*) as count,
      greatest(count(*) filter (where is_redeem), count(*) filter (where not is_redeem)) >= ${PENDING_MAX} as is_more
    from (
      select m.* from ${eachTenant(sql)} (
        (select tenant_id, amount, false as is_redeem from transactions
          where tenant_id = t.tenant_id and status = 'pending'
          order by transaction_type, initiated_at, id limit ${PENDING_MAX})
        union all
        (select tenant_id, amount, true from redeems where tenant_id = t.tenant_id and status = 'pending'
          order by initiated_at, id limit ${PENDING_MAX})
      ) m
    ) m
    where exists (select 1 from rule) group by tenant_id
  ), summed as (
    select r.tenant_id, r.threshold, sum(p.amount) as amount, sum(p.count) as count, bool_or(p.is_more) as is_more
    from rule r join pending p on p.tenant_id = r.tenant_id or r.tenant_id = ${PLATFORM_TENANT_ID}
    group by r.tenant_id, r.threshold
  )
  select tenant_id, 'pending' as dedup_key, nullif(tenant_id, ${PLATFORM_TENANT_ID}) as about_tenant_id,
    null::text as object_id,
    case when is_more then 'More than ' else '' end || ${usd(sql, sql`amount`)} || ' is pending' as title,
    'In ' || case when is_more then 'more than ' else '' end || count
      || ' purchases, deposits, returns and redeems; more than ' || ${usd(sql, sql`threshold`)} as detail
  from summed where amount > threshold`;
