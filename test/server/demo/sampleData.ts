/** What the tests of the sample data have in common. */
import * as assert from 'uvu/assert';
import { createAuditShards } from '../../../src/server/audit/auditLog';
import { seedPlatform } from '../../../src/server/commands/setup';
import { db, emptyWorld, reset, services, sql } from '../../world';

/** Everything gone but the platform's own tenant, as before the first start; `reset` made the server anew. */
export async function empty(): Promise<void> {
  await reset();
  await db.tx(async (tx) => {
    await emptyWorld(tx);
    await createAuditShards(tx, services.secrets);
    await seedPlatform(tx, { timeZone: 'UTC' });
  });
}

export const one = async (query: PromiseLike<readonly Record<string, number | string>[]>) => {
  const [row] = await query;
  if (!row) throw new Error('no row');
  return row;
};

/** However early in its day it is and whatever the season, about as much has happened. */
export async function assertUsualSize(): Promise<void> {
  const { transactions } = await one(sql`select count(*)::int as transactions from transactions`);
  assert.ok(Math.abs(Number(transactions) / 24_000 - 1) < 0.02, `${transactions} transactions`);
}

/** How many balances stood below zero after some transfer. */
export const dips = async () =>
  (
    await one(sql`
  select count(*)::int as below from (
    select account,
      sum(amount) over (partition by tenant_id, player_id, account order by id, amount desc) as running
    from (
      select tenant_id, player_id, id, from_account as account, -amount as amount from transfers
      union all select tenant_id, player_id, id, to_account, amount from transfers) posting) p
  where running < 0 and account in ('credit', 'bonus', 'vip', 'loyalty', 'held')`)
  ).below;
