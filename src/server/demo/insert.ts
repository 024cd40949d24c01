/** Writes the sample data in a few large statements. Amounts are in cents, times in milliseconds. */
import { permissionPresets, usualPermissions } from '../../contract/permissions';
import type { TransactionSql } from '../db/open';
import type { Book } from './account';
import { accounts, tenants } from './cast';
import { type DemoPlayer, OLDEST_SIGN_UP } from './players';

/** Rows as one text parameter; the driver would encode a value of type json once more. */
export const rows = (sql: TransactionSql, list: readonly object[]) =>
  sql`json_to_recordset(${JSON.stringify(list)}::text::json)`;

export async function insertTenants(sql: TransactionSql, now: Date): Promise<void> {
  await sql`
    insert into tenants (id, name, description, email, time_zone, created_at)
    select id, name, description, email, "timeZone",
      ${now}::timestamptz - make_interval(days => ${OLDEST_SIGN_UP + 10}::int)
    from ${rows(sql, tenants)} as t (id bigint, name text, description text, email text, "timeZone" text)`;
  await sql`select setval(pg_get_serial_sequence('tenants', 'id'), (select max(id) from tenants))`;
}

/** Returns the first admin of each tenant, who settles and adjusts. */
export async function insertAccounts(
  sql: TransactionSql,
  passwordHashes: readonly string[],
): Promise<Map<number, number>> {
  const list = accounts.map((account, n) => ({
    ...account,
    n,
    isActive: account.isActive ?? true,
    hash: passwordHashes[n],
    permissions: [...(permissionPresets[account.job ?? ''] ?? usualPermissions)],
  }));
  const inserted = await sql<{ tenant_id: number; id: number }[]>`
    insert into admins (tenant_id, role_id, email, password_hash, is_active, permissions)
    select "tenantId", r.id, email, hash, "isActive", permissions
    from ${rows(sql, list)} as a (n int, "tenantId" bigint, role text, email text, hash text, "isActive" boolean,
      permissions text[])
    join roles r on r.name = a.role order by n
    returning tenant_id, id`;
  return new Map(inserted.reverse().map(({ tenant_id, id }) => [tenant_id, id]));
}

export async function insertPlayers(sql: TransactionSql, players: readonly DemoPlayer[]): Promise<void> {
  await sql`
    insert into players (tenant_id, id, email, first_name, last_name, phone_number, referral_id, affiliate_id,
      is_active, created_at, updated_at)
    select "tenantId", id, email, "firstName", "lastName", "phoneNumber", "referralId", "affiliateId", "isActive",
      to_timestamp("createdAt" / 1000), to_timestamp("updatedAt" / 1000)
    from ${rows(sql, players)} as p (
      "tenantId" bigint, id bigint, email text, "firstName" text, "lastName" text, "phoneNumber" text,
      "referralId" text, "affiliateId" text, "isActive" boolean, "createdAt" float8, "updatedAt" float8)`;
  await sql`select setval(pg_get_serial_sequence('players', 'id'), (select max(id) from players))`;
}

/** Purchases, deposits, redeems and their transfers, numbered in order of time. */
export async function insertMoney(sql: TransactionSql, { money, transfers }: Book): Promise<void> {
  await sql`
    insert into transactions (tenant_id, id, player_id, transaction_type, status, amount, net_amount, payment_method,
      payment_metadata, platform, initiated_at, completed_at, description, payment_reference)
    select "tenantId", id, "playerId", type, status, amount * 0.01, "netAmount" * 0.01, "paymentMethod", metadata,
      platform, to_timestamp("initiatedAt" / 1000), to_timestamp("completedAt" / 1000), description, reference
    from ${rows(
      sql,
      money.filter(({ type }) => type !== 'REDEEM'),
    )} as t (
      "tenantId" bigint, id bigint, "playerId" bigint, type text, status text, amount int, "netAmount" int,
      "paymentMethod" text, metadata jsonb, platform text, "initiatedAt" float8, "completedAt" float8, description text,
      reference text)`;
  const deciders = new Map(
    transfers.flatMap(({ money: of, from, adminId }) => (of && from === 'held' ? [[of.id, adminId] as const] : [])),
  );
  await sql`
    insert into redeems (tenant_id, id, player_id, platform, amount, payout_method, payout_address, description, status,
      is_manual, business_day, initiated_at, completed_at, decided_by)
    select r."tenantId", r.id, "playerId", platform, amount * 0.01, "payoutMethod", "payoutAddress", r.description,
      status, "isManual", (to_timestamp("initiatedAt" / 1000) at time zone t.time_zone)::date,
      to_timestamp("initiatedAt" / 1000), to_timestamp("completedAt" / 1000), "decidedBy"
    from ${rows(
      sql,
      money.flatMap((one) => (one.type === 'REDEEM' ? [{ ...one, decidedBy: deciders.get(one.id) ?? null }] : [])),
    )} as r (
      "tenantId" bigint, id bigint, "playerId" bigint, platform text, amount int, "payoutMethod" text,
      "payoutAddress" text, description text, status text, "isManual" boolean, "initiatedAt" float8,
      "completedAt" float8, "decidedBy" bigint)
    join tenants t on t.id = r."tenantId"`;
  await sql`select setval('money_ids', ${money.length})`;
  await sql`
    insert into transfers (tenant_id, player_id, from_account, to_account, amount, money_id, admin_id, created_at)
    select "tenantId", "playerId", "from", "to", amount * 0.01, "moneyId", "adminId", to_timestamp(at / 1000)
    from ${rows(
      sql,
      transfers.map(({ money: of, ...transfer }, n) => ({ ...transfer, n, moneyId: of?.id ?? null })),
    )} as t (
      n int, "tenantId" bigint, "playerId" bigint, "from" text, "to" text, amount int, "moneyId" bigint,
      "adminId" bigint, at float8)
    order by n`;
  // Now and then somebody forgets to say why, which the books show.
  await sql`
    insert into remarks (tenant_id, line_id, reason, note)
    select tenant_id, -id, 'other', 'Winnings on a game platform' from transfers
    where money_id is null and from_account = 'adjustment' and id % 97 > 0`;
}

/** Derives wallets from the transfers, and first purchases, GGR and totals from the transactions. */
export async function deriveTotals(sql: TransactionSql): Promise<void> {
  await sql`
    with balance as (
      select tenant_id, player_id,
        sum(amount) filter (where account = 'credit') as credit, sum(amount) filter (where account = 'bonus') as bonus,
        sum(amount) filter (where account = 'vip') as vip, sum(amount) filter (where account = 'loyalty') as loyalty,
        sum(amount) filter (where account = 'held') as held
      from (
        select tenant_id, player_id, from_account as account, -amount as amount from transfers
        union all
        select tenant_id, player_id, to_account, amount from transfers
      ) posting
      group by tenant_id, player_id
    ), gross as (
      select tenant_id, player_id, sum(amount) as ggr from (
        select tenant_id, player_id, amount from transactions where transaction_type = 'TOP_UP' and status = 'success'
        union all select tenant_id, player_id, -amount from redeems where status = 'success') m
      group by tenant_id, player_id
    ), first as (
      select distinct on (tenant_id, player_id) tenant_id, player_id, id, initiated_at
      from transactions
      where transaction_type = 'TOP_UP' and status <> 'failed'
      order by tenant_id, player_id, initiated_at, id
    )
    insert into wallets (tenant_id, player_id, credit_balance, bonus_balance, vip_balance, loyalty_balance,
      held_balance, individual_ggr, first_purchase_id, first_purchase_at)
    select p.tenant_id, p.id, coalesce(credit, 0), coalesce(bonus, 0), coalesce(vip, 0), coalesce(loyalty, 0),
      coalesce(held, 0), coalesce(ggr, 0), f.id, f.initiated_at
    from players p
    left join balance b on b.tenant_id = p.tenant_id and b.player_id = p.id
    left join gross g on g.tenant_id = p.tenant_id and g.player_id = p.id
    left join first f on f.tenant_id = p.tenant_id and f.player_id = p.id`;
}
