import { payoutMethods } from '../../contract/platforms';
import { readClosedUntil } from '../books/closedMonths';
import type { TransactionSql } from '../db/open';
import { findLimits } from '../ledger/approvals';
import { findDisguise } from '../ledger/processors';
import {
  computeKey,
  computePrints,
  filterNew,
  foldEmails,
  type ImportContext,
  type Mistake,
  type Outcome,
  readCells,
  refuse,
} from './batch';
import { createMoney } from './createMoney';
import { MoneyCells, type MoneyRow, type OwnedRow } from './moneyCells';
import { createOwnerLookup } from './owners';
import { assignReferences, claimReferences } from './references';
import type { FileRow } from './rows';
import { isInFuture, resolveTimestamps } from './timestamps';

/** Why a pending purchase is not imported: with it one person could credit what two people would have to agree on. */
const LARGE = 'Pending purchases from this amount on need two people: leave the row out and edit the balances';

/** What is wrong with the cells of a row that are each valid by themselves. */
function findRowError(row: MoneyCells, platforms: ReadonlyMap<string, string>): Mistake {
  if (!row.user_email && !row.user_source_id) return ['user_email', 'is required'];
  if (!row.source_id && !row.payment_reference) return ['source_id', 'is required, or a payment_reference'];
  const disguise = row.transaction_type === 'TOP_UP' ? findDisguise(row.payment_method ?? '') : null;
  return findWrongTime(row) ?? (disguise ? ['payment_method', disguise] : findWrongPlace(row, platforms));
}

function findWrongTime({ status, initiated_at, completed_at }: MoneyCells): Mistake {
  const isPending = status === 'pending';
  if (isPending && completed_at) return ['completed_at', 'must be empty while the status is pending'];
  if (!isPending && !completed_at) return ['completed_at', `is required when the status is ${status}`];
  if (isInFuture(initiated_at)) return ['initiated_at', 'is in the future'];
  if (isInFuture(completed_at)) return ['completed_at', 'is in the future'];
  return completed_at && completed_at < initiated_at ? ['completed_at', 'is before initiated_at'] : null;
}

/** The balance, platform or payout method that the amount goes to. */
function findWrongPlace(row: MoneyCells, platforms: ReadonlyMap<string, string>): Mistake {
  const { transaction_type: type, platform, payout_method } = row,
    isPending = row.status === 'pending';
  if (type === 'DEPOSIT' && !row.deposit_type) return ['deposit_type', 'is required for a deposit'];
  if (!platform && (type === 'REDEEM' || type === 'RETURN' || (type === 'DEPOSIT' && isPending)))
    return ['platform', 'is required'];
  if (platform && !platforms.has(platform.toLowerCase())) return ['platform', 'unknown platform'];
  if (isPending && type === 'REDEEM' && payout_method && !payoutMethods.some((known) => known === payout_method))
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

/** Imports payments, step by step: settled ones as history, pending ones as created here, without the daily limit. */
export async function importMoney(context: ImportContext, rows: readonly FileRow[], outcome: Outcome): Promise<void> {
  const { sql, tenantId, isCheck } = context;
  const money = await readMoney(context, rows, outcome);
  const open = await refuseClosed(context, await filterNew(context, 'transactions', money, outcome), outcome);
  const owned = await findOwners(context, await refuseLarge(context, open, outcome), outcome);
  const paid = owned.map(({ line, cells }) => ({ line, ...cells }));
  const known = await claimReferences(sql, tenantId, paid, { isCheck });
  const fresh = refuse(owned, outcome, (_, n) => {
    const reason = known.get(n);
    return reason === undefined ? null : ['payment_reference', reason];
  });
  const made = await createMoney(context, fresh, outcome);
  if (!isCheck) await assignReferences(sql, tenantId, paid, made);
}

/** The rows whose cells are valid, with moments in the tenant's time zone and platforms by their names. */
async function readMoney(context: ImportContext, rows: readonly FileRow[], outcome: Outcome): Promise<MoneyRow[]> {
  const { sql, tenantId } = context;
  const read = readCells(MoneyCells, rows, outcome);
  const moments = read.flatMap(({ cells }) => [cells.initiated_at, cells.completed_at ?? []].flat());
  const timestamps = await resolveTimestamps(sql, tenantId, moments);
  const platforms = await readPlatformNames(sql);
  const emails = read.map(({ cells }) => cells.user_email);
  const foldEmail = await foldEmails(sql, emails);
  const timed = read.map(({ line, cells }) => ({
    line,
    cells: {
      ...cells,
      initiated_at: timestamps.get(cells.initiated_at) ?? cells.initiated_at,
      ...(cells.completed_at && { completed_at: timestamps.get(cells.completed_at) }),
    },
  }));
  return refuse(timed, outcome, ({ cells }) => findRowError(cells, platforms)).map(({ line, cells: timedCells }) => {
    const cells = { ...timedCells };
    if (cells.platform) cells.platform = platforms.get(cells.platform.toLowerCase());
    const user_email = cells.user_email && foldEmail(cells.user_email);
    return {
      line,
      cells,
      key: computeKey(context, 'transactions', 'source', cells.source_id ?? cells.payment_reference ?? ''),
      prints: computePrints(context, 'transactions', { ...cells, user_email }),
    };
  });
}

async function findOwners(context: ImportContext, rows: readonly MoneyRow[], outcome: Outcome): Promise<OwnedRow[]> {
  const named = rows.map(({ cells }) => cells);
  const findOwner = await createOwnerLookup(context, named);
  return rows.flatMap((row): OwnedRow[] => {
    const owner = findOwner(row.cells);
    if (typeof owner === 'number') return [{ ...row, player_id: owner }];
    outcome.rejects.push({ line: row.line, ...owner });
    return [];
  });
}

/** Rejects what has a date in a closed month. What was imported before is known and stays. */
async function refuseClosed({ sql, tenantId }: ImportContext, rows: readonly MoneyRow[], outcome: Outcome) {
  const until = await readClosedUntil(sql, tenantId);
  if (!until) return [...rows];
  const isClosed = (at: string | undefined) => at !== undefined && Date.parse(at) < until.getTime();
  return refuse(rows, outcome, ({ cells }) => {
    const column = (['completed_at', 'initiated_at'] as const).find((name) => isClosed(cells[name]));
    return column ? [column, 'is in a month whose books are closed'] : null;
  });
}

/** Rejects pending purchases from the limit of edits on: one person would credit them. Net amounts are not credited. */
async function refuseLarge({ sql, tenantId }: ImportContext, rows: readonly MoneyRow[], outcome: Outcome) {
  const { edits_from } = await findLimits(sql, tenantId);
  if (edits_from === null) return rows;
  return refuse(rows, outcome, ({ cells: { transaction_type, status, amount } }) =>
    transaction_type === 'TOP_UP' && status === 'pending' && Number(amount) >= edits_from ? ['amount', LARGE] : null,
  );
}
