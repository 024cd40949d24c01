import type { AuditKind, Status } from '../../contract/constants';
import { isOpen } from '../../contract/rules';
import { type Audit, type ChangeText, saveReason } from '../audit/auditLog';
import type { Ctx } from '../core/context';
import { type Owner, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';

/** What a person decides about a row, for the ledger. */
export function toSettlement(ctx: Ctx<'changePurchaseStatus'> | Ctx<'changeRedeemStatus'>) {
  const { caller, params, body, services } = ctx,
    by = { admin_id: caller.admin_id, by: caller, secrets: services.secrets };
  return { id: params.id, tenant: tenantScope(caller), status: body.status, account_id: body.account_id, ...by };
}

/** Keeps why a row was decided, and says it in the audit log. One still pending waits for a second person. */
export async function noteDecision(
  sql: Sql,
  audit: Audit,
  kind: AuditKind,
  { id, tenant_id, player_id, status }: Owner & { id: number; status: Status },
  body: ChangeText & { status: Status },
): Promise<void> {
  if (!isOpen(status)) await saveReason(sql, tenant_id, [id], body);
  const isFirst = isOpen(status) && body.status === 'success';
  const after = { status, ...(isFirst && { approved: '1 of 2' }) };
  audit.about({ kind, id, tenant_id, player_id, before: { status: 'pending' }, after });
}
