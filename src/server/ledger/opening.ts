import type { Status } from '../../contract/constants';
import { notFound } from '../core/problem';
import type { Sql } from '../db/open';
import { moveFirstPurchases } from '../totals/adjustFacts';
import { addLatePayments } from '../totals/countFacts';
import { move, post } from './post';
import { findReferenceProcessor } from './processors';

interface Importer {
  tenant_id: number;
  admin_id: number;
}
export interface Opening {
  player_id: number;
  /** By kind, decimal text. */
  balances: Readonly<Record<string, string>>;
}

/** Opens wallets with the balances that players bring from another system, from the account `opening`. */
export async function openWalletsWith(
  sql: Sql,
  { tenant_id, admin_id, openings }: Importer & { openings: readonly Opening[] },
): Promise<void> {
  await sql`
    insert into wallets (tenant_id, player_id)
    select ${tenant_id}, id
    from unnest(${openings.map(({ player_id }) => player_id)}::bigint[]) as id`;
  const some = openings.flatMap(({ player_id, balances }) =>
    Object.entries(balances)
      .filter(([, amount]) => Number(amount) > 0)
      .map(([kind, amount]) => ({ player_id, kind, amount })),
  );
  if (!some.length) return;
  await move(sql`
    with move as (
      select ${tenant_id}::bigint as tenant_id, player_id, 'opening' as from_account, kind as to_account, amount,
        null::bigint as money_id, ${admin_id}::bigint as admin_id, 0::numeric as ggr
      from unnest(${some.map((one) => one.player_id)}::bigint[], ${some.map((one) => one.kind)}::text[],
        ${some.map((one) => one.amount)}::numeric[]) as o (player_id, kind, amount)
    ), ${post(sql, tenant_id)}
    select count(*) from posted`);
}

/** A transaction that was settled in another system. */
export interface PastMoney {
  id: number;
  player_id: number;
  type: 'TOP_UP' | 'DEPOSIT' | 'RETURN' | 'REDEEM';
  status: Exclude<Status, 'pending'>;
  amount: string;
  net_amount?: string | undefined;
  initiated_at: string;
  completed_at: string;
  payment_method?: string | undefined;
  deposit_type?: string | undefined;
  platform?: string | undefined;
  payout_method?: string | undefined;
  payout_address?: string | undefined;
  description?: string | undefined;
  payment_reference?: string | undefined;
}

export async function assignMoneyIds<T extends object>(sql: Sql, rows: readonly T[]): Promise<(T & { id: number })[]> {
  const ids = await sql<{ id: number }[]>`
    select nextval('money_ids') as id from generate_series(1, ${rows.length}::int)`;
  return ids.flatMap(({ id }, n) => rows.slice(n, n + 1).map((row) => ({ ...row, id })));
}

/**
 * Adds transactions from another system. They count in every report on the business day of `completed_at`, but change
 * no balance, because the opening balance includes them. Paid purchases and returns go into `opening`; deposits and
 * paid redeems come out of it. Expects the facts to be locked.
 */
export async function addHistory(sql: Sql, { tenant_id, admin_id, past }: Importer & { past: readonly PastMoney[] }) {
  const players = [...new Set(past.map(({ player_id }) => player_id))],
    ids = past.map(({ id }) => id);
  const open = await sql<{ player_id: number; first_purchase_at: Date | null }[]>`
    select player_id, first_purchase_at from wallets
    where tenant_id = ${tenant_id} and player_id = any(${players}::bigint[]) and closed_at is null
    order by player_id for update`;
  if (open.length < players.length) throw notFound('User');
  const rows = past.map((row) => ({ ...row, processor: row.type === 'TOP_UP' ? findReferenceProcessor(row) : null }));
  await move(sql`
    with h as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as h (
        id bigint, player_id bigint, type text, status text, amount numeric, net_amount numeric,
        initiated_at timestamptz, completed_at timestamptz, payment_method text, deposit_type text, platform text,
        payout_method text, payout_address text, description text, payment_reference text, processor text)
    ), t as (
      insert into transactions (tenant_id, id, player_id, transaction_type, status, amount, net_amount, payment_method,
        payment_metadata, platform, initiated_at, completed_at, description, payment_reference, processor, is_history)
      select ${tenant_id}, id, player_id, type, status, amount, net_amount, payment_method,
        case when deposit_type is not null then jsonb_build_object('type', deposit_type) end, platform, initiated_at,
        completed_at, description, payment_reference, processor, true
      from h where type <> 'REDEEM'
    ), r as (
      insert into redeems (tenant_id, id, player_id, platform, amount, payout_method, payout_address, description,
        status, business_day, initiated_at, completed_at, is_history)
      select z.id, h.id, player_id, platform, amount, payout_method, payout_address, h.description, status,
        (initiated_at at time zone z.time_zone)::date, initiated_at, completed_at, true
      from h join tenants z on z.id = ${tenant_id} where type = 'REDEEM'
    ), move as (
      select ${tenant_id}::bigint as tenant_id, player_id, amount, id as money_id, ${admin_id}::bigint as admin_id,
        case type when 'TOP_UP' then amount when 'REDEEM' then -amount else 0 end as ggr,
        case type when 'TOP_UP' then 'cash_in' when 'RETURN' then 'platform' else 'opening' end as from_account,
        case when type in ('TOP_UP', 'RETURN') then 'opening' when type = 'DEPOSIT' then 'platform' else 'cash_out' end as to_account
      from h where status = 'success'
    ), ${post(sql, tenant_id)}
    select count(*) from h`);
  // A separate statement, because one statement can change a wallet only once.
  const first = await sql<{ player_id: number; first_purchase_at: Date }[]>`
    update wallets w set first_purchase_id = f.id, first_purchase_at = f.initiated_at
    from (
      select distinct on (player_id) player_id, id, initiated_at from transactions
      where tenant_id = ${tenant_id} and id = any(${ids}::bigint[])
        and transaction_type = 'TOP_UP' and status <> 'failed'
      order by player_id, initiated_at, id
    ) f
    where w.tenant_id = ${tenant_id} and w.player_id = f.player_id
      and (w.first_purchase_id is null or (f.initiated_at, f.id) < (w.first_purchase_at, w.first_purchase_id))
    returning w.player_id, w.first_purchase_at`;
  await sql`
    update wallets w set last_purchase_at = l.at
    from (
      select player_id, max(completed_at) as at from transactions
      where tenant_id = ${tenant_id} and id = any(${ids}::bigint[])
        and transaction_type = 'TOP_UP' and status = 'success' group by player_id
    ) l
    where w.tenant_id = ${tenant_id} and w.player_id = l.player_id
      and l.at > coalesce(w.last_purchase_at, '-infinity')`;
  const before = new Map(open.map(({ player_id, first_purchase_at }) => [player_id, first_purchase_at]));
  const moves = first.map((now) => ({ from: before.get(now.player_id) ?? null, to: now.first_purchase_at }));
  await moveFirstPurchases(sql, tenant_id, moves);
  await addLatePayments(sql, tenant_id, ids);
}
