/** Accounts and shifts of the large world: every other tenant has them, so that both kinds are measured in turns. */
import type { TransactionSql } from '../../../src/server/db/open';
import { toAccountMethod } from '../../../src/server/ledger/valueAccounts';
import { shiftMoves } from '../../../src/server/totals/accountSums';

export const METHODS = ['Card', 'Bitcoin', 'PayPal', 'Cash App'];
export const PLATFORMS = ['golden_dragon', 'bluedragon', 'vblink', 'ultrapanda', 'yolo', 'juwa777'].concat(
  ...['firekirin', 'luckysweeps', 'riversweeps', 'orionstar', 'milkyway'],
);
const CASHIERS = 3;
const ENTRIES = 3_000;

export const hasAccounts = (tenant: number): boolean => tenant % 2 === 0;
/** Their numbers: of the accounts by their place in both lists, of the shifts by day and cashier. */
export const firstAccount = (tenant: number): number => tenant * 100;
export const firstShift = (tenant: number): number => tenant * 1_000;

/** Four cash accounts, a stock of credits at each platform, three cashiers, and their shifts, which are open. */
export async function openAccounts(sql: TransactionSql, tenant: number, days: number, now: Date): Promise<void> {
  const list = [
    ...METHODS.map((name) => ({ name, kind: 'cash' as const, cost_per_credit: null })),
    ...PLATFORMS.map((name) => ({ name, kind: 'credits' as const, cost_per_credit: '0.2' })),
  ].map((one, n) => ({
    ...{ ...one, tenant_id: tenant, id: firstAccount(tenant) + n },
    methods: [toAccountMethod(one.kind, one.name)],
  }));
  await sql`insert into value_accounts ${sql(list)}`;
  await sql`
    insert into admins (id, tenant_id, role_id, email, password_hash)
    select ${firstAccount(tenant)}::int + n, ${tenant}, r.id, 'cashier' || n || '@tenant' || ${tenant}::int || '.test',
      'x'
    from generate_series(0, ${CASHIERS - 1}::int) n, roles r where r.name = 'admin'`;
  await sql`
    insert into shifts (tenant_id, id, admin_id, opened_at, closed_at, closed_by)
    select ${tenant}, ${firstShift(tenant)}::int + day * ${CASHIERS}::int + n, who,
      ${now}::timestamptz - (day + 1) * interval '1 day',
      case when day > 0 then ${now}::timestamptz - day * interval '1 day' end, case when day > 0 then who end
    from generate_series(0, ${days}::int) day, generate_series(0, ${CASHIERS - 1}::int) n,
      lateral (select ${firstAccount(tenant)}::int + n as who) w`;
  await sql`
    insert into account_entries (tenant_id, kind, from_id, to_id, amount, credits, admin_id, created_at)
    select ${tenant}, 'bought', ${firstAccount(tenant)}::int + n % ${METHODS.length}::int,
      ${firstAccount(tenant) + METHODS.length}::int + n % ${PLATFORMS.length}::int, 20 + n % 7, 100,
      ${firstAccount(tenant)}, ${now}::timestamptz - n * (interval '1 day' * ${days}::int / ${ENTRIES}::int)
    from generate_series(1, ${ENTRIES}::int) n`;
}

/** Where a settled payment of the table `made` belongs: the columns of a transfer. */
export const place = (sql: TransactionSql, tenant: number, now: Date) =>
  hasAccounts(tenant)
    ? sql`
      case when is_moved then ${firstAccount(tenant)}::int + id % ${CASHIERS}::int end,
      case when is_moved then ${firstAccount(tenant)}::int
        + case kind when 'DEPOSIT' then ${METHODS.length}::int + h / 7 % 11 else h / 77 % 4 end end,
      case when is_moved then ${firstShift(tenant)}::int + id % ${CASHIERS}::int
        + ${CASHIERS}::int * floor(extract(epoch from ${now}::timestamptz - completed_at) / 86400)::int end`
    : sql`null::bigint, null::bigint, null::bigint`;

/** What the shifts of a tenant counted: the closed ones without a difference. */
export const countShifts = (sql: TransactionSql, tenant: number, now: Date) => sql`
  insert into shift_counts (tenant_id, shift_id, account_id, opening, moved, counted)
  select tenant_id, s.id, m.account_id, 1000000, case when closed_at < ${now} then m.moved end,
    case when closed_at < ${now} then 1000000 + m.moved end
  from shifts s join (${shiftMoves(sql, sql`tenant_id = ${tenant} and shift_id is not null`)}) m using (tenant_id)
  where tenant_id = ${tenant} and m.shift_id = s.id`;
