/**
 * Whoever writes with an account passes its gate with others; whoever takes something from the account passes alone.
 * Row locks would not do: PostgreSQL lets new sharers of a row overtake a writer that waits for it, so somebody who
 * never stops writing could keep the account from being disabled. Both hold until the transaction ends.
 */
import type { Sql } from '../db/open';

/**
 * For the BEGIN of a write, at no round trip. Later statements need no row lock: they see what was written by whoever
 * passed alone. `isAlone`: it changes the account.
 */
export const passGate = (adminId: number, { isAlone = false } = {}): string =>
  `select pg_advisory_xact_lock${isAlone ? '' : '_shared'}(hashtextextended('account ${adminId}', 0))`;

/** Before a row of the account, its sessions or its API keys is locked for a change. */
export async function closeGate(sql: Sql, adminId: number): Promise<void> {
  await sql.unsafe(passGate(adminId, { isAlone: true }));
}
