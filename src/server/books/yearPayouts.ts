import { LIST_MAX } from '../../contract/constants';
import type { YearPayouts, YearQuery } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { type CsvColumn, createCsvFile, formatUsd } from '../core/csv';
import { nameTenant } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';

type FileRow = DbRow<YearPayouts> & { user_name: string };
const columns: readonly CsvColumn<FileRow>[] = [
  ['User Email', (row) => row.user_email],
  ['User Name', (row) => row.user_name],
  ['Payouts', ({ payouts }) => ({ raw: String(payouts) })],
  ['Amount', ({ amount }) => formatUsd(amount)],
];

interface Year {
  tenant_id: number;
  starts: Date;
  ends: Date;
  /** From how much on payouts are reported; null: none are, and nobody is listed. */
  least: number | null;
}
const readYear = (sql: Sql, { tenant_id, year }: YearQuery): Promise<Year> =>
  sql<Year[]>`
    select id as tenant_id, make_timestamptz(${year}::int, 1, 1, 0, 0, 0, time_zone) as starts,
      make_timestamptz(${year}::int + 1, 1, 1, 0, 0, 0, time_zone) as ends, report_from as least
    from tenants where id = ${tenant_id}`.one();

/** The players p whose payouts s of the year reach the amount that the tenant reports, the highest first. */
const paidIn = (sql: Sql, { tenant_id, starts, ends, least }: Year) => sql`
  from (
    select player_id, count(*)::int as payouts, sum(amount) as amount from redeems
    where tenant_id = ${tenant_id} and status = 'success' and completed_at >= ${starts} and completed_at < ${ends}
    group by player_id having sum(amount) >= ${least}::numeric
  ) s join players p on p.tenant_id = ${tenant_id} and p.id = s.player_id
  order by s.amount desc, p.id`;

/** What players were paid in a calendar year (docs/extras/protection.md). A payout counts when it was paid. */
export const yearPayouts = {
  async listYearPayouts({ sql, caller, query }) {
    await nameTenant(sql, caller, 'query', query.tenant_id);
    const year = await readYear(sql, query);
    return sql<DbRow<YearPayouts>[]>`
      select case when p.deleted_at is null then p.id end as player_id, p.email as user_email, s.payouts, s.amount
      ${paidIn(sql, year)} limit ${LIST_MAX}`;
  },

  async exportYearPayouts({ sql, caller, query }) {
    await nameTenant(sql, caller, 'query', query.tenant_id);
    const year = await readYear(sql, query);
    return createCsvFile(
      sql<FileRow[]>`
        select p.email as user_email, concat_ws(' ', p.first_name, p.last_name) as user_name, s.payouts, s.amount
        ${paidIn(sql, year)}`,
      columns,
    );
  },
} satisfies Partial<Handlers>;
