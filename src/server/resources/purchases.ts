import type { AuditKind } from '../../contract/constants';
import type { ListQuery, ReturnRow } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { type CsvColumn, createCsvFile, formatTimestamp, formatUsd, withTenantColumn } from '../core/csv';
import { tenantName, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import type { TransactionRow } from '../ledger/rows';
import { settlePurchase } from '../ledger/settle';
import { withClaims } from '../queries/claims';
import { noteDecision } from '../queries/noteDecision';
import { selectReturnRisks } from '../queries/returnRisks';
import { playerColumns, type TransactionType, transactionSources } from '../queries/transactionFilter';
import { readAll, readPage } from '../queries/transactionList';

/** `platform` is set for a deposit and a return. */
type FileRow = TransactionRow & { platform: string | null; tenant_name: string };
/**
 * The columns of the list on screen (docs/product.md, "Purchases and deposits"), and those that an import needs in
 * addition.
 */
const transactionColumns: readonly [CsvColumn<FileRow>, ...CsvColumn<FileRow>[]] = [
  ['ID', ({ id }) => ({ raw: String(id) })],
  ['User Email', (row) => row.user_email],
  ['Type', (row) => row.transaction_type],
  ['Status', (row) => row.status],
  ['Amount', (row) => formatUsd(row.amount)],
  ['Net Amount', (row) => formatUsd(row.net_amount)],
  ['Payment Method', (row) => row.payment_method],
  ['Deposit Type', ({ payment_metadata: of }) => (of?.type === 'LOYALTY' ? 'FREE PLAY' : of?.type)],
  ['Initiated At', (row) => formatTimestamp(row.initiated_at)],
  ['Completed At', (row) => formatTimestamp(row.completed_at)],
  ['Description', (row) => row.description],
  ['Reference', (row) => row.payment_reference],
  ['Platform', (row) => row.platform],
];

const kinds: Readonly<Record<string, AuditKind>> = { TOP_UP: 'purchase', DEPOSIT: 'deposit', RETURN: 'return' };
const both = ['TOP_UP', 'DEPOSIT'] as const;
/** `transaction_type` is validated by the schema; without it the list contains purchases and deposits. */
const getTypes = (type: string | undefined): readonly TransactionType[] =>
  both.filter((one) => type === undefined || one === type);

/** Only what is answered: reading a column costs about as much as finding its row. */
const rowColumns = (sql: Sql) => sql`
  m.id, m.transaction_type, m.status, m.amount, m.net_amount, m.payment_method, m.payment_metadata, m.initiated_at,
  m.completed_at, m.description, m.payment_reference, m.attention, m.tenant_id, ${playerColumns(sql)}`;
const fileColumns = (sql: Sql) => sql`m.*, ${playerColumns(sql)}, ${tenantName(sql, 'm.tenant_id')}`;
const list = async (sql: Sql, tenant: number | null, types: readonly TransactionType[], query: ListQuery) =>
  withClaims(
    sql,
    tenant,
    await readPage<TransactionRow>(sql, transactionSources(types), tenant, query, rowColumns(sql)),
  );
const file = async (sql: Sql, tenant: number | null, types: readonly TransactionType[], query: ListQuery) =>
  createCsvFile(
    readAll<FileRow>(sql, transactionSources(types), tenant, query, fileColumns(sql)),
    withTenantColumn(transactionColumns, tenant),
  );

export const purchases = {
  listPurchases: ({ sql, caller, query }) =>
    list(sql, tenantScope(caller, query.tenant_id), getTypes(query.transaction_type), query),
  listDeposits: ({ sql, caller, query }) => list(sql, tenantScope(caller, query.tenant_id), ['DEPOSIT'], query),

  async listReturns({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    const columns = sql`${rowColumns(sql)}, m.platform, ${selectReturnRisks(sql, tenant)} as risks`;
    const page = await readPage<DbRow<ReturnRow>>(sql, transactionSources(['RETURN']), tenant, query, columns);
    return withClaims(sql, tenant, page);
  },

  exportPurchases: ({ sql, caller, query }) =>
    file(sql, tenantScope(caller, query.tenant_id), getTypes(query.transaction_type), query),
  exportDeposits: ({ sql, caller, query }) => file(sql, tenantScope(caller, query.tenant_id), ['DEPOSIT'], query),

  exportReturns: ({ sql, caller, query }) => file(sql, tenantScope(caller, query.tenant_id), ['RETURN'], query),

  /** Purchases, deposits and returns share their ids and this call. */
  async changePurchaseStatus({ sql, caller, params, body, audit, services: { secrets } }) {
    const row = await settlePurchase(sql, {
      id: params.id,
      tenant: tenantScope(caller),
      status: body.status,
      account_id: body.account_id,
      admin_id: caller.admin_id,
      by: caller,
      secrets,
    });
    await noteDecision(sql, audit, kinds[row.transaction_type] ?? 'purchase', row, body);
    return row;
  },
} satisfies Partial<Handlers>;
