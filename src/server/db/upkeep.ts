import type { Sql } from './open';

/**
 * Notes that a backup was made, or the ledger checked, so that whoever watches the server can see how long ago. Returns
 * why that was not possible, as on a standby, or undefined: the backup or check counts all the same.
 */
export async function noteUpkeep(
  sql: Sql,
  task: 'backup' | 'verify',
  { at = new Date(), findings }: { at?: Date; findings: number },
): Promise<string | undefined> {
  try {
    const [known] = await sql`select 1 from pg_tables where schemaname = 'public' and tablename = 'upkeep'`;
    if (!known) return undefined; // the server of this version has not started on this database yet
    await sql`
      insert into public.upkeep (task, at, findings) values (${task}, ${at}, ${findings})
      on conflict (task) do update set at = excluded.at, findings = excluded.findings`;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
