import type { ListQuery, ReturnRow, TransactionDetails } from '../../contract/entities';
import type { Handlers } from '../core/context';
import { type CsvColumn, createCsvFile, formatTimestamp, formatUsd, withTenantColumn } from '../core/csv';
import { notFound } from '../core/problem';
import { inTenant, type Owner, tenantName, tenantScope } from '../core/tenancy';
import type { Sql } from '../db/open';
import type { DbRow } from '../db/row';
import { createReturn } from '../ledger/create';
import { findRow, moneyKind, moneyKinds, type TransactionRow } from '../ledger/rows';
import { settlePurchase } from '../ledger/settle';
import { withClaims } from '../queries/claims';
import { noteDecision, toSettlement } from '../queries/noteDecision';
import { requirePlatformName } from '../queries/platformCredentials';
import { requirePlayerByEmail } from '../queries/playersByEmail';
import { selectReturnRisks } from '../queries/risks';
import { playerColumns, type TransactionType, transactionSources } from '../queries/transactionFilter';
import { readAll, readPage } from '../queries/transactionList';

/** `platform` is set for a deposit and a return. */
type FileRow = TransactionRow & { platform: string | null; tenant_name: string };
/** The columns on screen (docs/product.md, "Purchases and deposits"), and those that an import needs too. */
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

interface Deciders {
  made_by: string | null;
  decided_by: string | null;
}
type MoneyRow = Pick<DbRow<TransactionDetails>, 'id' | 'kind' | 'status' | 'description' | 'completed_at'> &
  Owner & { is_history: boolean };

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
  async changePurchaseStatus(ctx) {
    const row = await settlePurchase(ctx.sql, toSettlement(ctx));
    await noteDecision(ctx.sql, ctx.audit, moneyKinds[row.transaction_type as TransactionType], row, ctx.body);
    return row;
  },

  /** Also for an inactive player: the money left the game. It is settled like a deposit. */
  async createReturn({ sql, caller, body, audit }) {
    await requirePlatformName(sql, body.platform);
    const { tenant_id, player_id } = await requirePlayerByEmail(sql, caller, body);
    const asked = { amount: String(body.amount), platform: body.platform, description: body.description || null };
    const id = await createReturn(sql, { tenant_id, player_id, ...asked });
    const row = await findRow<DbRow<ReturnRow>>(sql, 'transactions', tenant_id, id).one();
    const { amount, platform, status } = row;
    audit.about({ kind: 'return', id, tenant_id, player_id, after: { amount, platform, status } });
    return row;
  },

  /** Who made and who decided it: by the audit log, or else by the ledger. */
  async getTransactionDetails({ sql, caller, params }) {
    const tenant = tenantScope(caller);
    const [money] = await sql<MoneyRow[]>`
      select id, tenant_id, player_id, status, description, completed_at, is_history, ${moneyKind(sql)} as kind
      from transactions where id = ${params.id} and ${inTenant(sql, tenant)}
      union all
      select id, tenant_id, player_id, status, description, completed_at, is_history, 'redeem'
      from redeems where id = ${params.id} and ${inTenant(sql, tenant)}`;
    if (!money) throw notFound('Transaction');
    const { id, tenant_id, player_id, kind, status, is_history, ...shown } = money;
    // The log is apart from the rows of the tenants (docs/scaling.md, "Citus"), so each is asked by itself.
    const [logged] = await sql<Deciders[]>`
      select
        (select a.email from audit_log a
         where a.tenant_id = ${tenant_id} and a.kind = ${kind} and a.object_id = ${String(id)}
           and a.before is null and a.after is not null
         order by a.id limit 1) as made_by,
        (select a.email from audit_log a
         where a.tenant_id = ${tenant_id} and a.kind = ${kind} and a.object_id = ${String(id)}
           and a.after ->> 'status' = ${status}
         order by a.id desc limit 1) as decided_by`;
    const [posted] = await sql<(Deciders & Pick<TransactionDetails, 'reason' | 'note'>)[]>`
      select r.reason, r.note,
        (select p.email from transfers t join admins p on p.id = t.admin_id
         where t.tenant_id = ${tenant_id} and t.player_id = ${player_id} and t.money_id = ${id}
           and t.to_account = 'held'
         order by t.id limit 1) as made_by,
        (select p.email from transfers t join admins p on p.id = t.admin_id
         where t.tenant_id = ${tenant_id} and t.player_id = ${player_id} and t.money_id = ${id}
           and t.to_account <> 'held'
         order by t.id desc limit 1) as decided_by
      from tenants left join remarks r on r.tenant_id = ${tenant_id} and r.line_id = ${id}
      where tenants.id = ${tenant_id}`;
    const who = (by: keyof Deciders) => logged?.[by] ?? (is_history ? 'Import' : (posted?.[by] ?? null));
    return {
      id,
      kind,
      status,
      ...shown,
      reason: posted?.reason ?? null,
      note: posted?.note ?? null,
      made_by: who('made_by'),
      decided_by: status === 'pending' ? null : who('decided_by'),
    };
  },
} satisfies Partial<Handlers>;
