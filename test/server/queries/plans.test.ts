/** How the database runs what the screens ask: among 10,000 players no statement of a read scans a large table. */
import { randomBytes } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { calls } from '../../../src/contract/allCalls';
import type { CallName, CallSpec } from '../../../src/contract/calls';
import { moneySorts, playerSorts } from '../../../src/contract/constants';
import { addDays } from '../../../src/contract/dates';
import { scopes } from '../../../src/contract/integrations';
import { listedKinds, ruleFacts, ruleKinds } from '../../../src/contract/notifications';
import { formatDayIn } from '../../../src/contract/timeZones';
import { createApp } from '../../../src/server/app';
import { createAuditShards } from '../../../src/server/audit/auditLog';
import { newApiKey } from '../../../src/server/auth/apiKeys';
import { RateLimits } from '../../../src/server/auth/rateLimits';
import { createSecrets } from '../../../src/server/auth/secrets';
import { Sessions } from '../../../src/server/auth/sessions';
import { checkNextSlice, firstSizes } from '../../../src/server/books/checkSlices';
import { closeMonth } from '../../../src/server/books/closedMonths';
import { seedPlatform } from '../../../src/server/commands/setup';
import { listKinds } from '../../../src/server/db/citus/distribute';
import { startEmbedded } from '../../../src/server/db/embedded/embedded';
import { migrate } from '../../../src/server/db/migrate';
import { type Database, openDatabase, type Sql } from '../../../src/server/db/open';
import { Statement } from '../../../src/server/db/sql';
import { readDrift, readFigures, readPending } from '../../../src/server/monitoring/figures';
import { evaluate } from '../../../src/server/notifications/evaluate';
import { generate } from '../../bench/api/generate';
import { whenDone } from '../../closing';
import { createApi } from '../../createApi';
import { newFolder } from '../running';

const PLAYERS = 100; // in each of 100 tenants
const large = ['players', 'wallets', 'transactions', 'redeems', 'transfers'];
/** The rows a scan may go through in vain; a page of the largest list has a thousand. */
const MOST_FILTERED = 3000;

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Filter?: string;
  'Rows Removed by Filter'?: number;
  'Actual Loops'?: number;
  Plans?: Node[];
}
const listNodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(listNodes)];

/** Scans of a large table that no index narrows down, as sentences. */
const walks = (plan: Node): string[] =>
  listNodes(plan).flatMap((node) => {
    const {
      'Node Type': type,
      'Relation Name': table = '',
      'Rows Removed by Filter': removed = 0,
      'Actual Loops': loops = 1,
    } = node;
    if (!large.includes(table)) return [];
    return type === 'Seq Scan'
      ? [`${type} on ${table}`]
      : removed * loops > MOST_FILTERED
        ? [`${type} on ${table} tests ${removed * loops} rows in vain`]
        : [];
  });

/** The tenant of the calls below. */
const TENANT = 50;
const OWN = { tenant_id: TENANT };
/** Of one tenant, or of all. */
interface Whose {
  tenant_id?: number;
}
/**
 * Tables that the statement of a tenant reads without naming the tenant beside them, as sentences. Only if each one
 * names it does a distributed database answer from the one machine that has the tenant.
 */
function withoutTenant(plan: Node): string[] {
  const spread = listNodes(plan).filter(({ 'Relation Name': table = '' }) => distributed.has(table));
  const namesIt = (node: Node) =>
    listNodes(node)
      .filter((one) => one === node || one['Node Type'].startsWith('Bitmap'))
      .some((one) =>
        [one['Index Cond'], one['Recheck Cond'], one.Filter].some((condition) =>
          condition?.includes(`tenant_id = '${TENANT}'::bigint`),
        ),
      );
  return spread.filter((node) => !namesIt(node)).map((node) => `${node['Relation Name']} without the tenant`);
}

let plans: Node[] = [];

/** `sql` that explains each statement before it runs it; what is only put into others is left alone. */
const explaining = <S extends Sql>(sql: S): S =>
  new Proxy(sql, {
    apply(target, self, args: Parameters<typeof Reflect.apply>[2]) {
      const made: unknown = Reflect.apply(target, self, args);
      // an entry of the audit log would be written twice
      if (!(made instanceof Statement) || made.pieces.sql.includes('into audit_log')) return made;
      const run = made.then.bind(made);
      let explained: Promise<void> | undefined; // once, however often it is waited for
      // biome-ignore lint/suspicious/noThenProperty: it is a query, which runs when somebody waits for it
      made.then = ((...then: Parameters<typeof run>) =>
        (explained ??= explain(sql, made)).then(() => run(...then))) as typeof made.then;
      return made;
    },
  });
async function explain(sql: Sql, statement: Statement<object[]>): Promise<void> {
  const [row] = await sql<
    { 'QUERY PLAN': { Plan: Node }[] }[]
  >`explain (analyze, timing off, format json) ${statement}`;
  plans.push(row!['QUERY PLAN'][0]!.Plan);
}

let db: Database, watched: Database, api: Api, shop: Api, distributed: Set<string>;
/** The reads that the tests below have made. */
const asked = new Set<string>();

test.before(async () => {
  const folder = newFolder('plans');
  chmodSync(folder, 0o711);
  const embedded = await startEmbedded({ folder });
  db = await openDatabase(embedded.address);
  whenDone(async () => {
    await db.close();
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await migrate(db);
  const kinds = await listKinds(db.sql);
  distributed = new Set(kinds.filter(({ kind }) => kind === 'distributed').map(({ name }) => name));
  await db.tx((sql) => seedPlatform(sql, { timeZone: 'UTC' }));
  const [admin] = await db.sql<{ id: number }[]>`
    insert into admins (tenant_id, role_id, email, password_hash)
    select 1, id, 'sue@platform.test', 'x' from roles where name = 'super_admin'
    returning id`;
  await generate(db, PLAYERS, () => {});
  const secrets = createSecrets(randomBytes(32));
  await createAuditShards(db.sql, secrets);
  const services = {
    secrets,
    sessions: new Sessions({ idleMinutes: 30, hours: 12 }),
    rateLimits: new RateLimits(db.sql, secrets),
    businessTimeZone: 'UTC',
  };
  watched = {
    ...db,
    tx: (work, opening) => db.tx((sql, opened) => work(explaining(sql), opened), opening),
    read: (work) => db.read((sql) => work(explaining(sql))),
  };
  const server = createApp({ db: watched, services, log: pino({ level: 'silent' }), trustProxy: 0, corsOrigins: [] });
  const { token } = await services.sessions.start(db.sql, admin!.id, 'test');
  const { key, prefix, key_hash } = newApiKey();
  await db.sql`
    insert into api_keys (tenant_id, name, prefix, key_hash, scopes, admin_id)
    values (${TENANT}, 'Shop', ${prefix}, ${key_hash}, ${[...scopes]}, ${admin!.id})`;
  const createWatched = (bearer: string): Api =>
    new Proxy(
      createApi({
        fetch: async (url, init) => server.fetch(new Request(new URL(url, 'http://test'), init)),
        token: () => bearer,
      }),
      {
        get(target, name: CallName) {
          asked.add(name);
          return target[name];
        },
      },
    );
  api = createWatched(token);
  shop = createWatched(key);
});

const daysAgo = (first: number, last: number) => ({
  start_date: addDays(formatDayIn(new Date()), -first),
  end_date: addDays(formatDayIn(new Date()), -last),
});

/** Every large table that the call's statements walk through; of a tenant's call also those without the tenant. */
async function findWalks(call: () => Promise<unknown>, tenant: Whose = {}): Promise<string[]> {
  plans = [];
  await call();
  assert.ok(plans.length > 0, 'the statements are seen');
  return plans.flatMap((plan) => [...walks(plan), ...(tenant.tenant_id ? withoutTenant(plan) : [])]);
}
type Reads = Record<string, () => Promise<unknown>>;
const never = async (calls: Reads, tenant: Whose = {}): Promise<void> => {
  const found: string[] = [];
  for (const [name, call] of Object.entries(calls))
    for (const walk of await findWalks(call, tenant)) found.push(`${name}: ${walk}`);
  assert.is(found.join('\n'), '');
};

test('the world made for the measurements has what it should', async () => {
  const [made] = await db.sql`
    select (select count(*) from players) as players,
      (select count(*) from transactions) + (select count(*) from redeems) as payments`;
  assert.equal({ ...made }, { players: 10_000, payments: 100_000 });
});

test('a table that is read without the tenant of the statement is seen', async () => {
  const beside = (sql: Sql) => explaining(sql)`
    select p.id from players p cross join lateral (
      select 1 from wallets where tenant_id = p.tenant_id and player_id = p.id limit 1) w
    where p.tenant_id = ${TENANT} and p.id = 4950`;
  assert.equal(await findWalks(() => db.tx(async (sql) => beside(sql)), OWN), ['wallets without the tenant']);
});

test('a walk through a large table is seen', async () => {
  const found = await findWalks(() =>
    db.tx((sql) => explaining(sql)`select count(*) from transactions where payment_metadata is null`),
  );
  assert.equal(found, ['Seq Scan on transactions']);
  const byId = () => db.tx(async (sql) => explaining(sql)`select 1 from players where tenant_id = 2 and id = 1`);
  assert.equal(await findWalks(byId), []);
});

const segments = ['tag:rare', 'hold:yes', 'last_purchase:2026-01-01..2026-01-02', 'ggr:..-100000'];
/** Reads of a tenant or of all, by what is true of them. */
const reads: Record<string, (tenant: Whose) => Reads> = {
  'no order of the Users list walks through a large table, on the first page or the last': (tenant) =>
    Object.fromEntries(
      playerSorts.flatMap((sort_by) =>
        (['asc', 'desc'] as const).flatMap((sort_order) =>
          [1, tenant.tenant_id ? 2 : 200].map((page) => [
            `${sort_by} ${sort_order} page ${page}`,
            () => api.listPlayers({ ...tenant, sort_by, sort_order, page }),
          ]),
        ),
      ),
    ),
  'no search walks through a large table': (tenant) => ({
    rare: () => api.listPlayers({ ...tenant, search: '.4801@' }),
    common: () => api.listPlayers({ ...tenant, search: 'maria', sort_by: 'credit_balance' }),
    several: () => api.listPlayers({ ...tenant, search: 'maria ton', sort_by: 'first_name' }),
    ...(tenant.tenant_id ? {} : { user: () => api.searchPlayers({ email: '.4801@' }) }),
  }),
  'no selection of players walks through a large table': (tenant) =>
    Object.fromEntries(
      [...segments, 'ggr:100000.. tag:rare hold:yes'].flatMap((segment) =>
        (['updated_at', 'credit_balance'] as const).map((sort_by) => [
          `${segment} by ${sort_by}`,
          () => api.listPlayers({ ...tenant, segment, sort_by }),
        ]),
      ),
    ),
  'nothing that the search finds is walked for through a large table': (tenant) => ({
    rare: () => api.search({ ...tenant, q: '.4801@' }),
    common: () => api.search({ ...tenant, q: 'maria' }),
    several: () => api.search({ ...tenant, q: 'maria to' }),
    'two letters': () => api.search({ ...tenant, q: 'ma' }),
    'a reference': () => api.search({ ...tenant, q: 'R-1' }),
    'an address': () => api.search({ ...tenant, q: '$tag48' }),
    signs: () => api.search({ ...tenant, q: '@@' }),
  }),
  'the affiliates of a few days or many walk through no large table and no other days': (tenant) => ({
    day: () => api.getAffiliates({ ...tenant, ...daysAgo(1, 1) }),
    one: () => api.getAffiliateStats({ ...tenant, ...daysAgo(7, 0), affiliate_id: 'AFF1' }),
    week: () => api.getAffiliates({ ...tenant, ...daysAgo(7, 0) }),
    month: () => api.getAffiliates({ ...tenant, ...daysAgo(40, 10), sort_by: 'affiliate_id', text: 'a' }),
  }),
  'no list of money and no figure of the day walks through a large table': (tenant) => ({
    purchases: () => api.listPurchases({ ...tenant, transaction_type: 'TOP_UP', limit: 100 }),
    deposits: () => api.listDeposits({ ...tenant, limit: 100 }),
    returns: () => api.listReturns({ ...tenant, limit: 100 }),
    both: () => api.listPurchases({ ...tenant, limit: 100 }),
    queue: () => api.listPurchases({ ...tenant, transaction_type: 'TOP_UP', order: 'pending_first' }),
    redeems: () => api.listRedeems(tenant),
    'queue of redeems': () => api.listRedeems({ ...tenant, order: 'pending_first' }),
    pending: () => api.countPending(tenant),
    ...(!tenant.tenant_id && { figures: () => api.listTenantFigures() }),
    listed: () => api.countListed({ ...tenant, list: 'redeems', status: 'pending' }),
    new: () => api.countNew({ ...tenant, list: 'purchases', after_id: 99_990 }),
    watched: () => api.watchList({ ...tenant, list: 'redeems', after_id: 99_990 }),
    'new of a text': () => api.countNew({ ...tenant, list: 'redeems', after_id: 99_990, text: 'tag' }),
    'sums of what is pending': () => api.sumListed({ ...tenant, list: 'purchases', status: 'pending' }),
    dashboard: () => api.getDashboardMetrics(tenant),
    charts: () => api.getCharts({ ...tenant, days: 90 }),
    overview: () => api.getOverview({ ...tenant, unit: 'month' }),
    'new players': () => api.listNewPlayersToday(tenant),
    'first purchases': () => api.listFirstPurchasesToday(tenant),
  }),
  'no rows behind a rule walk through a large table': (tenant) =>
    Object.fromEntries(listedKinds.map((kind) => [kind, () => api.listNotificationRows({ ...tenant, kind })])),
  'no order of a list of money walks through a large table, on the first page or the second': (tenant) =>
    Object.fromEntries(
      moneySorts.flatMap((sort_by) =>
        (['asc', 'desc'] as const).flatMap((sort_order) =>
          [{}, { status: 'pending' as const }, { page: 2 }].flatMap((more) => {
            const query = { ...tenant, sort_by, sort_order, limit: 50, ...more };
            const name = JSON.stringify(query);
            return [
              [`purchases ${name}`, () => api.listPurchases({ ...query, transaction_type: 'TOP_UP' })],
              [`deposits ${name}`, () => api.listDeposits(query)],
              [`redeems ${name}`, () => api.listRedeems(query)],
            ];
          }),
        ),
      ),
    ),
};
for (const tenant of [OWN, {}] as Whose[])
  for (const [what, calls] of Object.entries(reads))
    test(`${what}, ${tenant.tenant_id ? 'of a tenant' : 'of all tenants'}`, () => never(calls(tenant), tenant));

test('no rule of notifications walks through a large table, and no list of them', async () => {
  const { id } = await db.sql<{ id: number }[]>`
    insert into notification_rules (tenant_id, kind, is_active, threshold)
    select t.id, kind, true, threshold from tenants t, unnest(${[...ruleKinds]}::text[], ${ruleKinds.map((kind) =>
      kind === 'digest' ? new Date().getUTCHours() : ruleFacts[kind].range[0],
    )}::numeric[]) as rule (kind, threshold)
    on conflict (tenant_id, kind) do update set is_active = true returning tenant_id as id`.one();
  assert.ok(id);
  const fail = (error: unknown, kind: string) => assert.unreachable(`${kind}: ${error}`);
  await never({ rules: () => evaluate(watched, fail, { isForced: true }) });
  const deliveries = () => api.listNotificationDeliveries(OWN);
  const unread = () => api.countUnreadNotifications(OWN);
  await never({ list: () => api.listNotifications(OWN), unread, deliveries }, OWN);
  // To explain a statement with its times is to run it: the keys are there before the run that would fire for them.
  const fired = await db.sql`select kind from notification_things group by kind order by kind`;
  assert.ok(fired.length >= 3, JSON.stringify(fired));
});

test('the sums of a tenant are read from an index', async () => {
  await findWalks(() => api.sumListed({ tenant_id: TENANT, list: 'purchases' }));
  assert.ok(plans.flatMap(listNodes).some((node) => node['Node Type'] === 'Index Only Scan'));
});

test('no segment of another system walks through a large table, from the start or later on', () =>
  never({
    all: () => shop.readPlayers({ limit: 50 }),
    tag: () => shop.readPlayers({ segment: 'tag:rare' }),
    later: () => shop.readPlayers({ segment: 'last_purchase:2026-01-01..', after: 4950 }),
  }));

test('no robot walks through a large table', () =>
  never({
    work: () => shop.listWork({ limit: 50 }),
    platform: () => shop.listWork({ platform: 'vblink', limit: 50 }),
    events: () => shop.readEvents({ limit: 50 }),
  }));

test('no look at one player walks through a large table', () =>
  never({
    history: () => api.listPlayerTransactions({ id: 4801 }),
    redeems: () => api.listPlayerRedeems({ id: 4801 }),
    credentials: () => api.listPlayerCredentials({ id: 4801 }),
    setup: () => api.getTenantSetup({ id: 50 }),
    player: () => api.getPlayer({ id: 4801 }),
    ledger: () => api.getPlayerLedger({ id: 4801 }),
    eligibility: () => api.getEligibility({ id: 4801 }),
    'personal data': () => api.getPersonalData({ id: 4801 }),
    protection: () => api.getProtection({ id: 4801 }),
    purchases: () => api.listPlayerPurchases({ id: 4801 }),
    details: async () => api.getTransactionDetails({ id: (await api.listPlayerRedeems({ id: 4801 }))[0]?.id ?? 0 }),
    needs: async () => api.getRowNeeds({ id: (await api.listPlayerRedeems({ id: 4801 }))[0]?.id ?? 0 }),
  }));

test('no look for doubles walks through a large table', async () => {
  await db.sql`
    insert into player_eligibility (tenant_id, player_id, birth_date, admin_id)
    select tenant_id, id, '1990-01-01', 1 from players where tenant_id = ${TENANT}`;
  await never({ doubles: () => api.getPossibleDoubles(OWN) }, OWN);
});

test('no month and no statement walks through a large table, and no slice of the check', async () => {
  const last = addDays(`${formatDayIn(new Date()).slice(0, 7)}-01`, -1).slice(0, 7);
  await db.sql`update tenants set report_from = 1 where id = ${TENANT}`;
  await never(
    {
      months: () => api.listBookMonths(OWN),
      statement: () => api.getStatement({ ...OWN, month: last }),
      payouts: () => api.listYearPayouts({ ...OWN, year: Number(last.slice(0, 4)) }),
    },
    OWN,
  );
  await db.tx((sql) => closeMonth(sql, { tenant_id: TENANT, admin_id: 1, month: last }));
  await never({
    'closed statement': () => api.getStatement({ tenant_id: TENANT, month: last }),
    check: async () => {
      await db.sql`insert into book_checks (tenant_id, requested_at) values (50, now())`;
      const sizes = firstSizes();
      for (let days = 1; await isChecked(sizes); days = 16 - days) {
        Object.assign(sizes, { days, months: days }); // by turns: ninety of one day are all the same
        await db.sql`update book_checks set next_at = '-infinity'`;
      }
    },
  });
  const [check] = await db.sql`select differences from book_checks where tenant_id = 50`;
  assert.is(check?.['differences'], 0);
});
/** Checks a slice of tenant 50; false once it is done. */
async function isChecked(sizes: ReturnType<typeof firstSizes>): Promise<boolean> {
  await checkNextSlice(watched, sizes);
  const [open] = await db.sql`select 1 from book_checks where tenant_id = 50 and finished_at is null`;
  return open !== undefined;
}

test('no figure of the metrics walks through a large table', async () => {
  const sessions = new Sessions({ idleMinutes: 30, hours: 12 });
  await never({
    figures: () => readFigures(watched, (sql) => sessions.count(sql)),
    pending: () => readPending(watched),
    drift: () => readDrift(watched),
  });
});

test('no balance and no movement of an account walks through a large table', async () => {
  const { id } = await db.sql<{ id: number }[]>`
    insert into value_accounts (tenant_id, name, kind) values (${TENANT}, 'Till', 'cash') returning id`.one();
  // As if it had been named from the start: the ledger lets nobody change that.
  await db.sql`alter table transfers disable trigger transfers_append_only`;
  await db.sql`
    update transfers set account_id = ${id}::bigint where from_account = 'cash_in' or to_account = 'cash_out'`;
  await db.sql`alter table transfers enable trigger transfers_append_only`;
  await db.sql`analyze transfers`;
  await db.sql`insert into shifts (tenant_id, id, admin_id) values (${TENANT}, 1, 1)`;
  const today = formatDayIn(new Date());
  await never(
    {
      ...{ accounts: () => api.getValueAccounts(OWN), moves: () => api.listAccountMoves({ id, ...OWN }) },
      ...{ shifts: () => api.getShiftDay(OWN), shift: () => api.getShift({ id: 1, ...OWN }) },
      profit: () => api.getProfit({ ...OWN, from: today, to: today, by: 'platform' }),
    },
    OWN,
  );
});

/** Reads that are not tried here, by the reason. */
const elsewhere: Record<string, CallName[]> = {
  'no player, wallet or payment is read: a tenant, platform, account or setting has few rows': [
    ...(['listTenants', 'listAssignments', 'listRoles', 'listAdmins', 'listTeam', 'listMyPlatforms'] as const),
    ...(['listPaymentMethods', 'listPlatforms', 'listPlatformNames', 'listAvailablePlatforms', 'listApiKeys'] as const),
    ...(['getWebhook', 'listSavedViews', 'listLinkTemplates', 'getAllowedNetworks', 'getIdentityProvider'] as const),
    ...(['listApprovals', 'getApprovalLimits', 'getReturnSettings', 'getQueueSettings', 'getBooks'] as const),
    ...(['getEligibilityRules', 'getAccount', 'listSessions', 'listPasskeys', 'listNotificationRules'] as const),
    ...(['getNotificationSettings', 'listNotificationChannels'] as const),
  ],
  'the audit log is none of the large tables, and has pages of its own': ['getAudit'],
  'it takes an API key, and reads one row by its id': ['readTransaction'],
  'it reads every row that it is asked for, a thousand at a time': [
    ...(['exportPlayers', 'exportPurchases', 'exportDeposits', 'exportReturns'] as const),
    ...(['exportRedeems', 'exportStatement', 'exportYearPayouts', 'exportShifts'] as const),
  ],
};

test('every read is tried above, or it is said why not', () => {
  const reads = Object.entries<CallSpec>(calls).flatMap(([name, { method }]) => (method === 'GET' ? [name] : []));
  const excused = Object.values(elsewhere).flat();
  const silent = reads.filter((name) => !asked.has(name) && !excused.includes(name as CallName));
  const needless = excused.filter((name) => asked.has(name) || !reads.includes(name));
  const advice = silent.map((name) => `${name}: try it above, or say in 'elsewhere' why its plan needs no test`);
  assert.equal(advice, []);
  assert.is(needless.map((name) => `${name} is tried: it needs no reason in 'elsewhere'`).join('\n'), '');
});

test.run();
