/** What the transfers of the tenants' accounts add up to. */
import type { Fragment, Sql } from '../db/open';

/** What a transfer adds to its account: paid in by players and returned credits are more, the rest is less. */
export const signedAmount = (sql: Sql): Fragment =>
  sql`case when from_account in ('cash_in', 'platform') then amount else -amount end`;

/** What the transfers of a tenant's accounts add up to from one moment up to another is added to the sums. */
export const addToAccountSums = (sql: Sql, tenantId: number, from: Fragment, until: Fragment) => sql`
  insert into account_sums as k (tenant_id, account_id, amount)
  select ${tenantId}::bigint, account_id, sum(${signedAmount(sql)}) from transfers
  where tenant_id = ${tenantId} and account_id is not null and created_at >= ${from} and created_at < ${until}
  group by account_id order by account_id
  on conflict (tenant_id, account_id) do update set amount = k.amount + excluded.amount`;
