/**
 * A player's break and own limits (docs/extras/protection.md). They are changed and checked with the wallet locked, so
 * no purchase, deposit or redeem can slip past them.
 */
import type { Protection } from '../../contract/entities';
import type { Attention, LimitedMoney, LimitSpan } from '../../contract/protection';
import { notFound, Problem } from '../core/problem';
import type { Owner } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { whyIneligible } from './eligibility';
import { holdByItself } from './payoutHold';

/** What stands against a purchase, deposit or redeem. */
interface Obstacle {
  why: Attention;
  /** For people. */
  words: string;
}

/** Whether the break e has not ended, by the days of tenant t. */
const isOn = (sql: Sql) => sql`(e.until is null or e.until >= (now() at time zone t.time_zone)::date)`;
const exclusionOf = (sql: Sql, { tenant_id, player_id }: Owner) => sql`
  from player_exclusions e join tenants t on t.id = e.tenant_id
  where e.tenant_id = ${tenant_id} and e.player_id = ${player_id} and ${isOn(sql)}`;

/** What stands against anything that the player asks for, with the last day of a break; null for nothing. */
async function findBar(
  sql: Sql,
  { tenant_id, player_id }: Owner,
): Promise<{ why: Exclude<Attention, 'over_limit'>; until: string | null } | null> {
  const [found] = await sql<{ why: Exclude<Attention, 'over_limit'> | null; until: string | null }[]>`
    select case when e.player_id is not null then 'excluded' else ${whyIneligible(sql)} end as why,
      e.until::text as until
    from wallets w join tenants t on t.id = w.tenant_id
      left join player_exclusions e on e.tenant_id = w.tenant_id and e.player_id = w.player_id and ${isOn(sql)}
      left join player_eligibility y on y.tenant_id = w.tenant_id and y.player_id = w.player_id
    where w.tenant_id = ${tenant_id} and w.player_id = ${player_id}`;
  return found?.why ? { why: found.why, until: found.until } : null;
}

/**
 * The limits of a player with `most`, the amount that counts now, and `used` in the day, week or month of `at`. These
 * are those of the tenant's time zone as it is now: the day on which a clock is changed is shorter or longer.
 */
const limitsOf = (sql: Sql, { tenant_id, player_id }: Owner, at: Fragment) => sql`
  select l.*, case when l.next_at <= now() then l.next_amount else l.amount end as most, (
      select coalesce(sum(m.amount), 0) from transactions m
      where m.tenant_id = ${tenant_id} and m.player_id = ${player_id}
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
      select f.first at time zone t.time_zone as starts,
        (f.first + ('1 ' || l.span)::interval) at time zone t.time_zone as ends
    ) b
  where l.tenant_id = ${tenant_id} and l.player_id = ${player_id}`;

/** What stands against an amount at the moment `at`; null for nothing. Expects the wallet to be locked. */
export async function findObstacle(
  sql: Sql,
  owner: Owner & { amount: string },
  money: LimitedMoney | 'redeem',
  at: Fragment,
): Promise<Obstacle | null> {
  const bar = await findBar(sql, owner);
  if (bar) {
    const words = {
      excluded: `This player is on a break ${bar.until ? `until ${bar.until}` : 'for good'}`,
      refused_region: 'This tenant takes no players of this region',
      too_young: 'This player is below the minimum age',
    };
    return { why: bar.why, words: words[bar.why] };
  }
  if (money === 'redeem') return null; // has no limit of the player's own
  const [over] = await sql<{ span: LimitSpan; remaining: string }[]>`
    select l.span, to_char(greatest(l.most - l.used, 0), 'FM999999999990.00') as remaining
    from (${limitsOf(sql, owner, at)}) l
    where l.money = ${money} and l.used + ${owner.amount}::numeric > l.most
    order by l.span limit 1`;
  if (!over) return null;
  const words = `Over the limit that the player has set for a ${over.span}: $${over.remaining} left`;
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

/**
 * The same for a purchase that is paid now, if it is marked already, or the player could not ask for it any more.
 * Returns what it is marked with. Expects the wallet to be locked.
 */
export async function noteLateArrival(
  sql: Sql,
  row: Owner & { id: number; attention?: Attention | null | undefined },
): Promise<Attention | null> {
  const why = row.attention ?? (await findBar(sql, row))?.why ?? null;
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

export async function readProtection(sql: Sql, owner: Owner): Promise<DbRow<Protection>> {
  const [exclusion] = await sql<NonNullable<DbRow<Protection>['exclusion']>[]>`
    select e.until::text as until, e.since, ${setBy(sql, 'e')} ${exclusionOf(sql, owner)}`;
  const limits = await sql<DbRow<Protection>['limits'][number][]>`
    select l.money, l.span, l.most as amount, l.used, l.since, ${setBy(sql, 'l')},
      case when l.next_at > now() then l.next_amount end as next_amount,
      case when l.next_at > now() then l.next_at end as next_at
    from (${limitsOf(sql, owner, sql`now()`)}) l
    where l.most is not null or l.next_at > now()
    order by l.money desc, array_position(array['day', 'week', 'month'], l.span)`;
  return { exclusion: exclusion ?? null, limits: [...limits] };
}

/** Waits for a purchase, deposit or redeem that is being made. */
export async function lockWallet(sql: Sql, { tenant_id, player_id }: Owner): Promise<void> {
  const [wallet] = await sql`
    select 1 from wallets
    where tenant_id = ${tenant_id} and player_id = ${player_id} and closed_at is null for update`;
  if (!wallet) throw notFound('User');
}
