/** The accounts of a tenant against the ledger: every movement of one is a row of it. */
import type { Fragment, Sql } from '../db/open';
import { signedAmount } from '../totals/accountSums';

/** As those of `verify`. */
interface Difference {
  sentence: string;
  off_by: number;
}

/** A backup from before there were accounts has none. */
const hasAccounts = async (sql: Sql): Promise<boolean> => {
  const [found] = await sql<{ is_there: boolean }[]>`
    select to_regclass('public.value_accounts') is not null as is_there`;
  return found?.is_there ?? false;
};

/** Of all tenants, or of one: a sentence for each difference. */
export async function compareAccounts(sql: Sql, tenantId?: number): Promise<readonly Difference[]> {
  if (!(await hasAccounts(sql))) return [];
  const of = (table: string): Fragment =>
    tenantId === undefined ? sql`true` : sql`${sql(`${table}.tenant_id`)} = ${tenantId}`;
  return sql<Difference[]>`
    with moved as materialized (
      select m.tenant_id, m.account_id, sum(${signedAmount(sql)}) as amount,
        case when 'platform' in (m.from_account, m.to_account) then 'credits' else 'cash' end as kind,
        coalesce(sum(${signedAmount(sql)}) filter (where m.created_at < f.until), 0) as counted
      from public.transfers m left join public.facts_until f on f.tenant_id = m.tenant_id
      where m.account_id is not null and ${of('m')}
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
    where ${of('e')} and not case e.kind
      when 'bought' then b.kind = 'credits' and coalesce(a.kind, 'cash') = 'cash'
      when 'moved' then a.kind = b.kind else true end
    limit 1000`;
}
