import type { MonthStatement } from '../../contract/entities';
import { ledgerAccounts, movementKinds } from '../../contract/months';
import { notFound } from '../core/problem';
import type { Fragment, Sql } from '../db/open';
import { movements } from './movements';

const kindOf = (sql: Sql) => sql`
  case
    when from_account = 'cash_in' then 'purchases'
    when to_account = 'platform' then 'deposits'
    when from_account = 'platform' then 'returns'
    when to_account = 'cash_out' then 'redeems'
    when to_account = 'held' then 'held'
    when from_account = 'held' then 'returned'
    when from_account = 'adjustment' then 'added'
    when to_account = 'adjustment' then 'removed'
    else 'brought_in'
  end`;

const movementPairs = (sql: Sql) => sql.unsafe(movementKinds.map((kind) => `'${kind}', ${kind}`).join(', '));

const movementSums = (sql: Sql) =>
  sql.unsafe(
    movementKinds
      .map((kind) => `coalesce(sum(p.amount) filter (where is_now and kind = '${kind}'), 0) as ${kind}`)
      .join(', '),
  );

const closedUntil = (sql: Sql, tenantId: number) =>
  sql`(select coalesce(max(ends_at), '-infinity') from closed_months where tenant_id = ${tenantId})`;

/** A month: what each account had, what moved by kind, what it has; a closed one as kept, an open one counted since. */
export async function readStatement(sql: Sql, tenantId: number, month: string): Promise<MonthStatement> {
  const day = `${month}-01`;
  return sql<MonthStatement[]>`
    with tenant as (
      select t.id, t.name, t.time_zone, m.starts_at, m.ends_at, c.closed_at, a.email as closed_by
      from tenants t
      cross join lateral (
        select ${day}::timestamp at time zone t.time_zone as starts_at,
          (${day}::timestamp + interval '1 month') at time zone t.time_zone as ends_at
      ) m
      left join closed_months c on c.tenant_id = ${tenantId} and c.month = ${day}::date
      left join admins a on a.id = c.admin_id
      where t.id = ${tenantId}
    ), moved as materialized (
      select from_account, to_account, at >= (select starts_at from tenant) as is_now, sum(amount) as amount,
        count(*) as transfers
      from (${movements(sql, tenantId, closedUntil(sql, tenantId), sql`(select ends_at from tenant)`)}) open
      group by 1, 2, 3
      union all
      select from_account, to_account, month = ${day}::date, sum(amount), sum(transfers)
      from statement_lines where tenant_id = ${tenantId} and month <= ${day}::date
      group by 1, 2, 3
    ), posting as (
      select from_account as account, -amount as amount, is_now, ${kindOf(sql)} as kind from moved
      union all
      select to_account, amount, is_now, ${kindOf(sql)} from moved
    ), account as (
      select a.account, a.place, coalesce(sum(p.amount) filter (where not is_now), 0) as opening,
        ${movementSums(sql)},
        coalesce(sum(p.amount), 0) as closing
      from unnest(${[...ledgerAccounts]}::text[]) with ordinality as a (account, place)
        left join posting p on p.account = a.account
      group by a.account, a.place
    )
    select id as tenant_id, name as tenant_name, ${month}::text as month, time_zone, starts_at, ends_at,
      closed_at, closed_by,
      (select json_agg(json_build_object('account', account, 'opening', opening, ${movementPairs(sql)},
        'closing', closing) order by place) from account) as accounts,
      (select coalesce(json_agg(json_build_object('kind', kind, 'transfers', transfers, 'amount', amount)
        order by kind), '[]') from (
        select ${kindOf(sql)} as kind, sum(transfers) as transfers, sum(amount) as amount
        from moved where is_now group by 1
      ) k) as kinds
    from tenant`.one(notFound('Tenant'));
}

/** What was purchased and redeemed by month, as in the statements: of closed months, this one and the last. */
export const monthFigures = (sql: Sql, tenantId: number): Fragment => sql`
  select month, sum(amount) filter (where from_account = 'cash_in') as purchases,
    sum(amount) filter (where to_account = 'cash_out') as redeems
  from (
    select month::timestamp as month, from_account, to_account, amount
    from statement_lines where tenant_id = ${tenantId}
    union all
    select date_trunc('month', at at time zone time_zone), from_account, to_account, amount
    from tenants, (${movements(
      sql,
      tenantId,
      sql`greatest(${closedUntil(sql, tenantId)},
      (select (date_trunc('month', now() at time zone time_zone) - interval '1 month') at time zone time_zone
        from tenants where id = ${tenantId}))`,
      sql`'infinity'::timestamptz`,
    )}) open
    where id = ${tenantId}
  ) moved
  where from_account = 'cash_in' or to_account = 'cash_out'
  group by month`;
