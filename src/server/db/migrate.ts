import { createHash } from 'node:crypto';
import { migrations } from './migrations/list';
import { type Database, DatabaseRefused, type Sql } from './open';

export interface Migration {
  name: string;
  text: string;
}

const LOCK = 4_217_001; // any number, but the same in every server that shares the database

const TABLE = `
  create table if not exists migrations (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`;

const checksum = (text: string) => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');

/**
 * Brings the schema up to date and returns the names of the migrations that ran. Each runs in its own transaction;
 * servers that start at once wait for each other. Refuses a database whose migrations differ from the files.
 */
export async function migrate(db: Database, files: readonly Migration[] = migrations): Promise<string[]> {
  const ran: string[] = [];
  for (const file of files) {
    const isNew = await db.tx(async (sql) => {
      // A transaction-level lock cannot be left behind on a pooled connection.
      await sql`set local lock_timeout = 0`;
      await sql`set local statement_timeout = 0`;
      await sql`select pg_advisory_xact_lock(${LOCK})`;
      await sql.unsafe(TABLE);
      const applied = await sql<
        { name: string; checksum: string }[]
      >`select name, checksum from migrations order by name`;
      refuseUnknown(applied, files);
      const before = applied.find(({ name }) => name === file.name);
      if (before) refuseChanged(before, file);
      if (before) return false;
      await sql.unsafe(file.text);
      await sql`insert into migrations (name, checksum) values (${file.name}, ${checksum(file.text)})`;
      return true;
    });
    if (isNew) ran.push(file.name);
  }
  return ran;
}

/**
 * Creates the schema of these migrations without recording them, in the caller's transaction. Refuses migrations that
 * this version does not have.
 */
export async function buildSchema(sql: Sql, applied: readonly { name: string; checksum: string }[]): Promise<void> {
  refuseUnknown(applied, migrations);
  await sql.unsafe(TABLE);
  for (const file of migrations) {
    const before = applied.find(({ name }) => name === file.name);
    if (!before) continue;
    refuseChanged(before, file);
    await sql.unsafe(file.text);
  }
}

/** Refuses a database that a newer version has migrated; it may mean something else by a column than this one does. */
export async function refuseNewer(sql: Sql): Promise<void> {
  const [schema] = await sql<{ exists: boolean }[]>`select to_regclass('public.migrations') is not null as exists`;
  if (schema?.exists)
    refuseUnknown(await sql<{ name: string }[]>`select name from migrations order by name`, migrations);
}

function refuseChanged(applied: { name: string; checksum: string }, file: Migration): void {
  if (applied.checksum !== checksum(file.text)) {
    throw new DatabaseRefused(
      `The migration ${file.name} was changed after it was applied. Restore it and write a new one.`,
    );
  }
}

function refuseUnknown(applied: readonly { name: string }[], files: readonly Migration[]): void {
  const unknown = applied.find(({ name }) => !files.some((file) => file.name === name));
  if (unknown) throw new DatabaseRefused(`The migration ${unknown.name} is from a newer version. Run that version.`);
}
