import type { ImportAnswer } from '../../contract/entities';
import type { ImportKind } from '../../contract/imports';
import type { Ctx, Handlers } from '../context';
import type { Sql, TransactionSql } from '../db/open';
import { analyzeGrownTables, type ImportContext, type Outcome } from '../imports/batch';
import { importMoney } from '../imports/money';
import { importPlayers } from '../imports/players';
import { type FileRow, readRows } from '../imports/rows';
import { Problem } from '../problem';
import { requireTenant, tenantScope } from '../tenancy';

const importers: Record<
  ImportKind,
  (context: ImportContext, rows: readonly FileRow[], outcome: Outcome) => Promise<void>
> = { players: importPlayers, transactions: importMoney };

/** Each import holds a connection and many rows. */
const MAX_CONCURRENT = 3;
let running = 0;

const isTransaction = (sql: Sql): sql is TransactionSql => 'savepoint' in sql;

/** Imports a batch: each row is created, exists already, or is rejected, independent of the others. */
async function importBatch(
  { sql, caller, body, services: { secrets } }: Ctx<'checkImport' | 'importRows'>,
  { isCheck }: { isCheck: boolean },
): Promise<ImportAnswer> {
  const { tenant_id, kind } = body;
  tenantScope(caller, tenant_id);
  await requireTenant(sql, tenant_id);
  if (!isTransaction(sql)) throw new TypeError('a batch is imported in one transaction');
  if (running >= MAX_CONCURRENT) throw new Problem(429, 'Too many imports are running. Try again in a moment.', 2);
  running++;
  try {
    const { rows, rejects, ignored } = readRows(kind, body.header, body.rows, body.first_line);
    // One batch of a tenant at a time, so that the next one sees this one. A separate statement, because a statement
    // that waits for a lock sees the data from before.
    if (!isCheck) await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${kind} ${tenant_id}`}, 0))`;
    const outcome: Outcome = { created: [], existing: 0, rejects: [...rejects] };
    await importers[kind](
      { sql, secrets, tenantId: tenant_id, adminId: caller.admin_id, isCheck, macs: new Map() },
      rows,
      outcome,
    );
    if (outcome.created.length && !isCheck) await analyzeGrownTables(sql);
    return {
      created: outcome.created.length,
      existing: outcome.existing,
      rejects: outcome.rejects.toSorted((a, b) => a.line - b.line),
      ignored_columns: ignored,
      keys: isCheck
        ? outcome.created.map(({ key, otherKey }) => (otherKey && otherKey !== key ? `${key} ${otherKey}` : key))
        : [],
    };
  } finally {
    running--;
  }
}

export const imports = {
  /** Finds out what `importRows` would do, without doing it. Each batch is checked by itself. */
  checkImport: (ctx) => importBatch(ctx, { isCheck: true }),

  /** Repeating an import changes nothing. The audit entry of a batch contains the file, the lines and the counts. */
  async importRows(ctx) {
    const { body, audit } = ctx;
    const answer = await importBatch(ctx, { isCheck: false }),
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
      },
    });
    return answer;
  },
} satisfies Partial<Handlers>;
