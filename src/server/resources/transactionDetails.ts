import type { TransactionDetails } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { notFound } from '../core/problem';
import { inTenant, tenantScope } from '../core/tenancy';
import type { DbRow } from '../db/row';
import { moneyKind } from '../ledger/rows';

interface Deciders {
  made_by: string | null;
  decided_by: string | null;
}
interface MoneyRow extends Pick<DbRow<TransactionDetails>, 'id' | 'kind' | 'status' | 'description' | 'completed_at'> {
  tenant_id: number;
  player_id: number;
  is_history: boolean;
}

export const transactionDetails = {
  /**
   * Who made and who decided a purchase, deposit or redeem: by the audit log, or else by the ledger.
   */
  async getTransactionDetails({ sql, caller, params }) {
    const tenant = tenantScope(caller);
    const [money] = await sql<MoneyRow[]>`
      with money as (
        select id, tenant_id, player_id, status, description, completed_at, is_history,
          ${moneyKind(sql)} as kind
        from transactions where id = ${params.id} and ${inTenant(sql, tenant)}
        union all
        select id, tenant_id, player_id, status, description, completed_at, is_history, 'redeem'
        from redeems where id = ${params.id} and ${inTenant(sql, tenant)}
      )
      select * from money`;
    if (!money) throw notFound('Transaction');
    const { id, tenant_id, player_id, kind, status, is_history, ...shown } = money;
    // The log is apart from the rows of the tenants (docs/scaling.md, "Citus"), so each is asked by itself.
    const [logged] = await sql<Deciders[]>`
      select
        (select a.email from audit_log a
         where a.tenant_id = ${tenant_id} and a.kind = ${kind} and a.object_id = ${String(id)}
           and a.before is null and a.after is not null
         order by a.id limit 1) as made_by,
        (select a.email from audit_log a
         where a.tenant_id = ${tenant_id} and a.kind = ${kind} and a.object_id = ${String(id)}
           and a.after ->> 'status' = ${status}
         order by a.id desc limit 1) as decided_by`;
    const [posted] = await sql<(Deciders & Pick<TransactionDetails, 'reason' | 'note'>)[]>`
      select r.reason, r.note,
        (select p.email from transfers t join admins p on p.id = t.admin_id
         where t.tenant_id = ${tenant_id} and t.player_id = ${player_id} and t.money_id = ${id}
           and t.to_account = 'held'
         order by t.id limit 1) as made_by,
        (select p.email from transfers t join admins p on p.id = t.admin_id
         where t.tenant_id = ${tenant_id} and t.player_id = ${player_id} and t.money_id = ${id}
           and t.to_account <> 'held'
         order by t.id desc limit 1) as decided_by
      from tenants left join remarks r on r.tenant_id = ${tenant_id} and r.line_id = ${id}
      where tenants.id = ${tenant_id}`;
    const who = (by: keyof Deciders) => logged?.[by] ?? (is_history ? 'Import' : (posted?.[by] ?? null));
    return {
      id,
      kind,
      status,
      ...shown,
      reason: posted?.reason ?? null,
      note: posted?.note ?? null,
      made_by: who('made_by'),
      decided_by: status === 'pending' ? null : who('decided_by'),
    };
  },
} satisfies Partial<Handlers>;
