/** A player's break and limits (docs/extras/protection.md), changed and checked with the wallet locked. */
import type { Eligibility, Protection } from '../../contract/entities';
import type { Attention, LimitedMoney, LimitSpan } from '../../contract/protection';
import { Problem } from '../core/problem';
import type { Owner } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { whyIneligible } from './eligibility';
import { holdByItself } from './payoutHold';
import { lockGroup, readGroups } from './playerLinks';

export type Known = DbRow<Eligibility>;
const unknown: Known = {
  ...{ birth_date: null, region: null, kyc_status: 'none', kyc_until: null },
  ...{ kyc_missing: null, kyc_reference: null, since: null, by: null },
};

/** What is known of who a player is. */
export async function readEligibility(sql: Sql, { tenant_id, player_id }: Owner): Promise<Known> {
  const [row] = await sql<Known[]>`
    select y.birth_date::text as birth_date, y.region, y.kyc_status, y.kyc_until::text as kyc_until, y.kyc_missing,
      y.kyc_reference, y.since, ${setBy(sql, 'y')}
    from player_eligibility y where y.tenant_id = ${tenant_id} and y.player_id = ${player_id}`;
  return row ?? unknown;
}

interface Obstacle {
  why: Attention;
  words: string;
}

/** Whether the break e has not ended, by the days of tenant t. */
export const isOn = (sql: Sql) => sql`(e.until is null or e.until >= (now() at time zone t.time_zone)::date)`;
const exclusionOf = (sql: Sql, { tenant_id, player_id }: Owner) => sql`
  from player_exclusions e join tenants t on t.id = e.tenant_id
  where e.tenant_id = ${tenant_id} and e.player_id = ${player_id} and ${isOn(sql)}`;

interface Bar {
  why: Exclude<Attention, 'over_limit'> | null;
  /** The last day of a break; null for good. */
  until: string | null;
  /** Whose break it is. */
  whose: number | null;
  /** Of the group of linked players. */
  head_id: number | null;
}

/** What stands against anything that the player asks for: also the break of a linked one. */
async function findBar(sql: Sql, { tenant_id, player_id }: Owner): Promise<Bar> {
  const [found] = await sql<Bar[]>`
    select case when e.player_id is not null then 'excluded' else ${whyIneligible(sql)} end as why,
      e.until::text as until, e.player_id as whose, k.head_id
    from wallets w join tenants t on t.id = w.tenant_id
      left join player_links k on k.tenant_id = w.tenant_id and k.player_id = w.player_id
      left join player_links o on o.tenant_id = w.tenant_id and o.head_id = k.head_id
      left join player_exclusions e on e.tenant_id = w.tenant_id and e.player_id = coalesce(o.player_id, w.player_id)
        and ${isOn(sql)}
      left join player_eligibility y on y.tenant_id = w.tenant_id and y.player_id = w.player_id
    where w.tenant_id = ${tenant_id} and w.player_id = ${player_id}
    order by e.player_id is null, e.until desc nulls first limit 1`;
  return found ?? { why: null, until: null, whose: null, head_id: null };
}

/** The amount of limit l that counts now; null for no limit. */
export const mostOf = (sql: Sql) => sql`case when l.next_at <= now() then l.next_amount else l.amount end`;

/** The moment of a midnight of tenant t; where a clock is set back then, of the first of two. */
const toMoment = (sql: Sql, local: Fragment) => sql`
  (${local} at time zone t.time_zone - case
    when (${local} at time zone t.time_zone - interval '1 hour') at time zone t.time_zone = ${local}
      then interval '1 hour' else interval '0' end)`;

/**
 * The limits of some players with `most`, the amount that counts now, and `used` in the day, week or month of `at` by
 * all who are `linked`. These are those of the tenant's time zone as it is now: the day on which a clock is changed is
 * shorter or longer.
 */
const limitsOf = (sql: Sql, tenant_id: number, of: readonly number[], linked: readonly number[], at: Fragment) => sql`
  select l.*, ${mostOf(sql)} as most, (
      select coalesce(sum(m.amount), 0) from transactions m
      where m.tenant_id = ${tenant_id} and m.player_id = any(${[...linked]}::bigint[])
        and m.transaction_type = case l.money when 'purchase' then 'TOP_UP' else 'DEPOSIT' end
        and m.status <> 'failed' and m.initiated_at >= b.starts and m.initiated_at < b.ends
    ) as used
  from player_limits l join tenants t on t.id = ${tenant_id}
    cross join lateral (select ${at} at time zone t.time_zone as local) n
    cross join lateral (
      select case l.span when 'week' then date_trunc('week', n.local + interval '1 day') - interval '1 day'
        else date_trunc(l.span, n.local) end as first
    ) f
    cross join lateral (
      select ${toMoment(sql, sql`f.first`)} as starts,
        ${toMoment(sql, sql`(f.first + ('1 ' || l.span)::interval)`)} as ends
    ) b
  where l.tenant_id = ${tenant_id} and l.player_id = any(${[...of]}::bigint[])`;

/** What stands against an amount at the moment `at`; null for nothing. Expects the wallet to be locked. */
export async function findObstacle(
  sql: Sql,
  owner: Owner & { amount: string },
  money: LimitedMoney | 'redeem',
  at: Fragment,
): Promise<Obstacle | null> {
  const { tenant_id, player_id } = owner;
  let bar = await findBar(sql, owner);
  if (bar.head_id !== null) {
    await lockGroup(sql, owner);
    bar = await findBar(sql, owner); // as it is now that nobody else acts for the group, if there still is one
  }
  if (bar.why) {
    const who = bar.whose === null || bar.whose === player_id ? 'This player' : 'A player linked with this one';
    const words = {
      excluded: `${who} is on a break ${bar.until ? `until ${bar.until}` : 'for good'}`,
      refused_region: 'This tenant takes no players of this region',
      too_young: 'This player is below the minimum age',
    };
    return { why: bar.why, words: words[bar.why] };
  }
  if (money === 'redeem') return null; // has no limit of the player's own
  const isLinked = bar.head_id !== null;
  const group = isLinked ? await readGroups(sql, tenant_id, [player_id]) : [player_id];
  const [over] = await sql<{ span: LimitSpan; remaining: string }[]>`
    select l.span, to_char(greatest(l.most - l.used, 0), 'FM999999999990.00') as remaining
    from (${limitsOf(sql, tenant_id, group, group, at)}) l
    where l.money = ${money} and l.used + ${owner.amount}::numeric > l.most
    order by l.most - l.used, l.span limit 1`;
  if (!over) return null;
  const who = isLinked ? 'the player, or a linked one,' : 'the player';
  const words = `Over the limit that ${who} has set for a ${over.span}: $${over.remaining} left`;
  return { why: 'over_limit', words };
}

export function refuseProtected(obstacle: Obstacle | null): void {
  if (obstacle) throw new Problem(409, obstacle.words, undefined, obstacle.why);
}

const notes: Record<Attention, string> = {
  excluded: 'A payment arrived while the player was on a break',
  over_limit: "A payment arrived over the player's own limit",
  refused_region: 'A payment arrived from a player in a refused region',
  too_young: 'A payment arrived from a player below the minimum age',
};

/** Says why a person has to look at a payment, also before it is paid. */
export const markPayment = (sql: Sql, { tenant_id }: Owner, id: number, why: Attention) => sql`
  update transactions set attention = ${why} where tenant_id = ${tenant_id} and id = ${id}`;

/** Money has arrived that no request would have been taken for: it is marked, payouts are held, and the bell rings. */
export async function noteArrival(sql: Sql, owner: Owner, id: number, why: Attention): Promise<void> {
  const { tenant_id } = owner;
  await markPayment(sql, owner, id, why);
  await sql`
    insert into alarm_finds (tenant_id, alarm, money_id) values (${tenant_id}, 'protected_player', ${id})
    on conflict do nothing`;
  await holdByItself(sql, owner, notes[why]);
}

/** The same for a purchase paid now that is marked or could not be asked for. Returns its mark. Wallet locked. */
export async function noteLateArrival(sql: Sql, row: Owner & { id: number; attention?: Attention | null | undefined }) {
  const why = row.attention ?? (await findBar(sql, row)).why;
  if (why) await noteArrival(sql, row, row.id, why);
  return why;
}

/** What a payment was marked with. */
export async function readAttention(sql: Sql, tenant_id: number, id: number): Promise<Attention | null> {
  const [row] = await sql<{ attention: Attention | null }[]>`
    select attention from transactions where tenant_id = ${tenant_id} and id = ${id}`;
  return row?.attention ?? null;
}
export const describeAttention = (why: Attention): string => `${notes[why]}. Payouts were held`;

/** Who set something: a person, or an API key. */
export const setBy = (sql: Sql, table: string) => sql`
  coalesce((select email from admins where id = ${sql(`${table}.admin_id`)}),
    (select k.name from api_keys k
      where k.tenant_id = ${sql(`${table}.tenant_id`)} and k.id = ${sql(`${table}.api_key_id`)})) as by`;

/** The own break and limits, what all who are linked have used, and who that is. */
export async function readProtection(sql: Sql, owner: Owner): Promise<DbRow<Protection>> {
  const { tenant_id, player_id } = owner;
  const [exclusion] = await sql<NonNullable<DbRow<Protection>['exclusion']>[]>`
    select e.until::text as until, e.since, ${setBy(sql, 'e')} ${exclusionOf(sql, owner)}`;
  const linked = await sql<DbRow<Protection>['linked'][number][]>`
    select p.id, p.email, e.player_id is not null as is_on_break
    from player_links k join tenants t on t.id = k.tenant_id
      join player_links o on o.tenant_id = k.tenant_id and o.head_id = k.head_id and o.player_id <> k.player_id
      join players p on p.tenant_id = k.tenant_id and p.id = o.player_id
      left join player_exclusions e on e.tenant_id = k.tenant_id and e.player_id = p.id and ${isOn(sql)}
    where k.tenant_id = ${tenant_id} and k.player_id = ${player_id}
    order by p.id`;
  const group = [player_id, ...linked.map(({ id }) => id)];
  const limits = await sql<DbRow<Protection>['limits'][number][]>`
    select l.money, l.span, l.most as amount, l.used, l.since, ${setBy(sql, 'l')},
      case when l.next_at > now() then l.next_amount end as next_amount,
      case when l.next_at > now() then l.next_at end as next_at
    from (${limitsOf(sql, tenant_id, [player_id], group, sql`now()`)}) l
    where l.most is not null or l.next_at > now()
    order by l.money desc, array_position(array['day', 'week', 'month'], l.span)`;
  return { exclusion: exclusion ?? null, limits: [...limits], linked: [...linked] };
}
