/** Adds what was settled to the facts, up to when nothing more can be; readers count the rest live. */
import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Log } from '../core/log';
import { repeat } from '../core/repeat';
import type { Database, Fragment, Sql } from '../db/open';
import { addToAccountSums } from './accountSums';
import { parts, payments, playerParts } from './contributions';

/** How often a server looks, and how far the facts of a tenant are behind then. */
const EVERY_MS = 60_000;
const BEHIND = '5 minutes';
/** No clock of a database server is set back by more without being noticed. */
const MARGIN = '1 minute';
/** About how many purchases are added in one transaction. */
const STEP = 5_000;

const lockKey = (sql: Sql, tenantId: number): Fragment => sql`hashtextextended(${`facts ${tenantId}`}, 0)`;

/** Keeps a tenant's facts where they are. Call it before locking a row, to change what may be counted. */
export async function lockFacts(sql: Sql, tenantId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(sql, tenantId)})`;
}

const rangeOf = (sql: Sql, tenantId: number, startsAt: Fragment, endsAt: Fragment): Fragment => sql`
  range as materialized (
    select id as tenant_id, time_zone, ${startsAt} as starts_at, ${endsAt} as ends_at
    from public.tenants where id = ${tenantId}
  )`;

/** Adds the rows of a query to `facts`: dimension, unit, starts, key, amount_in, amount_out, count_in, count_out. */
export const addToFacts = (sql: Sql, tenantId: number, rows: Fragment): Fragment => sql`
  insert into facts as k (tenant_id, dimension, unit, starts, key, amount_in, amount_out, count_in, count_out)
  select ${tenantId}::bigint, dimension, unit, starts, key, amount_in, amount_out, count_in, count_out from (${rows}) added
  order by dimension, unit, starts, key
  on conflict (dimension, unit, starts, tenant_id, key) do update set
    amount_in = k.amount_in + excluded.amount_in, amount_out = k.amount_out + excluded.amount_out,
    count_in = k.count_in + excluded.count_in, count_out = k.count_out + excluded.count_out`;

/** Adds `player_part` and `part`, which the CTEs contain, to both tables. */
const addParts = (sql: Sql, tenantId: number, ctes: Fragment): Fragment => sql`
  with ${ctes}, by_player as (
    insert into player_facts as k
      (tenant_id, player_id, unit, starts, purchases, redeems, purchase_count, redeem_count)
    select ${tenantId}::bigint, player_id, unit, starts, purchases, redeems, purchase_count, redeem_count
    from player_part
    on conflict (tenant_id, player_id, unit, starts) do update set
      purchases = k.purchases + excluded.purchases, redeems = k.redeems + excluded.redeems,
      purchase_count = k.purchase_count + excluded.purchase_count, redeem_count = k.redeem_count + excluded.redeem_count
  )
  ${addToFacts(sql, tenantId, sql`select * from part`)}`;

/** Before it nothing more is settled: no transaction is older. Expects the lock; read the rows in a later statement. */
async function readHorizon(sql: Sql, margin: string): Promise<Date> {
  const { horizon } = await sql<{ horizon: Date }[]>`
    select date_trunc('milliseconds', least(
      now() - ${margin}::interval,
      (select min(xact_start) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'))) as horizon`.one();
  return horizon;
}

export interface Step {
  size?: number;
  margin?: string;
}

/** The next step: whether there may be more; null: another server is at it. Facts from ahead of time are forgotten. */
export async function countStep(sql: Sql, tenantId: number, { size = STEP, margin = MARGIN }: Step = {}) {
  const { is_mine } = await sql<{ is_mine: boolean }[]>`
    select pg_try_advisory_xact_lock(${lockKey(sql, tenantId)}) as is_mine`.one();
  if (!is_mine) return null;
  const horizon = await readHorizon(sql, margin);
  const [mark] = await sql<{ until: Date; is_ahead: boolean }[]>`
    select until, until > now() as is_ahead from facts_until where tenant_id = ${tenantId}`;
  if (mark?.is_ahead) {
    await forgetFacts(sql, tenantId);
    return true;
  }
  if (mark && mark.until >= horizon) return false;
  const from = mark ? sql`${mark.until}::timestamptz` : sql`'-infinity'::timestamptz`;
  const [full] = await sql<{ at: Date }[]>`
    select date_trunc('milliseconds', completed_at) + interval '1 millisecond' as at from transactions
    where tenant_id = ${tenantId} and transaction_type = 'TOP_UP' and status = 'success' and completed_at >= ${from}
    order by completed_at offset ${size} limit 1`;
  const isFull = full !== undefined && full.at < horizon;
  const until = isFull ? full.at : horizon;
  const range = rangeOf(sql, tenantId, from, sql`${until}::timestamptz`);
  const ctes = sql`${range}, ${payments(sql, tenantId)}, ${playerParts(sql)}, ${parts(sql, tenantId)}`;
  await addParts(sql, tenantId, ctes);
  await addToAccountSums(sql, tenantId, from, sql`${until}::timestamptz`);
  await sql`
    insert into facts_until (tenant_id, until) values (${tenantId}, ${until})
    on conflict (tenant_id) do update set until = excluded.until`;
  return isFull;
}

/** Forgets the facts of a tenant: everything is read from the rows until it is counted again. Expects the lock. */
export async function forgetFacts(sql: Sql, tenantId: number): Promise<void> {
  for (const table of ['facts', 'player_facts', 'account_sums', 'facts_until'])
    await sql`delete from ${sql(table)} where tenant_id = ${tenantId}`;
}

interface Counting extends Step {
  /** Told which tenant could not be counted. Without it the error is thrown. */
  failed?: (error: unknown, tenantId: number) => void;
  isStopped?: () => boolean;
  behind?: string;
}

/** Counts what is behind, in short transactions; a tenant that cannot be counted keeps no other waiting. */
export async function countFacts(
  db: Database,
  { failed, isStopped = () => false, behind = BEHIND, ...step }: Counting = {},
): Promise<void> {
  const due = await db.sql<{ id: number }[]>`
    select id from tenants where id <> ${PLATFORM_TENANT_ID}
    except select tenant_id from facts_until where until between now() - ${behind}::interval and now()
    order by id`;
  for (const { id } of due) {
    try {
      let hasMore: boolean | null = true;
      while (hasMore && !isStopped()) hasMore = await db.tx((sql) => countStep(sql, id, step));
    } catch (error) {
      if (!failed) throw error;
      failed(error, id);
    }
  }
}

/** Counts every minute, until it is stopped. */
export function startCounting(db: Database, log: Pick<Log, 'warn'>, everyMs = EVERY_MS): () => Promise<void> {
  return repeat(async (stopped) => {
    const warn = (error: unknown, tenant_id?: number) => {
      if (!stopped.aborted) log.warn({ err: error, tenant_id }, 'the totals could not be counted');
    };
    await countFacts(db, { failed: warn, isStopped: () => stopped.aborted }).catch((error: unknown) => warn(error));
    return everyMs;
  });
}

/** Adds payments of moments that are counted already, as an import's. Expects the lock, taken before the writes. */
export async function addLatePayments(sql: Sql, tenantId: number, ids: readonly number[]): Promise<void> {
  const [isCounted] = await sql`select 1 from facts_until where tenant_id = ${tenantId}`;
  if (!isCounted) return;
  const until = sql`coalesce((select until from public.facts_until where tenant_id = ${tenantId}), '-infinity')`;
  const ctes = sql`
    ${rangeOf(sql, tenantId, sql`'-infinity'::timestamptz`, until)},
    ${payments(sql, tenantId, sql`m.id = any(${[...ids]}::bigint[])`)}, ${playerParts(sql)},
    ${parts(sql, tenantId, { isPaymentsOnly: true })}`;
  await addParts(sql, tenantId, ctes);
}

/**
 * Lets no redeem be created until the transaction ends, whose business day would be that of the old time zone. To be
 * called before the tenant's row is locked, because others lock it after these. It waits for row locks too: whoever has
 * locked a redeem writes it next.
 */
export async function lockTimeZone(sql: Sql, tenantId: number): Promise<void> {
  await lockFacts(sql, tenantId);
  await sql`lock table redeems in exclusive mode`;
}

/** In another zone moments can be of other days: those of redeems are set, facts forgotten. Expects `lockTimeZone`. */
export async function recountDays(sql: Sql, tenantId: number): Promise<void> {
  await sql`
    update redeems m set business_day = (m.initiated_at at time zone t.time_zone)::date
    from tenants t
    where m.tenant_id = ${tenantId} and t.id = ${tenantId}
      and m.business_day <> (m.initiated_at at time zone t.time_zone)::date`;
  await forgetFacts(sql, tenantId);
}
