import type { BalanceKind, Status } from '../../contract/constants';
import type { Secrets } from '../auth/secrets';
import { notFound, Problem } from '../core/problem';
import type { Owner } from '../core/tenancy';
import type { Sql } from '../db/open';
import { type FirstPurchase, moveFirstPurchases } from '../totals/adjustFacts';
import { lockFacts } from '../totals/countFacts';
import { computePayoutSeal } from './payoutSeal';
import { formatBalance, insufficientBalance, move, post } from './post';
import { findReferenceProcessor } from './processors';
import { findObstacle, markPayment, noteArrival, refuseProtected } from './protection';
import type { RedeemRow } from './rows';

interface Created extends Owner {
  /** Decimal text above 0. */
  amount: string;
  description?: string | null | undefined;
  initiated_at?: Date | undefined;
}
export interface NewTopUp extends Created {
  net_amount?: string | null | undefined;
  payment_method?: string | null | undefined;
  payment_metadata?: Record<string, string | number | boolean | null> | null;
  payment_reference?: string | null | undefined;
  /** The money is there: it is booked, whatever the player has wished. */
  has_arrived?: boolean | undefined;
  /** What a processor reports of it: it is created in any case, and payouts are held only once it is paid. */
  reported?: Status | undefined;
}
export interface NewReturn extends Created {
  platform: string;
  payment_reference?: string | null | undefined;
}
export interface NewDeposit extends NewReturn {
  kind: BalanceKind;
}
export interface NewRedeem extends Created {
  platform: string;
  payout_method?: string | null | undefined;
  payout_address?: string | null | undefined;
  is_manual: boolean;
  /** Who requested it; null for the platform itself. */
  admin_id: number | null;
  /** The most that may be pending or paid per business day, including this redeem. Without it there is no limit. */
  day_limit?: number | undefined;
  /** Seal where and how much it pays out. */
  secrets: Pick<Secrets, 'mac' | 'isMac'>;
}

/** The moment something was created: the one that was given, or now. */
const startedAt = (sql: Sql, { initiated_at }: Created) =>
  initiated_at ? sql`${initiated_at}::timestamptz` : sql`now()`;

/** Creates a pending purchase; returns its id. 409 on a break or over a limit; what is on its way is marked. */
export async function createTopUp(sql: Sql, up: NewTopUp): Promise<number> {
  // Locked even if the first purchase stays the same: a parallel failure of that purchase must see this one.
  if (up.initiated_at) await lockFacts(sql, up.tenant_id);
  const { id, first_purchase_at: from } = await lockForNew(sql, up);
  const obstacle = up.reported === 'failed' ? null : await findObstacle(sql, up, 'purchase', startedAt(sql, up));
  if (!up.has_arrived && !up.reported) refuseProtected(obstacle);
  const [first] = await sql<FirstPurchase[]>`
    with money as (
      insert into transactions (tenant_id, id, player_id, transaction_type, amount, net_amount, payment_method,
        payment_metadata, payment_reference, processor, description, initiated_at)
      values (${up.tenant_id}, ${id}, ${up.player_id}, 'TOP_UP', ${up.amount}::numeric, ${up.net_amount ?? null}::numeric,
        ${up.payment_method ?? null}::text, ${up.payment_metadata ? sql.json(up.payment_metadata) : null}::jsonb,
        ${up.payment_reference ?? null}::text, ${findReferenceProcessor(up)}::text, ${up.description ?? null}::text,
        ${startedAt(sql, up)})
      returning *
    )
    update wallets w set first_purchase_id = m.id, first_purchase_at = m.initiated_at from money m
    where w.tenant_id = ${up.tenant_id} and w.player_id = m.player_id
      and (w.first_purchase_id is null or (m.initiated_at, m.id) < (w.first_purchase_at, w.first_purchase_id))
    returning w.first_purchase_id, w.first_purchase_at`;
  if (obstacle) await (up.reported ? markPayment : noteArrival)(sql, up, id, obstacle.why);
  if (up.initiated_at && first) await moveFirstPurchases(sql, up.tenant_id, [{ from, to: first.first_purchase_at }]);
  return id;
}

/** Creates a pending deposit, held from the balance that pays; returns its id. 400: too small; 409: break or limit. */
export async function createDeposit(sql: Sql, deposit: NewDeposit): Promise<number> {
  const balance = `${deposit.kind}_balance`;
  const { id } = await lockForNew(sql, deposit);
  refuseProtected(await findObstacle(sql, deposit, 'deposit', startedAt(sql, deposit)));
  const [row] = await move(sql<{ available: string; id: number | null }[]>`
    with open as (
      select tenant_id, player_id, ${sql(balance)} as balance, ${formatBalance(sql, balance)} as available from wallets
      where tenant_id = ${deposit.tenant_id} and player_id = ${deposit.player_id}
    ), money as (
      insert into transactions (tenant_id, id, player_id, transaction_type, amount, payment_metadata, platform,
        payment_reference, description, initiated_at)
      select tenant_id, ${id}::bigint, player_id, 'DEPOSIT', ${deposit.amount}::numeric,
        ${sql.json({ type: deposit.kind.toUpperCase() })}::jsonb, ${deposit.platform}::text,
        ${deposit.payment_reference ?? null}::text, ${deposit.description ?? null}::text,
        ${startedAt(sql, deposit)}
      from open where balance >= ${deposit.amount}::numeric
      returning *
    ), move as (
      select tenant_id, player_id, ${deposit.kind}::text as from_account, 'held' as to_account, amount, id as money_id,
        null::bigint as admin_id, 0::numeric as ggr
      from money
    ), ${post(sql, deposit.tenant_id)}
    select open.available, money.id from open left join money on true`);
  if (!row?.id) throw insufficientBalance(deposit.kind, row?.available ?? '0.00');
  return row.id;
}

/** Creates a pending return from a game platform and returns its id. No money moves before it succeeds. */
export async function createReturn(sql: Sql, back: NewReturn): Promise<number> {
  const { id } = await lockForNew(sql, back);
  await sql`
    insert into transactions (tenant_id, id, player_id, transaction_type, amount, platform, payment_reference,
      description, initiated_at)
    values (${back.tenant_id}, ${id}, ${back.player_id}, 'RETURN', ${back.amount}::numeric, ${back.platform}::text,
      ${back.payment_reference ?? null}::text, ${back.description ?? null}::text, ${startedAt(sql, back)})`;
  return id;
}

/**
 * Creates a pending redeem, held from the credit: 400 over it or the day's limit, 409 on a break. Where winnings are
 * paid from the game it needs no credit and holds nothing.
 */
export async function createRedeem(sql: Sql, redeem: NewRedeem): Promise<RedeemRow> {
  const { tenant_id, player_id, amount, platform, payout_method = null, payout_address = null } = redeem;
  const from_game = await paysFromGame(sql, tenant_id);
  const { id } = await lockForNew(sql, redeem);
  refuseProtected(await findObstacle(sql, redeem, 'redeem', startedAt(sql, redeem)));
  const payout = { tenant_id, id, player_id, amount, platform, payout_method, payout_address, from_game };
  if (redeem.day_limit !== undefined) await refuseOverDayLimit(sql, redeem, redeem.day_limit);
  const [row] = await move(sql<(RedeemRow & { available: string; is_made: boolean })[]>`
    with open as (
      select tenant_id, player_id, credit_balance, ${formatBalance(sql, 'credit_balance')} as available from wallets
      where tenant_id = ${tenant_id} and player_id = ${player_id}
    ), money as (
      insert into redeems (tenant_id, id, player_id, platform, amount, payout_method, payout_address, payout_seal,
        description, is_manual, from_game, initiated_at, business_day)
      select o.tenant_id, ${id}::bigint, o.player_id, ${platform}::text, ${amount}::numeric, ${payout_method}::text,
        ${payout_address}::text, ${computePayoutSeal(redeem.secrets, payout)}::bytea,
        ${redeem.description ?? null}::text, ${redeem.is_manual}::boolean, ${from_game}::boolean, ${startedAt(sql, redeem)},
        (${startedAt(sql, redeem)} at time zone t.time_zone)::date
      from open o join tenants t on t.id = ${tenant_id}
      where ${from_game}::boolean or o.credit_balance >= ${amount}::numeric
      returning *
    ), move as (
      select tenant_id, player_id, 'credit' as from_account, 'held' as to_account, amount, id as money_id,
        ${redeem.admin_id}::bigint as admin_id, 0::numeric as ggr
      from money where not from_game
    ), ${post(sql, tenant_id)}
    select money.*, p.email as user_email, open.available, money.id is not null as is_made
    from open left join money on true join players p on p.tenant_id = ${tenant_id} and p.id = open.player_id`);
  if (!row?.is_made) throw insufficientBalance('credit', row?.available ?? '0.00');
  return row;
}

/**
 * Makes parallel requests see each other. It must be a statement of its own: a statement that waits for the lock and
 * then changes the wallet would still judge the row as it was before, and miss money that has just arrived. Returns the
 * id of the purchase, deposit or redeem that follows, and the moment of the first purchase before it.
 */
async function lockForNew(sql: Sql, { tenant_id, player_id }: Created) {
  const wallet = await sql<{ first_purchase_at: Date | null }[]>`
    select first_purchase_at from wallets
    where tenant_id = ${tenant_id} and player_id = ${player_id} and closed_at is null for update`.one(notFound('User'));
  const { id } = await sql<{ id: number }[]>`select nextval('money_ids') as id`.one();
  return { id, ...wallet };
}

/**
 * Until the transaction ends the tenant pays winnings as it does now. Many may create redeems at once; whoever changes
 * it is alone. On Citus two who share the lock of the tenant's row are a deadlock. A statement of its own: one that
 * waits reads rows as they were before.
 */
export const lockReturnSettings = (sql: Sql, tenantId: number, { isAlone }: { isAlone: boolean }) =>
  sql.unsafe(`select pg_advisory_xact_lock${isAlone ? '' : '_shared'}(hashtextextended('returns ${tenantId}', 0))`);

/** Whether the tenant pays winnings from the game. It stays so until the transaction ends. */
async function paysFromGame(sql: Sql, tenantId: number): Promise<boolean> {
  await lockReturnSettings(sql, tenantId, { isAlone: false });
  const [tenant] = await sql<{ redeems_from_game: boolean }[]>`
    select redeems_from_game from tenants where id = ${tenantId}`;
  return tenant?.redeems_from_game ?? false;
}

/** Expects the wallet to be locked. */
async function refuseOverDayLimit(sql: Sql, redeem: NewRedeem, limit: number): Promise<void> {
  const { tenant_id, player_id, amount } = redeem;
  const initiated = startedAt(sql, redeem);
  // A business day lasts at most 25 hours; the bound on initiated_at lets the index of the player work.
  const [day] = await sql<{ is_over: boolean; remaining: string }[]>`
    select coalesce(sum(r.amount), 0) + ${amount}::numeric > ${limit}::numeric as is_over,
      to_char(greatest(${limit}::numeric - coalesce(sum(r.amount), 0), 0), 'FM999999999990.00') as remaining
    from redeems r
    where r.tenant_id = ${tenant_id} and r.player_id = ${player_id} and r.status in ('pending', 'success')
      and r.initiated_at > ${initiated} - interval '2 days'
      and r.business_day = (${initiated} at time zone (select time_zone from tenants where id = ${tenant_id}))::date`;
  if (day?.is_over) throw new Problem(400, `Min 100, Max ${limit} per day: $${day.remaining} left today`);
}
