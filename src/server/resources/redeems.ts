import { LIST_MAX, REDEEM_MAX, REDEEM_MIN } from '../../contract/constants';
import { isRedeemAmount } from '../../contract/rules';
import type { AuditSubject } from '../audit/auditLog';
import type { Handlers } from '../core/context';
import { type CsvColumn, createCsvFile, formatTimestamp, formatUsd, withTenantColumn } from '../core/csv';
import { Problem } from '../core/problem';
import { inTenant, tenantName, tenantScope } from '../core/tenancy';
import { createRedeem } from '../ledger/create';
import { redeemHold } from '../ledger/payoutHold';
import type { RedeemRow } from '../ledger/rows';
import { settleRedeem } from '../ledger/settle';
import { withClaims } from '../queries/claims';
import { noteDecision, toSettlement } from '../queries/noteDecision';
import { playersByEmail, requirePlayerByEmail } from '../queries/playersByEmail';
import { selectRisks } from '../queries/risks';
import { fromListed, listSources, playerColumns } from '../queries/transactionFilter';
import { readAll, readPage } from '../queries/transactionList';

const asCreated = ({ id, tenant_id, player_id, ...row }: RedeemRow): AuditSubject => {
  const { amount, platform, payout_method, payout_address, status } = row;
  const after = { amount, platform, payout_method, payout_address, status };
  return { kind: 'redeem', id, tenant_id, player_id, after };
};

/** The columns of the list on screen (docs/product.md, "Redeems"), and those that an import needs in addition. */
type FileRow = RedeemRow & { description: string | null; tenant_name: string };
const redeemColumns: readonly [CsvColumn<FileRow>, ...CsvColumn<FileRow>[]] = [
  ['ID', ({ id }) => ({ raw: String(id) })],
  ['User Email', (row) => row.user_email],
  ['Platform', (row) => row.platform],
  ['Amount', (row) => formatUsd(row.amount)],
  ['Payout Method', (row) => row.payout_method],
  ['Payout Address', (row) => row.payout_address],
  ['Status', (row) => row.status],
  ['Initiated At', (row) => formatTimestamp(row.initiated_at)],
  ['Completed At', (row) => formatTimestamp(row.completed_at)],
  ['Type', () => 'REDEEM'],
  ['Description', (row) => row.description],
];

export const redeems = {
  /** Without filters the pending and newest ones up to 1000 (docs/product.md, "Redeems"); with them a page. */
  async listRedeems({ sql, caller, query }) {
    const { tenant_id, ...asked } = query;
    const tenant = tenantScope(caller, tenant_id);
    if (Object.values(asked).some((value) => value !== undefined)) {
      const columns = sql`m.*, ${playerColumns(sql)}, ${selectRisks(sql, tenant)} as risks,
        ${redeemHold(sql, tenant)} as payout_hold`;
      return withClaims(sql, tenant, await readPage<RedeemRow>(sql, [listSources.redeems], tenant, query, columns));
    }
    return sql<RedeemRow[]>`
      with pending as materialized (
        select tenant_id, id, player_id, initiated_at, status from redeems
        where status = 'pending' and ${inTenant(sql, tenant)}
        order by initiated_at, id limit ${LIST_MAX}
      ), settled as materialized (
        select tenant_id, id, player_id, initiated_at, status from redeems
        where status <> 'pending' and ${inTenant(sql, tenant)}
        order by initiated_at desc, id desc limit ${LIST_MAX}
      ), listed as materialized (
        select * from (select * from pending union all select * from settled) one
        order by status <> 'pending', initiated_at desc, id desc limit ${LIST_MAX}
      )
      select m.*, p.email as user_email, case when p.deleted_at is null then m.player_id end as player_id,
        ${redeemHold(sql, tenant)} as payout_hold
      ${fromListed(sql, tenant, 'redeems')}
      order by m.initiated_at desc, m.id desc`;
  },

  async exportRedeems({ sql, caller, query }) {
    const tenant = tenantScope(caller, query.tenant_id);
    const columns = sql`m.*, p.email as user_email, ${tenantName(sql, 'm.tenant_id')}`;
    const rows = readAll<FileRow>(sql, [listSources.redeems], tenant, query, columns);
    return createCsvFile(rows, withTenantColumn(redeemColumns, tenant));
  },

  async changeRedeemStatus(ctx) {
    const redeem = await settleRedeem(ctx.sql, toSettlement(ctx));
    await noteDecision(ctx.sql, ctx.audit, 'redeem', redeem, ctx.body);
    return redeem;
  },

  /** Also for an inactive player, without the daily limit, towards which it counts (docs/product.md, "Redeems"). */
  async createManualRedeem({ sql, caller, body, services: { secrets }, audit }) {
    const owner = await requirePlayerByEmail(sql, caller, body);
    const redeem = await createRedeem(sql, {
      ...owner,
      amount: String(body.amount),
      platform: body.platform,
      payout_method: body.payout_method,
      payout_address: body.payout_address,
      description: body.description || null,
      is_manual: true,
      admin_id: caller.admin_id,
      secrets,
    });
    audit.about(asCreated(redeem));
    return redeem;
  },

  /** The call names no player: it is for the player with the caller's e-mail in the caller's tenant. */
  async submitRedeem({ sql, caller, body, services: { secrets }, audit }) {
    const words = `Min ${REDEEM_MIN}, Max ${REDEEM_MAX} per day`;
    if (!isRedeemAmount(Number(body.amount))) throw new Problem(422, `body.amount: ${words}`);
    const [player] = caller.tenant_id === null ? [] : await playersByEmail(sql, caller.tenant_id, caller.email);
    if (!player) throw new Problem(400, 'No player account with your email. Use Create Manual Redeem.');
    if (!player.is_active) throw new Problem(400, 'This player account is not active');
    const [platform] = await sql<{ name: string }[]>`
      select name from platforms where name = ${body.platform_name} and is_active`;
    if (!platform) throw new Problem(422, 'body.platform_name: unknown platform');
    const redeem = await createRedeem(sql, {
      tenant_id: player.tenant_id,
      player_id: player.id,
      amount: String(body.amount),
      platform: platform.name,
      is_manual: false,
      admin_id: caller.admin_id,
      day_limit: REDEEM_MAX,
      secrets,
    });
    audit.about(asCreated(redeem));
    return redeem;
  },
} satisfies Partial<Handlers>;
