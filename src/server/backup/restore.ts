import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { writeAsServer } from '../audit/auditLog';
import { checkAudit } from '../audit/verify';
import { findKeys } from '../auth/keyring';
import { createSecrets, type Secrets } from '../auth/secrets';
import { verifyLedger } from '../books/verify';
import { distribute, hasCitus, refuseUnfit } from '../db/citus/distribute';
import { beginRestore, buildSchema, findMigrations, findRestore, migrate, waitForOthers } from '../db/migrate';
import { APPLICATION, type Database, DatabaseRefused, messageOf, type Sql, type TransactionSql } from '../db/open';
import { type GenuineBackup, getTableFile, type Manifest } from './manifest';
import {
  createMeter,
  excludedTables,
  listTables,
  type Measured,
  quoteName,
  readRows,
  setFixedFormats,
  writeRows,
} from './tables';

const listNames = async (rows: PromiseLike<readonly { name: string }[]>): Promise<string[]> =>
  (await rows).map(({ name }) => name).sort();

/**
 * What lets somebody in to a restored database, also what ended after the backup: 'Acme: Shop (gbk_ab12…)' and
 * 'ann@acme.test (admin of Acme, two-factor sign-in with 9 recovery codes)'.
 */
export async function findRevived(sql: Sql): Promise<Record<'apiKeys' | 'accounts', string[]>> {
  const apiKeys = await listNames(sql<{ name: string }[]>`
    select format('%s: %s (%s…)', t.name, k.name, k.prefix) as name
    from api_keys k join tenants t on t.id = k.tenant_id and t.is_active
    where k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`);
  const [schema] = await sql`select 1 where to_regclass('public.passkeys') is not null`; // the backup's may be older
  const passkeys = schema
    ? sql`(select format(', passkeys: %s', string_agg(p.name, ', ' order by p.id)) from passkeys p
        where p.admin_id = a.id having count(*) > 0)`
    : sql`null`;
  const accounts = await listNames(sql<{ name: string }[]>`
    select format('%s (%s%s%s)', a.email,
      case r.name when 'super_admin' then 'super admin' else r.name || ' of ' || t.name end,
      case when f.confirmed_at is not null then format(', two-factor sign-in with %s recovery codes',
        (select count(*) from recovery_codes c where c.admin_id = a.id)) end,
      ${passkeys}) as name
    from admins a join tenants t on t.id = a.tenant_id and t.is_active join roles r on r.id = a.role_id
      left join two_factor f on f.admin_id = a.id
    where a.is_active`);
  return { apiKeys, accounts };
}

/** Revokes every API key, with an entry in the audit log of each tenant; the log needs the schema of this version. */
export async function revokeAllKeys(db: Database, secrets: Secrets): Promise<void> {
  await migrate(db);
  const tenants = await db.sql<{ tenant_id: number }[]>`
    select distinct tenant_id from api_keys where revoked_at is null order by tenant_id`;
  for (const { tenant_id } of tenants)
    await writeAsServer(db, secrets, 'restore', async (sql, audit) => {
      const revoked = await sql<{ key: string }[]>`
        update api_keys set revoked_at = now() where tenant_id = ${tenant_id} and revoked_at is null
        returning name || ' (' || prefix || '…)' as key`;
      const revoked_api_keys = revoked.map(({ key }) => key);
      audit.about({ kind: 'api key', id: null, tenant_id, after: { revoked_api_keys } });
    });
}

/**
 * Replaces the whole contents of a database by a backup: schema, rows, sequences. Every file is compared with its
 * checksum before anything is read from it. It ends only when each table, read back, equals the backup byte by byte and
 * the ledger check gives the same result. `isReplacing`: a database that is not empty may be overwritten. Returns what
 * was restored, and what `npm run verify` says about its audit log.
 */
export async function restoreBackup(
  { sql }: Database,
  backup: GenuineBackup,
  { isReplacing }: { isReplacing: boolean },
): Promise<{ manifest: Manifest; audit: string[] }> {
  const { folder } = backup;
  const manifest = {
    ...backup.manifest,
    tables: backup.manifest.tables.filter(({ name }) => !excludedTables.includes(name)),
  };
  const files = findMigrations(manifest.migrations);
  for (const table of manifest.tables) await compareFile(folder, table);
  let audit: string[] = [];
  await inSteps(sql, randomUUID(), [
    async (tx, id) => {
      await refuseInUse(tx, isReplacing);
      await refuseUnfit(tx);
      await beginRestore(tx, id);
    },
    (tx) => buildSchema(tx, files),
    distribute,
    async (tx) => {
      await fill(tx, folder, manifest);
      await compare(tx, manifest);
      audit = await checkRestoredAudit(tx, backup);
    },
  ]);
  await sql`set statement_timeout = 0`;
  await sql`analyze`; // without statistics the planner would be slow until autovacuum runs
  return { manifest, audit };
}

type Step = (sql: TransactionSql, id: string) => Promise<unknown>;

/**
 * Takes all steps in one transaction. On Citus each has its own: for anybody but a superuser Citus tells its workers of
 * a new sequence on another connection, which cannot see what is not committed. A restore that is broken off between
 * two of them leaves a database that no server starts on, and is repeated from its beginning.
 */
async function inSteps(sql: Database['sql'], id: string, steps: readonly [Step, ...Step[]]): Promise<void> {
  const [first] = steps;
  for (const some of (await hasCitus(sql)) ? steps.map((step) => [step]) : [steps])
    await sql.begin('', async (tx) => {
      await setFixedFormats(tx);
      await waitForOthers(tx);
      for (const step of some) {
        if (step !== first && (await findRestore(tx)) !== id) throw new DatabaseRefused('Another restore has begun.');
        await step(tx, id);
      }
    });
}

/** Before the rows are parsed: they may have been written by somebody else. */
async function compareFile(folder: string, table: Manifest['tables'][number]): Promise<void> {
  const { stream, measured } = createMeter();
  await readFile(folder, table.name, stream, ignore());
  refuseOther(table, measured(), 'In the backup');
}

const ignore = () => new Writable({ write: (_part, _encoding, done) => done() });

async function readFile(
  folder: string,
  table: string,
  meter: Transform,
  target: Writable | ((rows: AsyncIterable<Buffer>) => Promise<void>),
): Promise<void> {
  try {
    await pipeline(createReadStream(getTableFile(folder, table)), createGunzip(), meter, target as Writable);
  } catch (error) {
    throw new DatabaseRefused(`The backup's table ${table} is damaged: ${messageOf(error)}.`);
  }
}

/** What is found is said; the backup is restored even so, because it was made like this. */
async function checkRestoredAudit(sql: TransactionSql, { key }: GenuineBackup): Promise<string[]> {
  const { present, former } = await findKeys(sql, [key]);
  return (await checkAudit(sql, createSecrets(present, former))).sentences;
}

async function refuseInUse(sql: TransactionSql, isReplacing: boolean): Promise<void> {
  const others = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and starts_with(application_name, ${APPLICATION})`;
  if (others.length) throw new DatabaseRefused('A server is using the database; stop it first.');
  const [about] = await sql<{ has_tables: boolean }[]>`
    select exists (
      select 1 from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    ) as has_tables`;
  if (about?.has_tables && !isReplacing && !(await findRestore(sql)))
    throw new DatabaseRefused('The database is not empty; add --replace to overwrite it.');
}

async function fill(sql: TransactionSql, folder: string, { tables, sequences }: Manifest): Promise<void> {
  const present = await listTables(sql);
  const all = present.map(({ name }) => quoteName(name));
  // Triggers would count and refuse; their results are among the rows.
  for (const name of all) await sql.unsafe(`alter table ${name} disable trigger user`);
  await sql.unsafe(`truncate ${all.join(', ')}`);
  for (const table of tables) {
    const here = present.find(({ name }) => name === table.name);
    if (here?.columns.join() !== table.columns.join())
      throw new DatabaseRefused(`The backup's table ${table.name} does not match its migrations.`);
    const { stream, measured } = createMeter();
    await readFile(folder, table.name, stream, (rows) => writeRows(sql, table, rows));
    refuseOther(table, measured(), 'In the backup');
  }
  for (const { name, last_value } of sequences) await sql`select setval(${quoteName(name)}::regclass, ${last_value})`;
  for (const name of all) await sql.unsafe(`alter table ${name} enable trigger user`);
}

/** Reads everything back: it must equal what was backed up. */
async function compare(sql: TransactionSql, { tables, ledger }: Manifest): Promise<void> {
  for (const table of await listTables(sql)) {
    const saved = tables.find(({ name }) => name === table.name);
    if (!saved) continue;
    const { stream, measured } = createMeter();
    await pipeline(readRows(sql, table), stream, ignore());
    refuseOther(saved, measured(), 'After the restore');
  }
  const said = await verifyLedger(sql);
  if (said.toSorted().join('\n') !== ledger.toSorted().join('\n')) {
    const added = said.find((sentence) => !ledger.includes(sentence)) ?? 'a difference is missing';
    throw new DatabaseRefused(`The restored ledger is not the one that was backed up: ${added}`);
  }
}

function refuseOther({ name, ...saved }: Manifest['tables'][number], { rows, sha256 }: Measured, what: string): void {
  if (rows === saved.rows && sha256 === saved.sha256) return;
  throw new DatabaseRefused(`${what} the table ${name} does not match its checksum (${rows} of ${saved.rows} rows).`);
}
