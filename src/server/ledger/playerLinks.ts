/**
 * Players who are linked as one person (docs/extras/protection.md): a break of one, and what all have used, counts for
 * each. Whoever checks or changes what a group shares locks the row of its head, after the own wallet.
 */
import { LINKED_MAX } from '../../contract/doubles';
import { Problem } from '../core/problem';
import type { Owner } from '../core/tenancy';
import type { Sql } from '../db/open';

/** Waits for what is done for another of the group, if there is one. Expects the wallet to be locked. */
export async function lockGroup(sql: Sql, { tenant_id, player_id }: Owner): Promise<void> {
  for (;;) {
    const [own] = await sql<{ head_id: number }[]>`
      select head_id from player_links where tenant_id = ${tenant_id} and player_id = ${player_id}`;
    if (!own) return;
    const [head] = await sql<{ head_id: number }[]>`
      select head_id from player_links where tenant_id = ${tenant_id} and player_id = ${own.head_id} for update`;
    if (head?.head_id === own.head_id) return; // otherwise the group has got another head meanwhile
  }
}

/** The ids of the groups of some players. */
export async function readGroups(sql: Sql, tenant_id: number, ids: readonly number[]): Promise<number[]> {
  const rows = await sql<{ player_id: number }[]>`
    select o.player_id from player_links o
    where o.tenant_id = ${tenant_id} and o.head_id = any(array(
      select k.head_id from player_links k
      where k.tenant_id = ${tenant_id} and k.player_id = any(${[...ids]}::bigint[])))
    order by o.player_id`;
  return rows.map(({ player_id }) => player_id);
}

/** The groups of some players, which nobody else checks or changes until the transaction ends. */
async function lockGroups(sql: Sql, tenant_id: number, ids: readonly number[]): Promise<number[]> {
  // Groups are changed one after another. A statement of its own: one that waits reads rows as they were before.
  await sql.unsafe(`select pg_advisory_xact_lock(hashtextextended('links ${tenant_id}', 0))`);
  const members = await readGroups(sql, tenant_id, ids);
  await sql`
    select player_id from player_links where tenant_id = ${tenant_id} and player_id = any(${members}::bigint[])
    order by player_id for update`;
  return members;
}

/** Makes one group of two players and all that they are linked with. Expects both wallets to be locked. */
export async function linkPlayers(sql: Sql, tenant_id: number, pair: readonly number[], by: number): Promise<void> {
  const members = [...new Set([...(await lockGroups(sql, tenant_id, pair)), ...pair])].sort((a, b) => a - b);
  if (members.length > LINKED_MAX) throw new Problem(409, `At most ${LINKED_MAX} users can be linked`);
  const [head_id = 0] = members;
  const rows = members.map((player_id) => ({ tenant_id, player_id, head_id, admin_id: by }));
  await sql`
    insert into player_links ${sql(rows)}
    on conflict (tenant_id, player_id) do update set head_id = excluded.head_id`;
}

/** Takes a player out of the group, and returns who was linked with it. Expects the wallet to be locked. */
export async function leaveGroup(sql: Sql, { tenant_id, player_id }: Owner): Promise<number[]> {
  if (!(await readGroups(sql, tenant_id, [player_id])).length) return [];
  const rest = (await lockGroups(sql, tenant_id, [player_id])).filter((id) => id !== player_id);
  const alone = rest.length === 1 ? rest : [];
  await sql`
    delete from player_links where tenant_id = ${tenant_id} and player_id = any(${[player_id, ...alone]}::bigint[])`;
  if (!alone.length)
    await sql`
      update player_links set head_id = ${rest[0] ?? null}::bigint
      where tenant_id = ${tenant_id} and player_id = any(${rest}::bigint[])`;
  return rest;
}

/** A deleted player's break and limits go on for the linked ones. Returns who has them now, if anything counted. */
export async function handOver(sql: Sql, owner: Owner): Promise<number | null> {
  const { tenant_id, player_id } = owner;
  const [heir] = await leaveGroup(sql, owner);
  await sql`
    delete from dismissed_pairs
    where tenant_id = ${tenant_id} and (lower_id = ${player_id} or higher_id = ${player_id})`;
  if (!heir) return null;
  const breaks = await sql`
    insert into player_exclusions as e (tenant_id, player_id, until, since, admin_id, api_key_id)
    select x.tenant_id, ${heir}::bigint, x.until, x.since, x.admin_id, x.api_key_id
    from player_exclusions x join tenants t on t.id = x.tenant_id
    where x.tenant_id = ${tenant_id} and x.player_id = ${player_id}
      and (x.until is null or x.until >= (now() at time zone t.time_zone)::date)
    on conflict (tenant_id, player_id) do update set until = excluded.until, since = excluded.since,
      admin_id = excluded.admin_id, api_key_id = excluded.api_key_id
      where e.until < coalesce(excluded.until, 'infinity')`;
  // A raise that is due counts by now. What waits for either comes when the last of the two would have come.
  await sql`
    update player_limits set amount = next_amount, next_amount = null, next_at = null
    where tenant_id = ${tenant_id} and player_id = any(${[player_id, heir]}::bigint[]) and next_at <= now()`;
  const limits = await sql`
    insert into player_limits as l
      (tenant_id, player_id, money, span, amount, next_amount, next_at, since, admin_id, api_key_id)
    select tenant_id, ${heir}::bigint, money, span, amount, next_amount, next_at, since, admin_id, api_key_id
    from player_limits
    where tenant_id = ${tenant_id} and player_id = ${player_id} and (amount is not null or next_at is not null)
    on conflict (tenant_id, player_id, money, span) do update set
      amount = least(l.amount, excluded.amount),
      next_amount = case when coalesce(l.next_at, excluded.next_at) is not null then least(
        case when l.next_at is null then l.amount else l.next_amount end,
        case when excluded.next_at is null then excluded.amount else excluded.next_amount end) end,
      next_at = greatest(l.next_at, excluded.next_at)`;
  return breaks.count + limits.count ? heir : null;
}
