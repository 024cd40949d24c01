/** What the transfers of the tenants' accounts add up to. */
import type { Fragment, Sql } from '../db/open';

/** What a transfer adds to its account: paid in by players and returned credits are more, the rest is less. */
export const signedAmount = (sql: Sql): Fragment =>
  sql`case when from_account in ('cash_in', 'platform') then amount else -amount end`;

/** What account `a` of a tenant has: the counted transfers, those since, and what moved by hand. */
export const accountBalance = (sql: Sql, tenant: Fragment): Fragment => sql`
  coalesce((select s.amount from account_sums s where s.tenant_id = ${tenant} and s.account_id = a.id), 0)
  + coalesce((select sum(${signedAmount(sql)}) from transfers m
      where m.tenant_id = ${tenant} and m.account_id = a.id and m.created_at >= coalesce(
        (select f.until from facts_until f where f.tenant_id = ${tenant}), '-infinity')), 0)
  + coalesce((select sum(coalesce(e.credits, e.amount)) from account_entries e
      where e.tenant_id = ${tenant} and e.to_id = a.id), 0)
  - coalesce((select sum(e.amount) from account_entries e where e.tenant_id = ${tenant} and e.from_id = a.id), 0)`;

/** What the entries of shifts have moved, for those that `only` allows. */
export const shiftMoves = (sql: Sql, only: Fragment): Fragment => sql`
  select tenant_id, shift_id, account_id, sum(amount) as moved from (
    select tenant_id, shift_id, account_id, ${signedAmount(sql)} as amount from public.transfers where ${only}
    union all
    select tenant_id, shift_id, to_id, coalesce(credits, amount) from public.account_entries
    where to_id is not null and ${only}
    union all
    select tenant_id, shift_id, from_id, -amount from public.account_entries where from_id is not null and ${only}
  ) entry group by tenant_id, shift_id, account_id`;

/** What the transfers of a tenant's accounts add up to from one moment up to another is added to the sums. */
export const addToAccountSums = (sql: Sql, tenantId: number, from: Fragment, until: Fragment) => sql`
  insert into account_sums as k (tenant_id, account_id, amount)
  select ${tenantId}::bigint, account_id, sum(${signedAmount(sql)}) from transfers
  where tenant_id = ${tenantId} and account_id is not null and created_at >= ${from} and created_at < ${until}
  group by account_id order by account_id
  on conflict (tenant_id, account_id) do update set amount = k.amount + excluded.amount`;
