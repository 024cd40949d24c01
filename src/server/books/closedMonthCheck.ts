/** What was kept of a closed month against its movements, which are added up a few days at a time. */
import type { Sql } from '../db/open';
import type { Difference } from './differences';
import { movements } from './movements';

/** Days of a tenant: the first, and the one after the last, in its time zone. */
interface DayRange {
  tenantId: number;
  from: string;
  before: string;
}

/** By 'from_account to_account': the amount as decimal text, and how many movements. */
export type MovementSums = Record<string, [amount: string, transfers: number]>;

const startOf = (sql: Sql, tenantId: number, day: string) => sql`
  (${day}::date::timestamp at time zone (select time_zone from public.tenants where id = ${tenantId}))`;

/** Adds the movements of some days to the sums before. Exact, because the database adds. */
export async function sumMovements(
  sql: Sql,
  { tenantId, from, before }: DayRange,
  sums: MovementSums,
): Promise<MovementSums> {
  const start = startOf(sql, tenantId, from),
    end = startOf(sql, tenantId, before);
  const rows = await sql<{ name: string; amount: string; transfers: number }[]>`
    select name, sum(amount)::text as amount, sum(transfers)::bigint as transfers
    from (
      select from_account || ' ' || to_account as name, sum(amount) as amount, count(*) as transfers
      from (${movements(sql, tenantId, start, end)}) moved group by 1
      union all
      select key, (value ->> 0)::numeric, (value ->> 1)::bigint
      from jsonb_each(${JSON.stringify(sums)}::text::jsonb)
    ) part
    group by name`;
  return Object.fromEntries(rows.map(({ name, amount, transfers }) => [name, [amount, transfers]]));
}

/** The differences between what was kept of a closed month and its movements. */
export const compareClosedMonth = (
  sql: Sql,
  { tenantId, month, sums }: { tenantId: number; month: string; sums: MovementSums },
) => sql<Difference[]>`
  with moved as (
    select split_part(key, ' ', 1) as from_account, split_part(key, ' ', 2) as to_account,
      (value ->> 0)::numeric as amount, (value ->> 1)::bigint as transfers
    from jsonb_each(${JSON.stringify(sums)}::text::jsonb)
  ), kept as (
    select from_account, to_account, amount, transfers from public.statement_lines
    where tenant_id = ${tenantId} and month = ${month}::date
  )
  select format('The closed month %s of tenant %s has %s in %s movements from %s to %s, but the ledger says %s in %s.',
    to_char(${month}::date, 'YYYY-MM'), ${tenantId}::bigint, coalesce(k.amount, 0), coalesce(k.transfers, 0),
    from_account, to_account, coalesce(m.amount, 0), coalesce(m.transfers, 0)) as sentence,
    abs(coalesce(k.amount, 0) - coalesce(m.amount, 0)) as off_by
  from moved m full join kept k using (from_account, to_account)
  where (coalesce(k.amount, 0), coalesce(k.transfers, 0))
    is distinct from (coalesce(m.amount, 0), coalesce(m.transfers, 0))`;

/** The same of every closed month, for a check of everything at once. */
export async function verifyClosedMonths(sql: Sql): Promise<string[]> {
  const months = await sql<{ tenant_id: number; month: string; end: string }[]>`
    select tenant_id, month::text, (month + interval '1 month')::date::text as end
    from public.closed_months order by tenant_id, month`;
  const sentences: string[] = [];
  for (const { tenant_id: tenantId, month, end } of months) {
    const sums = await sumMovements(sql, { tenantId, from: month, before: end }, {});
    const differences = await compareClosedMonth(sql, { tenantId, month, sums });
    sentences.push(...differences.map(({ sentence }) => sentence));
  }
  return sentences;
}
