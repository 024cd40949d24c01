/** Payment references of what comes in, so that what a processor or another system tells of the same payment later is not made a second time. */
import type { TransactionSql } from '../db/open';
import { normalizeMethod, findProcessor, type PaymentReference } from '../payments/paymentReferences';
import { asRecords } from './batch';

interface Paid { transaction_type: PaymentReference['kind']; payment_method?: string | undefined; platform?: string | undefined; payment_reference?: string | undefined }

/** What a row's reference means; null: it has none. */
export function toReference(tenantId: number, { transaction_type: kind, payment_method = '', platform = '', payment_reference }: Paid): PaymentReference | null {
  const method = kind === 'TOP_UP' ? normalizeMethod(payment_method) : platform;
  return payment_reference ? { tenant_id: tenantId, kind, method, reference: payment_reference } : null;
}

/** Which rows, by their number, are payments that a processor has told of already: the purchase of each. Other references may stand several times in a file. */
export async function findReported(sql: TransactionSql, tenantId: number, rows: readonly Paid[]): Promise<Map<number, number>> {
  const asked = rows.flatMap((row, n) => {
    const at = toReference(tenantId, row);
    return at?.kind === 'TOP_UP' && findProcessor(at.method) ? [{ n, method: at.method, reference: at.reference }] : [];
  });
  if (!asked.length) return new Map();
  const told = await sql<{ n: number; id: number }[]>`
    select m.n, t.id from ${asRecords(sql, asked)} as m (n int, method text, reference text)
    join payment_references r on r.tenant_id = ${tenantId} and r.kind = 'TOP_UP' and r.method = m.method and r.reference = m.reference
    join transactions t on t.tenant_id = r.tenant_id and t.id = r.money_id and not t.is_history`;
  return new Map(told.map(({ n, id }) => [n, id]));
}

/** Takes the references of the past. Of rows with the same one it means a payment that did not fail, and whatever has it already keeps it. Before any wallet is locked. */
export async function saveReferences(sql: TransactionSql, tenantId: number, rows: readonly (Paid & { id: number; status: string })[]): Promise<void> {
  const taken = rows.flatMap((row) => {
    const at = toReference(tenantId, row);
    return at ? [{ ...at, money_id: row.id, failed: row.status === 'failed' }] : [];
  });
  if (!taken.length) return;
  await sql`
    insert into payment_references (tenant_id, kind, method, reference, money_id)
    select distinct on (kind, method, reference) ${tenantId}, kind, method, reference, money_id
    from ${asRecords(sql, taken)} as m (kind text, method text, reference text, money_id bigint, failed boolean) order by kind, method, reference, failed, money_id
    on conflict do nothing`;
}
