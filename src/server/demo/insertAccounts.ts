/** Where the money of one tenant is: accounts since a month, and two shifts (docs/extras/accounts.md, shifts.md). */
import { platformLabels } from '../../contract/platforms';
import type { TransactionSql } from '../db/open';
import { type AccountKind, toAccountMethod } from '../ledger/valueAccounts';
import type { Transfer } from './account';
import { type DemoTenant, tenants } from './cast';
import { insertRows } from './insert';
import type { Clock } from './players';

const [{ id: tenant_id, platforms }] = tenants as [DemoTenant]; // Acme
const BEGAN = 30; // days ago
const COST = 0.08; // USD per credit
const [CASH_APP, BANK, PAYPAL] = [1, 2, 3];

const toAccount = (kind: AccountKind, opening: number) => (name: string, methods: readonly string[]) => ({
  ...{ tenant_id, name, kind, opening, cost_per_credit: kind === 'credits' ? COST : null },
  methods: methods.map((one) => toAccountMethod(kind, one)),
});
const [cash, credits] = [toAccount('cash', 9000), toAccount('credits', 6000)];
const list = [
  cash('Cash App', ['Cash App', 'Cash Tag']),
  cash('Bank', ['Card', 'Apple Pay']),
  cash('PayPal', ['PayPal']),
  cash('Bitcoin wallet', ['Bitcoin', 'Lightning', 'Crypto Wallet']),
  ...platforms.map((name) => credits(platformLabels[name], [name])),
].map((account, n) => ({ id: n + 1, ...account }));

export interface DemoDay {
  clock: Clock;
  adminId: number;
}

/** The hours of the first shift, which is over, and when the second began. */
const hours = (clock: Clock) => [clock(1, 0.38), clock(1, 0.71), clock(0, 0.2)].map((at) => new Date(at));

/** The account that a transfer moves, and its shift. */
export const placeIn =
  ({ clock, adminId }: DemoDay) =>
  ({ money, row }: Transfer): object => {
    const { from_account: from, to_account: to, created_at: at } = row;
    if (!money || row['tenant_id'] !== tenant_id || at.getTime() < clock(BEGAN, 0)) return {};
    const { payment_method, payout_method, platform } = money.row;
    const method = from === 'cash_in' ? payment_method : to === 'cash_out' ? payout_method : null;
    const kind = [from, to].includes('platform') ? 'credits' : 'cash';
    const wanted = toAccountMethod(kind, String(kind === 'credits' ? platform : method));
    const account = list.find((one) => one.kind === kind && one.methods.includes(wanted));
    const [opened, closed] = hours(clock) as [Date, Date];
    const isInShift = at >= opened && at < closed && row['admin_id'] === adminId;
    return account ? { account_id: account.id, shift_id: isInShift ? 1 : null } : {};
  };

export async function insertAccounts(sql: TransactionSql, { clock, adminId }: DemoDay): Promise<void> {
  await insertRows(sql, 'value_accounts', list, ['tenant_id', 'id', 'name', 'kind', 'methods', 'cost_per_credit']);
  const by = { tenant_id, admin_id: adminId };
  const weekly = [
    { ...by, kind: 'moved', from_id: CASH_APP, to_id: BANK, amount: 1000 },
    { ...by, kind: 'moved', from_id: BANK, to_id: PAYPAL, amount: 1500 },
    ...list
      .filter(({ kind }) => kind === 'credits')
      .map(({ id }) => ({ ...by, kind: 'bought', from_id: BANK, to_id: id, amount: 3000 * COST, credits: 3000 })),
  ];
  const counted = list.map(({ id, opening }) => ({ to_id: id, amount: opening, reason: 'Counted at the start' }));
  await insertRows(sql, 'account_entries', [
    ...counted.map((entry) => ({ ...by, ...entry, kind: 'corrected', created_at: new Date(clock(BEGAN, 0)) })),
    ...[21, 14, 7].flatMap((day) => weekly.map((entry) => ({ ...entry, created_at: new Date(clock(day, 0.4)) }))),
  ]);

  const [opened_at, closed_at, next] = hours(clock);
  const next_id = (await sql<{ id: number }[]>`select id from admins where email = 'cleo@acme.test'`.one()).id;
  await insertRows(sql, 'shifts', [
    { ...by, id: 1, opened_at },
    { tenant_id, admin_id: next_id, id: 2, opened_at: next, relieves_id: 1 },
  ]);
  const here = sql`tenant_id = ${tenant_id}`;
  await sql`
    insert into shift_counts (tenant_id, shift_id, account_id, opening, moved, counted, reason)
    select ${tenant_id}::bigint, shift_id, account_id, opening, moved,
      opening + moved - case when is_off then 5 else 0 end, case when is_off then 'Gave change twice' end
    from (
      select s.id as shift_id, m.account_id, sum(m.amount) filter (where m.at < s.opened_at) as opening,
        case when s.id = 1 then coalesce(sum(m.amount) filter (where m.shift_id = 1), 0) end as moved,
        s.id = 1 and m.account_id = ${CASH_APP} as is_off
      from shifts s cross join (
        select account_id, created_at as at, shift_id,
          case when from_account in ('cash_in', 'platform') then amount else -amount end as amount
        from transfers where ${here}
        union all select to_id, created_at, null, coalesce(credits, amount) from account_entries where ${here}
        union all select from_id, created_at, null, -amount from account_entries where ${here}) m
      where s.tenant_id = ${tenant_id} and m.account_id is not null
      group by s.id, m.account_id) counted`;
  await sql`update shifts set closed_at = ${closed_at!}, closed_by = ${adminId} where ${here} and id = 1`;
  for (const table of ['value_accounts', 'shifts'])
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${table === 'shifts' ? 2 : list.length})`;
}
