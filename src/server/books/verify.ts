import { PLATFORM_TENANT_ID } from '../../contract/constants';
import type { Sql } from '../db/open';
import { processorLetters } from '../ledger/processors';
import { type CheckedFacts, factDifferences } from '../totals/verifyFacts';
import { compareAccounts, compareShifts } from './compareAccounts';
import {
  type Difference,
  type IdRange,
  lastPurchases,
  moneyOfPlayers,
  playerCtes,
  playerDifferences,
} from './differences';

const MOST = 1000;

/** Compares what is derived with the ledger in one snapshot, then the facts: a sentence a difference, 1000 at most. */
export async function verifyLedger(sql: Sql): Promise<string[]> {
  const isNow = await isOfNow(sql);
  const rows = await sql<Difference[]>`
    with ${moneyOfPlayers(sql, null, isNow ? undefined : sql`false`)}, ${playerCtes(sql, null)}
    select format('Purchases %s of tenant %s have the same payment reference ''%s'' of %s.',
      string_agg(m.id::text, ', ' order by m.id), m.tenant_id, m.payment_reference, p.processor) as sentence,
      0::numeric as off_by
    from public.transactions m
      join json_to_recordset(${JSON.stringify(processorLetters)}::text::json) as p (letters text, processor text)
        on p.letters = regexp_replace(lower(normalize(m.payment_method, NFKC)), '[^a-z]', '', 'g')
    where m.transaction_type = 'TOP_UP' and m.payment_reference <> '' and not (m.status = 'failed' and m.is_history)
    group by m.tenant_id, m.payment_reference, p.processor having count(*) > 1
    union all
    ${playerDifferences(sql, null)}
    ${isNow ? sql`union all ${lastPurchases(sql)}` : sql``}
    limit ${MOST}`;
  const sentences = rows.map((row) => row.sentence);
  const ofAccounts = [...(await compareAccounts(sql)), ...(await compareShifts(sql))].map(({ sentence }) => sentence);
  return [...sentences, ...ofAccounts, ...(isNow ? await verifyFacts(sql) : [])].slice(0, MOST);
}

/** The same of some players, read by indexes alone. */
export const verifyPlayers = (sql: Sql, range: IdRange) => sql<Difference[]>`
  with ${moneyOfPlayers(sql, range)}, ${playerCtes(sql, range)}
  ${playerDifferences(sql, range)} union all ${lastPurchases(sql)}
  limit ${MOST}`;

/** A backup of 0.2.0 is checked before the migrations have run on it. */
const isOfNow = (sql: Sql): Promise<boolean> =>
  sql`
    select 1 from pg_attribute where attrelid = 'public.wallets'::regclass and attname = 'last_purchase_at'`.hasRow();

/** The facts against the rows, tenant by tenant: what is added up of one fits into memory. */
async function verifyFacts(sql: Sql): Promise<string[]> {
  const sentences: string[] = [];
  for (const { id } of await sql<{ id: number }[]>`
    select id from public.tenants where id <> ${PLATFORM_TENANT_ID} order by id`)
    sentences.push(...(await verifyFactsOf(sql, { tenantId: id })).map(({ sentence }) => sentence));
  return sentences;
}

/** The same of the facts of a tenant, or of some of its days. */
export const verifyFactsOf = (sql: Sql, checked: CheckedFacts) => sql<Difference[]>`
  ${factDifferences(sql, checked)} limit ${MOST}`;
