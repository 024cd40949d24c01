import type { QueueSettings } from '../../contract/entities';
import { isOpen } from '../../contract/rules';
import type { Sql } from '../db/open';
import { findClaims } from '../ledger/claims';
import { type MoneyType, moneyKinds } from '../ledger/rows';

interface Row {
  id: number;
  status: string;
  tenant_id: number;
  transaction_type?: string;
}

/** The pending rows of a page with who has taken them, and when they are late where the tenant says so itself. */
export async function withClaims<R extends Row>(sql: Sql, tenant: number | null, rows: R[]): Promise<R[]> {
  const pending = rows.filter(({ status }) => isOpen(status));
  if (!pending.length) return rows;
  const claims = await findClaims(sql, tenant, sql`c.money_id = any(${pending.map(({ id }) => id)})`);
  const claimOf = new Map(claims.map(({ id, claimed_by, claimed_until }) => [id, { claimed_by, claimed_until }]));
  const tenants = [...new Set(pending.map(({ tenant_id }) => tenant_id))];
  const own = await sql<{ id: number; late_minutes: QueueSettings['late_minutes'] }[]>`
    select id, late_minutes from tenants where id = any(${tenants}) and late_minutes is not null`;
  const lateOf = ({ tenant_id, transaction_type = 'REDEEM' }: R) => {
    const of = own.find(({ id }) => id === tenant_id)?.late_minutes;
    const found = of?.find(({ list }) => list === `${moneyKinds[transaction_type as MoneyType]}s`);
    return found && { late_minutes: found.late, overdue_minutes: found.overdue };
  };
  return rows.map((row) => (isOpen(row.status) ? { ...row, ...claimOf.get(row.id), ...lateOf(row) } : row));
}
