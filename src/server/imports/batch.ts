/** What all imports share: rows are known by MACs, and one that fails takes no other with it. */
import * as v from 'valibot';
import type { ImportReject } from '../../contract/entities';
import { getImportColumns, type ImportKind } from '../../contract/imports';
import type { Secrets } from '../auth/secrets';
import { Problem } from '../core/problem';
import type { TransactionSql } from '../db/open';
import type { FileRow } from './rows';

export interface ImportContext {
  sql: TransactionSql;
  secrets: Secrets;
  tenantId: number;
  adminId: number;
  isCheck: boolean;
  batch: number;
  /** MACs of this batch, cached because most columns repeat in many rows. */
  macs: Map<string, string>;
}

/** `key`: by its id in the other system; `prints`: of its columns; `otherKey`: what else must be unique. */
export interface Row {
  line: number;
  key: string;
  prints: string;
  /** Of what else must not be there twice. */
  otherKey?: string;
}

/** E-mails in lower case as the database has them, whose index decides which are one, and not JavaScript. */
export async function foldEmails(sql: TransactionSql, emails: readonly (string | undefined)[]) {
  const sent = [...new Set(emails.filter((email) => email !== undefined))];
  const rows = await sql<{ email: string; folded: string }[]>`
    select email, lower(email) as folded from unnest(${sent}::text[]) as email`;
  const folded = new Map(rows.map((row) => [row.email, row.folded]));
  return (email: string): string => folded.get(email) ?? email;
}

/** What happens to the rows of a batch. */
export interface Outcome {
  created: Row[];
  existing: number;
  rejects: ImportReject[];
}

/** The rows with their cells parsed; those with an invalid one are rejected. */
export const readCells = <T>(shape: v.GenericSchema<unknown, T>, rows: readonly FileRow[], { rejects }: Outcome) =>
  rows.flatMap(({ line, cells }) => {
    const result = v.safeParse(shape, cells, { abortEarly: true, abortPipeEarly: true });
    if (result.success) return [{ line, cells: result.output }];
    const [issue] = result.issues;
    rejects.push({
      line,
      column: issue.path?.[0] ? String(issue.path[0].key) : null,
      reason: issue.received === 'undefined' ? 'is required' : issue.message,
    });
    return [];
  });

/** What is wrong with a row, and in which column; null for the whole row. */
export type Mistake = [column: string | null, reason: string] | null;

/** The rows in which `find` finds nothing wrong. The others are rejected. */
export const refuse = <R extends { line: number }>(
  rows: readonly R[],
  { rejects }: Outcome,
  find: (row: R, index: number) => Mistake,
): R[] =>
  rows.filter((row, index) => {
    const mistake = find(row, index);
    if (mistake) rejects.push({ line: row.line, column: mistake[0], reason: mistake[1] });
    return !mistake;
  });

/** An amount in dollars and cents. */
export const usd = v.transform((amount: string) => Number(amount).toFixed(2));

const PRINT_LENGTH = 8;
function computeMac({ secrets, tenantId, macs }: ImportContext, what: readonly unknown[]): string {
  const text = JSON.stringify(['import', tenantId, ...what]);
  const known = macs.get(text) ?? secrets.fingerprint(text).toString('base64url');
  macs.set(text, known);
  return known;
}

/** The MAC of what identifies a row. */
export const computeKey = (context: ImportContext, kind: ImportKind, by: 'source' | 'email', value: string): string =>
  computeMac(context, [kind, by, value]).slice(0, 22);

/** A short MAC per column, up to the last with a value, so that a column added at the end later changes none. */
export function computePrints(context: ImportContext, kind: ImportKind, values: Readonly<Record<string, unknown>>) {
  const names = getImportColumns(kind).map(([name]) => name),
    last = names.findLastIndex((name) => (values[name] ?? null) !== null);
  return names
    .slice(0, last + 1)
    .map((name) => computeMac(context, [kind, 'column', name, values[name] ?? null]).slice(0, PRINT_LENGTH))
    .join('');
}

const findChangedColumn = (kind: ImportKind, prints: string, others: string): string =>
  getImportColumns(kind).find(
    (_, n) =>
      prints.slice(n * PRINT_LENGTH, (n + 1) * PRINT_LENGTH) !== others.slice(n * PRINT_LENGTH, (n + 1) * PRINT_LENGTH),
  )?.[0] ?? 'source_id';

/** The new rows. Those imported before count as existing; with different contents they are rejected. */
export async function filterNew<R extends Row>(
  context: ImportContext,
  kind: ImportKind,
  rows: readonly R[],
  outcome: Outcome,
): Promise<R[]> {
  const { sql, tenantId } = context;
  const found = await sql<{ key: string; prints: string }[]>`
    select key, prints from imported
    where tenant_id = ${tenantId} and kind = ${kind} and key = any(${rows.map(({ key }) => key)}::text[])`;
  const known = new Map<string, { prints: string; line?: number }>(found.map(({ key, prints }) => [key, { prints }]));
  return rows.filter(({ line, key, prints }) => {
    const before = known.get(key);
    known.set(key, before ?? { prints, line });
    if (before === undefined) return true;
    if (before.prints === prints) outcome.existing++;
    else
      outcome.rejects.push({
        line,
        column: findChangedColumn(kind, before.prints, prints),
        reason: before.line
          ? `differs from line ${before.line} of this file`
          : 'differs from what was imported under this id before',
      });
    return false;
  });
}

/** Writes rows together. If that fails, it writes the halves; a row that fails alone is rejected. */
export async function writeRows<R extends Row>(
  sql: TransactionSql,
  rows: readonly R[],
  outcome: Outcome,
  write: (sql: TransactionSql, rows: readonly R[]) => Promise<void>,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  try {
    await sql.savepoint((inner) => write(inner, rows));
    outcome.created.push(...rows);
  } catch (error) {
    const reason = describeRowError(error);
    if (reason === null) throw error;
    if (rows.length === 1) {
      outcome.rejects.push({ line: first.line, column: null, reason });
      return;
    }
    const half = rows.length >> 1;
    await writeRows(sql, rows.slice(0, half), outcome, write);
    await writeRows(sql, rows.slice(half), outcome, write);
  }
}

/** What is wrong with the row itself; null when the database or the server failed. */
function describeRowError(error: unknown): string | null {
  if (error instanceof Problem) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '23505') return 'was created by another import';
  return code.startsWith('22') ? 'contains a number that is too large' : null;
}

/** Runs work and rolls back everything it wrote. */
export async function dryRun(sql: TransactionSql, work: (sql: TransactionSql) => Promise<void>): Promise<void> {
  const undo = new Error('dry run');
  await sql
    .savepoint(async (inner) => {
      await work(inner);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
}

/** Rows as one text parameter; the driver would encode a value of type json once more. */
export const asRecords = (sql: TransactionSql, list: readonly object[]) =>
  sql`json_to_recordset(${JSON.stringify(list)}::text::json)`;

/** Statistics of tables that grew by half: the planner would scan all for a new tenant, and autovacuum is late. */
export async function analyzeGrownTables(sql: TransactionSql): Promise<void> {
  const grown = await sql<{ name: string }[]>`
    select relname as name from pg_stat_user_tables
    where relid = any(array[
        'imported', 'players', 'wallets', 'transactions', 'redeems', 'transfers', 'payment_references'
      ]::regclass[])
      and n_mod_since_analyze > 1000 + n_live_tup / 3
    order by 1`;
  for (const { name } of grown) await sql`analyze (skip_locked) ${sql(name)}`;
}
