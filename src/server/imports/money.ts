import * as v from 'valibot';
import { balanceKinds, payoutMethods } from '../../contract/constants';
import { email, money, positive, reference, status, text } from '../../contract/schemas/fields';
import { readClosedUntil } from '../books/closedMonths';
import type { TransactionSql } from '../db/open';
import { findLimits } from '../ledger/approvals';
import { createDeposit, createRedeem, createTopUp } from '../ledger/create';
import { addHistory, assignMoneyIds } from '../ledger/opening';
import { findDisguise } from '../ledger/processors';
import {
  asRecords,
  computeKey,
  computePrints,
  dryRun,
  filterNew,
  foldEmails,
  type ImportContext,
  type Outcome,
  type Row,
  readCells,
  writeRows,
} from './batch';
import { createOwnerLookup } from './owners';
import { assignReferences, claimReferences } from './references';
import type { FileRow } from './rows';
import { isInFuture, resolveTimestamps, timestamp } from './timestamps';

const usd = v.transform((amount: string) => Number(amount).toFixed(2));
/** As lists and histories name them. */
const types: Record<string, 'TOP_UP' | 'DEPOSIT' | 'REDEEM'> = {
  top_up: 'TOP_UP',
  deposit: 'DEPOSIT',
  redeem: 'REDEEM',
  withdrawal: 'REDEEM',
};
const depositTypes: Record<string, string> = {
  ...Object.fromEntries(balanceKinds.map((kind) => [kind, kind.toUpperCase()])),
  free_play: 'LOYALTY',
};
const oneOf = <T>(known: Readonly<Record<string, T>>, message: string) =>
  v.pipe(
    v.string(),
    v.transform((word) => word.toLowerCase().replace(/[\s-]+/g, '_')),
    v.check((word) => Object.hasOwn(known, word), message),
    v.transform((word): T => known[word]!),
  );

const MoneyCells = v.object({
  source_id: v.optional(reference(200)),
  user_email: v.optional(email),
  user_source_id: v.optional(reference(200)),
  transaction_type: oneOf(types, 'expected one of TOP_UP, DEPOSIT, REDEEM'),
  status: v.pipe(v.string(), v.toLowerCase(), status),
  amount: v.pipe(positive, usd),
  net_amount: v.optional(v.pipe(money, usd)),
  payment_method: v.optional(text(100)),
  deposit_type: v.optional(oneOf(depositTypes, 'expected one of CREDIT, BONUS, VIP, LOYALTY')),
  platform: v.optional(text(100)),
  payout_method: v.optional(text(100)),
  payout_address: v.optional(reference(500)),
  initiated_at: timestamp,
  completed_at: v.optional(timestamp),
  description: v.optional(text(2000)),
  payment_reference: v.optional(reference(200)),
});
type MoneyCells = v.InferOutput<typeof MoneyCells>;
/** Why a pending purchase is not imported: with it one person could credit what two people would have to agree on. */
const LARGE = 'Pending purchases from this amount on need two people: leave the row out and edit the balances';

interface MoneyRow extends Row {
  cells: MoneyCells;
}

/** What is mistake between the cells of a row, each valid by itself: the column and the reason. */
function findRowError(
  row: MoneyCells,
  platforms: ReadonlyMap<string, string>,
): [column: string, reason: string] | null {
  const isPending = row.status === 'pending',
    { transaction_type: type } = row;
  if (!row.user_email && !row.user_source_id) return ['user_email', 'is required'];
  if (!row.source_id && !row.payment_reference) return ['source_id', 'is required, or a payment_reference'];
  if (isPending && row.completed_at) return ['completed_at', 'must be empty while the status is pending'];
  if (!isPending && !row.completed_at) return ['completed_at', `is required when the status is ${row.status}`];
  if (isInFuture(row.initiated_at)) return ['initiated_at', 'is in the future'];
  if (isInFuture(row.completed_at)) return ['completed_at', 'is in the future'];
  if (row.completed_at && row.completed_at < row.initiated_at) return ['completed_at', 'is before initiated_at'];
  const disguise = type === 'TOP_UP' ? findDisguise(row.payment_method ?? '') : null;
  if (disguise) return ['payment_method', disguise];
  if (type === 'DEPOSIT' && !row.deposit_type) return ['deposit_type', 'is required for a deposit'];
  if (!row.platform && (type === 'REDEEM' || (type === 'DEPOSIT' && isPending))) return ['platform', 'is required'];
  if (row.platform && !platforms.has(row.platform.toLowerCase())) return ['platform', 'unknown platform'];
  if (
    isPending &&
    type === 'REDEEM' &&
    row.payout_method &&
    !payoutMethods.some((known) => known === row.payout_method)
  )
    return ['payout_method', `expected one of ${payoutMethods.join(', ')}`];
  return null;
}

/** Platform names by name and display name, in lower case. */
async function readPlatformNames(sql: TransactionSql): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; display_name: string | null }[]>`select name, display_name from platforms`;
  return new Map(
    rows.flatMap(({ name, display_name }) =>
      [name, ...(display_name ? [display_name] : [])].map((word) => [word.toLowerCase(), name]),
    ),
  );
}

/**
 * Imports purchases, deposits and redeems: settled ones as history, pending ones as if they were created here, without
 * the daily limit.
 */
export async function importMoney(context: ImportContext, rows: readonly FileRow[], outcome: Outcome): Promise<void> {
  const { sql, tenantId, isCheck } = context;
  const read = rows.flatMap((row) => {
    const cells = readCells(MoneyCells, row, outcome);
    return cells ? [{ line: row.line, cells }] : [];
  });
  const timestamps = await resolveTimestamps(
    sql,
    tenantId,
    read.flatMap(({ cells }) => [cells.initiated_at, cells.completed_at ?? []].flat()),
  );
  const platforms = await readPlatformNames(sql);
  const foldEmail = await foldEmails(
    sql,
    read.map(({ cells }) => cells.user_email),
  );
  const money = read.flatMap(({ line, cells: sent }): MoneyRow[] => {
    const cells = {
      ...sent,
      initiated_at: timestamps.get(sent.initiated_at) ?? sent.initiated_at,
      ...(sent.completed_at && { completed_at: timestamps.get(sent.completed_at) }),
    };
    const mistake = findRowError(cells, platforms);
    if (mistake) {
      outcome.rejects.push({ line, column: mistake[0], reason: mistake[1] });
      return [];
    }
    if (cells.platform) cells.platform = platforms.get(cells.platform.toLowerCase());
    const user_email = cells.user_email && foldEmail(cells.user_email);
    const prints = computePrints(context, 'transactions', { ...cells, user_email });
    return [
      {
        line,
        cells,
        key: computeKey(context, 'transactions', 'source', cells.source_id ?? cells.payment_reference ?? ''),
        prints,
      },
    ];
  });
  const open = await refuseClosed(context, await filterNew(context, 'transactions', money, outcome), outcome);
  const unknown = await refuseLarge(context, open, outcome);
  const findOwner = await createOwnerLookup(
    context,
    unknown.map(({ cells }) => cells),
  );
  const owned = unknown.flatMap((row): Owned[] => {
    const owner = findOwner(row.cells);
    if (typeof owner === 'number') return [{ ...row, player_id: owner }];
    outcome.rejects.push({ line: row.line, ...owner });
    return [];
  });
  const paid = owned.map(({ line, cells }) => ({ line, ...cells }));
  const known = await claimReferences(sql, tenantId, paid, { isCheck });
  const fresh = owned.filter(({ line }, n) => {
    const reason = known.get(n);
    if (reason !== undefined) outcome.rejects.push({ line, column: 'payment_reference', reason });
    return reason === undefined;
  });
  const past = fresh.filter(({ cells }) => cells.status !== 'pending'),
    pending = fresh.filter(({ cells }) => cells.status === 'pending');
  const made: Made[] = [];
  const createAllPending = async (inner: TransactionSql) => {
    for (const row of pending)
      await writeRows(inner, [row], outcome, async (innermost) => {
        made.push(await createPending(innermost, context, row));
      });
  };
  if (isCheck) {
    outcome.created.push(...past);
    if (pending.length) await dryRun(sql, createAllPending); // only trying shows what a balance allows
    return;
  }
  await createAllPending(sql);
  await writeRows(sql, past, outcome, async (inner, some) => {
    made.push(...(await createPast(inner, context, some)));
  });
  await assignReferences(sql, tenantId, paid, made);
}

/** Rejects what has a date in a closed month. What was imported before is known and stays. */
async function refuseClosed({ sql, tenantId }: ImportContext, rows: readonly MoneyRow[], outcome: Outcome) {
  const until = await readClosedUntil(sql, tenantId);
  if (!until) return [...rows];
  const isClosed = (at: string | undefined) => at !== undefined && Date.parse(at) < until.getTime();
  return rows.filter(({ line, cells }) => {
    const column = (['completed_at', 'initiated_at'] as const).find((name) => isClosed(cells[name]));
    if (column) outcome.rejects.push({ line, column, reason: 'is in a month whose books are closed' });
    return !column;
  });
}

/**
 * Rejects the pending purchases that are from the limit of edits on: whoever may settle them would credit the amount
 * alone. The net amount is never credited.
 */
async function refuseLarge({ sql, tenantId }: ImportContext, rows: readonly MoneyRow[], outcome: Outcome) {
  const { edits_from } = await findLimits(sql, tenantId);
  if (edits_from === null) return rows;
  return rows.filter(({ line, cells: { transaction_type, status, amount } }) => {
    const isLarge = transaction_type === 'TOP_UP' && status === 'pending' && Number(amount) >= edits_from;
    if (isLarge) outcome.rejects.push({ line, column: 'amount', reason: LARGE });
    return !isLarge;
  });
}

type Owned = MoneyRow & { player_id: number };
type Made = MoneyCells & { id: number };

async function createPast(sql: TransactionSql, context: ImportContext, rows: readonly Owned[]): Promise<Made[]> {
  const numbered = await assignMoneyIds(sql, rows);
  const past = numbered.flatMap(({ cells, player_id, id }) => {
    const {
      transaction_type: type,
      status,
      completed_at,
      source_id: _,
      user_email: _e,
      user_source_id: _u,
      ...rest
    } = cells;
    return status === 'pending' || completed_at === undefined
      ? []
      : [{ ...rest, type, status, completed_at, player_id, id }];
  });
  await addHistory(sql, { tenant_id: context.tenantId, admin_id: context.adminId, past });
  await saveImported(sql, context, numbered);
  return numbered.map(({ cells, id }) => ({ ...cells, id }));
}

/** Uses the verbs of the calls, so a pending redeem or deposit is taken out of the balance. */
async function createPending(sql: TransactionSql, context: ImportContext, row: Owned): Promise<Made> {
  const { cells, player_id } = row;
  const made = {
    tenant_id: context.tenantId,
    player_id,
    amount: cells.amount,
    description: cells.description ?? null,
    initiated_at: new Date(cells.initiated_at),
  };
  const kind = balanceKinds.find((known) => known.toUpperCase() === cells.deposit_type);
  let id: number;
  if (cells.transaction_type === 'TOP_UP') {
    id = await createTopUp(sql, {
      ...made,
      net_amount: cells.net_amount ?? null,
      payment_method: cells.payment_method ?? null,
      payment_reference: cells.payment_reference ?? null,
      payment_metadata: cells.deposit_type ? { type: cells.deposit_type } : null,
    });
  } else if (cells.transaction_type === 'DEPOSIT') {
    id = await createDeposit(sql, {
      ...made,
      kind: kind ?? 'credit',
      platform: cells.platform ?? '',
      payment_reference: cells.payment_reference ?? null,
    });
  } else {
    const redeem = await createRedeem(sql, {
      ...made,
      platform: cells.platform ?? '',
      payout_method: cells.payout_method ?? null,
      payout_address: cells.payout_address ?? null,
      is_manual: true,
      admin_id: context.adminId,
      secrets: context.secrets,
    });
    id = redeem.id;
  }
  await saveImported(sql, context, [{ ...row, id }]);
  return { ...cells, id };
}

const saveImported = (
  sql: TransactionSql,
  { tenantId, batch }: ImportContext,
  rows: readonly { id: number; key: string; prints: string }[],
) => sql`
  insert into imported (tenant_id, kind, object_id, key, prints, batch)
  select ${tenantId}, 'transactions', id, key, prints, ${batch} from ${asRecords(
    sql,
    rows.map(({ id, key, prints }) => ({ id, key, prints })),
  )} as f (id bigint, key text, prints text)`;
