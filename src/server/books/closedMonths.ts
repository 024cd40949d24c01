/** Months of a tenant's books: which are closed, and closing one for good (docs/extras/books.md, "Books"). */
import { formatMonth } from '../../contract/months';
import { notFound, Problem } from '../core/problem';
import type { Sql } from '../db/open';
import { firstMovement, movements } from './movements';

/** A transaction that began before midnight has ended by then. */
const SETTLING_HOURS = 1;

/** Up to when the books of a tenant are closed; null if no month is. */
export async function readClosedUntil(sql: Sql, tenantId: number): Promise<Date | null> {
  const { until } = await sql<{ until: Date | null }[]>`
    select max(ends_at) as until from closed_months where tenant_id = ${tenantId}`.one();
  return until;
}

/** Nothing is imported into the books of a tenant, and no month is closed, until the transaction ends. */
export async function lockImports(sql: Sql, tenantId: number, kind = 'transactions'): Promise<void> {
  // A separate statement, because a statement that waits for a lock sees the data from before.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${kind} ${tenantId}`}, 0))`;
}

/** Refuses what would move past days between months, as another time zone does. */
export async function refuseOnceClosed(sql: Sql, tenantId: number, what: string): Promise<void> {
  if (await readClosedUntil(sql, tenantId))
    throw new Problem(409, `${what} cannot change once a month of the books is closed`);
}

interface Bounds {
  time_zone: string;
  /** The first month to close, and the month itself, as YYYY-MM. */
  first: string | null;
  is_closed: boolean;
  has_ended: boolean;
  is_settled: boolean;
}

/** Closes a month and all open ones before it, for good, and keeps what they added up to. Returns the months. */
export async function closeMonth(
  sql: Sql,
  { tenant_id, admin_id, month }: { tenant_id: number; admin_id: number; month: string },
): Promise<string[]> {
  await lockImports(sql, tenant_id);
  // The time zone decides where a month ends. Money that is being settled refers to the row, so no stronger lock.
  await sql`select 1 from tenants where id = ${tenant_id} for no key update`.one(notFound('Tenant'));
  const { first, is_closed, has_ended, is_settled } = await sql<Bounds[]>`
    with last as (select max(month) as month from closed_months where tenant_id = ${tenant_id})
    select time_zone, coalesce(last.month >= m.month, false) as is_closed, now() >= m.ends as has_ended,
      now() >= m.ends + make_interval(hours => ${SETTLING_HOURS}) as is_settled,
      to_char(coalesce(last.month + interval '1 month',
        ${firstMovement(sql, tenant_id)} at time zone time_zone), 'YYYY-MM') as first
    from tenants t, last, lateral (
      select ${`${month}-01`}::date as month,
        (${`${month}-01`}::date + interval '1 month')::timestamp at time zone t.time_zone as ends
    ) m
    where t.id = ${tenant_id}`.one();
  if (is_closed) throw new Problem(409, `${formatMonth(month)} is already closed`);
  if (!has_ended) throw new Problem(409, `${formatMonth(month)} has not ended yet`);
  if (!is_settled) throw new Problem(409, `${formatMonth(month)} can be closed one hour after its end`);
  if (first === null || first > month) throw new Problem(409, `Nothing was booked up to ${formatMonth(month)}`);
  const closed = await sql<{ month: string; starts_at: Date; ends_at: Date }[]>`
    insert into closed_months (tenant_id, month, starts_at, ends_at, admin_id)
    select t.id, m::date, m at time zone t.time_zone, (m + interval '1 month') at time zone t.time_zone, ${admin_id}
    from tenants t, generate_series(${`${first}-01`}::timestamp, ${`${month}-01`}::timestamp, interval '1 month') as m
    where t.id = ${tenant_id}
    returning to_char(month, 'YYYY-MM') as month, starts_at, ends_at`;
  for (const { month: each, starts_at, ends_at } of closed)
    await sql`
      insert into statement_lines (tenant_id, month, from_account, to_account, amount, transfers)
      select ${tenant_id}::bigint, ${`${each}-01`}::date, from_account, to_account, sum(amount), count(*)
      from (${movements(sql, tenant_id, sql`${starts_at}::timestamptz`, sql`${ends_at}::timestamptz`)}) moved
      group by from_account, to_account`;
  return closed.map((row) => row.month);
}
