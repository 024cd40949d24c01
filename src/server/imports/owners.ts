import { computeKey, type ImportContext } from './batch';
import type { MoneyCells } from './moneyCells';

type PlayerCells = Pick<MoneyCells, 'user_email' | 'user_source_id'>;
interface NoPlayer {
  column: 'user_email' | 'user_source_id';
  reason: string;
}

/** Finds the players of rows by their id in the other system or by e-mail, within the tenant. */
export async function createOwnerLookup(
  context: ImportContext,
  rows: readonly PlayerCells[],
): Promise<(row: PlayerCells) => number | NoPlayer> {
  const { sql, tenantId } = context;
  const keyed = (id: string) => computeKey(context, 'players', 'source', id);
  // By the e-mail as it is in the file: only the database knows which spellings are one address.
  const emails = await sql<{ id: number; email: string }[]>`
    select p.id, f.email
    from (select distinct unnest(${rows.flatMap(({ user_email }) => user_email ?? [])}::text[]) as email) f
    cross join lateral (
      select id from players
      where tenant_id = ${tenantId} and deleted_at is null and lower(email) = lower(f.email) limit 1
    ) p`;
  const sources = await sql<{ id: number; key: string }[]>`
    select p.id, i.key from imported i
    cross join lateral ( -- for a plain join the planner would read all players
      select id from players where tenant_id = ${tenantId} and id = i.object_id and deleted_at is null limit 1
    ) p
    where i.tenant_id = ${tenantId} and i.kind = 'players'
      and i.key = any(${rows.flatMap(({ user_source_id: id }) => (id ? keyed(id) : []))}::text[])`;
  const byEmail = new Map(emails.map(({ id, email }) => [email, id])),
    bySource = new Map(sources.map(({ id, key }) => [key, id]));
  return ({ user_email: email, user_source_id: source }) => {
    const first = source === undefined ? undefined : bySource.get(keyed(source)),
      second = email === undefined ? undefined : byEmail.get(email);
    if (source !== undefined && first === undefined)
      return { column: 'user_source_id', reason: 'no player was imported with this id' };
    if (email !== undefined && second === undefined)
      return { column: 'user_email', reason: 'no player has this email' };
    if (first !== undefined && second !== undefined && first !== second)
      return { column: 'user_email', reason: 'belongs to a different player than user_source_id' };
    return first ?? second ?? { column: 'user_email', reason: 'is required' };
  };
}
