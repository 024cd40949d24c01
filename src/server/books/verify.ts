import type { Sql } from '../db/open';
import { processorLetters } from '../ledger/processors';
import { verifyParts } from '../totals/partTotals';
import {
  dayCtes,
  dayDifferences,
  moneyCte,
  moneyOfPlayers,
  type PlayerRange,
  playerCtes,
  playerDifferences,
} from './differences';

/** One thing that does not add up. */
export interface Difference {
  sentence: string;
  /** In USD; 0 where no amount is wrong. */
  off_by: number;
}

/** The most that one look reports. */
const MOST = 1000;

/**
 * Compares all derived figures with the ledger in one statement, and so in one snapshot, and then the totals of the
 * overview, tenant by tenant. Returns a sentence for each difference, at most 1000; none when the books agree.
 */
export async function verifyLedger(sql: Sql): Promise<string[]> {
  // A backup of an older version is checked before the migrations have run on it.
  const [known] =
    await sql`select 1 from pg_attribute where attrelid = 'public.transactions'::regclass and attname = 'is_history'`;
  const isHistory = known ? sql`is_history` : sql`false`;
  const rows = await sql<Difference[]>`
    with ${moneyOfPlayers(sql, null, isHistory)}, ${playerCtes(sql, null)}, ${dayCtes(sql, sql`true`)}
    ${dayDifferences(sql)}
    union all
    select format('Purchases %s of tenant %s have the same payment reference ''%s'' of %s.',
      string_agg(m.id::text, ', ' order by m.id), m.tenant_id, m.payment_reference, p.processor), 0
    from public.transactions m
      join json_to_recordset(${JSON.stringify(processorLetters)}::text::json) as p (letters text, processor text)
        on p.letters = regexp_replace(lower(normalize(m.payment_method, NFKC)), '[^a-z]', '', 'g')
    where m.transaction_type = 'TOP_UP' and m.payment_reference <> '' and not (m.status = 'failed' and ${isHistory})
    group by m.tenant_id, m.payment_reference, p.processor having count(*) > 1
    union all
    ${playerDifferences(sql, null)}
    limit ${MOST}`;
  const sentences = rows.map((row) => row.sentence);
  return [...sentences, ...(await verifyParts(sql))].slice(0, MOST);
}

/** The same of some players, read by indexes alone. */
export const verifyPlayers = (sql: Sql, range: PlayerRange) => sql<Difference[]>`
  with ${moneyOfPlayers(sql, range, sql`is_history`)}, ${playerCtes(sql, range)}
  ${playerDifferences(sql, range)}
  limit ${MOST}`;

/** Days of a tenant: the first, and the one after the last, in its time zone. */
export interface DayRange {
  tenantId: number;
  from: string;
  before: string;
}

/** The same of the totals of some days. */
export function verifyDays(sql: Sql, { tenantId, from, before }: DayRange) {
  const start = (day: string) => sql`
    (${day}::date::timestamp at time zone (select time_zone from public.tenants where id = ${tenantId}))`;
  const settled = sql`
    tenant_id = ${tenantId} and status = 'success' and completed_at >= ${start(from)}
      and completed_at < ${start(before)}`;
  const money = { isHistory: sql`is_history`, transactions: sql`transaction_type = 'TOP_UP' and ${settled}` };
  return sql<Difference[]>`
    with ${moneyCte(sql, { ...money, redeems: settled })},
    ${dayCtes(sql, sql`tenant_id = ${tenantId} and day >= ${from}::date and day < ${before}::date`)}
    ${dayDifferences(sql)}
    limit ${MOST}`;
}
