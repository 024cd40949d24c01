import { computeEntryMac, computeShardMac, type LogRow } from '../audit/auditLog';
import type { Secrets } from '../auth/secrets';
import type { TransactionSql } from '../db/open';
import type { Book } from './account';
import { accounts } from './cast';
import { insertRows } from './insert';

/** Who recorded each return of the sample data: as many entries of the audit log, in its first shard. */
export async function insertLog(
  sql: TransactionSql,
  secrets: Secrets,
  { money }: Book,
  adminIds: ReadonlyMap<number, number>,
): Promise<void> {
  const end = { lane: 0, position: 0, last_seal: Buffer.alloc(0) as Buffer };
  const rows: object[] = [];
  for (const { row } of money) {
    const { tenant_id, player_id, id, amount, platform, initiated_at: at } = row;
    if (row.transaction_type !== 'RETURN') continue;
    const after = { amount, platform, status: 'pending' };
    const entry: LogRow = {
      lane: end.lane,
      position: ++end.position,
      id: end.position,
      at,
      admin_id: adminIds.get(tenant_id) ?? null,
      email: accounts.find(({ tenantId }) => tenantId === tenant_id)?.email ?? '',
      address: '203.0.113.7',
      call: 'createReturn',
      kind: 'return',
      object_id: String(id),
      player_id,
      tenant_id,
      before: null,
      after: JSON.stringify(after),
      reason: null,
      note: null,
      request_id: '',
    };
    end.last_seal = computeEntryMac(secrets, entry, end.last_seal);
    rows.push({ ...entry, after, seal: `\\x${end.last_seal.toString('hex')}` });
  }
  await insertRows(sql, 'audit_log', rows);
  await sql`select setval('audit_ids', ${end.position})`;
  const { lane, ...changed } = { ...end, seal: computeShardMac(secrets, end) };
  await sql`update audit_lanes set ${sql(changed)} where lane = ${lane}`;
}
