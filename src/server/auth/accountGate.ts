/**
 * Whoever writes with an account passes its gate with others; whoever takes something from the account passes alone.
 * Row locks would not do: PostgreSQL lets new sharers of a row overtake a writer that waits for it, so somebody who
 * never stops writing could keep the account from being disabled. Both hold until the transaction ends.
 */
import type { Fragment, Sql } from '../db/open';

const gate = (sql: Sql, adminId: number): Fragment => sql`hashtextextended(${`account ${adminId}`}, 0)`;

/** A query to be read by the statement that looks the account up. `isAlone`: the write changes the account itself. */
export const passGate = (sql: Sql, adminId: number, { isAlone = false } = {}): Fragment =>
  isAlone
    ? sql`select pg_advisory_xact_lock(${gate(sql, adminId)})`
    : sql`select pg_advisory_xact_lock_shared(${gate(sql, adminId)})`;

/** Before a row of the account, its sessions or its API keys is locked for a change. */
export async function closeGate(sql: Sql, adminId: number): Promise<void> {
  await sql`${passGate(sql, adminId, { isAlone: true })}`;
}
