/** With a limit for edits, who could report by a key does not settle it too (docs/permissions.md, "Two people"). */
import { Problem } from '../core/problem';
import type { Sql } from '../db/open';
import { type Decider, findLimits } from './approvals';
import type { TransactionRow } from './rows';
import { findSamePeople } from './samePerson';

/** Who made the key that reported it, as the audit log says; null if no key did. */
async function findReporter(sql: Sql, { tenant_id, id, transaction_type }: TransactionRow): Promise<number | null> {
  const [entry] = await sql<{ email: string }[]>`
    select email from audit_log
    where kind = ${transaction_type === 'DEPOSIT' ? 'deposit' : 'purchase'} and object_id = ${String(id)}
      and tenant_id = ${tenant_id} and call in ('pushTopUp', 'pushDeposit') limit 1`;
  if (!entry) return null;
  const [key] = await sql<{ admin_id: number }[]>`
    select admin_id from api_keys where tenant_id = ${tenant_id} and 'API key ' || prefix = ${entry.email} limit 1`;
  return key?.admin_id ?? null;
}

/** 409 if whoever settles a payment could have reported it by a key. */
export async function refuseOwnReport(sql: Sql, row: TransactionRow, by: Decider): Promise<void> {
  const { edits_from } = await findLimits(sql, row.tenant_id);
  if (edits_from === null || row.amount < edits_from) return;
  const admin_id = await findReporter(sql, row);
  if (admin_id === null) return;
  const [same] = await findSamePeople(sql, [{ admin_id, tenant_id: row.tenant_id }], by.admin_id);
  if (same)
    throw new Problem(
      409,
      'Whoever could have made the API key that reported this cannot settle it. Another person must',
    );
}
