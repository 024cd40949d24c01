import { createHash } from 'node:crypto';
import { distribute, hasCitus } from './citus/distribute';
import { type Migration, migrations } from './migrations/list';
import { type Database, DatabaseRefused, type Sql } from './open';
import { splitStatements } from './statements';

interface Applied {
  name: string;
  checksum: string;
}

const LOCK = 4_217_001; // any number, but the same in every server that shares the database

const TABLE = `
  create table if not exists migrations (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`;

/** Stands among the migrations while a restore is not finished. The last step of a restore replaces the whole list. */
const RESTORING = 'restore under way';

const checksum = (text: string) => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');

/** Brings the schema up to date, a transaction each, servers in turn; refuses other files. Returns what ran. */
export async function migrate(
  db: Database,
  files: readonly Migration[] = migrations,
  say: (sentence: string) => void = () => {},
): Promise<string[]> {
  const ran: string[] = [];
  for (const file of files) {
    const isNew = await db.tx(async (sql) => {
      await waitForOthers(sql);
      await sql.unsafe(TABLE);
      const applied = inPresentNames(await readApplied(sql), files);
      refuseUnknown(applied, files);
      const before = applied.find(({ name }) => name === file.name);
      if (before) {
        refuseChanged(before, file);
        await forgetReplaced(sql, file);
        return false;
      }
      await runStatements(sql, file.text);
      await sql`insert into migrations (name, checksum) values (${file.name}, ${checksum(file.text)})`;
      return true;
    });
    if (isNew) ran.push(file.name);
  }
  if (files === migrations) {
    const said = await db.tx(async (sql) => {
      await waitForOthers(sql);
      return distribute(sql);
    });
    for (const sentence of said) say(sentence);
  }
  return ran;
}

const readApplied = async (sql: Sql) => sql<Applied[]>`select name, checksum from migrations order by name`;

/** What was applied, with all that the first migration replaces; refused without the last of what it replaces. */
function inPresentNames(applied: readonly Applied[], [first]: readonly Migration[]): readonly Applied[] {
  if (!first?.replaces) return applied;
  const { replaces, name, text } = first;
  const former = applied.filter((each) => each.name < name);
  if (!former.length) return applied;
  const last = former.find((each) => each.name === replaces.name);
  if (!last) throw new DatabaseRefused('The database is from a version before 0.2.0. Upgrade it to 0.2.0 first.');
  refuseChanged(last, replaces);
  return [{ name, checksum: checksum(text) }, ...applied.filter((each) => !former.includes(each))];
}

async function forgetReplaced(sql: Sql, { name, text, replaces }: Migration): Promise<void> {
  if (!replaces) return;
  await sql`update migrations set name = ${name}, checksum = ${checksum(text)} where name = ${replaces.name}`;
  await sql`delete from migrations where name collate "C" < ${name}`;
}

/** Waits for servers that migrate, until the end of the transaction: such a lock is not left behind on a connection. */
export async function waitForOthers(sql: Sql): Promise<void> {
  await sql`set local lock_timeout = 0`;
  await sql`set local statement_timeout = 0`;
  await sql`set local idle_in_transaction_session_timeout = 0`;
  await sql`select pg_advisory_xact_lock(${LOCK})`;
}

/** One statement after the other: Citus takes no text of several on tables that are spread. */
async function runStatements(sql: Sql, text: string): Promise<void> {
  // A new table that refers to others stays as it is until it is spread.
  if (await hasCitus(sql)) await sql`set local citus.enable_local_reference_table_foreign_keys = off`;
  for (const statement of splitStatements(text)) await sql.unsafe(statement);
}

/** Removes what the migrations made, and nothing of an extension: Citus keeps views of its own there. */
export async function dropTables(sql: Sql): Promise<void> {
  if (await hasCitus(sql)) await sql`set local citus.multi_shard_modify_mode = 'sequential'`;
  const rows = await sql<{ statement: string }[]>`
    select format('drop %s if exists %s cascade', case c.relkind when 'v' then 'view' when 'm' then 'materialized view'
        when 'S' then 'sequence' when 'f' then 'foreign table' else 'table' end, c.oid::regclass) as statement
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not exists (select 1 from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('e', 'i', 'a'))
    union all
    select format('drop type if exists %s cascade', t.oid::regtype) from pg_type t
    left join pg_class c on c.oid = t.typrelid
    where t.typnamespace = 'public'::regnamespace and (t.typtype in ('d', 'e', 'r') or c.relkind = 'c')
      and not exists (select 1 from pg_depend d
        where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
    union all
    select format('drop operator if exists %s cascade', o.oid::regoperator) from pg_operator o
    where o.oprnamespace = 'public'::regnamespace and not exists (select 1 from pg_depend d
      where d.classid = 'pg_operator'::regclass and d.objid = o.oid and d.deptype = 'e')
    union all
    select format('drop routine if exists %s cascade', p.oid::regprocedure) from pg_proc p
    where p.pronamespace = 'public'::regnamespace and not exists (select 1 from pg_depend d
      where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`;
  for (const { statement } of rows) await sql.unsafe(statement);
}

/** Empties the database for the restore of this id. From here on no server starts until all its rows are there. */
export async function beginRestore(sql: Sql, id: string): Promise<void> {
  await dropTables(sql);
  await sql.unsafe(TABLE);
  await sql`insert into migrations (name, checksum) values (${RESTORING}, ${id})`;
}

/** The id of the restore that is not finished. */
export async function findRestore(sql: Sql): Promise<string | undefined> {
  const [schema] = await sql<{ exists: boolean }[]>`select to_regclass('public.migrations') is not null as exists`;
  return schema?.exists ? (await readApplied(sql)).find(({ name }) => name === RESTORING)?.checksum : undefined;
}

/** The migrations of a backup. Refuses those that this version does not have. */
export function findMigrations(recorded: readonly Applied[]): readonly Migration[] {
  const applied = inPresentNames(recorded, migrations);
  refuseUnknown(applied, migrations);
  return migrations.filter((file) => {
    const before = applied.find(({ name }) => name === file.name);
    if (before) refuseChanged(before, file);
    return before !== undefined;
  });
}

/** Creates the schema of these migrations without recording them, in the caller's transaction. */
export async function buildSchema(sql: Sql, files: readonly Migration[]): Promise<void> {
  for (const { text } of files) await runStatements(sql, text);
}

/** Refuses a database of a newer version, which may mean something else by a column, and one that is too old. */
export async function refuseOther(sql: Sql): Promise<void> {
  const [schema] = await sql<{ exists: boolean }[]>`select to_regclass('public.migrations') is not null as exists`;
  if (schema?.exists) refuseUnknown(inPresentNames(await readApplied(sql), migrations), migrations);
}

function refuseChanged(applied: Applied, { name, ...file }: Migration | Applied): void {
  if (applied.checksum !== ('text' in file ? checksum(file.text) : file.checksum)) {
    throw new DatabaseRefused(
      `The migration ${name} was changed after it was applied. Restore it and write a new one.`,
    );
  }
}

function refuseUnknown(applied: readonly Applied[], files: readonly Migration[]): void {
  if (applied.some(({ name }) => name === RESTORING))
    throw new DatabaseRefused('A restore of this database is under way, or was broken off: then run it again.');
  const unknown = applied.find(({ name }) => !files.some((file) => file.name === name));
  if (unknown) throw new DatabaseRefused(`The migration ${unknown.name} is from a newer version. Run that version.`);
}
