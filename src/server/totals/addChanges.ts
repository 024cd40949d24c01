/**
 * Adds what waits to the totals of the overview. Every server may: one of them does at a time, and nobody waits for it,
 * because whoever reads the totals counts in what waits.
 */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Log } from '../core/log';
import type { Database, Sql } from '../db/open';
import { onlyRow } from '../db/row';
import { changeCtes } from './totalChanges';

/** Any number, but the same in every server that shares the database. */
const LOCK = 4_217_040;
/** How long changes wait. More of them at once are less work for each, and more for whoever reads meanwhile. */
const WAIT_MS = 5_000;
/** About how many changes are added up in one transaction, which is over in well under a second. */
const BATCH = 2_000;

/** Lets nobody else write totals until the transaction ends. */
export async function lockTotals(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`;
}

/**
 * Adds up some of what waits of a tenant, in the caller's transaction. Returns whether there may be more, or null if
 * another server is at it.
 */
export async function addBatch(sql: Sql, tenantId: number, size = BATCH): Promise<boolean | null> {
  const { is_mine } = onlyRow(await sql<{ is_mine: boolean }[]>`select pg_try_advisory_xact_lock(${LOCK}) as is_mine`);
  if (!is_mine) return null;
  // What is lost in a crash is added up again. Not on Citus: a worker could have committed what the coordinator loses.
  await sql`
    select set_config('synchronous_commit', 'off', true)
    where not exists (select 1 from pg_extension where extname = 'citus')`;
  const [last] = await sql<{ player_id: number }[]>`
    select player_id from total_changes where tenant_id = ${tenantId}
    order by player_id, id offset ${size - 1} limit 1`;
  await sql`
    with ${changeCtes(
      sql,
      tenantId,
      sql`delete from total_changes
        where tenant_id = ${tenantId} and ${last ? sql`player_id <= ${last.player_id}` : sql`true`} returning *`,
    )}, by_player as (
      insert into player_totals as k
        (tenant_id, player_id, unit, starts, purchases, redeems, purchase_count, redeem_count)
      select ${tenantId}::bigint, player_id, unit, starts, purchases, redeems, purchase_count, redeem_count
      from player_changes
      on conflict (tenant_id, player_id, unit, starts) do update set
        purchases = k.purchases + excluded.purchases, redeems = k.redeems + excluded.redeems,
        purchase_count = k.purchase_count + excluded.purchase_count,
        redeem_count = k.redeem_count + excluded.redeem_count
    )
    insert into part_totals as k (tenant_id, part, unit, starts, key, amount_in, amount_out, count_in, count_out)
    select v.tenant_id, part, unit, starts, key, amount_in, amount_out, count_in, count_out
    from part_changes cross join (values (${tenantId}::bigint), (${PLATFORM_TENANT_ID}::bigint)) as v (tenant_id)
    on conflict (tenant_id, part, unit, starts, key) do update set
      amount_in = k.amount_in + excluded.amount_in, amount_out = k.amount_out + excluded.amount_out,
      count_in = k.count_in + excluded.count_in, count_out = k.count_out + excluded.count_out`;
  return last !== undefined;
}

/**
 * On Citus a part of the statement can be one of its own, and the player could get another affiliate in between: the
 * notes would be added to the new one and, with the note of the change, once more.
 */
async function addInOneSnapshot(sql: Sql, tenantId: number): Promise<boolean | null> {
  await sql`set transaction isolation level repeatable read`;
  return addBatch(sql, tenantId);
}

/** Told which tenant's changes could not be added. */
type Failed = (error: unknown, tenantId: number) => void;

/**
 * Adds up what waits, tenant by tenant, in short transactions. What cannot be added of one tenant waits for the next
 * look and keeps nobody else waiting.
 */
export async function addChanges(
  db: Database,
  failed: Failed = (error) => {
    throw error;
  },
): Promise<void> {
  const waiting = await db.sql<{ tenant_id: number }[]>`select distinct tenant_id from total_changes`;
  for (const { tenant_id } of waiting) {
    try {
      let hasMore: boolean | null = true;
      while (hasMore) hasMore = await db.tx((sql) => addInOneSnapshot(sql, tenant_id));
    } catch (error) {
      failed(error, tenant_id);
    }
  }
}

/** Adds up what waits every few seconds, until it is stopped. */
export function startAddingChanges(db: Database, log: Pick<Log, 'warn'>, waitMs = WAIT_MS): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined,
    isStopped = false,
    working = Promise.resolve();
  const warn = (error: unknown, tenant_id?: number) => {
    if (!isStopped) log.warn({ err: error, tenant_id }, 'the totals of the overview could not be added up');
  };
  const work = async (): Promise<void> => {
    await addChanges(db, warn).catch((error: unknown) => warn(error));
    next();
  };
  const next = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      working = work();
    }, waitMs);
    timer.unref();
  };
  next();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await working;
  };
}
