/** The summary of yesterday: six lines, and a picture of the last seven days. */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Sql } from '../db/open';
import { dayCtes, dayTotals } from '../totals/liveFacts';
import type { Found } from './record';
import { activeRules } from './rules';

/** A digest that could not be sent for so many hours is not sent any more. */
const HOURS = 4;
const DAYS = 7;

/** A day of the picture. Amounts are exact text. */
export interface DigestDay {
  day: string;
  purchases: string;
  redeems: string;
}
export interface DigestPayload {
  days: DigestDay[];
}

interface Due {
  tenant_id: number;
  yesterday: string;
  name: string;
}
interface Figures {
  rang: number;
  purchases: string;
  redeems: string;
  ggr: string;
  ggr_before: string;
  purchase_count: number;
  redeem_count: number;
  average: string;
  new_players: number;
  first_purchases: number;
  pending: string;
  pending_count: number;
  oldest_hours: number;
  days: DigestDay[];
}

/** The tenants whose hour has come, and whose digest was not written yet. */
const findDue = (sql: Sql) => sql<Due[]>`
  with ${activeRules(sql, 'digest')}
  select t.id as tenant_id, ((now() at time zone t.time_zone)::date - 1)::text as yesterday, t.name
  from rule r join tenants t on t.id = r.tenant_id
  where extract(hour from now() at time zone t.time_zone) between r.threshold and r.threshold + ${HOURS - 1}::int
    and not exists (
      select 1 from notification_things k
      where k.tenant_id = t.id and k.kind = 'digest'
        and k.thing = ((now() at time zone t.time_zone)::date - 1)::text)
  order by t.id limit 20`;

export async function findDigests(sql: Sql): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const due of await findDue(sql)) found.push(await write(sql, due));
  return found;
}

async function write(sql: Sql, { tenant_id, yesterday, name }: Due): Promise<Found> {
  const of = tenant_id === PLATFORM_TENANT_ID ? null : tenant_id;
  const mine = (column: string) => (of === null ? sql`true` : sql`${sql(column)} = ${of}`);
  const [figures] = await sql<Omit<Figures, 'rang'>[]>`
    with ${dayCtes(sql, of)}, money as materialized (
      select day, sum(purchases) as purchases, sum(redeems) as redeems, sum(purchase_count)::int as purchase_count,
        sum(redeem_count)::int as redeem_count
      from ${dayTotals(sql, of)} d
      where day between ${yesterday}::date - ${DAYS}::int and ${yesterday}::date
      group by day
    ), day as materialized (
      select d::date as day, coalesce(m.purchases, 0) as purchases, coalesce(m.redeems, 0) as redeems,
        coalesce(m.purchase_count, 0) as purchase_count, coalesce(m.redeem_count, 0) as redeem_count
      from generate_series(${yesterday}::date - ${DAYS}::int, ${yesterday}::date, interval '1 day') as d
        left join money m on m.day = d::date
    ), span as materialized (
      select id as tenant_id, ${yesterday}::timestamp at time zone time_zone as starts,
        (${yesterday}::timestamp + interval '1 day') at time zone time_zone as ends
      from tenants where ${mine('id')}
    ), pending as materialized (
      select amount, initiated_at from transactions where status = 'pending' and ${mine('tenant_id')}
      union all
      select amount, initiated_at from redeems where status = 'pending' and ${mine('tenant_id')}
    )
    select to_char(y.purchases, 'FM999,999,999,999,990.00') as purchases,
      to_char(y.redeems, 'FM999,999,999,999,990.00') as redeems,
      to_char(y.purchases - y.redeems, 'FM999,999,999,999,990.00') as ggr,
      to_char(b.purchases - b.redeems, 'FM999,999,999,999,990.00') as ggr_before,
      y.purchase_count, y.redeem_count,
      to_char(coalesce(round(y.purchases / nullif(y.purchase_count, 0), 2), 0), 'FM999,999,999,999,990.00') as average,
      (select count(*)::int from span s join players p on p.tenant_id = s.tenant_id and ${mine('p.tenant_id')}
        and p.created_at >= s.starts and p.created_at < s.ends) as new_players,
      (select count(*)::int from span s join wallets w on w.tenant_id = s.tenant_id and ${mine('w.tenant_id')}
        and w.first_purchase_at >= s.starts and w.first_purchase_at < s.ends) as first_purchases,
      (select to_char(coalesce(sum(amount), 0), 'FM999,999,999,990.00') from pending) as pending,
      (select count(*)::int from pending) as pending_count,
      (select coalesce(floor(extract(epoch from now() - min(initiated_at)) / 3600), 0)::int from pending)
        as oldest_hours,
      (select json_agg(json_build_object('day', day::text, 'purchases', purchases::text, 'redeems', redeems::text)
        order by day) from day where day > ${yesterday}::date - ${DAYS}::int) as days
    from day y, day b where y.day = ${yesterday}::date and b.day = ${yesterday}::date - ${DAYS}::int`;
  const [counted] = await sql<{ rang: number }[]>`
    select count(*)::int as rang from notifications n join tenants t on t.id = n.tenant_id
    where n.tenant_id = ${tenant_id} and n.kind <> 'digest'
      and n.at >= ${yesterday}::timestamp at time zone t.time_zone
      and n.at < (${yesterday}::timestamp + interval '1 day') at time zone t.time_zone`;
  if (!figures || !counted) throw new Error('the statement returned no row');
  return {
    tenant_id,
    thing: yesterday,
    about_tenant_id: of,
    object_id: null,
    title: `${of === null ? 'All tenants' : name} on ${yesterday}: GGR ${withDollar(figures.ggr)}`,
    detail: lines({ ...figures, ...counted }).join('\n'),
    payload: { days: figures.days } satisfies DigestPayload,
  };
}

/** An amount below zero has its sign before the dollar. */
const withDollar = (amount: string) => (amount.startsWith('-') ? `-$${amount.slice(1)}` : `$${amount}`);
const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;

const players = (f: Figures) => count(f.new_players, 'new player', 'new players');
const firstPurchases = (f: Figures) => count(f.first_purchases, 'first purchase', 'first purchases');
const pending = (f: Figures) =>
  f.pending_count === 0
    ? 'Nothing is pending now'
    : `Pending now ${withDollar(f.pending)} in ${f.pending_count.toLocaleString('en-US')}, ` +
      `the oldest for ${count(f.oldest_hours, 'hour', 'hours')}`;

const lines = (f: Figures): string[] => [
  `GGR ${withDollar(f.ggr)}; a week before ${withDollar(f.ggr_before)}`,
  `Purchases ${withDollar(f.purchases)} in ${f.purchase_count.toLocaleString('en-US')}, ` +
    `on average ${withDollar(f.average)}`,
  `Redeems ${withDollar(f.redeems)} in ${f.redeem_count.toLocaleString('en-US')}`,
  `${players(f)}, ${firstPurchases(f)}`,
  pending(f),
  `${count(f.rang, 'notification', 'notifications')} yesterday`,
];
