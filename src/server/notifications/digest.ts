/** The summary of yesterday: six lines, and a picture of the last seven days. */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import { inTenant } from '../core/tenancy';
import type { Sql } from '../db/open';
import { dayCtes, dayTotals } from '../totals/liveFacts';
import { type DigestDay, usd } from './email';
import type { Found } from './record';
import { activeRules } from './rules';

/** A digest that could not be sent for so many hours is not sent any more. */
const HOURS = 4;
const DAYS = 7;

export interface DigestPayload {
  days: DigestDay[];
}

interface Due {
  tenant_id: number;
  yesterday: string;
  name: string;
}
interface Money {
  purchases: number;
  redeems: number;
  ggr: number;
  ggr_before: number;
  purchase_count: number;
  redeem_count: number;
  average: number;
  days: DigestDay[];
}
interface Counts {
  new_players: number;
  first_purchases: number;
  pending: number;
  pending_count: number;
  oldest_hours: number;
  notifications: number;
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
        and k.dedup_key = ((now() at time zone t.time_zone)::date - 1)::text)
  order by t.id limit 20`;

export async function findDigests(sql: Sql): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const due of await findDue(sql)) found.push(await write(sql, due));
  return found;
}

async function write(sql: Sql, due: Due): Promise<Found> {
  const of = due.tenant_id === PLATFORM_TENANT_ID ? null : due.tenant_id;
  const money = await readMoney(sql, of, due.yesterday);
  const counts = await readCounts(sql, of, due);
  return {
    tenant_id: due.tenant_id,
    dedup_key: due.yesterday,
    about_tenant_id: of,
    object_id: null,
    title: `${of === null ? 'All tenants' : due.name} on ${due.yesterday}: GGR ${usd(money.ggr)}`,
    detail: lines(money, counts).join('\n'),
    payload: { days: money.days } satisfies DigestPayload,
  };
}

/** What was bought and redeemed yesterday and on the week before: all that the digest reads of the totals. */
const readMoney = (sql: Sql, of: number | null, yesterday: string): Promise<Money> =>
  sql<Money[]>`
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
    )
    select y.purchases, y.redeems, y.purchases - y.redeems as ggr, b.purchases - b.redeems as ggr_before,
      y.purchase_count, y.redeem_count, coalesce(round(y.purchases / nullif(y.purchase_count, 0), 2), 0) as average,
      (select json_agg(json_build_object('day', day::text, 'purchases', purchases::text, 'redeems', redeems::text)
        order by day) from day where day > ${yesterday}::date - ${DAYS}::int) as days
    from day y, day b where y.day = ${yesterday}::date and b.day = ${yesterday}::date - ${DAYS}::int`.one();

/** Who came yesterday, what is pending now, and how many notifications there were. */
async function readCounts(sql: Sql, of: number | null, { tenant_id, yesterday }: Due): Promise<Counts> {
  const own = (column: string) => inTenant(sql, of, column);
  const counts = await sql<Omit<Counts, 'notifications'>[]>`
    with span as materialized (
      select id as tenant_id, ${yesterday}::timestamp at time zone time_zone as starts,
        (${yesterday}::timestamp + interval '1 day') at time zone time_zone as ends
      from tenants where ${own('id')}
    ), pending as materialized (
      select amount, initiated_at from transactions where status = 'pending' and ${own('tenant_id')}
      union all
      select amount, initiated_at from redeems where status = 'pending' and ${own('tenant_id')}
    )
    select (select count(*)::int from span s join players p on p.tenant_id = s.tenant_id and ${own('p.tenant_id')}
        and p.created_at >= s.starts and p.created_at < s.ends) as new_players,
      (select count(*)::int from span s join wallets w on w.tenant_id = s.tenant_id and ${own('w.tenant_id')}
        and w.first_purchase_at >= s.starts and w.first_purchase_at < s.ends) as first_purchases,
      coalesce(sum(amount), 0) as pending, count(*)::int as pending_count,
      coalesce(floor(extract(epoch from now() - min(initiated_at)) / 3600), 0)::int as oldest_hours
    from pending`.one();
  const { notifications } = await sql<{ notifications: number }[]>`
    select count(*)::int as notifications from notifications n join tenants t on t.id = n.tenant_id
    where n.tenant_id = ${tenant_id} and n.kind <> 'digest'
      and n.at >= ${yesterday}::timestamp at time zone t.time_zone
      and n.at < (${yesterday}::timestamp + interval '1 day') at time zone t.time_zone`.one();
  return { ...counts, notifications };
}

const format = (number: number) => number.toLocaleString('en-US');
const counted = (number: number, one: string) => `${format(number)} ${one}${number === 1 ? '' : 's'}`;

const lines = (m: Money, c: Counts): string[] => [
  `GGR ${usd(m.ggr)}; a week before ${usd(m.ggr_before)}`,
  `Purchases ${usd(m.purchases)} in ${format(m.purchase_count)}, on average ${usd(m.average)}`,
  `Redeems ${usd(m.redeems)} in ${format(m.redeem_count)}`,
  `${counted(c.new_players, 'new player')}, ${counted(c.first_purchases, 'first purchase')}`,
  c.pending_count === 0
    ? 'Nothing is pending now'
    : `Pending now ${usd(c.pending)} in ${format(c.pending_count)}, ` +
      `the oldest for ${counted(c.oldest_hours, 'hour')}`,
  `${counted(c.notifications, 'notification')} yesterday`,
];
