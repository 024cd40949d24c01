import { messageOf, type Sql } from './open';

/** Notes a backup or check for whoever watches. Returns why that failed, as on a standby: it counts all the same. */
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
    return messageOf(error);
  }
}
