import type { Status } from '../../contract/constants';
import type { Secrets } from '../auth/secrets';
import type { Sql } from '../db/open';
import { notFound, Problem } from '../problem';
import { type Decider, isFirstOfTwo, refuseApprovalOf } from './approvals';
import { refuseOnHold } from './payoutHold';
import { refuseTampered } from './payoutSeal';
import { move, post } from './post';
import type { RedeemRow, TransactionRow } from './rows';

export interface Settlement {
  id: number;
  /** The tenant that it must belong to; null for any. */
  tenant: number | null;
  status: Status;
  /** Who decided; null for the platform itself. */
  admin_id: number | null;
  /** Default: now. */
  completed_at?: Date | undefined;
}
/** The moment of a settlement: the one that was given, or now. */
const settledAt = (sql: Sql, { completed_at }: Settlement) =>
  completed_at ? sql`${completed_at}::timestamptz` : sql`now()`;

/** The tenant as every statement below names it, so that it touches one place and locks nothing elsewhere. */
async function findTenant(sql: Sql, table: 'transactions' | 'redeems', settlement: Settlement): Promise<number> {
  const { id, tenant } = settlement;
  if (tenant !== null) return tenant;
  const [row] = await sql<{ tenant_id: number }[]>`select tenant_id from ${sql(table)} where id = ${id}`;
  if (!row) throw notFound(table === 'redeems' ? 'Redeem' : 'Purchase');
  return row.tenant_id;
}

export interface RedeemSettlement extends Settlement {
  /** Check the seal of what is paid out. */
  secrets: Pick<Secrets, 'mac' | 'isMac'>;
  /** The person who decides; for an API key whoever made it. */
  by: Decider;
}

/**
 * Settles a pending purchase or deposit once. A settled one refuses every further change with 409, also to its own
 * status. Setting pending to pending changes nothing. An unknown one, or one of another tenant, is 404
 * (docs/product.md, "Status changes").
 */
export async function settlePurchase(sql: Sql, settlement: Settlement): Promise<TransactionRow> {
  const { id, status, admin_id } = settlement;
  const tenant = await findTenant(sql, 'transactions', settlement);
  if (status !== 'pending') {
    // Always lock in this order to avoid deadlocks: money row, wallet, day total, total by name.
    const [row] = await move(sql<(TransactionRow & { was_first: boolean })[]>`
      with money as (
        update transactions set status = ${status}, completed_at = ${settledAt(sql, settlement)}
        where tenant_id = ${tenant} and id = ${id} and status = 'pending'
        returning *
      ), move as (
        select tenant_id, player_id, amount, id as money_id, ${admin_id}::bigint as admin_id,
          case when transaction_type = 'TOP_UP' and status = 'success' then amount else 0 end as ggr,
          case when transaction_type = 'DEPOSIT' then 'held' when status = 'success' then 'cash_in' end as from_account,
          case
            when transaction_type = 'DEPOSIT'
              then case status when 'success' then 'platform' else lower(payment_metadata ->> 'type') end
            when status = 'success' then 'credit'
          end as to_account
        from money
      ), ${post(sql, tenant)}, counted as (
        insert into day_totals (tenant_id, day, slot, purchases, purchase_count)
        select t.id, (m.completed_at at time zone t.time_zone)::date, pg_backend_pid() % 16, m.amount, 1
        from wallet w
          join money m on m.tenant_id = w.tenant_id and m.player_id = w.player_id
          join tenants t on t.id = ${tenant}
        where m.transaction_type = 'TOP_UP' and m.status = 'success'
        on conflict (tenant_id, day, slot) do update set
          purchases = day_totals.purchases + excluded.purchases,
          purchase_count = day_totals.purchase_count + excluded.purchase_count
        returning tenant_id, day, slot
      ), named as (
        insert into method_totals (tenant_id, day, platform, method, slot, purchases)
        select c.tenant_id, c.day, left(coalesce(m.platform, ''), 100), left(coalesce(m.payment_method, ''), 100),
          c.slot, m.amount
        from counted c join money m using (tenant_id)
        on conflict (tenant_id, day, platform, method, slot) do update set
          purchases = method_totals.purchases + excluded.purchases
      )
      select m.*, p.email as user_email,
        m.transaction_type = 'TOP_UP' and m.status = 'failed' and m.id = w.first_purchase_id as was_first
      from money m join wallet w on w.tenant_id = m.tenant_id and w.player_id = m.player_id
      join players p on p.tenant_id = ${tenant} and p.id = m.player_id`);
    if (row?.was_first) await findFirstPurchase(sql, row.tenant_id, row.player_id);
    if (row) return row;
  }
  const [row] = await sql<TransactionRow[]>`
    select m.*, p.email as user_email
    from transactions m join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
    where m.tenant_id = ${tenant} and m.id = ${id}`;
  return unchanged(row, status, row?.transaction_type === 'DEPOSIT' ? 'Deposit' : 'Purchase');
}

/** A separate statement after the wallet is locked: only then are all relevant purchases visible. */
async function findFirstPurchase(sql: Sql, tenantId: number, playerId: number): Promise<void> {
  await sql`
    update wallets set (first_purchase_id, first_purchase_at) = (
      select id, initiated_at from transactions
      where tenant_id = ${tenantId} and player_id = ${playerId} and transaction_type = 'TOP_UP' and status <> 'failed'
      order by initiated_at, id limit 1)
    where tenant_id = ${tenantId} and player_id = ${playerId}`;
}

/**
 * Settles a pending redeem once, by the rules of `settlePurchase`. Success pays out what was held, failed returns it.
 * While payouts to the player are on hold, or if the redeem was changed past the server, it throws 409, and the
 * transaction must be rolled back. The first of two people who must agree leaves it pending.
 */
export async function settleRedeem(sql: Sql, settlement: RedeemSettlement): Promise<RedeemRow> {
  const { id, status, admin_id, by } = settlement;
  const tenant = await findTenant(sql, 'redeems', settlement);
  const isFirst = status === 'success' && (await isFirstOfTwo(sql, { id, tenant, by }));
  if (status !== 'pending' && !isFirst) {
    const [row] = await move(sql<(RedeemRow & { payout_seal: Buffer | null })[]>`
      with money as (
        update redeems set status = ${status}, completed_at = ${settledAt(sql, settlement)},
          decided_by = ${admin_id}
        where tenant_id = ${tenant} and id = ${id} and status = 'pending'
        returning *
      ), move as (
        select tenant_id, player_id, amount, id as money_id, ${admin_id}::bigint as admin_id,
          case status when 'success' then -amount else 0 end as ggr,
          'held' as from_account, case status when 'success' then 'cash_out' else 'credit' end as to_account
        from money
      ), ${post(sql, tenant)}, counted as (
        insert into day_totals (tenant_id, day, slot, redeems, redeem_count)
        select t.id, (m.completed_at at time zone t.time_zone)::date, pg_backend_pid() % 16, m.amount, 1
        from wallet w
          join money m on m.tenant_id = w.tenant_id and m.player_id = w.player_id
          join tenants t on t.id = ${tenant}
        where m.status = 'success'
        on conflict (tenant_id, day, slot) do update set
          redeems = day_totals.redeems + excluded.redeems,
          redeem_count = day_totals.redeem_count + excluded.redeem_count
        returning tenant_id, day, slot
      ), named as (
        insert into method_totals (tenant_id, day, platform, method, slot, redeems)
        select c.tenant_id, c.day, left(coalesce(m.platform, ''), 100), left(coalesce(m.payout_method, ''), 100),
          c.slot, m.amount
        from counted c join money m using (tenant_id)
        on conflict (tenant_id, day, platform, method, slot) do update set
          redeems = method_totals.redeems + excluded.redeems
      )
      select m.*, p.email as user_email
      from money m join players p on p.tenant_id = ${tenant} and p.id = m.player_id`);
    if (row && status === 'success') {
      refuseTampered(settlement.secrets, row);
      await refuseOnHold(sql, row, { isStaff: admin_id !== null });
    }
    if (row && status === 'failed') await refuseApprovalOf(sql, row.tenant_id, row.id, by.admin_id);
    if (row) return row;
  }
  const [row] = await sql<RedeemRow[]>`
    select m.*, p.email as user_email from redeems m join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
    where m.tenant_id = ${tenant} and m.id = ${id}`;
  if (row && isFirst) await refuseOnHold(sql, row, { isStaff: admin_id !== null });
  return unchanged(row, isFirst ? 'pending' : status, 'Redeem');
}

function unchanged<T extends { status: Status }>(row: T | undefined, status: Status, what: string): T {
  if (!row) throw notFound(what);
  if (row.status === 'pending' && status === 'pending') return row;
  throw new Problem(409, `${what} is already ${row.status}`);
}
