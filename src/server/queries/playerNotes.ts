/** What staff keep on a player: notes, tags and the hold on payouts. */
import { PLAYER_ROWS, TAGS_MAX } from '../../contract/constants';
import type { PlayerDetails, PlayerNote } from '../../contract/entities';
import { Problem } from '../core/problem';
import { lockPlayer, type Owner } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { findHold } from '../ledger/payoutHold';
import { playerColumns } from './playerList';

async function readTags(sql: Sql, { tenant_id, player_id }: Owner): Promise<string[]> {
  const rows = await sql<{ tag: string }[]>`
    select tag from player_tags where tenant_id = ${tenant_id} and player_id = ${player_id}
    order by lower(tag), tag limit ${TAGS_MAX}`;
  return rows.map(({ tag }) => tag);
}

/** Adds tags, or replaces all. One that is there, in any case, stays as it is; each counts once. */
export async function saveTags(
  sql: Sql,
  owner: Owner,
  tags: readonly string[],
  { areReplaced }: { areReplaced: boolean },
): Promise<{ before: string[]; after: string[] }> {
  const { tenant_id, player_id } = owner;
  await lockPlayer(sql, owner);
  const before = await readTags(sql, owner);
  if (areReplaced) await sql`delete from player_tags where tenant_id = ${tenant_id} and player_id = ${player_id}`;
  const added = await sql`
    insert into player_tags (tenant_id, player_id, tag)
    select distinct on (lower(tag)) ${tenant_id}::bigint, ${player_id}::bigint, tag
    from unnest(${[...tags]}::text[]) with ordinality as t (tag, place)
    where not exists (
      select 1 from player_tags k
      where k.tenant_id = ${tenant_id} and k.player_id = ${player_id} and lower(k.tag) = lower(t.tag))
    order by lower(tag), place
    returning 1`;
  if (!areReplaced && before.length + added.length > TAGS_MAX)
    throw new Problem(409, `A user has at most ${TAGS_MAX} tags`);
  return { before, after: await readTags(sql, owner) };
}

export async function addNote(sql: Sql, owner: Owner, by: { admin_id: number; email: string }, text: string) {
  const { tenant_id, player_id } = owner;
  await lockPlayer(sql, owner);
  return sql<DbRow<PlayerNote>[]>`
    insert into player_notes (tenant_id, player_id, admin_id, text)
    values (${tenant_id}, ${player_id}, ${by.admin_id}, ${text})
    returning id, text, ${by.email}::text as by, created_at`.one();
}

export async function readPlayerDetails(sql: Sql, owner: Owner): Promise<DbRow<PlayerDetails>> {
  const { tenant_id, player_id } = owner;
  const row = await sql<
    (DbRow<PlayerDetails['player']> &
      Pick<DbRow<PlayerDetails>, 'tenant_name' | 'created_at' | 'updated_at' | 'held_balance'>)[]
  >`
    select ${playerColumns(sql)}, w.held_balance, t.name as tenant_name, p.created_at, p.updated_at
    from players p
      join wallets w on w.tenant_id = p.tenant_id and w.player_id = p.id
      join tenants t on t.id = p.tenant_id
    where p.tenant_id = ${tenant_id} and p.id = ${player_id}`.one();
  const { held_balance, tenant_name, created_at, updated_at, ...player } = row;
  const notes = await sql<DbRow<PlayerNote>[]>`
    select n.id, n.text, a.email as by, n.created_at from player_notes n join admins a on a.id = n.admin_id
    where n.tenant_id = ${tenant_id} and n.player_id = ${player_id} order by n.id desc limit ${PLAYER_ROWS}`;
  const kept = { notes, tags: await readTags(sql, owner), hold: await findHold(sql, owner) };
  return { player, held_balance, tenant_name, created_at, updated_at, ...kept };
}

/** Deletes the notes of all tenants that are older than so many days; 0 keeps them. What the audit log has stays. */
export async function sweepNotes(sql: Sql, days: number): Promise<void> {
  if (days === 0) return;
  const tenants = await sql<{ id: number }[]>`select id from tenants`;
  for (const { id } of tenants)
    await sql`
      delete from player_notes where tenant_id = ${id} and created_at < now() - make_interval(days => ${days})`;
}
