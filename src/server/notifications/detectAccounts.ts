/** What rules about accounts and shifts find (docs/extras/shifts.md). */
import type { Sql } from '../db/open';
import { accountBalance } from '../totals/accountSums';
import type { Found } from './record';
import { AT_ONCE, isNew, watchedTenants } from './rules';

/** Stocks in use with fewer credits than the number. */
export const findLowStock = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'low_stock')}
  select w.tenant_id, 'stock ' || w.about || ' ' || k.id as dedup_key, w.about as about_tenant_id,
    k.id::text as object_id,
    k.name || ' has ' || to_char(k.balance, 'FM999,999,999,999,990.00') || ' credits left' as title,
    'Fewer than ' || to_char(w.threshold, 'FM999,999,999') as detail
  from watched w join (
    select a.tenant_id, a.id, a.name, ${accountBalance(sql, sql`a.tenant_id`)} as balance
    from value_accounts a where a.kind = 'credits' and a.is_active
  ) k on k.tenant_id = w.about
  where k.balance < w.threshold`;

/** Shifts closed in the last hour in which an account, in dollars or credits, was off by more than the amount. */
export const findShiftDifferences = (sql: Sql) => sql<Found[]>`
  with ${watchedTenants(sql, 'shift_difference')}
  select w.tenant_id, x.key as dedup_key, w.about as about_tenant_id, x.shift_id::text as object_id,
    x.name || ' was off by ' || case when x.off < 0 then '-' else '' end
      || case when x.kind = 'cash' then '$' else '' end || to_char(abs(x.off), 'FM999,999,999,990.00')
      || case when x.kind = 'cash' then '' else ' credits' end || ' in the shift of ' || d.email as title,
    coalesce(x.reason, '') as detail
  from watched w join (
    select s.tenant_id, s.admin_id, c.shift_id, v.name, v.kind, c.counted - c.opening - c.moved as off, c.reason,
      'shift ' || s.tenant_id || ' ' || s.id || ' ' || v.id as key
    from shifts s join shift_counts c on c.tenant_id = s.tenant_id and c.shift_id = s.id
      join value_accounts v on v.tenant_id = s.tenant_id and v.id = c.account_id
    where s.closed_at > (select now() - interval '1 hour')
  ) x on x.tenant_id = w.about
  join admins d on d.id = x.admin_id
  where abs(x.off) > w.threshold and ${isNew(sql, 'shift_difference', 'w.tenant_id', sql`x.key`)}
  limit ${AT_ONCE}`;
