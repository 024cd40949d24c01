/** Checks the whole ledger slice by slice, slowing nobody. Where it stands is in the database: any server goes on. */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Database, Sql } from '../db/open';
import { compareClosedMonth, type MovementSums, sumMovements } from './closedMonthCheck';
import { compareAccounts, compareShifts } from './compareAccounts';
import type { Difference, IdRange } from './differences';
import { verifyFactsOf, verifyPlayers } from './verify';

/** Any number, but the same in every server that shares the database. */
const LOCK = 4_217_037;
const EVERY_HOURS = 24;
/** How long a slice should take; its size follows. */
const SLICE_MS = 40;
/** A slice of which a statement takes longer is given up, and repeated later with half its size. */
const MOST_MS = 5_000;
/** For each millisecond of work so many of rest. */
const REST = 4;
const LEAST_REST_MS = 20;
/** After a failure other tenants are checked for a minute; after each further one in a row twice as long. */
const FAILED_MS = 60_000;
const MOST_FAILED_MS = 3_600_000;
const KEPT = 100;

interface Check {
  tenant_id: number;
  started_at: Date;
  part: 'players' | 'days' | 'accounts' | 'shifts' | 'months';
  position: string;
  carried: MovementSums | null;
  /** How many times in a row its next slice has failed. */
  failures: number;
}
/** How many players, days, accounts or shifts the next slice has. Each server finds out by itself. */
export type SliceSizes = Record<Check['part'], number>;
export const firstSizes = (): SliceSizes => ({ players: 50, days: 1, accounts: 1, shifts: 10, months: 1 });
const most: SliceSizes = { players: 2000, days: 31, accounts: 100, shifts: 1000, months: 31 };

interface Step extends Pick<Check, 'part' | 'position' | 'carried'> {
  differences: readonly Difference[];
  checked: number;
  isDone: boolean;
}

/** Told which tenant's slice could not be checked. */
type Failed = (error: unknown, tenantId: number) => void;

/** Checks the next slice. Returns how many ms to wait, or null: nothing is due, or another server is at work. */
export async function checkNextSlice(
  db: Database,
  sizes: SliceSizes,
  failed: Failed = (error) => {
    throw error;
  },
): Promise<number | null> {
  const began = performance.now();
  const getRest = () => Math.max(LEAST_REST_MS, REST * (performance.now() - began));
  let taken: Check | null = null;
  try {
    return await db.tx(async (sql) => {
      await sql.unsafe(`set local statement_timeout = ${MOST_MS}`);
      taken = await takeCheck(sql);
      return taken && (await checkTaken(sql, taken, sizes, getRest));
    });
  } catch (error) {
    const check = taken as Check | null;
    if (!check) throw error;
    await postpone(db, check);
    failed(error, check.tenant_id);
    return getRest();
  }
}

/** Of a tenant whose last slices failed, less at once. What a slice takes decides how much the next one has. */
async function checkTaken(sql: Sql, check: Check, sizes: SliceSizes, getRest: () => number): Promise<number> {
  const { part, failures } = check;
  const size = Math.max(1, sizes[part] >> Math.min(failures, 30));
  const began = performance.now();
  const step = await checkSlice(sql, check, { ...sizes, [part]: size });
  const factor = Math.min(2, Math.max(0.5, SLICE_MS / (performance.now() - began)));
  sizes[part] = Math.max(1, Math.min(most[part], Math.floor(size * factor)));
  const rest = getRest();
  await saveStep(sql, check, step, rest);
  return rest;
}

/** In a transaction of its own: that of the slice is gone, also what began the check. */
async function postpone(db: Database, { tenant_id, failures }: Check): Promise<void> {
  await db.tx(async (sql) => {
    const wait = Math.min(MOST_FAILED_MS, FAILED_MS * 2 ** failures);
    const next = new Date((await readClock(sql)).getTime() + wait);
    await sql`
      insert into book_checks (tenant_id, failures, next_at) values (${tenant_id}, 1, ${next})
      on conflict (tenant_id) do update set failures = book_checks.failures + 1, next_at = excluded.next_at`;
  });
}

/** The check that is under way, or the next one that is due, begun. Null if another server is at work. */
async function takeCheck(sql: Sql): Promise<Check | null> {
  const { is_mine } = await sql<{ is_mine: boolean }[]>`select pg_try_advisory_xact_lock(${LOCK}) as is_mine`.one();
  if (!is_mine) return null;
  const [due] = await sql<(Check & { is_under_way: boolean; is_resting: boolean })[]>`
    select t.id as tenant_id, c.started_at, c.part, c.position, c.carried, c.failures, c.next_at > now() as is_resting,
      coalesce(c.started_at > coalesce(c.finished_at, '-infinity'), false) as is_under_way
    from tenants t left join book_checks c on c.tenant_id = t.id
    where t.id <> ${PLATFORM_TENANT_ID} and not (coalesce(c.failures, 0) > 0 and c.next_at > now())
      and (c.started_at is null
      or c.started_at > coalesce(c.finished_at, '-infinity')
      or c.requested_at > c.started_at
      or c.started_at < now() - make_interval(hours => ${EVERY_HOURS}))
    order by is_under_way desc, c.requested_at > coalesce(c.started_at, '-infinity') desc nulls last,
      c.started_at nulls first, t.id
    limit 1`;
  if (!due || due.is_resting) return null;
  if (due.is_under_way) return due;
  const [begun] = await sql<Check[]>`
    insert into book_checks (tenant_id, started_at) values (${due.tenant_id}, ${await readClock(sql)})
    on conflict (tenant_id) do update
      set started_at = excluded.started_at, part = 'players', position = '', carried = null, checked = 0,
        found = 0, found_off_by = 0
    returning tenant_id, started_at, part, position, carried, failures`;
  return begun ?? null;
}

const checkSlice = (sql: Sql, check: Check, sizes: SliceSizes): Promise<Step> =>
  ({ players: checkPlayers, days: checkDays, accounts: checkAccounts, shifts: checkShifts, months: checkMonths })[
    check.part
  ](sql, check, sizes[check.part]);

const begin = (part: Check['part']) => ({ part, position: '', carried: null, isDone: false });

async function checkPlayers(sql: Sql, { tenant_id: tenantId, position }: Check, size: number): Promise<Step> {
  const after = Number(position || 0);
  const { last, players } = await sql<{ last: number | null; players: number }[]>`
    select max(id) as last, count(*) as players from (
      select id from players where tenant_id = ${tenantId} and id > ${after} order by id limit ${size}
    ) slice`.one();
  if (last === null) return { ...begin('days'), differences: [], checked: 0 };
  const differences = await verifyPlayers(sql, { tenantId, after, upTo: last });
  return { part: 'players', position: String(last), carried: null, differences, checked: players, isDone: false };
}

/** A range of days from the position on; null after what is counted. */
async function takeDays(sql: Sql, { tenant_id: tenantId, position }: Check, size: number) {
  const [days] = await sql<{ from: string | null; before: string }[]>`
    select d.day::text as from, least(d.day + ${size}::int, n.last + 1)::text as before
    from tenants t
    join facts_until f on f.tenant_id = ${tenantId}
    cross join lateral (select (f.until at time zone t.time_zone)::date as last) n
    cross join lateral (
      select coalesce(${position || null}::date, least(
        (select min(starts) from facts where tenant_id = ${tenantId} and unit = 'day'),
        ((select min(completed_at) from transactions
          where tenant_id = ${tenantId} and status = 'success' and transaction_type = 'TOP_UP')
          at time zone t.time_zone)::date,
        ((select min(completed_at) from redeems where tenant_id = ${tenantId} and status = 'success')
          at time zone t.time_zone)::date)) as day
    ) d
    where t.id = ${tenantId}`;
  return days?.from && days.from < days.before ? { from: days.from, before: days.before } : null;
}

async function checkDays(sql: Sql, check: Check, size: number): Promise<Step> {
  const days = await takeDays(sql, check, size);
  if (!days) return { ...begin('accounts'), differences: [], checked: 0 };
  const differences = await verifyFactsOf(sql, { tenantId: check.tenant_id, days });
  return { part: 'days', position: days.before, carried: null, differences, checked: 0, isDone: false };
}

/** Checks what has ids of its own, some at a time. What names none that there is comes last. */
const byId =
  (
    table: 'value_accounts' | 'shifts',
    { part, next }: Record<'part' | 'next', Check['part']>,
    compare: (sql: Sql, range: IdRange) => Promise<readonly Difference[]>,
  ) =>
  async (sql: Sql, { tenant_id: tenantId, position }: Check, size: number): Promise<Step> => {
    const after = Number(position || 0);
    const { last } = await sql<{ last: number | null }[]>`
      select max(id) as last from (
        select id from ${sql(table)} where tenant_id = ${tenantId} and id > ${after}
        order by id limit ${size}) slice`.one();
    const differences = await compare(sql, { tenantId, after, upTo: last ?? Number.MAX_SAFE_INTEGER });
    return { ...begin(last === null ? next : part), position: String(last ?? ''), differences, checked: 0 };
  };
const checkAccounts = byId('value_accounts', { part: 'accounts', next: 'shifts' }, compareAccounts);
const checkShifts = byId('shifts', { part: 'shifts', next: 'months' }, compareShifts);

/** Some days of the closed month that the position is in; at its end it is compared with what was kept. */
async function checkMonths(sql: Sql, { tenant_id: tenantId, position, carried }: Check, size: number): Promise<Step> {
  const [month] = await sql<{ month: string; from: string; before: string; is_end: boolean }[]>`
    select c.month::text, f.day::text as from, least(f.day + ${size}::int, e.day)::text as before,
      f.day + ${size}::int >= e.day as is_end
    from closed_months c
    cross join lateral (select greatest(c.month, coalesce(${position || null}::date, c.month)) as day) f
    cross join lateral (select (c.month + interval '1 month')::date as day) e
    where c.tenant_id = ${tenantId} and e.day > coalesce(${position || null}::date, '-infinity')
    order by c.month limit 1`;
  if (!month) return { ...begin('months'), differences: [], checked: 0, isDone: true };
  const sums = await sumMovements(sql, { tenantId, from: month.from, before: month.before }, carried ?? {});
  const differences = month.is_end ? await compareClosedMonth(sql, { tenantId, month: month.month, sums }) : [];
  const rest = { part: 'months' as const, position: month.before, checked: 0, isDone: false };
  return { ...rest, carried: month.is_end ? null : sums, differences };
}

/** Not the time at which the transaction began. By itself, because no statement that changes rows may read it. */
const readClock = async (sql: Sql): Promise<Date> =>
  (await sql<{ at: Date }[]>`select clock_timestamp() as at`.one()).at;

async function saveStep(sql: Sql, { tenant_id }: Check, step: Step, rest: number): Promise<void> {
  const { part, position, checked, differences } = step;
  const kept = differences.slice(0, KEPT);
  if (kept.length)
    await sql`
      insert into book_differences (tenant_id, started_at, sentence, off_by)
      select c.tenant_id, c.started_at, d.sentence, d.off_by
      from book_checks c, unnest(${kept.map(({ sentence }) => sentence)}::text[],
        ${kept.map(({ off_by }) => String(off_by))}::numeric[]) as d (sentence, off_by)
      where c.tenant_id = ${tenant_id} and c.found < ${KEPT}`;
  const clock = await readClock(sql);
  const sum = differences.map(({ off_by }) => String(off_by));
  await sql`
    update book_checks set part = ${part}, position = ${position}, checked = checked + ${checked},
      carried = ${step.carried ? JSON.stringify(step.carried) : null}::text::jsonb,
      found = found + ${differences.length}::int,
      found_off_by = found_off_by + (select coalesce(sum(d), 0) from unnest(${sum}::numeric[]) as d),
      next_at = ${new Date(clock.getTime() + rest)}, failures = 0
    where tenant_id = ${tenant_id}`;
  if (!step.isDone) return;
  await sql`
    update book_checks set finished_at = ${clock}, differences = found, off_by = found_off_by
    where tenant_id = ${tenant_id}`;
  await sql`
    delete from book_differences d using book_checks c
    where d.tenant_id = ${tenant_id} and c.tenant_id = d.tenant_id and d.started_at <> c.started_at`;
}
