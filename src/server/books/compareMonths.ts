/** Closed months against the audit log: which are closed, from when to when, and what each kept. */
import type { Fragment, Sql } from '../db/open';

/** A digest of what `months` (YYYY-MM) kept, as in the entry that closed them. `lines`: the table, or a CTE. */
export const linesDigest = (
  sql: Sql,
  tenantId: Fragment,
  months: Fragment,
  lines = sql`public.statement_lines`,
) => sql`(
  select encode(sha256(convert_to(coalesce(string_agg(
    concat_ws(' ', to_char(month, 'YYYY-MM'), from_account, to_account, trim_scale(amount), transfers), E'\n'
    order by month, from_account collate "C", to_account collate "C"), ''), 'UTF8')), 'hex')
  from ${lines} where tenant_id = ${tenantId} and to_char(month, 'YYYY-MM') = any(${months}))`;

/** Returns a sentence for each difference, at most 1000. */
export async function compareMonths(sql: Sql): Promise<string[]> {
  const rows = await sql<{ sentence: string }[]>`
    with entry as materialized (
      select tenant_id, string_to_array(after ->> 'closed', ', ') as months, after ->> 'lines_sha256' as digest
      from public.audit_log where call = 'closeMonth' and after ->> 'closed' is not null
    ), said as materialized (
      select tenant_id, month from entry cross join unnest(months) as month
    ), kept as materialized (
      select tenant_id, to_char(month, 'YYYY-MM') as month from public.closed_months
    ), line as materialized (
      select * from public.statement_lines
    )
    select format('The audit log says that month %s of tenant %s was closed, but it is open.', month, tenant_id)
      as sentence
    from (select * from said except select * from kept) d
    union all
    select format('Month %s of tenant %s is closed, but no entry of the audit log says so.', month, tenant_id)
    from (select * from kept except select * from said) d
    union all
    select format('Month %s of tenant %s was closed %s times: it was opened in between.', month, tenant_id, count(*))
    from said group by month, tenant_id having count(*) > 1
    union all
    select format('Month %s of tenant %s is closed from %s to %s, which is not that month.',
      to_char(c.month, 'YYYY-MM'), c.tenant_id, c.starts_at, c.ends_at)
    from public.closed_months c join public.tenants t on t.id = c.tenant_id
    where (c.starts_at, c.ends_at) is distinct from (c.month::timestamp at time zone t.time_zone,
      (c.month + interval '1 month') at time zone t.time_zone)
    union all
    select format('The lines of %s of tenant %s are not those with which it was closed.',
      array_to_string(months, ', '), tenant_id)
    from entry e
    where digest <> ${linesDigest(sql, sql`e.tenant_id`, sql`e.months`, sql`line`)}
    limit 1000`;
  return rows.map(({ sentence }) => sentence);
}
