import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { AccountLine, BookMonth, Books, MonthStatement } from '../../contract/entities';
import { accountLabels, BOOK_MONTHS, type LedgerAccount, movementKinds, movementLabels } from '../../contract/months';
import type { Handlers } from '../core/context';
import { type CsvColumn, createCsvFile, formatUsd } from '../core/csv';
import { inTenant, nameTenant, requireTenant, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { closeMonth } from './closedMonths';
import { linesDigest } from './compareMonths';
import { firstMovement } from './movements';
import { monthFigures, readStatement } from './statement';

/** The sentences on the card. */
const FINDINGS = 10;

type LabelledLine = AccountLine & { label: string };
const statementColumns: readonly CsvColumn<LabelledLine>[] = [
  ['Account', ({ label }) => label],
  ['Opening', ({ opening }) => formatUsd(opening)],
  ...movementKinds.map((kind): CsvColumn<LabelledLine> => [movementLabels[kind], (line) => formatUsd(line[kind])]),
  ['Closing', ({ closing }) => formatUsd(closing)],
];

export const books = {
  getBooks: ({ sql, caller, query }) => readCheck(sql, tenantScope(caller, query.tenant_id)),

  /** The check itself runs in the background; one that is under way is not begun again, one that failed goes on now. */
  async verifyBooks({ sql, caller, body, audit }) {
    const tenant = tenantScope(caller, body.tenant_id);
    if (tenant !== null) await requireTenant(sql, tenant);
    await sql`
      insert into book_checks (tenant_id, requested_at)
      select id, now() from tenants where id <> ${PLATFORM_TENANT_ID} and ${inTenant(sql, tenant, 'id')}
      on conflict (tenant_id) do update set requested_at = excluded.requested_at
      where book_checks.started_at is null or book_checks.finished_at >= book_checks.started_at`;
    await sql`update book_checks set next_at = now() where failures > 0 and ${inTenant(sql, tenant)}`;
    audit.about({ kind: 'books', id: null, tenant_id: tenant, after: { verify: true } });
  },

  async listBookMonths({ sql, caller, query }) {
    const tenant = await nameTenant(sql, caller, 'query', query.tenant_id);
    return sql<DbRow<BookMonth>[]>`
      with figures as materialized (${monthFigures(sql, tenant)})
      select to_char(m, 'YYYY-MM') as month, c.closed_at, a.email as closed_by,
        c.month is null and now() >= (m + interval '1 month') at time zone t.time_zone + interval '1 hour' as can_close,
        case when k.is_known then coalesce(f.purchases, 0) end as purchases,
        case when k.is_known then coalesce(f.redeems, 0) end as redeems
      from tenants t
      cross join lateral (
        select date_trunc('month', now() at time zone t.time_zone) as this,
          date_trunc('month', ${firstMovement(sql, tenant)} at time zone t.time_zone) as first
      ) r
      cross join generate_series(r.this, greatest(coalesce(r.first, r.this),
        r.this - make_interval(months => ${BOOK_MONTHS - 1})), interval '-1 month') as m
      left join closed_months c on c.tenant_id = ${tenant} and c.month = m::date
      left join admins a on a.id = c.admin_id
      left join figures f on f.month = m
      cross join lateral (select c.month is not null or m >= r.this - interval '1 month' as is_known) k
      where t.id = ${tenant}
      order by m desc`;
  },

  async closeMonth({ sql, caller, body, audit }) {
    const { month } = body,
      tenant_id = await nameTenant(sql, caller, 'body', body.tenant_id);
    const closed = await closeMonth(sql, { tenant_id, month, admin_id: caller.admin_id });
    const digest = linesDigest(sql, sql`${tenant_id}`, sql`${closed}::text[]`);
    const { lines_sha256 } = await sql<{ lines_sha256: string }[]>`select ${digest} as lines_sha256`.one();
    audit.about({ kind: 'books', id: month, tenant_id, after: { closed: closed.join(', '), lines_sha256 } });
    return { closed };
  },

  getStatement: async ({ sql, caller, query }) =>
    readStatement(sql, await nameTenant(sql, caller, 'query', query.tenant_id), query.month),

  async exportStatement({ sql, caller, query }) {
    const tenant = await nameTenant(sql, caller, 'query', query.tenant_id);
    const { accounts }: MonthStatement = await readStatement(sql, tenant, query.month);
    const lines = accounts.map((line) => ({ ...line, label: accountLabels[line.account as LedgerAccount] }));
    return createCsvFile(
      sql<LabelledLine[]>`
        select * from json_to_recordset(${JSON.stringify(lines)}::text::json) as l (label text, opening numeric,
          ${sql.unsafe(movementKinds.map((kind) => `${kind} numeric`).join(', '))}, closing numeric)`,
      statementColumns,
    );
  },
} satisfies Partial<Handlers>;

/** The state of the check of a tenant, or of all together: of several the one that was longest ago. */
async function readCheck(sql: Sql, tenant: number | null): Promise<DbRow<Books>> {
  // The checks are apart from the rows of the tenants (docs/scaling.md, "Citus"), so each is asked by itself.
  const counted = await sql`
    select tenant_id, sum(players) as players from player_counts where ${inTenant(sql, tenant)} group by tenant_id`;
  return sql<DbRow<Books>[]>`
  with counted as (
    select * from json_to_recordset(${JSON.stringify(counted)}::text::json) as n (tenant_id bigint, players bigint)
  ), checked as (
    select t.id, c.*, coalesce(c.started_at > coalesce(c.finished_at, '-infinity'), false) as is_running,
      coalesce(c.requested_at > coalesce(c.started_at, '-infinity'), false) as is_waiting,
      coalesce(n.players, 0) as players
    from tenants t left join book_checks c on c.tenant_id = t.id left join counted n on n.tenant_id = t.id
    where t.id <> ${PLATFORM_TENANT_ID} and ${inTenant(sql, tenant, 't.id')}
  )
  select case when bool_and(finished_at is not null) then min(finished_at) end as verified_at,
    coalesce(sum(differences), 0)::bigint as differences, coalesce(sum(off_by), 0) as off_by,
    coalesce(bool_or(is_running or is_waiting), false) as is_checking,
    -- Players are most of the work; days and months are the rest.
    coalesce(floor(100 * sum(case
        when is_waiting or started_at is null then 0
        when not is_running then players + 1
        when part = 'players' then least(0.9 * checked, 0.9 * players)
        else 0.9 * players
      end) / nullif(sum(players + 1), 0)), 0)::bigint as progress,
    (select coalesce(json_agg(sentence), '[]') from (
      select d.sentence from book_differences d join checked c using (tenant_id)
      where d.started_at <= c.finished_at -- not of a check that is under way
      order by d.id limit ${FINDINGS}
    ) first) as findings
  from checked`.one();
}
