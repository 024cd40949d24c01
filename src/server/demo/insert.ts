/** Writes the sample data in a few large statements. */
import { permissionPresets, usualPermissions } from '../../contract/permissions';
import { computeEntryMac, computeShardMac, type LogRow } from '../audit/auditLog';
import type { Secrets } from '../auth/secrets';
import type { TransactionSql } from '../db/open';
import type { Book, Transfer } from './account';
import { accounts, tenants } from './cast';
import { type DemoPlayer, OLDEST_SIGN_UP } from './players';

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

/** Inserts rows in their order: of each the fields that are named as these columns. */
export async function insertRows(
  sql: TransactionSql,
  table: string,
  rows: readonly object[],
  columns: readonly string[] = [...new Set(rows.flatMap((row) => Object.keys(row)))],
): Promise<void> {
  const names = sql.unsafe(columns.join(', '));
  // One text parameter; the driver would encode a value of type json once more.
  await sql`
    insert into ${sql(table)} (${names})
    select ${names} from json_populate_recordset(null::${sql(table)}, ${JSON.stringify(rows)}::text::json)`;
}

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * 86_400_000);

export async function insertTenants(sql: TransactionSql, now: Date): Promise<void> {
  const created_at = daysBefore(now, OLDEST_SIGN_UP + 10);
  const columns = ['id', 'name', 'description', 'email', 'time_zone', 'redeems_from_game', 'created_at'];
  const list = tenants.map((tenant) => ({ redeems_from_game: false, ...tenant, created_at }));
  await insertRows(sql, 'tenants', list, columns);
  await sql`select setval(pg_get_serial_sequence('tenants', 'id'), (select max(id) from tenants))`;
}

/** Returns the first admin of each tenant, who settles and adjusts. */
export async function insertAdmins(sql: TransactionSql, passwordHashes: readonly string[]) {
  const known = await sql<{ id: number; name: string }[]>`select id, name from roles`;
  const roles = new Map(known.map(({ id, name }) => [name, id]));
  const list = accounts.map(({ email, role, tenantId, isActive = true, job = '' }, n) => ({
    tenant_id: tenantId,
    role_id: roles.get(role),
    email,
    password_hash: passwordHashes[n],
    is_active: isActive,
    permissions: permissionPresets[job] ?? usualPermissions,
  }));
  await insertRows(sql, 'admins', list);
  const inserted = await sql<{ tenant_id: number; id: number }[]>`
    select tenant_id, min(id) as id from admins group by tenant_id`;
  return new Map(inserted.map(({ tenant_id, id }) => [tenant_id, id]));
}

const playerColumns =
  'tenant_id id email first_name last_name phone_number referral_id affiliate_id is_active created_at updated_at';
export async function insertPlayers(sql: TransactionSql, players: readonly DemoPlayer[]): Promise<void> {
  await insertRows(sql, 'players', players, playerColumns.split(' '));
  await sql`select setval(pg_get_serial_sequence('players', 'id'), (select max(id) from players))`;
}

/** Purchases, deposits, redeems and their transfers with the accounts they move, numbered in order of time. */
export async function insertMoney(
  sql: TransactionSql,
  { money, transfers }: Book,
  placeOf: (transfer: Transfer) => object,
): Promise<void> {
  money
    .sort((a, b) => a.row.initiated_at.getTime() - b.row.initiated_at.getTime())
    .forEach(({ row }, n) => {
      row.id = n + 1;
    });
  for (const wanted of ['transactions', 'redeems'] as const) {
    const rows = money.filter(({ table }) => table === wanted).map(({ row }) => row);
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    await insertRows(sql, wanted, rows.slice(0, 500), columns);
    // A trigger looks for the same reference or address: planned for an empty table it reads all rows for each row.
    await sql`analyze ${sql(wanted)}`;
    await insertRows(sql, wanted, rows.slice(500), columns);
  }
  await sql`select setval('money_ids', ${money.length})`;
  transfers.sort((a, b) => a.row.created_at.getTime() - b.row.created_at.getTime());
  const moved = transfers.map((one) => ({ ...one.row, ...placeOf(one), money_id: one.money?.row.id ?? null }));
  await insertRows(sql, 'transfers', moved);
  // Now and then somebody forgets to say why, which the books show.
  await sql`
    insert into remarks (tenant_id, line_id, reason, note)
    select tenant_id, -id, 'goodwill', 'Bonus for a regular' from transfers
    where money_id is null and from_account = 'adjustment' and id % 97 > 0`;
}
