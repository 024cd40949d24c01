import type { Status } from '../../contract/constants';
import type { Secrets } from '../auth/secrets';
import { notFound, Problem } from '../core/problem';
import type { Owner } from '../core/tenancy';
import type { Fragment, Sql } from '../db/open';
import { type FirstPurchase, moveFirstPurchases } from '../totals/adjustFacts';
import { addLatePayments, lockFacts } from '../totals/countFacts';
import { type Decided, type Decider, decideAsOneOfTwo, refuseApprovalOf } from './approvals';
import { endClaim } from './claims';
import { refuseUnverified } from './eligibility';
import { refuseOwnReport } from './ownReport';
import { refuseOnHold } from './payoutHold';
import { refuseTampered } from './payoutSeal';
import { postMovement } from './post';
import { noteLateArrival } from './protection';
import { findRow, type RedeemRow, type TransactionRow } from './rows';
import { findPlace, NOWHERE, type Place, type Wanted } from './valueAccounts';

export interface Settlement {
  id: number;
  tenant: number | null;
  status: Status;
  admin_id: number | null;
  completed_at?: Date | undefined;
  /** The account of the tenant that is paid in to or out of. Without it the method says which. */
  account_id?: number | undefined;
}
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

export interface PurchaseSettlement extends Settlement {
  /** Who decides; for an API key its maker; for a return always. Without it, the payment processor says so. */
  by?: Decider;
  /** For a return: the seal of what one person has approved. */
  secrets?: Pick<Secrets, 'mac' | 'isMac'>;
}
export interface RedeemSettlement extends Settlement {
  /** Check the seal of what is paid out. */
  secrets: Pick<Secrets, 'mac' | 'isMac'>;
  /** The person who decides; for an API key whoever made it. */
  by: Decider;
}

interface Settled {
  /** Decimal text: the row has the amount as a number. */
  exact_amount: string;
  platform: string | null;
}
const settledColumns = (sql: Sql) => sql`m.*, p.email as user_email, m.amount::text as exact_amount`;

/**
 * Settles a pending purchase or deposit once. A settled one refuses every further change with 409, also to its own
 * status. Setting pending to pending changes nothing. An unknown one, or one of another tenant, is 404
 * (docs/product.md, "Status changes"). The first of two people who must agree on a return leaves it pending.
 */
export async function settlePurchase(sql: Sql, settlement: PurchaseSettlement): Promise<TransactionRow> {
  const { id, status } = settlement;
  const tenant = await findTenant(sql, 'transactions', settlement);
  if (status !== 'pending') {
    // Always lock in this order to avoid deadlocks: facts, money row, wallet. The facts are locked only for what they may
    // contain already: a moment in the past, and a first purchase that fails.
    if (settlement.completed_at || status === 'failed') await lockFacts(sql, tenant);
    const settled = await settleTransaction(sql, tenant, settlement, sql`m.transaction_type <> 'RETURN'`);
    if (settled) {
      await endClaim(sql, settlement.by, tenant, id);
      if (status === 'success' && settlement.by) await refuseOwnReport(sql, settled, settlement.by);
      return bookPurchase(sql, settled, settlement);
    }
  }
  const row = await findTransaction(sql, tenant, id);
  if (row?.transaction_type === 'RETURN') return settleReturn(sql, settlement, row);
  return unchanged(row, status, row?.transaction_type === 'DEPOSIT' ? 'Deposit' : 'Purchase');
}

/** Moves the money of a purchase or deposit that has just been settled. */
async function bookPurchase(
  sql: Sql,
  { exact_amount: amount, ...row }: TransactionRow & Settled,
  settlement: Settlement,
): Promise<TransactionRow> {
  const { id, status, admin_id, completed_at } = settlement;
  const { tenant_id, player_id } = row;
  const movement = { tenant_id, player_id, amount, money_id: id, admin_id };
  if (row.transaction_type === 'DEPOSIT') {
    const isPaid = status === 'success';
    const to_account = isPaid ? 'platform' : String(row.payment_metadata?.['type']).toLowerCase();
    const place = isPaid ? await findStock(sql, row, settlement) : NOWHERE;
    await postMovement(sql, { ...movement, ...place, from_account: 'held', to_account });
  } else if (status === 'success') {
    const place = await findCash(sql, row, row.payment_method, settlement);
    const paid = { ...movement, ...place, from_account: 'cash_in', to_account: 'credit' };
    await postMovement(sql, paid, settledAt(sql, settlement));
    row.attention = await noteLateArrival(sql, row);
  } else await replaceFirstPurchase(sql, { tenant_id, player_id }, id);
  if (completed_at) await addLatePayments(sql, tenant_id, [id]);
  return row;
}

/** Writes the status of a transaction that is still pending, if it is of the type that is meant. */
async function settleTransaction(sql: Sql, tenant: number, settlement: Settlement, ofType: Fragment) {
  return sql<(TransactionRow & Settled)[]>`
    update transactions m set status = ${settlement.status}, completed_at = ${settledAt(sql, settlement)}
    from players p
    where m.tenant_id = ${tenant} and m.id = ${settlement.id} and m.status = 'pending' and ${ofType}
      and p.tenant_id = ${tenant} and p.id = m.player_id
    returning ${settledColumns(sql)}`.first();
}

/** Settles a return as `settlePurchase` says; `row` is how it was found. Success takes the amount from the platform. */
async function settleReturn(sql: Sql, settlement: PurchaseSettlement, row: TransactionRow): Promise<TransactionRow> {
  const { id, status, admin_id, by, secrets } = settlement;
  const { tenant_id: tenant, player_id } = row;
  if (status === 'pending') return unchanged(row, status, 'Return');
  if (!by || !secrets) throw new Error('a return is decided by a person');
  const { isFirst, first }: Decided =
    status === 'success' ? await decideAsOneOfTwo(sql, 'return', { id, tenant, by, secrets }) : { isFirst: false };
  if (isFirst) {
    await endClaim(sql, by, tenant, id);
    return row;
  }
  const settled = await settleTransaction(sql, tenant, settlement, sql`m.transaction_type = 'RETURN'`);
  if (!settled) return unchanged(await findTransaction(sql, tenant, id), status, 'Return');
  await endClaim(sql, by, tenant, id);
  const { exact_amount: amount, ...after } = settled;
  if (status === 'success') {
    const place = await findStock(sql, settled, { by, first });
    const accounts = { from_account: 'platform', to_account: 'credit', ...place };
    await postMovement(sql, { tenant_id: tenant, player_id, ...accounts, amount, money_id: id, admin_id });
  } else await refuseApprovalOf(sql, 'return', tenant, id, by.admin_id);
  if (settlement.completed_at) await addLatePayments(sql, tenant, [id]);
  return after;
}

const findTransaction = (sql: Sql, tenant: number, id: number) =>
  findRow<TransactionRow>(sql, 'transactions', tenant, id).first();

/** A purchase failed: if it was the player's first, another one is. Expects the facts to be locked. */
async function replaceFirstPurchase(sql: Sql, { tenant_id, player_id }: Owner, failedId: number): Promise<void> {
  const before = await sql<FirstPurchase[]>`
    select first_purchase_id, first_purchase_at from wallets
    where tenant_id = ${tenant_id} and player_id = ${player_id} for update`.one();
  if (before.first_purchase_id !== failedId) return;
  // A separate statement after the wallet is locked: only then are all relevant purchases visible.
  const after = await sql<FirstPurchase[]>`
    update wallets set (first_purchase_id, first_purchase_at) = (
      select id, initiated_at from transactions
      where tenant_id = ${tenant_id} and player_id = ${player_id} and transaction_type = 'TOP_UP'
        and status <> 'failed'
      order by initiated_at, id limit 1)
    where tenant_id = ${tenant_id} and player_id = ${player_id} returning first_purchase_id, first_purchase_at`.one();
  await moveFirstPurchases(sql, tenant_id, [{ from: before.first_purchase_at, to: after.first_purchase_at }]);
}

/**
 * Settles a pending redeem once, by the rules of `settlePurchase`. Success pays out what was held, failed returns it.
 * While payouts to the player are on hold, or if the redeem was changed past the server, it throws 409, and the
 * transaction must be rolled back. The first of two people who must agree leaves it pending.
 */
export async function settleRedeem(sql: Sql, settlement: RedeemSettlement): Promise<RedeemRow> {
  const { id, status, admin_id, by } = settlement;
  const tenant = await findTenant(sql, 'redeems', settlement);
  if (settlement.completed_at) await lockFacts(sql, tenant);
  const {
    isFirst,
    first,
    account_id: named,
  }: Decided = status === 'success'
    ? await decideAsOneOfTwo(sql, 'redeem', { ...settlement, tenant })
    : { isFirst: false };
  const paidFrom = { ...settlement, first, account_id: settlement.account_id ?? named };
  if (status !== 'pending' && !isFirst) {
    const [settled] = await sql<(RedeemRow & Settled & { payout_seal: Buffer | null; from_game: boolean })[]>`
      update redeems m set status = ${status}, completed_at = ${settledAt(sql, settlement)}, decided_by = ${admin_id}
      from players p
      where m.tenant_id = ${tenant} and m.id = ${id} and m.status = 'pending'
        and p.tenant_id = ${tenant} and p.id = m.player_id
      returning ${settledColumns(sql)}`;
    if (settled) {
      await endClaim(sql, by, tenant, id);
      const { exact_amount: amount, ...row } = settled;
      const isPaid = status === 'success';
      const movement = { tenant_id: tenant, player_id: row.player_id, amount, money_id: id, admin_id };
      for (const accounts of movementsOfRedeem(row, isPaid)) {
        const place = await findPlaceOfRedeem(sql, row, accounts, paidFrom);
        await postMovement(sql, { ...movement, ...accounts, ...place });
      }
      if (settlement.completed_at) await addLatePayments(sql, tenant, [id]);
      if (isPaid) {
        refuseTampered(settlement.secrets, row);
        await refuseOnHold(sql, row, { isStaff: admin_id !== null });
        await refuseUnverified(sql, row);
      } else await refuseApprovalOf(sql, 'redeem', row.tenant_id, row.id, by.admin_id);
      return row;
    }
  }
  const row = await findRow<RedeemRow>(sql, 'redeems', tenant, id).first();
  if (row && isFirst) {
    await endClaim(sql, by, tenant, id);
    await findCash(sql, row, row.payout_method, settlement); // refuses one that cannot be
    await refuseOnHold(sql, row, { isStaff: admin_id !== null });
    await refuseUnverified(sql, row);
  }
  return unchanged(row, isFirst ? 'pending' : status, 'Redeem');
}

/** What was held is paid or returned. Paid from the game, nothing was held: the amount comes by way of the credit. */
function movementsOfRedeem({ from_game }: { from_game: boolean }, isPaid: boolean) {
  if (!from_game) return [{ from_account: 'held', to_account: isPaid ? 'cash_out' : 'credit' }];
  return isPaid
    ? [
        { from_account: 'platform', to_account: 'credit' },
        { from_account: 'credit', to_account: 'cash_out' },
      ]
    : [];
}

type Settling = Pick<Settlement, 'account_id'> & Pick<Wanted, 'by' | 'first'>;

const findStock = (sql: Sql, row: { tenant_id: number; platform: string | null }, { by, first }: Settling) =>
  findPlace(sql, { tenant: row.tenant_id, kind: 'credits', method: row.platform, by, first });

/** The cash account of a purchase or redeem: named by whoever settles it, or the one that its method means. */
const findCash = (
  sql: Sql,
  { tenant_id }: { tenant_id: number },
  method: string | null,
  { account_id: named, by, first }: Settling,
) => findPlace(sql, { tenant: tenant_id, kind: 'cash', named, method, by, first });

async function findPlaceOfRedeem(
  sql: Sql,
  row: RedeemRow,
  { from_account, to_account }: { from_account: string; to_account: string },
  settlement: Settling,
): Promise<Place> {
  if (from_account === 'platform') return findStock(sql, row, settlement);
  return to_account === 'cash_out' ? findCash(sql, row, row.payout_method, settlement) : NOWHERE;
}

function unchanged<T extends { status: Status }>(row: T | undefined, status: Status, what: string): T {
  if (!row) throw notFound(what);
  if (row.status === 'pending' && status === 'pending') return row;
  throw new Problem(409, `${what} is already ${row.status}`);
}
