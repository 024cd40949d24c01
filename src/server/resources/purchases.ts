import { PURCHASES_LIMIT } from '../../contract/constants';
import { isOpen } from '../../contract/rules';
import { saveRemark } from '../audit';
import type { Sql } from '../db/open';
import type { TransactionRow } from '../ledger/rows';
import { settlePurchase } from '../ledger/settle';
import { inTenant, tenantScope, type Handlers } from '../resource';

/** The newest of one type, straight from the index that has them in this order. */
const newest = (sql: Sql, tenant: number | null, type: string, limit: number) => sql`
  (select * from transactions where transaction_type = ${type} and ${inTenant(sql, tenant)} order by initiated_at desc, id desc limit ${limit})`;

/** Per type and then merged: a condition on both types at once could only be met by a scan. */
const listNewest = (sql: Sql, tenant: number | null, types: readonly [string, ...string[]], limit = PURCHASES_LIMIT) => {
  const [first, ...others] = types;
  return sql<TransactionRow[]>`
    select m.*, p.email as user_email
    from (
      select * from (${others.reduce((all, type) => sql`${all} union all ${newest(sql, tenant, type, limit)}`, newest(sql, tenant, first, limit))}) each_type
      order by initiated_at desc, id desc limit ${limit}
    ) m join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
    order by m.initiated_at desc, m.id desc`;
};

export const purchases = {
  listPurchases: ({ sql, caller, query }) =>
    listNewest(sql, tenantScope(caller, query.tenant_id), query.transaction_type ? [query.transaction_type] : ['TOP_UP', 'DEPOSIT'], query.limit),

  listDeposits: ({ sql, caller, query }) => listNewest(sql, tenantScope(caller, query.tenant_id), ['DEPOSIT'], query.limit),

  /** Purchases and deposits share one id space and this call. */
  async changePurchaseStatus({ sql, caller, params, body, audit }) {
    const row = await settlePurchase(sql, { id: params.id, tenant: tenantScope(caller), status: body.status, admin_id: caller.admin_id });
    const { id, tenant_id, player_id, status } = row;
    if (!isOpen(status)) await saveRemark(sql, tenant_id, [id], body);
    audit.about({ kind: row.transaction_type === 'DEPOSIT' ? 'deposit' : 'purchase', id, tenant_id, player_id, before: { status: 'pending' }, after: { status } });
    return row;
  },
} satisfies Partial<Handlers>;
