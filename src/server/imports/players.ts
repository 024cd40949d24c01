import * as v from 'valibot';
import { balanceKinds } from '../../contract/constants';
import { money, newEmail, reference, text } from '../../contract/schemas/fields';
import { externalId } from '../../contract/schemas/integrations';
import { ADMIN_EMAIL, findAdminEmails } from '../auth/adminEmails';
import type { TransactionSql } from '../db/open';
import { findLimits } from '../ledger/approvals';
import { openWalletsWith } from '../ledger/opening';
import { countMoments } from '../totals/adjustFacts';
import {
  asRecords,
  computeKey,
  computePrints,
  filterNew,
  foldEmails,
  type ImportContext,
  type Outcome,
  type Row,
  readCells,
  refuse,
  usd,
  writeRows,
} from './batch';
import type { FileRow } from './rows';
import { isInFuture, resolveTimestamps, timestamp } from './timestamps';

const yes = ['yes', 'true', '1', 'active'],
  no = ['no', 'false', '0', 'inactive'];
const yesOrNo = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.picklist([...yes, ...no], 'expected yes or no'),
  v.transform((word) => yes.includes(word)),
);
const amount = v.pipe(money, usd);

/** The rules of the Users form, for text cells (docs/product.md, "Users"). */
const PlayerCells = v.object({
  source_id: v.optional(reference(200)),
  email: newEmail,
  first_name: v.optional(text(100)),
  last_name: v.optional(text(100)),
  phone_number: v.optional(text(40)),
  referral_id: v.optional(reference(100)),
  affiliate_id: v.optional(reference(100)),
  external_id: v.optional(externalId),
  is_active: v.optional(yesOrNo),
  created_at: v.optional(timestamp),
  credit_balance: v.optional(amount),
  bonus_balance: v.optional(amount),
  vip_balance: v.optional(amount),
  loyalty_balance: v.optional(amount),
});
/** Why balances are not imported that two people would have to agree on. */
const LARGE = 'Balances from this sum on need two people: import the user without them and edit them';

type PlayerCells = v.InferOutput<typeof PlayerCells>;
interface PlayerRow extends Row {
  cells: PlayerCells;
  otherKey: string;
}

const sumBalances = (cells: PlayerCells): number =>
  balanceKinds.reduce((cents, kind) => cents + Math.round(Number(cells[`${kind}_balance`] ?? 0) * 100), 0) / 100;

/** Creates players with their balances; one without an id in the other system is identified by e-mail. */
export async function importPlayers(context: ImportContext, rows: readonly FileRow[], outcome: Outcome): Promise<void> {
  const { sql, tenantId, adminId, isCheck } = context;
  const read = readCells(PlayerCells, rows, outcome);
  const moments = read.flatMap(({ cells }) => cells.created_at ?? []);
  const timestamps = await resolveTimestamps(sql, tenantId, moments);
  const sentEmails = read.map(({ cells }) => cells.email);
  const foldEmail = await foldEmails(sql, sentEmails);
  const timed = read.map(({ line, cells: sent }) => ({
    line,
    cells: { ...sent, ...(sent.created_at && { created_at: timestamps.get(sent.created_at) }) },
  }));
  const past = refuse(timed, outcome, ({ cells }) =>
    isInFuture(cells.created_at) ? ['created_at', 'is in the future'] : null,
  );
  const players = past.map(({ line, cells }): PlayerRow => {
    const email = foldEmail(cells.email);
    const otherKey = computeKey(context, 'players', 'email', email);
    const key = cells.source_id ? computeKey(context, 'players', 'source', cells.source_id) : otherKey;
    return { line, cells, key, otherKey, prints: computePrints(context, 'players', { ...cells, email }) };
  });
  const unknown = await filterNew(context, 'players', players, outcome);
  const emails = unknown.map(({ cells }) => cells.email);
  const withId = await sql<{ external_id: string }[]>`
    select external_id from players
    where tenant_id = ${tenantId} and deleted_at is null
      and external_id = any(${unknown.flatMap(({ cells }) => cells.external_id ?? [])}::text[])`;
  const withEmail = await sql<{ email: string }[]>`
    select lower(email) as email from players
    where tenant_id = ${tenantId} and deleted_at is null
      and lower(email) = any(array(select lower(e) from unnest(${emails}::text[]) as e))`;
  const named = new Set(withId.map((row) => row.external_id)),
    taken = new Set(withEmail.map((row) => row.email));
  const ofAdmins = await findAdminEmails(sql, { tenantId, adminId, emails });
  const { edits_from } = await findLimits(sql, tenantId);
  const lines = new Map<string, number>();
  const fresh = refuse(unknown, outcome, ({ line, cells }) => {
    const address = foldEmail(cells.email),
      earlier = lines.get(address);
    lines.set(address, earlier ?? line);
    if (taken.has(address)) return ['email', 'A user with this email already exists'];
    if (earlier !== undefined) return ['email', `is the email of line ${earlier}, too`];
    const isNamed = cells.external_id !== undefined && named.has(cells.external_id);
    if (cells.external_id !== undefined) named.add(cells.external_id);
    if (isNamed) return ['external_id', 'Another user has this external_id'];
    if (ofAdmins.has(address)) return ['email', ADMIN_EMAIL];
    return edits_from !== null && sumBalances(cells) >= edits_from ? [null, LARGE] : null;
  });
  if (isCheck) outcome.created.push(...fresh);
  else await writeRows(sql, fresh, outcome, (inner, some) => createPlayers(inner, context, some));
}

async function createPlayers(
  sql: TransactionSql,
  { tenantId, adminId, batch }: ImportContext,
  rows: readonly PlayerRow[],
): Promise<void> {
  const records = rows.map(({ cells, line, key, prints }) => ({ ...cells, line, key, prints }));
  const made = await sql<{ id: number; line: number }[]>`
    with f as materialized (
      select * from ${asRecords(sql, records)} as f (
        line int, key text, prints text, email text, first_name text, last_name text, phone_number text,
        referral_id text, affiliate_id text, external_id text, is_active boolean, created_at timestamptz)
    ), made as (
      insert into players (tenant_id, email, first_name, last_name, phone_number, referral_id, affiliate_id,
        external_id, is_active, created_at)
      select ${tenantId}, email, first_name, last_name, phone_number, referral_id, affiliate_id, external_id,
        coalesce(is_active, true), coalesce(created_at, now())
      from f
      order by line
      returning id, email
    ), noted as (
      insert into imported (tenant_id, kind, object_id, key, prints, batch)
      select ${tenantId}, 'players', m.id, f.key, f.prints, ${batch}
      from made m join f using (email)
    )
    select m.id, f.line from made m join f using (email)`;
  const ids = new Map(made.map(({ id, line }) => [line, id]));
  const openings = rows.flatMap(({ line, cells }) => {
    const player_id = ids.get(line);
    const balances = Object.fromEntries(balanceKinds.map((kind) => [kind, cells[`${kind}_balance`] ?? '0']));
    return player_id === undefined ? [] : [{ player_id, balances }];
  });
  await openWalletsWith(sql, { tenant_id: tenantId, admin_id: adminId, openings });
  const signUps = rows.flatMap(({ cells }) =>
    cells.created_at ? [{ at: new Date(cells.created_at), by: 1 as const }] : [],
  );
  await countMoments(sql, tenantId, 'signup', signUps);
}
