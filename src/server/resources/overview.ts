import { LATE_MINUTES, PLATFORM_TENANT_ID } from '../../contract/constants';
import { addDays, startOfMonth, startOfWeek } from '../../contract/dates';
import type { Overview, OverviewHour, OverviewPart, OverviewPlayer, OverviewStep } from '../../contract/entities';
import { COHORT_WEEKS, OVERVIEW_NAMES, type OverviewUnit, overviewSteps } from '../../contract/overview';
import type { Handlers } from '../core/context';
import { ownMinutes } from '../core/ownMinutes';
import { inTenant, tenantScope } from '../core/tenancy';
import { lookUp } from '../db/lookUp';
import type { Fragment, Sql } from '../db/open';
import { moneyKind } from '../ledger/rows';
import { currentFacts, liveCtes, today } from '../totals/liveFacts';

const startOf = (unit: OverviewUnit, day: string): string =>
  unit === 'day' ? day : unit === 'week' ? startOfWeek(day) : startOfMonth(day);
function move(unit: OverviewUnit, starts: string, spans: number): string {
  if (unit !== 'month') return addDays(starts, spans * (unit === 'week' ? 7 : 1));
  const date = new Date(`${starts}T12:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + spans);
  return date.toISOString().slice(0, 10);
}

interface Asked {
  tenant: number | null;
  unit: OverviewUnit;
  starts: string;
  hoursDay: string;
  /** The start of the last week of cohorts. */
  lastWeek: string;
}

const stepsOf = ({ unit, starts }: Asked) =>
  Array.from({ length: overviewSteps[unit] }, (_, n) => {
    const here = move(unit, starts, n + 1 - overviewSteps[unit]);
    return {
      starts: here,
      ends: addDays(move(unit, here, 1), -1),
      before_starts: move(unit, here, -overviewSteps[unit]),
    };
  });
const weeksOf = ({ lastWeek }: Asked) =>
  Array.from({ length: COHORT_WEEKS }, (_, n) => addDays(lastWeek, 7 * (n + 1 - COHORT_WEEKS)));

/** The days of the span before that the span is compared with: all, or as many as have begun of a span that runs. */
function comparedDays({ unit, starts }: Asked, today: string): { starts: string; ends: string } {
  const [from, ends] = [move(unit, starts, -1), addDays(starts, -1)];
  const begun = Math.max(0, (Date.parse(today) - Date.parse(starts)) / 86_400_000);
  const last = addDays(from, begun);
  return { starts: from, ends: today < addDays(move(unit, starts, 1), -1) && last < ends ? last : ends };
}

const figureSums = (sql: Sql, { tenant }: Asked): Fragment => sql`
  coalesce(sum(amount_in) filter (where dimension <> 'fee'), 0) as purchases,
  coalesce(sum(case dimension when 'fee' then -amount_in else amount_in end), 0) as net_amount,
  coalesce(sum(amount_out), 0) as redeems,
  coalesce(sum(amount_in - amount_out) filter (where dimension <> 'fee'), 0) as ggr,
  coalesce(sum(count_in) filter (where dimension = 'total'), 0) as purchase_count,
  coalesce(sum(count_out), 0) as redeem_count,
  coalesce(sum(count_in) filter (where dimension = 'signup'), 0) as sign_ups,
  coalesce(sum(count_in) filter (where dimension = 'first'), 0) as first_purchases
  from ${currentFacts(sql, tenant)} f where dimension in ('total', 'fee', 'signup', 'first')`;

/** The CTEs `step`: the figures of each span, and of as many before; and `compared`: those of the days to compare. */
const stepCtes = (sql: Sql, asked: Asked, compared: { starts: string; ends: string }): Fragment => sql`
  step as (
    select starts, ${figureSums(sql, asked)} and unit = ${asked.unit}
      and starts = any(${stepsOf(asked).flatMap((one) => [one.starts, one.before_starts])}::date[])
    group by starts
  ), compared as (
    select ${figureSums(sql, asked)} and unit = 'day' and starts between ${compared.starts} and ${compared.ends}
  )`;

/** The CTE `hour`: those of a day, and of the same day a week before. */
const hourCte = (sql: Sql, { tenant, hoursDay }: Asked): Fragment => sql`
  hour as (
    select key as hour, starts, sum(amount_in) as purchases, sum(amount_out) as redeems,
      sum(amount_in - amount_out) as ggr
    from ${currentFacts(sql, tenant)} f
    where dimension = 'hour' and unit = 'day' and starts in (${hoursDay}, ${addDays(hoursDay, -7)})
    group by 1, 2
  )`;

/** The CTE `cohort`: how many signed up in a week, and how many of them bought so many weeks after. */
const cohortCte = (sql: Sql, asked: Asked): Fragment => sql`
  cohort as (
    select starts as week, dimension, key as after, sum(count_in) as players
    from ${currentFacts(sql, asked.tenant)} f
    where dimension in ('signup', 'cohort') and unit = 'week' and starts = any(${weeksOf(asked)}::date[])
    group by 1, 2, 3
  )`;

/** The dimensions that are rankings: of these the first are named, and the rest is one row. */
const ranked = ['tenant', 'platform', 'method', 'affiliate', 'game', 'paid', 'refused'];

const ofTenants = (sql: Sql, { unit, starts }: Pick<Asked, 'unit' | 'starts'>): Fragment => sql`
  union all
  select 'tenant', tenant_id::text, sum(amount_in), sum(amount_out), sum(count_in), sum(count_out)
  from ${currentFacts(sql, null)} f
  where dimension = 'total' and unit = ${unit} and starts = ${starts}
  group by 2`;
/** An affiliate as its first player has it: keys are in lower case. */
const asSpelled = (sql: Sql, tenant: number): Fragment => sql`,
  (select p.affiliate_id from players p
  where part = 'affiliate' and p.tenant_id = ${tenant} and lower(p.affiliate_id) = key
  order by lower(p.affiliate_id), p.id limit 1)`;

/** The CTE `shown_part`: the span by each dimension, in order, and what is held, pending and late now. */
const partCtes = (sql: Sql, { tenant, unit, starts }: Asked): Fragment => sql`
  named as (
    select dimension, key, sum(amount_in) as amount_in, sum(amount_out) as amount_out, sum(count_in) as count_in,
      sum(count_out) as count_out
    from ${currentFacts(sql, tenant)} f
    where dimension = any(${[...ranked, 'deposit', 'payout']}::text[]) and unit = ${unit} and starts = ${starts}
    group by 1, 2
    ${tenant === null ? ofTenants(sql, { unit, starts }) : sql``}
  ), placed as (
    select *, row_number() over (partition by dimension order by amount_in + amount_out desc, key) as place from named
    where count_in <> 0 or count_out <> 0
  ), waiting as (
    select tenant_id, ${moneyKind(sql)} || 's' as key, 1 as taken, amount, initiated_at
    from transactions m where m.status = 'pending' and ${inTenant(sql, tenant, 'm.tenant_id')}
    union all
    select tenant_id, 'redeems', 0, amount, initiated_at
    from redeems m where m.status = 'pending' and ${inTenant(sql, tenant, 'm.tenant_id')}
  ), shown_part as (
    select dimension as part, case when place <= ${OVERVIEW_NAMES} or dimension <> all(${ranked}::text[]) then key end
      as key, min(place) as place, sum(amount_in) as amount_in, sum(amount_out) as amount_out,
      sum(count_in) as count_in, sum(count_out) as count_out, null::timestamptz as oldest
    from placed group by 1, 2
    union all
    select 'held', key, 0, sum(amount_in), 0, 0, 0, null
    from ${currentFacts(sql, tenant)} f
    where dimension = 'held' and unit = 'all' and starts = '1970-01-01'
    group by key
    union all
    select 'pending', key, 0, sum(amount * taken), sum(amount * (1 - taken)), sum(taken), sum(1 - taken),
      min(initiated_at)
    from waiting group by key
    union all
    select 'late', key, 0, 0, 0, count(*), 0, null
    from waiting w left join ${ownMinutes(sql)} own on own.id = w.tenant_id and own.list = w.key
    where w.initiated_at < now() - make_interval(mins => coalesce(own.late, ${LATE_MINUTES.late})) group by key
  ), named_part as (
    select *, coalesce(
      (select email from admins where part in ('paid', 'refused') and id = nullif(key, '')::bigint),
      (select name from tenants where part = 'tenant' and id = nullif(key, '')::bigint)
      ${tenant === null ? sql`` : asSpelled(sql, tenant)}) as name
    from shown_part
  )`;

/** The CTE `shown_player`: who bought most in the span. These are among the first of the facts, or were not counted. */
const playerCtes = (sql: Sql, { tenant, unit, starts }: Asked): Fragment => sql`
  candidate as (
    (select top.tenant_id, top.player_id
    from ${tenant === null ? sql`(select distinct tenant_id from player_counts) s cross join lateral` : sql``} (
      select tenant_id, player_id, purchases from player_facts
      where tenant_id = ${tenant ?? sql`s.tenant_id`} and unit = ${unit} and starts = ${starts} and purchases > 0
      order by purchases desc, player_id limit ${OVERVIEW_NAMES}) top
    order by top.purchases desc, top.tenant_id, top.player_id limit ${OVERVIEW_NAMES})
    union
    select tenant_id, player_id from player_part where unit = ${unit} and starts = ${starts}
  ), top_player as materialized (
    select c.tenant_id, s.name as tenant_name, c.player_id,
      coalesce(k.purchases, 0) + coalesce(w.purchases, 0) as purchases,
      coalesce(k.redeems, 0) + coalesce(w.redeems, 0) as redeems,
      coalesce(k.purchase_count, 0) + coalesce(w.purchase_count, 0) as purchase_count
    from candidate c
      join tenants s on s.id = c.tenant_id and s.id <> ${PLATFORM_TENANT_ID}
      left join player_facts k on k.tenant_id = c.tenant_id and k.player_id = c.player_id and k.unit = ${unit}
        and k.starts = ${starts} and ${inTenant(sql, tenant, 'k.tenant_id')}
      left join player_part w on w.tenant_id = c.tenant_id and w.player_id = c.player_id and w.unit = ${unit}
        and w.starts = ${starts}
    where coalesce(k.purchases, 0) + coalesce(w.purchases, 0) > 0
    order by purchases desc, c.tenant_id, c.player_id limit ${OVERVIEW_NAMES}
  ), shown_player as (
    select top_player.*, top_player.purchases - top_player.redeems as ggr, p.email
    from top_player ${lookUp(sql, tenant, { table: 'players', as: 'p', page: 'top_player', id: 'player_id' })}
  )`;

const rowsOf = (sql: Sql, cte: string, order?: string): Fragment =>
  sql.unsafe(`(select coalesce(json_agg(one${order ? ` order by ${order}` : ''}), '[]') from ${cte} one) as ${cte}`);

type Figures = Pick<OverviewStep, Exclude<keyof OverviewStep, 'ends' | `before_${string}`>> & { redeem_count: number };
type HourFigures = Pick<OverviewHour, 'hour' | 'purchases' | 'redeems' | 'ggr'> & { starts: string };
interface Cohort {
  week: string;
  dimension: 'signup' | 'cohort';
  after: string;
  players: number;
}
interface Rows {
  step: Figures[];
  compared: Omit<Figures, 'starts'>[];
  hour: HourFigures[];
  cohort: Cohort[];
  named_part: OverviewPart[];
  shown_player: OverviewPlayer[];
}

const before = <T extends object>(row: T) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [`before_${name}`, value])) as {
    [Name in keyof T & string as `before_${Name}`]: T[Name];
  };

function toSteps(asked: Asked, rows: readonly Figures[]): Overview['steps'] {
  const found = new Map(rows.map(({ starts, ...figures }) => [starts, figures]));
  const money = { purchases: 0, net_amount: 0, redeems: 0, ggr: 0 },
    none = { ...money, purchase_count: 0, redeem_count: 0, sign_ups: 0, first_purchases: 0 };
  return stepsOf(asked).map((step) => ({
    ...step,
    ...(found.get(step.starts) ?? none),
    ...before(found.get(step.before_starts) ?? none),
  }));
}

function toHours({ hoursDay }: Asked, rows: readonly HourFigures[]): Overview['hours'] {
  const found = new Map(rows.map(({ hour, starts, ...figures }) => [`${starts} ${hour}`, figures]));
  const none = { purchases: 0, redeems: 0, ggr: 0 };
  return Array.from({ length: 24 }, (_, n) => {
    const hour = String(n).padStart(2, '0');
    const now = found.get(`${hoursDay} ${hour}`) ?? none;
    return { hour, ...now, ...before(found.get(`${addDays(hoursDay, -7)} ${hour}`) ?? none) };
  });
}

/** The sign-ups of each week, and how many of them bought in it and in each week since. */
function toCohorts(asked: Asked, rows: readonly Cohort[]): Overview['cohorts'] {
  const found = new Map(rows.map(({ week, dimension, after, players }) => [`${dimension} ${week} ${after}`, players]));
  return weeksOf(asked).map((week, n) => ({
    week,
    sign_ups: found.get(`signup ${week} `) ?? 0,
    buyers: Array.from({ length: COHORT_WEEKS - n }, (_, after) => found.get(`cohort ${week} ${after}`) ?? 0),
  }));
}

export const overview = {
  /** In one statement, so that the pictures agree; of payments it reads the pending ones and the last minutes. */
  async getOverview({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    const { day } = await sql<{ day: string }[]>`
      with ${today(sql, tenant)}
      select coalesce(max(day), current_date)::text as day from today`.one();
    const unit = query.unit ?? 'month';
    const starts = startOf(unit, query.date ?? day);
    const hoursDay = unit === 'day' ? starts : day;
    const asked = { tenant, unit, starts, hoursDay, lastWeek: startOfWeek(query.date ?? day) };
    const days = comparedDays(asked, day);
    const { step, compared, hour, cohort, named_part, shown_player } = await sql<Rows[]>`
      with ${liveCtes(sql, tenant)}, ${stepCtes(sql, asked, days)}, ${hourCte(sql, asked)}, ${cohortCte(sql, asked)},
      ${partCtes(sql, asked)}, ${playerCtes(sql, asked)}
      select ${rowsOf(sql, 'step')}, ${rowsOf(sql, 'compared')}, ${rowsOf(sql, 'hour')}, ${rowsOf(sql, 'cohort')},
        ${rowsOf(sql, 'named_part', 'part, place, key')},
        ${rowsOf(sql, 'shown_player', 'purchases desc, tenant_id, player_id')}`.one();
    return {
      steps: toSteps(asked, step),
      compared: { ...compared[0]!, ...days },
      hours: toHours(asked, hour),
      cohorts: toCohorts(asked, cohort),
      parts: named_part,
      players: shown_player,
      unit,
      starts,
      ends: addDays(move(unit, starts, 1), -1),
      today: day,
      hours_day: hoursDay,
    };
  },
} satisfies Partial<Handlers>;
