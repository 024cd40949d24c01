/** What is measured: a call over HTTP, and the same rows by one statement written by hand on the same tables. */
import type { Sql } from '../../../src/server/db/open';
import { firstAccount, firstShift } from './accounts';
import { FIRST_TENANT, TENANTS } from './generate';
import type { World } from './serverProcess';

export interface Case {
  name: string;
  /** Different at each turn, and the same for both. */
  turn(n: number): { path: string; bare(sql: Sql): Promise<unknown> };
  /** Measured to be known, without a goal. */
  isAside?: boolean;
  /** Goals of its own, in milliseconds, instead of those beside the bare statement. */
  most?: { p50: number; p95: number };
  /** How often it is asked before it is measured, and at least afterwards. */
  least?: number;
}

const USERS = '/api/v1/admin/user-management/users';
const sorts = {
  updated_at: 'p.updated_at',
  email: 'lower(p.email)',
  first_name: 'lower(p.first_name)',
  affiliate_id: 'lower(p.affiliate_id)',
  individual_ggr: 'w.individual_ggr',
  credit_balance: 'w.credit_balance',
};
const PAGE = 50;

/** Another tenant at each turn, all over the range. */
const tenantAt = (n: number): number => FIRST_TENANT + ((n * 37) % TENANTS);

interface Wanted {
  tenant: number | null;
  sort: keyof typeof sorts;
  order: string;
  page: number;
  words?: readonly string[];
}
function bareUsers(sql: Sql, { tenant, sort, order, page, words = [] }: Wanted): Promise<unknown> {
  const found = words
    .map((word) => sql`p.search_text like ${`%${word}%`}`)
    .reduce((all, one) => sql`${all} and ${one}`, sql`true`);
  const of = sql`
    players p join wallets w on w.tenant_id = p.tenant_id and w.player_id = p.id
    where ${tenant === null ? sql`true` : sql`p.tenant_id = ${tenant}`} and p.deleted_at is null and ${found}`;
  return sql`
    select p.id, p.email, p.first_name, p.last_name, p.phone_number, p.referral_id, p.affiliate_id, p.tenant_id,
      p.is_active, w.individual_ggr, w.credit_balance, w.bonus_balance, w.vip_balance, w.loyalty_balance,
      (select count(*) from ${of}) as total
    from ${of}
    order by ${sql.unsafe(`${sorts[sort]} ${order} nulls last, p.id ${order}`)}
    limit ${PAGE} offset ${(page - 1) * PAGE}`;
}

const inTenant = (sql: Sql, tenant: number | null, column: string) =>
  tenant === null ? sql`true` : sql`${sql(column)} = ${tenant}`;

const bareMoney = (sql: Sql, table: 'transactions' | 'redeems', tenant: number | null, limit: number) => sql`
  select m.*, p.email as user_email
  from ${sql(table)} m join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
  where ${inTenant(sql, tenant, 'm.tenant_id')}
    ${table === 'transactions' ? sql`and m.transaction_type = 'TOP_UP'` : sql``}
  order by m.initiated_at desc, m.id desc limit ${limit}`;

/** Pending ones first of all, and others up to a thousand. */
const bareRedeems = (sql: Sql, tenant: number | null) => sql`
  select m.*, p.email as user_email from (
    (select * from redeems where status = 'pending' and ${inTenant(sql, tenant, 'tenant_id')})
    union all (
      select * from redeems where status <> 'pending' and ${inTenant(sql, tenant, 'tenant_id')}
      order by initiated_at desc, id desc limit 1000)
  ) m join players p on p.tenant_id = m.tenant_id and p.id = m.player_id
  order by m.initiated_at desc, m.id desc limit 1000`;

/** The figures of today, the week and the month out of the totals of the days, and today's counts. */
const bareDashboard = (sql: Sql, tenant: number | null) => sql`
  select coalesce(sum(d.purchases) filter (where d.day = t.day), 0) as purchases_today,
    coalesce(sum(d.redeems) filter (where d.day = t.day), 0) as redeems_today,
    coalesce(sum(d.purchases - d.redeems) filter (where d.day >= t.day - 7), 0) as week_ggr,
    coalesce(sum(d.purchases) filter (where d.day >= t.day - 7), 0) as week_purchases,
    coalesce(sum(d.purchases - d.redeems), 0) as month_ggr,
    (select count(*) from players
      where created_at >= date_trunc('day', now()) and deleted_at is null and ${inTenant(sql, tenant, 'tenant_id')}
      and tenant_id in (select id from tenants)) as signups,
    (select count(*) from wallets
      where first_purchase_at >= date_trunc('day', now()) and closed_at is null
      and ${inTenant(sql, tenant, 'tenant_id')}
      and tenant_id in (select id from tenants)) as first_purchases
  from (select id, (now() at time zone time_zone)::date as day from tenants where ${inTenant(sql, tenant, 'id')}) t
  join (select tenant_id, starts as day, amount_in as purchases, amount_out as redeems from facts
    where dimension = 'total' and unit = 'day') d on d.tenant_id = t.id and d.day between t.day - 31 and t.day`;

/** The totals of this month alone; the overview has a dozen such figures. */
const bareOverview = (sql: Sql, tenant: number | null) => sql`
  select dimension, key, sum(amount_in) as amount_in, sum(amount_out) as amount_out
  from facts
  where dimension in ('total', 'platform', 'method') and unit = 'month' and starts = date_trunc('month', now())::date
    and ${inTenant(sql, tenant, 'tenant_id')}
  group by dimension, key`;

/** What the owner of a tenant asks of its accounts and shifts in the evening. */
function accountCases(): Case[] {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const month = `from=${day(30)}&to=${day(0)}`;
  const at = (n: number) => FIRST_TENANT + ((n * 74) % TENANTS); // those that have accounts
  const asked: Record<string, (tenant: number, n: number) => string> = {
    accounts: () => 'accounts?',
    'moves of an account': (tenant, n) => `accounts/${firstAccount(tenant) + (n % 15)}/moves?`,
    'shifts of today': () => 'shifts?',
    'shifts of a day': (_, n) => `shifts?day=${day(n % 60)}`,
    'a closed shift': (tenant, n) => `shifts/${firstShift(tenant) + 3 + (n % 100)}?`,
    'an open shift': (tenant, n) => `shifts/${firstShift(tenant) + (n % 3)}?`,
    ...Object.fromEntries(
      ['day', 'platform', 'account', 'cashier'].map((by) => [
        `profit of 31 days by ${by}`,
        () => `profit?${month}&by=${by}`,
      ]),
    ),
    'statement of this month': () => `books/statement?month=${day(0).slice(0, 7)}`,
    'statement of last month': () => `books/statement?month=${day(31).slice(0, 7)}`,
  };
  return Object.entries(asked).map(([name, path]) => ({
    name: `books: ${name}`,
    most: { p50: 150, p95: 150 },
    turn: (n) => ({
      path: `/api/v1/admin/${path(at(n), n)}&tenant_id=${at(n)}`,
      bare: (sql) => sql`select id, name from value_accounts where tenant_id = ${at(n)}`,
    }),
  }));
}

export function casesOf({ playersPerTenant }: World): Case[] {
  const query = (values: Record<string, string | number | null>) =>
    new URLSearchParams(
      Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)]])),
    ).toString();
  const users = (name: string, wanted: (n: number) => Wanted, isAside?: true): Case => ({
    name,
    ...(isAside && { isAside }),
    turn(n) {
      const at = wanted(n);
      const { tenant: tenant_id, sort: sort_by, order: sort_order, page } = at;
      const search = at.words?.join(' ') ?? null;
      return {
        path: `${USERS}?${query({ tenant_id, sort_by, sort_order, page, page_size: PAGE, search })}`,
        bare: (sql) => bareUsers(sql, at),
      };
    },
  });
  const lastPage = (tenant: boolean) => Math.ceil(((tenant ? 1 : TENANTS) * playersPerTenant) / PAGE);
  const orders = Object.keys(sorts) as (keyof typeof sorts)[];
  const lists = orders.flatMap((sort) =>
    [true, false].flatMap((isOne) =>
      ['first', 'last'].map((end) =>
        users(`users by ${sort}, ${end} page, ${isOne ? 'a tenant' : 'all'}`, (n) => ({
          tenant: isOne ? tenantAt(n) : null,
          sort,
          order: n % 2 ? 'asc' : 'desc',
          page: end === 'first' ? 1 : lastPage(isOne),
        })),
      ),
    ),
  );
  const playerAt = (n: number) => (tenantAt(n) - FIRST_TENANT) * playersPerTenant + 1 + ((n * 7919) % playersPerTenant);
  const search = (name: string, isOne: boolean, words: (n: number) => string[], isAside?: true) =>
    users(
      `search for ${name}, ${isOne ? 'a tenant' : 'all'}`,
      (n) => ({ tenant: isOne ? tenantAt(n) : null, sort: 'updated_at', order: 'desc', page: 1, words: words(n) }),
      isAside,
    );
  const each = (
    name: string,
    path: string,
    bare: (sql: Sql, tenant: number | null) => Promise<unknown>,
    more: Record<string, string> = {},
  ): Case[] =>
    [true, false].map((isOne) => ({
      name: `${name}, ${isOne ? 'a tenant' : 'all'}`,
      turn(n) {
        const tenant = isOne ? tenantAt(n) : null;
        return { path: `${path}?${query({ tenant_id: tenant, ...more })}`, bare: (sql) => bare(sql, tenant) };
      },
    }));
  return [
    // What every read costs, whatever it asks: HTTP and session. A server that has just started is slower for a while.
    {
      name: 'the smallest call: roles',
      most: { p50: 0.8, p95: 1.6 },
      least: 500,
      turn: () => ({ path: '/api/v1/admin/roles/', bare: (sql) => sql`select id, name from roles` }),
    },
    ...lists,
    ...[true, false].flatMap((isOne) => [
      search('a rare word', isOne, (n) => [`.${playerAt(n)}@`]),
      search('a common word (1 in 60)', isOne, (n) => [['maria', 'james', 'olga', 'theo'][n % 4] ?? 'maria']),
      search('two words', isOne, () => ['maria', 'ton']),
      search('a word that all match', isOne, () => ['mail'], true),
    ]),
    ...each(
      'last 100 purchases',
      '/api/v1/admin/purchases',
      (sql, tenant) => bareMoney(sql, 'transactions', tenant, 100),
      { transaction_type: 'TOP_UP', limit: '100' },
    ),
    ...each('redeems, pending and up to 1,000', '/api/v1/admin/redeems', bareRedeems),
    ...each('dashboard', '/api/v1/admin/dashboard-metrics', bareDashboard),
    ...each('overview of a month', '/api/v1/admin/overview', bareOverview).map((one) => ({
      ...one,
      most: { p50: 50, p95: 150 },
    })),
    ...accountCases(),
  ];
}
