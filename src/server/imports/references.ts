/**
 * Payment references of imported rows, so that a payment which is reported again later is not created a second time.
 */
import type { TransactionSql } from '../db/open';
import { findProcessor, normalizeMethod, type PaymentReference } from '../payments/paymentReferences';
import { asRecords } from './batch';

interface PaidRow {
  transaction_type: PaymentReference['kind'];
  payment_method?: string | undefined;
  platform?: string | undefined;
  payment_reference?: string | undefined;
}

/** The reference of a row; null when it has none. */
export function toReference(
  tenantId: number,
  { transaction_type: kind, payment_method = '', platform = '', payment_reference }: PaidRow,
): PaymentReference | null {
  const method = kind === 'TOP_UP' ? normalizeMethod(payment_method) : platform;
  return payment_reference ? { tenant_id: tenantId, kind, method, reference: payment_reference } : null;
}

/**
 * The rows, by their number, whose payment a processor has already reported, with the id of the purchase. Other
 * references may occur several times in a file.
 */
export async function findReported(
  sql: TransactionSql,
  tenantId: number,
  rows: readonly PaidRow[],
): Promise<Map<number, number>> {
  const payments = rows.flatMap((row, n) => {
    const at = toReference(tenantId, row);
    return at?.kind === 'TOP_UP' && findProcessor(at.method) ? [{ n, method: at.method, reference: at.reference }] : [];
  });
  if (!payments.length) return new Map();
  const reported = await sql<{ n: number; id: number }[]>`
    select m.n, t.id from ${asRecords(sql, payments)} as m (n int, method text, reference text)
    join payment_references r
      on r.tenant_id = ${tenantId} and r.kind = 'TOP_UP' and r.method = m.method and r.reference = m.reference
    join transactions t on t.tenant_id = r.tenant_id and t.id = r.money_id and not t.is_history`;
  return new Map(reported.map(({ n, id }) => [n, id]));
}

/**
 * Reserves the references of imported history. Of several rows with the same one, a payment that did not fail gets it;
 * an existing owner keeps it. Call it before locking a wallet.
 */
export async function saveReferences(
  sql: TransactionSql,
  tenantId: number,
  rows: readonly (PaidRow & { id: number; status: string })[],
): Promise<void> {
  const references = rows.flatMap((row) => {
    const at = toReference(tenantId, row);
    return at ? [{ ...at, money_id: row.id, failed: row.status === 'failed' }] : [];
  });
  if (!references.length) return;
  await sql`
    insert into payment_references (tenant_id, kind, method, reference, money_id)
    select distinct on (kind, method, reference) ${tenantId}, kind, method, reference, money_id
    from ${asRecords(sql, references)} as m (kind text, method text, reference text, money_id bigint, failed boolean)
    order by kind, method, reference, failed, money_id
    on conflict do nothing`;
}
