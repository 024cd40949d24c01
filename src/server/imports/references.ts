/** References of imported rows: a payment that others report too, whenever, is created once. */
import type { TransactionSql } from '../db/open';
import { findProcessor } from '../ledger/processors';
import { normalizeMethod, type PaymentReference } from '../payments/paymentReferences';
import { asRecords } from './batch';
import type { MoneyCells } from './moneyCells';

type PaidRow = Pick<MoneyCells, 'transaction_type' | 'status' | 'payment_method' | 'platform' | 'payment_reference'>;
interface FileReference extends Omit<PaymentReference, 'tenant_id'> {
  failed: boolean;
}

function toReference({ transaction_type: kind, payment_method = '', platform = '', ...row }: PaidRow): FileReference[] {
  const method = kind === 'TOP_UP' ? normalizeMethod(payment_method) : platform;
  return row.payment_reference
    ? [{ kind, method, reference: row.payment_reference, failed: row.status === 'failed' }]
    : [];
}

interface Owner {
  n: number;
  id: number;
  is_imported: boolean;
  failed_before: boolean;
}

/**
 * Finds the rows, by their number, whose payment exists already, with the reason for people. A processor has one
 * purchase for each reference; failed attempts of the past may stand beside it. Other references may occur several
 * times in files.
 *
 * Unless `isCheck`, the references of the other rows are reserved, so that nobody else creates these payments until
 * the transaction ends. That happens before any wallet is locked: a webhook locks its reference first, too. Call
 * `assignReferences` at the end.
 */
export async function claimReferences(
  sql: TransactionSql,
  tenantId: number,
  rows: readonly (PaidRow & { line: number })[],
  { isCheck }: { isCheck: boolean },
): Promise<Map<number, string>> {
  const claims = rows.flatMap((row, n) => toReference(row).map((at) => ({ ...at, n, line: row.line })));
  const known = new Map<number, string>();
  if (!claims.length) return known;
  if (!isCheck) {
    await sql`
      insert into payment_references (tenant_id, kind, method, reference, is_imported)
      select distinct ${tenantId}::bigint, kind, method, reference, true
      from ${asRecords(sql, claims)} as c (kind text, method text, reference text) order by 2, 3, 4
      on conflict do nothing`;
  }
  const owners = await sql<Owner[]>`
    select c.n, r.money_id as id, r.is_imported, coalesce(t.is_history and t.status = 'failed', false) as failed_before
    from ${asRecords(sql, claims)} as c (n int, kind text, method text, reference text)
    join payment_references r
      on r.tenant_id = ${tenantId} and r.kind = c.kind and r.method = c.method and r.reference = c.reference
    left join transactions t on t.tenant_id = r.tenant_id and t.id = r.money_id
    where r.money_id is not null`;
  const ownerOf = new Map(owners.map((owner) => [owner.n, owner])),
    lines = new Map<string, number>();
  for (const { n, line, kind, method, reference, failed } of claims) {
    const owner = ownerOf.get(n),
      key = JSON.stringify([method, reference]);
    const isOnce = kind === 'TOP_UP' && findProcessor(method) !== undefined && !failed;
    if (owner && (!owner.is_imported || (isOnce && !owner.failed_before)))
      known.set(n, `already belongs to transaction ${owner.id}`);
    else if (isOnce && lines.has(key)) known.set(n, `is also in line ${lines.get(key)}`);
    else if (isOnce) lines.set(key, line);
  }
  return known;
}

/** Gives created rows their references, also from one that failed in the past; of several, one that did not fail. */
export async function assignReferences(
  sql: TransactionSql,
  tenantId: number,
  rows: readonly PaidRow[],
  made: readonly (PaidRow & { id: number })[],
): Promise<void> {
  const claims = rows.flatMap(toReference);
  if (!claims.length) return;
  const owners = made.flatMap((row) => toReference(row).map((at) => ({ ...at, id: row.id })));
  await sql`
    update payment_references r set money_id = m.id
    from (
      select distinct on (kind, method, reference) kind, method, reference, failed, id
      from ${asRecords(sql, owners)} as m (kind text, method text, reference text, failed boolean, id bigint)
      order by kind, method, reference, failed, id
    ) m
    where r.tenant_id = ${tenantId} and r.kind = m.kind and r.method = m.method and r.reference = m.reference
      and (r.money_id is null or not m.failed and r.money_id in (
        select t.id from transactions t where t.tenant_id = ${tenantId} and t.id = r.money_id
          and t.is_history and t.status = 'failed'))`;
  await sql`
    delete from payment_references r using ${asRecords(sql, claims)} as c (kind text, method text, reference text)
    where r.tenant_id = ${tenantId} and r.kind = c.kind and r.method = c.method and r.reference = c.reference
      and r.money_id is null`;
}
