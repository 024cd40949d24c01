/** The accounts and shifts of a tenant against the ledger: every movement of one is a row of it. */
import type { Fragment, Sql } from '../db/open';
import { shiftMoves, signedAmount } from '../totals/accountSums';
import type { Difference, IdRange } from './differences';

const inRange = (sql: Sql, range: IdRange | undefined, tenant: string, id: Fragment): Fragment =>
  range
    ? sql`${sql(tenant)} = ${range.tenantId} and ${id} > ${range.after} and ${id} <= ${range.upTo}`
    : sql`${id} is not null`;

/** A backup from before there were accounts, or shifts, has none. */
const hasTable = async (sql: Sql, table: 'value_accounts' | 'shifts'): Promise<boolean> => {
  const [found] = await sql<{ is_there: boolean }[]>`
    select to_regclass(${`public.${table}`}::text) is not null as is_there`;
  return found?.is_there ?? false;
};

/** Of all tenants, or some accounts of one: a sentence for each difference. */
export async function compareAccounts(sql: Sql, range?: IdRange): Promise<readonly Difference[]> {
  if (!(await hasTable(sql, 'value_accounts'))) return [];
  const of = (table: string, id = sql`${sql(`${table}.account_id`)}`): Fragment =>
    inRange(sql, range, `${table}.tenant_id`, id);
  return sql<Difference[]>`
    with moved as materialized (
      select m.tenant_id, m.account_id, sum(${signedAmount(sql)}) as amount,
        case when 'platform' in (m.from_account, m.to_account) then 'credits' else 'cash' end as kind,
        coalesce(sum(${signedAmount(sql)}) filter (where m.created_at < f.until), 0) as counted
      from public.transfers m left join public.facts_until f on f.tenant_id = m.tenant_id
      where ${of('m')}
      group by m.tenant_id, m.account_id, 4
    ), ledger as (
      select tenant_id, account_id, sum(counted) as amount from moved group by tenant_id, account_id
    ), kept as materialized (
      select s.tenant_id, s.account_id, s.amount from public.account_sums s where ${of('s')}
    )
    select format('Account %s of tenant %s has counted movements of %s, but the ledger says %s.',
      account_id, tenant_id, coalesce(k.amount, 0), coalesce(l.amount, 0)) as sentence,
      abs(coalesce(k.amount, 0) - coalesce(l.amount, 0)) as off_by
    from ledger l full join kept k using (tenant_id, account_id)
    where coalesce(k.amount, 0) <> coalesce(l.amount, 0)
    union all
    select format('Account %s of tenant %s has movements of %s, which it does not hold.', m.account_id, m.tenant_id,
      m.kind), abs(m.amount)
    from moved m left join public.value_accounts a on a.tenant_id = m.tenant_id and a.id = m.account_id
    where a.kind is distinct from m.kind
    union all
    select format('Entry %s of tenant %s moves value between accounts of kinds that do not fit.', e.id, e.tenant_id),
      e.amount
    from public.account_entries e
      left join public.value_accounts a on a.tenant_id = e.tenant_id and a.id = e.from_id
      left join public.value_accounts b on b.tenant_id = e.tenant_id and b.id = e.to_id
    where ${of('e', sql`coalesce(e.to_id, e.from_id)`)} and not case e.kind
      when 'bought' then b.kind = 'credits' and coalesce(a.kind, 'cash') = 'cash'
      when 'moved' then a.kind = b.kind else true end
    limit 1000`;
}

/** What closed shifts have kept against their entries: of all tenants, or some shifts of one. */
export async function compareShifts(sql: Sql, range?: IdRange): Promise<readonly Difference[]> {
  if (!(await hasTable(sql, 'shifts'))) return [];
  const of = (id: string) => inRange(sql, range, 'tenant_id', sql`${sql(id)}`);
  return sql<Difference[]>`
    with kept as (
      select tenant_id, shift_id, account_id, moved from public.shift_counts
      where moved is not null and ${of('shift_id')}
    ), entered as (${shiftMoves(sql, of('shift_id'))}),
    closed as (select tenant_id, id as shift_id from public.shifts where closed_at is not null and ${of('id')})
    select format('Shift %s of tenant %s has kept %s of account %s, but its entries say %s.',
      shift_id, tenant_id, coalesce(k.moved, 0), account_id, coalesce(e.moved, 0)) as sentence,
      abs(coalesce(k.moved, 0) - coalesce(e.moved, 0)) as off_by
    from closed join (kept k full join entered e using (tenant_id, shift_id, account_id)) using (tenant_id, shift_id)
    where coalesce(k.moved, 0) <> coalesce(e.moved, 0)
    limit 1000`;
}
