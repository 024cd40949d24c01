import type { PendingCounts } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { inTenant, tenantScope } from '../core/tenancy';
import { onlyRow } from '../db/row';
import { countListed, countNew } from '../queries/transactionList';
import { sumListed } from '../queries/transactionSums';

export const pendingCounts = {
  /** Read from the partial indexes on pending rows, so the number of other rows does not matter. */
  async countPending({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    const pending = sql`status = 'pending' and ${inTenant(sql, tenant)}`;
    return onlyRow(sql<PendingCounts[]>`
      select (select count(*) from transactions where ${pending} and transaction_type = 'TOP_UP') as purchases,
        (select count(*) from transactions where ${pending} and transaction_type = 'DEPOSIT') as deposits,
        (select count(*) from transactions where ${pending} and transaction_type = 'RETURN') as returns,
        (select count(*) from redeems where ${pending}) as redeems`);
  },

  countListed: ({ sql, caller, query }) => countListed(sql, query.list, tenantScope(caller, query.tenant_id), query),

  countNew: ({ sql, caller, query }) => countNew(sql, query.list, tenantScope(caller, query.tenant_id), query),

  sumListed: ({ sql, caller, query }) => sumListed(sql, query.list, tenantScope(caller, query.tenant_id), query),
} satisfies Partial<Handlers>;
