/**
 * Gives the events of tenants their numbers, and their deliveries to whoever wants them. Only what is committed can be
 * seen, so what is committed later gets a greater number: a reader who goes on after a number misses nothing, however
 * long a transaction took (docs/integrations.md, "Events").
 */
import { EVENT_DAYS } from '../../contract/events';
import { DELIVERY_HOURS } from '../../contract/notifications';
import type { Database, Sql } from '../db/open';

/** Moved in one transaction. */
const STEP = 500;

interface Written {
  id: number;
  kind: string;
  player_id: number | null;
  data: Record<string, unknown>;
  at: Date;
}

/** Moves all that waits, a step of a tenant after the other. Returns how many events it moved. */
export async function publishEvents(db: Database, isStopped = () => false): Promise<number> {
  let count = 0;
  const tenants = await db.sql<{ tenant_id: number }[]>`select distinct tenant_id from event_outbox`;
  for (const { tenant_id } of tenants) {
    let moved: number;
    do {
      moved = await db.tx((sql) => publishStep(sql, tenant_id));
      count += moved;
    } while (moved === STEP && !isStopped());
  }
  return count;
}

/** One server at a time numbers the events of a tenant. */
async function publishStep(sql: Sql, tenant: number): Promise<number> {
  const [turn] = await sql<{ is_mine: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`events ${tenant}`}, 0)) as is_mine`;
  if (!turn?.is_mine) return 0;
  const waiting = await sql<{ id: number }[]>`
    select id from event_outbox where tenant_id = ${tenant} order by id limit ${STEP}`;
  if (!waiting.length) return 0;
  // By their ids alone: Citus lets a delete with a query in it wait for whoever writes beside it.
  const taken = await sql<Written[]>`
    delete from event_outbox where tenant_id = ${tenant} and id = any (${waiting.map(({ id }) => id)}::bigint[])
    returning id, kind, player_id, data, at`;
  // Of milliseconds, so that a database that was set back to a backup gives no number twice.
  const { first } = await sql<{ first: number }[]>`
    select greatest(coalesce((select max(id) from events where tenant_id = ${tenant}), 0) + 1,
      floor(1000 * extract(epoch from clock_timestamp())))::bigint as first`.one();
  const known = await namePlayers(sql, tenant, taken);
  const events = taken
    .sort((a, b) => a.id - b.id)
    .map(({ player_id, data, ...event }, index) => {
      const player = player_id === null ? undefined : known.get(player_id);
      return { ...event, id: first + index, player_id, data: { ...data, ...(player && { player }) } };
    });
  const rows = sql`json_to_recordset(${JSON.stringify(events)}::text::json)
    as e (id bigint, kind text, player_id bigint, data jsonb, at timestamptz)`;
  await sql`
    insert into events (tenant_id, id, kind, player_id, data, at)
    select ${tenant}, id, kind, player_id, data, at from ${rows}`;
  // Before the next event of a player is due, the one before it is sent or given up.
  await sql`
    select 1 from notification_channels where tenant_id = ${tenant} and kind = 'events' for no key update`;
  await sql`
    insert into notification_deliveries (tenant_id, channel_id, event_id, player_id, give_up_at, next_at)
    select ${tenant}, c.id, e.id, e.player_id, now() + make_interval(hours => ${DELIVERY_HOURS}),
      case when e.player_id is null or (
          row_number() over (partition by c.id, e.player_id order by e.id) = 1 and not exists (
            select 1 from notification_deliveries d
            where d.tenant_id = ${tenant} and d.channel_id = c.id and d.player_id = e.player_id
              and d.status = 'waiting' and d.event_id is not null))
        then now() else 'infinity' end
    from ${rows} cross join notification_channels c
    where c.tenant_id = ${tenant} and c.kind = 'events' and c.is_active
    order by e.id, c.id`;
  return events.length;
}

/** How the tenant's own systems know the players. */
async function namePlayers(sql: Sql, tenant: number, events: readonly Written[]) {
  const ids = [...new Set(events.flatMap(({ player_id }) => player_id ?? []))];
  const rows = await sql<{ id: number; email: string; external_id: string | null }[]>`
    select id, email, external_id from players where tenant_id = ${tenant} and id = any (${ids}::bigint[])`;
  return new Map(rows.map((player) => [player.id, player]));
}

/** To be called after the channels or keys of a tenant have changed, in the same transaction. */
export async function setKeepsEvents(sql: Sql, tenant: number): Promise<void> {
  const wishes = await sql`
    (select 1 from notification_channels where tenant_id = ${tenant} and kind = 'events' limit 1)
    union all
    (select 1 from api_keys where tenant_id = ${tenant} and 'events:read' = any (scopes) and revoked_at is null limit 1)`;
  await sql`update tenants set keeps_events = ${wishes.length > 0 || null} where id = ${tenant}`;
}

export async function sweepEvents(sql: Sql): Promise<void> {
  await sql`delete from events where at < now() - make_interval(days => ${EVENT_DAYS})`;
  await sql`
    delete from notification_deliveries
    where event_id is not null and created_at < now() - make_interval(days => ${EVENT_DAYS})`;
}
