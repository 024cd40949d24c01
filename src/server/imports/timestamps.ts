import * as v from 'valibot';
import type { TransactionSql } from '../db/open';

const PATTERN =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?) ?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/i;
const MESSAGE = 'expected a date and time such as 2026-01-31T13:45:00Z';
/** Tolerates a clock that is a little ahead of ours. */
const AHEAD_MS = 300_000;

/** ISO 8601 as PostgreSQL reads it: without a zone in the tenant's, without a time the start of the day. */
export const timestamp = v.pipe(v.string('expected text'), v.check(isTimestamp, MESSAGE));

function isTimestamp(text: string): boolean {
  const [, day, time = '00:00'] = PATTERN.exec(text) ?? [];
  if (!day || day < '1900-01-01' || day > '2099-12-31') return false;
  const at = new Date(`${day}T${time}Z`); // a day that the month does not have becomes one of the next month
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

/** Resolves timestamps in a tenant's time zone to UTC. */
export async function resolveTimestamps(sql: TransactionSql, tenantId: number, texts: readonly string[]) {
  const all = [...new Set(texts)];
  const zones = all.map((text) => PATTERN.exec(text)?.[3] ?? '');
  const rows = await sql<{ text: string; at: Date }[]>`
    select m.text,
      case when m.zone <> '' then m.text::timestamptz else m.text::timestamp at time zone t.time_zone end as at
    from unnest(${all}::text[], ${zones}::text[]) as m (text, zone) join tenants t on t.id = ${tenantId}`;
  return new Map(rows.map(({ text, at }) => [text, at.toISOString()]));
}

export const isInFuture = (at: string | null | undefined): boolean =>
  at != null && Date.parse(at) > Date.now() + AHEAD_MS;
