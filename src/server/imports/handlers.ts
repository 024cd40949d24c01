import type { ImportAnswer } from '../../contract/entities';
import type { ImportKind } from '../../contract/imports';
import { requirePermissions } from '../auth/authenticate';
import { lockImports } from '../books/closedMonths';
import { BATCH_DIGEST, importBatches } from '../books/importBatches';
import type { Ctx, Handlers } from '../core/context';
import { nameTenant } from '../core/tenancy';
import type { Sql, TransactionSql } from '../db/open';
import { lockFacts } from '../totals/countFacts';
import { analyzeGrownTables, type ImportContext, type Outcome } from './batch';
import { importLogins } from './logins';
import { importMoney } from './money';
import { importPlayers } from './players';
import { type FileRow, readRows } from './rows';

const importers: Record<
  ImportKind,
  (context: ImportContext, rows: readonly FileRow[], outcome: Outcome) => Promise<void>
> = { players: importPlayers, transactions: importMoney, logins: importLogins };

const isTransaction = (sql: Sql): sql is TransactionSql => 'savepoint' in sql;

type ImportCtx = Ctx<'checkImport' | 'importRows'>;

/** Waits for a place before it opens the transaction: an import that waits holds no connection. */
const inPlace = <T>({ limits, turn, inTransaction }: ImportCtx, work: (sql: Sql) => Promise<T>): Promise<T> =>
  limits.imports.run(turn, () => inTransaction(work));

/** The figures of a batch that its audit entry keeps; empty if it created nothing. */
interface BatchFigures {
  batch?: number;
  rows_sha256?: string;
  digest?: number;
}

const nextBatch = async (sql: Sql): Promise<number> =>
  (await sql<{ batch: number }[]>`select nextval('import_batches') as batch`.one()).batch;

async function measureBatch(
  sql: Sql,
  { tenant_id, kind }: { tenant_id: number; kind: ImportKind },
  { created }: Outcome,
): Promise<BatchFigures> {
  if (!created.length || kind === 'logins') return {}; // only money is compared with the audit log
  const ofBatch = sql`
    i.tenant_id = ${tenant_id} and i.kind = ${kind} and i.key = any(${created.map(({ key }) => key)}::text[])`;
  const { batch, rows_sha256 } = await sql<{ batch: number; rows_sha256: string }[]>`
    ${importBatches(sql, ofBatch)}`.one();
  return { batch, rows_sha256, digest: BATCH_DIGEST };
}

/** Imports a batch: each row is created, exists already, or is rejected, independent of the others. */
async function importBatch(
  sql: Sql,
  { caller, body, services: { secrets } }: ImportCtx,
  { isCheck }: { isCheck: boolean },
): Promise<{ answer: ImportAnswer; figures: BatchFigures }> {
  const { tenant_id, kind } = body;
  await nameTenant(sql, caller, 'body', tenant_id);
  if (kind === 'logins') requirePermissions(caller, ['support']);
  if (!isTransaction(sql)) throw new TypeError('a batch is imported in one transaction');
  const { rows, rejects, ignored } = readRows(kind, body.header, body.rows, body.first_line);
  // One batch of a tenant at a time, so that the next one sees this one; and no month is closed meanwhile.
  if (!isCheck) {
    await lockImports(sql, tenant_id, kind);
    await lockFacts(sql, tenant_id);
  }
  const outcome: Outcome = { created: [], existing: 0, rejects: [...rejects] };
  const batch = isCheck ? 0 : await nextBatch(sql);
  await importers[kind](
    { sql, secrets, tenantId: tenant_id, adminId: caller.admin_id, isCheck, batch, macs: new Map() },
    rows,
    outcome,
  );
  if (outcome.created.length && !isCheck) await analyzeGrownTables(sql);
  const answer = {
    created: outcome.created.length,
    existing: outcome.existing,
    rejects: outcome.rejects.toSorted((a, b) => a.line - b.line),
    ignored_columns: ignored,
    keys: isCheck
      ? outcome.created.map(({ key, otherKey }) => (otherKey && otherKey !== key ? `${key} ${otherKey}` : key))
      : [],
  };
  return { answer, figures: isCheck ? {} : await measureBatch(sql, body, outcome) };
}

export const imports = {
  /** Finds out what `importRows` would do, without doing it. Each batch is checked by itself. */
  checkImport: (ctx) => inPlace(ctx, async (sql) => (await importBatch(sql, ctx, { isCheck: true })).answer),

  /** Repeating changes nothing. The audit entry has the file, lines, counts and a digest of what was created. */
  importRows: (ctx) =>
    inPlace(ctx, async (sql) => {
      const { body, audit } = ctx;
      const { answer, figures } = await importBatch(sql, ctx, { isCheck: false }),
        { created, existing, rejects } = answer;
      audit.about({
        kind: 'import',
        id: body.file_sha256?.slice(0, 16) ?? null,
        tenant_id: body.tenant_id,
        after: {
          of: body.kind,
          file: body.file_name ?? null,
          file_sha256: body.file_sha256 ?? null,
          from_line: body.first_line,
          created,
          already_there: existing,
          rejected: rejects.length,
          ...figures,
        },
      });
      return answer;
    }),
} satisfies Partial<Handlers>;
