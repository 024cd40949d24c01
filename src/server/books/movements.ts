import type { Fragment, Sql } from '../db/open';

/**
 * All movements of a tenant from one time up to another, with the time that they belong to. A transfer belongs to when
 * it was written. What was settled in another system before it was imported belongs to when it was settled, as in every
 * other report; a transfer between `opening` and another account with a purchase, deposit or redeem is of that kind.
 */
export const movements = (sql: Sql, tenantId: number, from: Fragment, before: Fragment) => sql`
  select from_account, to_account, amount, created_at as at from public.transfers
  where tenant_id = ${tenantId} and created_at >= ${from} and created_at < ${before}
    and (money_id is null or (from_account <> 'opening' and to_account <> 'opening'))
  union all
  select case transaction_type when 'TOP_UP' then 'cash_in' when 'RETURN' then 'platform' else 'opening' end,
    case transaction_type when 'DEPOSIT' then 'platform' else 'opening' end, amount, completed_at
  from public.transactions
  where tenant_id = ${tenantId} and is_history and status = 'success' and completed_at >= ${from}
    and completed_at < ${before}
  union all
  select 'opening', 'cash_out', amount, completed_at from public.redeems
  where tenant_id = ${tenantId} and is_history and status = 'success' and completed_at >= ${from}
    and completed_at < ${before}`;

/** When the first movement of a tenant was; null if there is none. Each is one look into an index. */
export const firstMovement = (sql: Sql, tenantId: number) => sql`
  (select least(
    (select min(created_at) from public.transfers where tenant_id = ${tenantId}),
    (select min(completed_at) from public.transactions
      where tenant_id = ${tenantId} and is_history and status = 'success'),
    (select min(completed_at) from public.redeems
      where tenant_id = ${tenantId} and is_history and status = 'success')))`;
