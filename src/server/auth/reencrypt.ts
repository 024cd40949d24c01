/** Encrypts every stored secret anew, with the present key. Other servers may be writing meanwhile. */
import { type Database, DatabaseRefused, type Sql, type TransactionSql } from '../db/open';
import { prefixOf, type Secrets } from './secrets';

type Row = Record<string, string | number>;

/** A column of encrypted values. `key`: primary key; `bound`: what names the row in `secretContext`, if not the key. */
interface SealedColumn {
  table: string;
  key: readonly string[];
  column: string;
  bound?: readonly string[];
  /** The other of two columns of a row. */
  isSecond?: true;
}

const rowOfTenant = ['tenant_id', 'id'];
const method = { table: 'payment_methods', key: rowOfTenant, bound: ['tenant_id', 'payment_platform'] };
const loginOf = ['tenant_id', 'player_id', 'platform_name'];
/** All of them, except the key check of `installation` and the former keys themselves. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'tenant_platforms', key: ['tenant_id', 'platform_id'], column: 'password_secret' },
  { table: 'player_credentials', key: rowOfTenant, column: 'password_secret', bound: loginOf },
  { ...method, column: 'credentials_secret' },
  { ...method, column: 'webhook_secret', isSecond: true },
  { table: 'player_keys', key: ['tenant_id', 'player_id'], column: 'sealed' },
  { table: 'two_factor', key: ['admin_id'], column: 'secret' },
  { table: 'identity_providers', key: ['tenant_id'], column: 'client_secret' },
  { table: 'notification_channels', key: rowOfTenant, column: 'secret' },
];

const BATCH = 200;

/** Encrypts what another key than the present one has encrypted. Returns how many values these were. */
export async function reencryptAll(db: Database, secrets: Secrets): Promise<number> {
  let count = 0;
  for (const sealed of sealedColumns) {
    for (let last: Row | undefined, rows: Row[]; ; last = rows.at(-1)) {
      rows = await db.tx(async (sql) => {
        await sql`set local statement_timeout = 0`;
        const found = await findRows(sql, secrets, sealed, last);
        for (const row of found) await reencrypt(sql, secrets, sealed, row);
        return found;
      });
      count += rows.length;
      if (rows.length < BATCH) break;
    }
  }
  return count;
}

/** The next rows in the order of their key. They are of many tenants, so they are not locked here. */
const findRows = async (
  sql: TransactionSql,
  { keyId }: Secrets,
  { table, key, column, bound = [] }: SealedColumn,
  last: Row | undefined,
): Promise<Row[]> => [
  ...(await sql.unsafe<Row[]>(
    `select ${[...new Set([...key, ...bound, column])].join(', ')} from ${table}
    where ${column} is not null and not starts_with(${column}, $1)
      ${last ? `and (${key.join(', ')}) > (${key.map((_, n) => `$${n + 2}`).join(', ')})` : ''}
    order by ${key.join(', ')} limit ${BATCH}`,
    [prefixOf(keyId), ...(last ? key.map((name) => last[name] ?? 0) : [])],
  )),
];

async function reencrypt(
  sql: TransactionSql,
  secrets: Secrets,
  { table, key, column, bound = key, isSecond }: SealedColumn,
  row: Row,
): Promise<void> {
  const context = [table, ...bound.map((name) => row[name] ?? ''), ...(isSecond ? [column] : [])];
  let encrypted: string;
  try {
    encrypted = secrets.encrypt(secrets.decrypt(String(row[column]), context), context);
  } catch {
    const where = key.map((name) => `${name} ${row[name]}`).join(', ');
    throw new DatabaseRefused(
      `The ${column} in ${table} (${where}) was not encrypted by the server for this row and cannot be read. ` +
        'Save it again in the app, or delete the row. Then run this again.',
    );
  }
  // What somebody else has saved meanwhile stays: it is encrypted with the present key, or the audit log refused it.
  await sql.unsafe(
    `update ${table} set ${column} = $1
    where ${key.map((name, n) => `${name} = $${n + 3}`).join(' and ')} and ${column} = $2`,
    [encrypted, row[column] ?? '', ...key.map((name) => row[name] ?? 0)],
  );
}

/** Whether a value is left that another key than the present one has encrypted. */
export async function hasOldValues(sql: Sql, { keyId }: Secrets): Promise<boolean> {
  for (const { table, column } of sealedColumns) {
    const old = await sql.unsafe(
      `select 1 from ${table} where ${column} is not null and not starts_with(${column}, $1) limit 1`,
      [prefixOf(keyId)],
    );
    if (old.length) return true;
  }
  return false;
}
