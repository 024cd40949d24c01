import { PLATFORM_TENANT_ID } from '../../contract/constants';
import { addDays, startOfMonth, startOfWeek } from '../../contract/dates';
import type { Overview } from '../../contract/entities';
import { COHORT_WEEKS, OVERVIEW_NAMES, type OverviewUnit, overviewSteps } from '../../contract/overview';
import type { Handlers } from '../core/context';
import { inTenant, tenantScope } from '../core/tenancy';
import { lookUp } from '../db/lookUp';
import type { Sql } from '../db/open';
import { onlyRow } from '../db/row';
import { today } from '../queries/businessDay';
import { partsWithWaiting, waitingCtes } from '../totals/totalChanges';

const startOf = (unit: OverviewUnit, day: string): string =>
  unit === 'day' ? day : unit === 'week' ? startOfWeek(day) : startOfMonth(day);
/** The start of the span that is so many spans later. */
function move(unit: OverviewUnit, starts: string, spans: number): string {
  if (unit !== 'month') return addDays(starts, spans * (unit === 'week' ? 7 : 1));
  const date = new Date(`${starts}T12:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + spans);
  return date.toISOString().slice(0, 10);
}

/** The last span of each row of steps, and as many before it. */
const stepsOf = (unit: OverviewUnit, starts: string) =>
  Array.from({ length: overviewSteps[unit] }, (_, n) => {
    const here = move(unit, starts, n + 1 - overviewSteps[unit]);
    return {
      starts: here,
      ends: addDays(move(unit, here, 1), -1),
      before_starts: move(unit, here, -overviewSteps[unit]),
    };
  });

/** The parts that are rankings: of these the first are named, and the rest is one row. */
const ranked = ['platform', 'method', 'affiliate', 'paid', 'refused'];
const named = [...ranked, 'deposit', 'payout'];

/** The figures of a step as columns, from the row of the CTE `step` that has this alias. */
const figures = (sql: Sql, table: 'n' | 'b', prefix: '' | 'before_') =>
  sql.unsafe(
    ['purchases', 'redeems', 'purchase_count', 'redeem_count', 'sign_ups', 'first_purchases']
      .map((name) => `'${prefix}${name}', coalesce(${table}.${name}, 0)`)
      .concat(`'${prefix}ggr', coalesce(${table}.purchases - ${table}.redeems, 0)`)
      .join(', '),
  );

/** How many players signed up in a week, or of these bought so many weeks after. */
interface Count {
  week: string;
  part: 'signup' | 'cohort';
  after: string;
  players: number;
}
/** The sign-ups of each week, and how many of them bought in it and in each week since. */
function toCohorts(counts: readonly Count[], firstWeek: string): Overview['cohorts'] {
  const found = new Map(counts.map(({ week, part, after, players }) => [`${part} ${week} ${after}`, players]));
  return Array.from({ length: COHORT_WEEKS }, (_, n) => {
    const week = addDays(firstWeek, 7 * n);
    return {
      week,
      sign_ups: found.get(`signup ${week} `) ?? 0,
      buyers: Array.from({ length: COHORT_WEEKS - n }, (_, after) => found.get(`cohort ${week} ${after}`) ?? 0),
    };
  });
}

export const overview = {
  /**
   * Read from totals in one statement, so that the pictures agree with one another. Nothing here reads rows of payments
   * but those that are pending, so the number of the others does not matter.
   */
  async getOverview({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    const { day } = onlyRow(
      await sql<{ day: string }[]>`
        with ${today(sql, tenant)}
        select coalesce(max(day), current_date)::text as day from today`,
    );
    const unit = query.unit ?? 'month';
    const starts = startOf(unit, query.date ?? day),
      steps = stepsOf(unit, starts),
      hoursDay = unit === 'day' ? starts : day,
      lastWeek = startOfWeek(query.date ?? day),
      firstWeek = addDays(lastWeek, -7 * (COHORT_WEEKS - 1)),
      weeks = Array.from({ length: COHORT_WEEKS }, (_, n) => addDays(lastWeek, -7 * n)),
      drawn = steps.flatMap((step) => [step.starts, step.before_starts]),
      totals = partsWithWaiting(sql, tenant);
    const { shown } = onlyRow(
      await sql<{ shown: Pick<Overview, 'steps' | 'hours' | 'parts' | 'players'> & { counts: Count[] } }[]>`
      with ${waitingCtes(sql, tenant)}, scope as materialized (
        select id, name from tenants where ${inTenant(sql, tenant, 'id')} and id <> ${PLATFORM_TENANT_ID}
      ), step as materialized (
        select p.starts,
          coalesce(sum(p.amount_in), 0) as purchases, coalesce(sum(p.amount_out), 0) as redeems,
          coalesce(sum(p.count_in) filter (where p.part = 'total'), 0) as purchase_count,
          coalesce(sum(p.count_out), 0) as redeem_count,
          coalesce(sum(p.count_in) filter (where p.part = 'signup'), 0) as sign_ups,
          coalesce(sum(p.count_in) filter (where p.part = 'first'), 0) as first_purchases
        from ${totals} p
        where p.part in ('total', 'signup', 'first') and p.unit = ${unit} and p.starts = any(${drawn}::date[])
        group by p.starts
      ), hour as materialized (
        select p.key, p.starts, sum(p.amount_in) as purchases, sum(p.amount_out) as redeems
        from ${totals} p
        where p.part = 'hour' and p.unit = 'day' and p.starts in (${hoursDay}, ${addDays(hoursDay, -7)})
        group by 1, 2
      ), cohort as materialized (
        select p.starts, p.part, p.key, sum(p.count_in) as players
        from ${totals} p
        where p.part in ('signup', 'cohort') and p.unit = 'week' and p.starts = any(${weeks}::date[])
        group by 1, 2, 3
      ), named as (
        select p.part, p.key, sum(p.amount_in) as amount_in, sum(p.amount_out) as amount_out,
          sum(p.count_in) as count_in, sum(p.count_out) as count_out
        from ${totals} p
        where p.part = any(${named}::text[]) and p.unit = ${unit} and p.starts = ${starts}
        group by 1, 2
      ), placed as (
        select *, row_number() over (partition by part order by amount_in + amount_out desc, key) as place from named
        where count_in <> 0 or count_out <> 0
      ), part as (
        select part, case when place <= ${OVERVIEW_NAMES} or part <> all(${ranked}::text[]) then key end as key,
          min(place) as place, sum(amount_in) as amount_in, sum(amount_out) as amount_out, sum(count_in) as count_in,
          sum(count_out) as count_out
        from placed group by 1, 2
        union all
        select 'held', p.key, 0, sum(p.amount_in), 0, 0, 0
        from ${totals} p
        where p.part = 'held' and p.unit = 'all' and p.starts = '1970-01-01'
        group by p.key
        union all
        select 'pending', case m.transaction_type when 'TOP_UP' then 'purchases' else 'deposits' end, 0, sum(m.amount),
          0, count(*), 0
        from transactions m where m.status = 'pending' and ${inTenant(sql, tenant, 'm.tenant_id')}
        group by 2
        union all
        select 'pending', 'redeems', 0, 0, coalesce(sum(m.amount), 0), 0, count(*)
        from redeems m where m.status = 'pending' and ${inTenant(sql, tenant, 'm.tenant_id')}
      ), candidate as ( -- the first of the totals, and whoever else waits
        (select top.tenant_id, top.player_id
        from ${tenant === null ? sql`(select distinct tenant_id from player_counts) s cross join lateral` : sql``} (
          select tenant_id, player_id, purchases from player_totals
          where tenant_id = ${tenant ?? sql`s.tenant_id`} and unit = ${unit} and starts = ${starts} and purchases > 0
          order by purchases desc, player_id limit ${OVERVIEW_NAMES}) top
        order by top.purchases desc, top.tenant_id, top.player_id limit ${OVERVIEW_NAMES})
        union
        select tenant_id, player_id from player_changes where unit = ${unit} and starts = ${starts}
      ), player as materialized (
        select c.tenant_id, s.name as tenant_name, c.player_id,
          coalesce(k.purchases, 0) + coalesce(w.purchases, 0) as purchases,
          coalesce(k.redeems, 0) + coalesce(w.redeems, 0) as redeems,
          coalesce(k.purchase_count, 0) + coalesce(w.purchase_count, 0) as purchase_count
        from candidate c
          join scope s on s.id = c.tenant_id
          left join player_totals k on k.tenant_id = c.tenant_id and k.player_id = c.player_id and k.unit = ${unit}
            and k.starts = ${starts} and ${inTenant(sql, tenant, 'k.tenant_id')}
          left join player_changes w on w.tenant_id = c.tenant_id and w.player_id = c.player_id and w.unit = ${unit}
            and w.starts = ${starts}
        where coalesce(k.purchases, 0) + coalesce(w.purchases, 0) > 0
        order by purchases desc, c.tenant_id, c.player_id limit ${OVERVIEW_NAMES}
      )
      select json_build_object(
        'steps', (
          select json_agg(json_build_object('starts', x.starts, 'ends', x.ends, ${figures(sql, 'n', '')},
            'before_starts', x.before_starts, ${figures(sql, 'b', 'before_')}) order by x.starts)
          from json_to_recordset(${JSON.stringify(steps)}::text::json) as x (starts date, ends date, before_starts date)
            left join step n on n.starts = x.starts left join step b on b.starts = x.before_starts),
        'hours', (
          select json_agg(json_build_object('hour', lpad(hour::text, 2, '0'),
            'purchases', coalesce(n.purchases, 0), 'redeems', coalesce(n.redeems, 0),
            'ggr', coalesce(n.purchases - n.redeems, 0), 'before_purchases', coalesce(b.purchases, 0),
            'before_redeems', coalesce(b.redeems, 0), 'before_ggr', coalesce(b.purchases - b.redeems, 0)) order by hour)
          from generate_series(0, 23) as clock (hour)
            left join hour n on n.key = lpad(hour::text, 2, '0') and n.starts = ${hoursDay}
            left join hour b on b.key = lpad(hour::text, 2, '0') and b.starts = ${addDays(hoursDay, -7)}),
        'counts', (
          select coalesce(
            json_agg(json_build_object('week', starts, 'part', part, 'after', key, 'players', players)), '[]')
          from cohort),
        'parts', (
          select coalesce(json_agg(json_build_object('part', part, 'key', key, 'name', (
              select email from admins where part in ('paid', 'refused') and id = nullif(key, '')::bigint),
            'amount_in', amount_in, 'amount_out', amount_out, 'count_in', count_in, 'count_out', count_out)
            order by part, place, key), '[]')
          from part),
        'players', (
          select coalesce(json_agg(json_build_object('player_id', player.player_id, 'tenant_id', player.tenant_id,
            'tenant_name', player.tenant_name, 'email', p.email, 'purchases', player.purchases,
            'redeems', player.redeems,
            'ggr', player.purchases - player.redeems, 'purchase_count', player.purchase_count)
            order by player.purchases desc, player.tenant_id, player.player_id), '[]')
          from player ${lookUp(sql, tenant, { table: 'players', as: 'p', page: 'player', id: 'player_id' })})
      ) as shown`,
    );
    const { counts, ...pictures } = shown,
      cohorts = toCohorts(counts, firstWeek);
    return { ...pictures, cohorts, unit, starts, ends: steps.at(-1)?.ends ?? starts, today: day, hours_day: hoursDay };
  },
} satisfies Partial<Handlers>;
