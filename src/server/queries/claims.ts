import { isOpen } from '../../contract/rules';
import type { Sql } from '../db/open';
import { findClaims } from '../ledger/claims';

/** The pending rows of a page with who has taken them. */
export async function withClaims<Row extends { id: number; status: string }>(
  sql: Sql,
  tenant: number | null,
  rows: Row[],
): Promise<Row[]> {
  const pending = rows.filter(({ status }) => isOpen(status)).map(({ id }) => id);
  if (!pending.length) return rows;
  const claims = await findClaims(sql, tenant, sql`c.money_id = any(${pending})`);
  const of = new Map(claims.map(({ id, claimed_by, claimed_until }) => [id, { claimed_by, claimed_until }]));
  return rows.map((row) => (isOpen(row.status) ? { ...row, ...of.get(row.id) } : row));
}
