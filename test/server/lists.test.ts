/** Every list has a bound, however many rows there are; what is most urgent is among them, and totals stay true. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../src/contract/allCalls';
import type { CallName } from '../../src/contract/calls';
import { AUDIT_PAGE, LIST_MAX, PLAYER_ROWS, pageSizes } from '../../src/contract/constants';
import { DOUBLES_PAGE } from '../../src/contract/doubles';
import { REGIONS_MAX } from '../../src/contract/eligibility';
import { LINKS_PER_KIND, linkKinds } from '../../src/contract/links';
import { BOOK_MONTHS, ledgerAccounts } from '../../src/contract/months';
import {
  NOTIFICATION_DELIVERIES_SHOWN,
  NOTIFICATION_ROWS_SHOWN,
  NOTIFICATIONS_SHOWN,
  ruleFacts,
  ruleKinds,
} from '../../src/contract/notifications';
import { permissions } from '../../src/contract/permissions';
import { limitedMoney, limitSpans } from '../../src/contract/protection';
import { ACCOUNTS_MAX } from '../../src/contract/schemas/valueAccounts';
import { AFFILIATES_MAX, SEARCH_HITS } from '../../src/contract/search';
import { secretContext } from '../../src/server/auth/secrets';
import { ann, sue } from '../callers';
import { accepts, entriesOf } from '../prove/shapes';
import { pam, people, reset, send, services, sql, tokenOf } from '../world';
import { everyCall, pathOf, sample, schemasOf } from './everyCall';

const MANY = LIST_MAX + 5;
/** The rows in the longest list of an answer, where that is not LIST_MAX: for a list; and no list at all: for others. */
const bounds: Partial<Record<CallName, number>> = {
  getIdentityProvider: LIST_MAX,
  listPlayers: pageSizes.at(-1) ?? 0,
  searchPlayers: 20,
  getAffiliates: AFFILIATES_MAX,
  getAudit: AUDIT_PAGE,
  search: SEARCH_HITS,
  getPlayer: PLAYER_ROWS,
  getPlayerLedger: PLAYER_ROWS,
  listPlayerPurchases: PLAYER_ROWS,
  listPlayerRedeems: PLAYER_ROWS,
  listNotifications: NOTIFICATIONS_SHOWN,
  listNotificationRules: ruleKinds.filter((kind) => !ruleFacts[kind].isPlatformOnly).length,
  listNotificationDeliveries: NOTIFICATION_DELIVERIES_SHOWN,
  getAccount: LIST_MAX,
  getApprovalLimits: LIST_MAX,
  getWebhook: 20,
  getDashboardMetrics: 30,
  getCharts: 90,
  getBooks: 10,
  listNotificationRows: NOTIFICATION_ROWS_SHOWN,
  listBookMonths: BOOK_MONTHS,
  getStatement: ledgerAccounts.length,
  // Ten tenants and ten affiliates, the rest of each, and what is one row.
  getOverview: 32,
  getRowNeeds: 3,
  getEligibilityRules: REGIONS_MAX,
  getPersonalData: LIST_MAX,
  getPossibleDoubles: DOUBLES_PAGE,
  getProtection: limitedMoney.length * limitSpans.length,
  getValueAccounts: ACCOUNTS_MAX,
  getShift: ACCOUNTS_MAX,
  getShiftDay: LIST_MAX,
  getProfit: LIST_MAX,
  listLinkTemplates: LINKS_PER_KIND * linkKinds.length,
};

/** More rows than any bound in every table that a list reads. */
async function fillEverything(): Promise<void> {
  await reset();
  const { secrets } = services;
  const many = sql`generate_series(1, ${MANY}) n`;
  await sql`insert into roles (name) select 'more ' || n from ${many}`;
  await sql`insert into tenants (name, time_zone) select 'Tenant ' || n, 'UTC' from ${many}`;
  await sql`insert into player_counts (tenant_id, slot, players) select id, 0, 1 from tenants where id > 3`;
  await sql`
    update tenants set report_from = 0.01,
      refused_regions = (select array_agg('R' || n) from generate_series(1, ${REGIONS_MAX}) n)
    where id = 2`;
  await sql`
    update tenants set link_templates = (
      select jsonb_agg(jsonb_build_object('kind', 'player', 'label', 'more ' || n, 'url', 'https://x.test/')) from ${many})
    where id = 2`;
  await sql`
    insert into value_accounts (tenant_id, id, name, kind, methods)
    select 2, n, 'more ' || n, 'cash', array['more ' || n] from ${many}`;
  await sql`
    insert into account_entries (tenant_id, kind, to_id, amount, reason, admin_id)
    select 2, 'corrected', 1, 1, 'more', ${people.ann.id} from ${many}`;
  await sql`
    insert into shifts (tenant_id, id, admin_id, closed_at, closed_by)
    select 2, n, ${people.ann.id}, now(), ${people.ann.id} from ${many} where n > 1`;
  await sql`insert into shifts (tenant_id, id, admin_id) values (2, 1, ${people.ann.id})`;
  await sql`
    insert into shift_counts (tenant_id, shift_id, account_id, opening, moved, counted)
    select 2, 1, n, 1, 0, 1 from ${many}`;
  await sql`update shifts set closed_at = now(), closed_by = admin_id where id = 1`;
  services.outgoing = { hasEmail: false, appUrl: 'https://office.test', mayBeOwn: false };
  await sql`insert into platforms (name) select 'more ' || n from ${many}`;
  await sql`update admins set permissions = ${[...permissions]}`;
  await sql`
    insert into tenant_platforms (tenant_id, platform_id, is_active, username, password_secret)
    select 2, id, true, 'x', 'x' from platforms`;
  await sql`
    insert into admins (tenant_id, role_id, email, password_hash)
    select 2, r.id, 'more' || n || '@acme.test', 'x' from ${many}, roles r where r.name = 'admin'`;
  await sql`
    insert into sessions (token_hash, checkout_hash, admin_id, address, expires_at)
    select ('a' || n)::bytea, ('b' || n)::bytea, ${people.ann.id}, 'test', now() + interval '1 hour' from ${many}`;
  await sql`
    insert into passkeys (admin_id, credential_id, public_key, counter, name, backed_up)
    select ${people.ann.id}, ('d' || n)::bytea, '', 0, 'more', false from ${many}`;
  await sql`
    insert into api_keys (tenant_id, name, prefix, key_hash, scopes, admin_id)
    select 2, 'more', 'gbk', ('c' || n)::bytea, '{players:write}', ${people.ann.id} from ${many}`;
  const withMethods = await sql<{ id: number; is_full: boolean }[]>`
    select id, id in (2, max(id) over ()) as is_full from tenants where id <> 1`;
  const methods = withMethods.flatMap(({ id, is_full }) =>
    (is_full ? (['apex', 'flikpay', 'btcpay'] as const) : ['apex']).map((payment_platform) => {
      const credentials_secret = secrets.encrypt('{}', secretContext.paymentMethod(id, payment_platform));
      return { tenant_id: id, payment_platform, credentials_secret };
    }),
  );
  await sql`insert into payment_methods ${sql(methods)}`;
  await sql`
    insert into webhook_deliveries (tenant_id, payment_platform, delivery_id, event_type, outcome)
    select 2, 'apex', n, 'payment.pending', 'applied' from ${many}`;
  await sql`insert into notifications (tenant_id, kind, title) select 2, 'large_redeem', 'more' from ${many}`;
  await sql`
    insert into notification_channels (tenant_id, kind, target, secret) select 2, 'chat', 'more', 'x' from ${many}`;
  await sql`
    insert into notification_deliveries (tenant_id, channel_id, give_up_at)
    select 2, (select min(id) from notification_channels), now() from ${many}`;
  await sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    select 2, ${pam.id}, 'more ' || n, 'x', 'x' from ${many}`;
  await sql`
    insert into player_notes (tenant_id, player_id, admin_id, text)
    select 2, ${pam.id}, ${people.ann.id}, 'note' from ${many}`;
  await sql`
    insert into player_limits (tenant_id, player_id, money, span, amount, admin_id)
    select 2, ${pam.id}, money, span, 1, ${people.ann.id}
    from unnest(${[...limitedMoney]}::text[]) as money, unnest(${[...limitSpans]}::text[]) as span`;
  await sql`insert into player_tags (tenant_id, player_id, tag) select 2, ${pam.id}, 'tag ' || n from ${many}`;
  await sql`
    insert into transfers (tenant_id, player_id, from_account, to_account, amount, admin_id)
    select 2, ${pam.id}, 'adjustment', 'credit', 1, ${people.ann.id} from ${many}`;
  await sql`
    insert into transfers (tenant_id, player_id, from_account, to_account, amount, created_at)
    values (2, ${pam.id}, 'adjustment', 'credit', 1, '2001-01-01')`;
  for (const type of ['TOP_UP', 'DEPOSIT', 'RETURN'])
    await sql`
      insert into transactions (tenant_id, player_id, transaction_type, amount, payment_metadata, platform, initiated_at)
      select 2, ${pam.id}, ${type}, 1, '{"type":"CREDIT"}', 'yolo', now() - make_interval(days => n) from ${many}`;
  await sql`
    insert into transactions (tenant_id, player_id, transaction_type, amount, platform, status, is_history,
      initiated_at, completed_at)
    select 2, ${pam.id}, 'TOP_UP', 1, 'more ' || n, 'success', true, '2026-01-01', '2026-01-01' from ${many}`;
  await sql`
    insert into redeems (tenant_id, player_id, platform, amount, status, business_day, initiated_at, completed_at)
    select 2, ${pam.id}, 'yolo', 1, status, current_date, now() - make_interval(hours => n),
      case status when 'success' then now() end
    from ${many}, unnest(array['pending', 'success']) as status`;
  await sql`
    with made as (
      insert into players (tenant_id, email, affiliate_id, phone_number)
      select 2, 'more' || n || '@mail.test', 'AFF-' || n, '5550107777' from ${many} returning id
    ), bought as (
      insert into transactions (tenant_id, player_id, transaction_type, amount)
      select 2, id, 'TOP_UP', 1 from made returning id, player_id
    )
    insert into wallets (tenant_id, player_id, first_purchase_id, first_purchase_at)
    select 2, player_id, id, now() from bought`;
  await sql`
    insert into redeems (tenant_id, player_id, platform, amount, status, business_day, initiated_at, completed_at)
    select 2, id, 'yolo', 1, 'success', '2001-06-01', '2001-06-01', '2001-06-01'
    from players where tenant_id = 2 and email like 'more%'`;
  await sql`insert into book_checks (tenant_id, finished_at) values (2, now())`;
  await sql`
    insert into book_differences (tenant_id, started_at, sentence, off_by)
    select 2, now() - interval '1 minute', 'off by one', 1 from ${many}`;
  await sql`analyze`;
  for (let n = 0; n <= AUDIT_PAGE; n++) await ann.addPlayerNote({ id: pam.id, body: { text: 'a note' } });
  await sql`
    insert into approvals (tenant_id, kind, player_id, change, first_admin_id)
    select 2, 'balances', ${pam.id}, '{"credit":"1"}', ${people.sue.id} from ${many}`;
  await sql`
    insert into saved_views (tenant_id, admin_id, list, name, query)
    select 2, ${people.ann.id}, 'users', 'view ' || n, '' from ${many}`;
}
test.before(fillEverything);
test.after(async () => {
  await reset();
  await sql`delete from roles where name like 'more %'`;
});

const today = new Date().toISOString().slice(0, 10);
/** As much as a call gives, from where there is something. */
const most: Record<string, string | number> = {
  limit: LIST_MAX,
  page_size: pageSizes.at(-1) ?? 0,
  tenant_id: 2,
  email: 'more',
  q: 'more',
  start_date: today,
  end_date: today,
  month: '2026-01',
  year: 2001,
};
/** What only one call is asked. */
const own: Partial<Record<CallName, object>> = {
  getCharts: { days: 90 },
  getOverview: { unit: 'day' },
  listNotificationRows: { kind: 'no_reason' },
};
const get = async (name: CallName, changes: object = own[name] ?? {}): Promise<unknown> => {
  const { who } = calls[name];
  const { query } = schemasOf(name);
  const asked = entriesOf(query)
    .filter(([field, { type }]) => type !== 'optional' || field === 'limit' || field === 'page_size')
    .map(([field, entry]): [string, unknown] => {
      const value = most[field];
      return [field, value !== undefined && accepts(entry, String(value)) ? value : sample(name, field, entry)];
    });
  const search = new URLSearchParams(
    Object.entries({ ...Object.fromEntries(asked), ...changes }).map(([key, value]) => [key, String(value)]),
  );
  const token = await tokenOf(who === 'super' ? 'sue' : 'ann');
  const response = await send('GET', `${pathOf(name)}?${search}`, { token });
  const body = await response.text();
  assert.is(response.status, 200, `${name} ${response.status} ${body.slice(0, 300)}`);
  return JSON.parse(body);
};
/** The length of the longest list anywhere in an answer. */
const longest = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Math.max(Array.isArray(value) ? value.length : 0, ...Object.values(value).map(longest));

for (const [name, { method, answer, who }] of everyCall) {
  if (method !== 'GET' || answer === 'csv' || who === 'key') continue;
  test(`${name} answers no more rows than its bound [ASVS 2.4.1]`, async () => {
    const isList = answer !== 'record' && answer !== 'recordOrNull';
    const rows = longest(await get(name)),
      bound = bounds[name] ?? (isList ? LIST_MAX : 0);
    const place = 'in test/server/lists.test.ts';
    if (isList) assert.ok(rows > 0, `${name} lists nothing: fill its table in fillEverything ${place}`);
    const advice = `${name} answers ${rows} of ${MANY} rows: give its SQL a limit, and name it in bounds ${place}`;
    assert.is(rows, bound, advice);
  });
}

test('no list can be asked for more', async () => {
  const money = ['listPurchases', 'listDeposits', 'listRedeems', 'listPlayerTransactions'] as const;
  for (const name of [...money, 'listPlayers'] as const) {
    const [key, most] = name === 'listPlayers' ? ['page_size', pageSizes.at(-1) ?? 0] : ['limit', LIST_MAX],
      url = pathOf(name);
    for (const over of [most + 1, 0, 1e9])
      assert.is((await send('GET', `${url}?${key}=${over}`, { token: await tokenOf('ann') })).status, 422, name);
  }
  assert.is(longest(await get('listRedeems')), LIST_MAX);
});

test('what has waited longest and what is newest is listed, and the counts cover the rest', async () => {
  const redeems = await ann.listRedeems();
  assert.ok(redeems.every(({ status }) => status === 'pending'));
  const [oldest] = await sql<{ id: number }[]>`
    select id from redeems where status = 'pending' and tenant_id = 2 order by initiated_at limit 1`;
  assert.is(redeems.at(-1)?.id, oldest!.id, 'newest first, and the longest waiting is not cut off');
  assert.is((await ann.countPending()).redeems, MANY + 1);

  const [newest] = await sql<{ id: number }[]>`select max(id) as id from players where tenant_id = 2`;
  const [first] = await ann.listNewPlayersToday();
  assert.is(first?.id, newest!.id);
  assert.ok((await ann.listFirstPurchasesToday()).length === LIST_MAX);
  const { new_signups_today, first_purchase_today } = await ann.getDashboardMetrics();
  assert.equal([new_signups_today, first_purchase_today], [MANY + 1, MANY + 1]);

  const tenants = await sue.listTenants();
  const [last] = await sql<{ id: number }[]>`select max(id) as id from tenants`;
  assert.equal([tenants[0]?.id, tenants.at(-1)?.id], [1, last!.id]);
});

test.run();
