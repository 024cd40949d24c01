/** What changes facts that are counted already, in the transaction that changes it. All of it expects the lock. */
import type { Owner } from '../core/tenancy';
import type { Sql } from '../db/open';
import { units } from './contributions';
import { addToFacts } from './countFacts';

/** A moment that counts from now on, or no more. */
export interface Moment {
  at: Date;
  by: 1 | -1;
}

/** Counts sign-ups or first purchases at moments that are counted already; later ones are read live. */
export async function countMoments(
  sql: Sql,
  tenantId: number,
  dimension: 'signup' | 'first',
  moments: readonly Moment[],
): Promise<void> {
  if (!moments.length) return;
  const rows = sql`
    select ${dimension}::text as dimension, u.unit, u.starts, '' as key, 0 as amount_in, 0 as amount_out,
      sum(m.by) as count_in, 0 as count_out
    from unnest(${moments.map(({ at }) => at)}::timestamptz[], ${moments.map(({ by }) => by)}::int[]) as m (at, by)
      join facts_until f on f.tenant_id = ${tenantId} and m.at < f.until
      join tenants t on t.id = ${tenantId}
      cross join lateral (select (m.at at time zone t.time_zone)::date as day) d
      ${units(sql)} group by u.unit, u.starts`;
  await addToFacts(sql, tenantId, rows);
}

/** The first purchase of a wallet. */
export interface FirstPurchase {
  first_purchase_id: number | null;
  first_purchase_at: Date | null;
}

/** First purchases that are at another moment than they were; null: there was none, or is none. */
export async function moveFirstPurchases(
  sql: Sql,
  tenantId: number,
  moves: readonly { from: Date | null; to: Date | null }[],
): Promise<void> {
  const moments = moves.flatMap(({ from, to }): Moment[] => [
    ...(from ? [{ at: from, by: -1 as const }] : []),
    ...(to ? [{ at: to, by: 1 as const }] : []),
  ]);
  await countMoments(sql, tenantId, 'first', moments);
}

/** The past of a player who gets another affiliate goes along. */
export async function moveAffiliate(
  sql: Sql,
  { tenant_id, player_id }: Owner,
  { from, to }: { from: string | null; to: string | null },
): Promise<void> {
  if (from === to) return;
  const [was, is] = [sql`lower(${from ?? ''}::text)`, sql`lower(${to ?? ''}::text)`];
  const rows = sql`
    select 'affiliate' as dimension, b.unit, b.starts, v.key, v.sign * b.purchases as amount_in,
      v.sign * b.redeems as amount_out, v.sign * b.purchase_count as count_in, v.sign * b.redeem_count as count_out
    from player_facts b cross join (values (${was}, -1), (${is}, 1)) as v (key, sign)
    where b.tenant_id = ${tenant_id} and b.player_id = ${player_id} and v.key <> '' and ${was} <> ${is}`;
  await addToFacts(sql, tenant_id, rows);
}

/** A deleted player leaves the counts and what is held; past money stays. Call it before the player is marked. */
export async function leaveCounts(sql: Sql, { tenant_id, player_id }: Owner): Promise<void> {
  const isOfPlayer = sql`tenant_id = ${tenant_id} and player_id = ${player_id}`;
  const [player] = await sql<{ created_at: Date; first_purchase_at: Date | null }[]>`
    select p.created_at, w.first_purchase_at from players p join wallets w on w.tenant_id = ${tenant_id} and w.player_id = p.id
    where p.tenant_id = ${tenant_id} and p.id = ${player_id}`;
  if (!player) return;
  await countMoments(sql, tenant_id, 'signup', [{ at: player.created_at, by: -1 }]);
  if (player.first_purchase_at) await countMoments(sql, tenant_id, 'first', [{ at: player.first_purchase_at, by: -1 }]);
  const rows = sql`
    select 'cohort' as dimension, 'week' as unit, c.starts, ((b.starts - c.starts) / 7)::text as key, 0 as amount_in,
      0 as amount_out, -1 as count_in, 0 as count_out
    from player_facts b
      join tenants t on t.id = ${tenant_id}
      cross join lateral (select (${player.created_at}::timestamptz at time zone t.time_zone)::date as day) d
      cross join lateral (select day - extract(dow from day)::int as starts) c
    where b.tenant_id = ${tenant_id} and b.player_id = ${player_id} and b.unit = 'week' and b.purchase_count > 0
    union all
    select 'held', 'all', '1970-01-01', a.account, -sum(a.amount), 0, 0, 0
    from (select * from transfers where ${isOfPlayer}) m
      join facts_until f on f.tenant_id = ${tenant_id} and m.created_at < f.until
      cross join lateral (values (m.from_account, -m.amount), (m.to_account, m.amount)) as a (account, amount)
    where a.account in ('credit', 'bonus', 'vip', 'loyalty', 'held') group by a.account`;
  await addToFacts(sql, tenant_id, rows);
}
