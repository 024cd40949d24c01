import type { TransactionDetails } from '../../contract/entities';
import type { Handlers } from '../context';
import type { DbRow } from '../db/row';
import { notFound } from '../problem';
import { inTenant, tenantScope } from '../tenancy';

export const transactionDetails = {
  /**
   * Who made and who decided a purchase, deposit or redeem: by the audit log, or else by the ledger.
   */
  async getTransactionDetails({ sql, caller, params }) {
    const tenant = tenantScope(caller);
    const [row] = await sql<DbRow<TransactionDetails>[]>`
      with money as (
        select id, tenant_id, player_id, status, description, completed_at, is_history,
          case transaction_type when 'DEPOSIT' then 'deposit' else 'purchase' end as kind
        from transactions where id = ${params.id} and ${inTenant(sql, tenant)}
        union all
        select id, tenant_id, player_id, status, description, completed_at, is_history, 'redeem'
        from redeems where id = ${params.id} and ${inTenant(sql, tenant)}
      )
      select m.id, m.kind, m.status, m.description, m.completed_at, r.reason, r.note,
        coalesce(
          (select a.email from audit_log a
           where a.tenant_id = m.tenant_id and a.kind = m.kind and a.object_id = m.id::text
             and a.before is null and a.after is not null
           order by a.id limit 1),
          case when m.is_history then 'Import' end,
          (select p.email from transfers t join admins p on p.id = t.admin_id
           where t.tenant_id = m.tenant_id and t.player_id = m.player_id and t.money_id = m.id and t.to_account = 'held'
           order by t.id limit 1)
        ) as made_by,
        case when m.status <> 'pending' then coalesce(
          (select a.email from audit_log a
           where a.tenant_id = m.tenant_id and a.kind = m.kind and a.object_id = m.id::text
             and a.after ->> 'status' = m.status
           order by a.id desc limit 1),
          case when m.is_history then 'Import' end,
          (select p.email from transfers t join admins p on p.id = t.admin_id
           where t.tenant_id = m.tenant_id and t.player_id = m.player_id and t.money_id = m.id
             and t.to_account <> 'held'
           order by t.id desc limit 1)
        ) end as decided_by
      from money m left join remarks r on r.tenant_id = m.tenant_id and r.line_id = m.id`;
    if (!row) throw notFound('Transaction');
    return row;
  },
} satisfies Partial<Handlers>;
