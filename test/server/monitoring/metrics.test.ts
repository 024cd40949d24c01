/** GET /metrics: who may read it, and that every figure moves when that happens which it counts. */
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '../../../src/contract/allCalls';
import { createApp } from '../../../src/server/app';
import { readHeads } from '../../../src/server/audit/heads';
import { noteUpkeep } from '../../../src/server/db/upkeep';
import { createMonitor, type Monitor } from '../../../src/server/monitoring/monitor';
import { createMetricsApp } from '../../../src/server/monitoring/page';
import { remembered } from '../../../src/server/monitoring/remembered';
import { checkEverything } from '../../books';
import { createApi } from '../../createApi';
import { countAll } from '../../facts';
import { db, PASSWORD, pam, pat, people, reset, services, sql, tokenOf } from '../../world';

const TOKEN = 'a-token-of-the-operator';
const log = pino({ level: 'silent' });
let monitor: Monitor, server: ReturnType<typeof createApp>;

function start(options: Partial<Parameters<typeof createApp>[0]> = {}): void {
  const { sessions } = services;
  monitor = createMonitor({ version: '1.2.3', db: options.db ?? db, sessions, figuresMs: 0, driftMs: 0 });
  server = createApp({ db, services, log, trustProxy: 0, corsOrigins: [], monitor, metricsToken: TOKEN, ...options });
}
test.before.each(async () => {
  await reset();
  start();
});

const fetch = async (url: string, init?: RequestInit): Promise<Response> =>
  server.fetch(new Request(new URL(url, 'http://test'), init));
const get = (token?: string) => fetch('/metrics', token === undefined ? {} : { headers: { Authorization: token } });
const text = async () => (await get(`Bearer ${TOKEN}`)).text();
const post = (path: string, body: object) =>
  fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
const as = async (person: keyof typeof people) => {
  const token = await tokenOf(person);
  return createApi({ fetch, token: () => token });
};

/** The value of one line, such as `backoffice_pending{kind="redeem"}`. */
async function figure(name: string): Promise<number> {
  const line = (await text()).split('\n').find((each) => each.startsWith(`${name} `));
  assert.ok(line, `${name} is missing`);
  return Number(line.slice(name.length).trim().replace('+Inf', 'Infinity'));
}
/** By how much it changes. */
async function change(name: string, work: () => Promise<unknown>): Promise<number> {
  const before = await figure(name);
  await work();
  return (await figure(name)) - before;
}

test('without a token in the settings there are no metrics on the public port [ASVS 13.4.5]', async () => {
  for (const options of [{ metricsToken: undefined }, { monitor: undefined, metricsToken: undefined }]) {
    start(options);
    for (const header of [undefined, 'Bearer ', 'Bearer undefined', `Bearer ${TOKEN}`])
      assert.is((await get(header)).status, 404);
  }
});

test('with one, a missing or wrong token is refused, and the right one gets Prometheus text', async () => {
  const wrong = [undefined, '', 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, TOKEN];
  for (const header of wrong) {
    const refused = await get(header);
    assert.is(refused.status, 401, header);
    assert.is(refused.headers.get('WWW-Authenticate'), 'Bearer');
    assert.not.match(await refused.text(), /backoffice_/);
  }
  const session = await tokenOf('sue');
  assert.is((await get(`Bearer ${session}`)).status, 401, 'a session is none');
  const answer = await get(`Bearer ${TOKEN}`);
  assert.is(answer.status, 200);
  assert.match(answer.headers.get('Content-Type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.is(answer.headers.get('Cache-Control'), 'no-store');
  assert.match(await answer.text(), /^# HELP process_cpu_user_seconds_total .*\n# TYPE .* counter\n/);
});

test('the port of their own has the metrics alone, and asks for the token if there is one', async () => {
  const ask = async (path: string, token?: string, header?: string) =>
    (await createMetricsApp(monitor, token).fetch(
      new Request(`http://test${path}`, header ? { headers: { Authorization: header } } : {}),
    )) as Response;
  const open = await ask('/metrics');
  assert.is(open.status, 200);
  assert.match(await open.text(), /^backoffice_info\{version="1\.2\.3"\} 1$/m);
  assert.is((await ask('/metrics', TOKEN)).status, 401);
  assert.is((await ask('/metrics', TOKEN, `Bearer ${TOKEN}`)).status, 200);
  for (const path of ['/', '/healthz', calls.listTenants.path]) assert.is((await ask(path)).status, 404);
});

test('requests count by call and status, with their time; paths and what was typed do not appear', async () => {
  const ann = await as('ann');
  await ann.listPlayers({ search: 'first words' });
  const counted = 'backoffice_requests_total{call="listPlayers",status="200"}';
  assert.is(await change(counted, () => ann.listPlayers({ search: 'other words' })), 1);
  await fetch(calls.listPlayers.path);
  assert.is(await figure('backoffice_requests_total{call="listPlayers",status="401"}'), 1);
  assert.not.match(await text(), /words|api\/v1/);
  await ann.listRedeems({});
  assert.is(await figure('backoffice_request_duration_seconds_count{call="listRedeems"}'), 1);
  assert.is(await figure('backoffice_request_duration_seconds_bucket{le="+Inf",call="listRedeems"}'), 1);
  assert.ok((await figure('backoffice_request_duration_seconds_sum{call="listRedeems"}')) > 0);
  await fetch('/api/v1/none');
  assert.is(await figure('backoffice_requests_total{call="other",status="404"}'), 1);
  await fetch('/healthz', { method: 'HEAD' });
  assert.is(await figure('backoffice_requests_total{call="healthz",status="200"}'), 1);
});

test('failed sign-ins count by their reason', async () => {
  const failures = (reason: string) => `backoffice_sign_in_failures_total{reason="${reason}"}`;
  const login = (password: string) => post(calls.login.path, { email: people.ann.email, password });
  const elsewhere = calls.loginToTenant.path.replace('{tenant_id}', '3');
  assert.is(await change(failures('credentials'), () => login('wrong')), 1);
  assert.is(await change(failures('credentials'), () => login(PASSWORD)), 0);
  const right = { email: people.ann.email, password: PASSWORD };
  assert.is(await change(failures('tenant'), () => post(elsewhere, right)), 1);
  for (let n = 0; n < 10; n++) await login('wrong');
  assert.ok((await figure(failures('limited'))) > 0);
});

test('a wrong code is a failed sign-in, being asked for one is not', async () => {
  await sql`
    insert into two_factor (admin_id, secret, recovery_salt, begun_at, confirmed_at)
    values (${people.ann.id}, ${services.secrets.encrypt('A'.repeat(32), ['two-factor', String(people.ann.id)])},
      '\\x00', now(), now())`;
  const codes = 'backoffice_sign_in_failures_total{reason="code"}';
  const account = { email: people.ann.email, password: PASSWORD };
  assert.is(await change(codes, () => post(calls.login.path, account)), 0);
  assert.is(await change(codes, () => post(calls.login.path, { ...account, code: 'none' })), 1);
});

test('refused webhooks count by their reason', async () => {
  const refused = 'backoffice_webhooks_refused_total{reason="signature"}';
  assert.is(await change(refused, () => post('/api/v1/webhooks/2/apex', {})), 1);
});

test('what is pending has its number, its money and the age of its oldest, per kind', async () => {
  await sql`update redeems set initiated_at = now() - interval '2 hours' where id = ${pat.redeem}`;
  for (const [kind, count, usd] of [
    ['redeem', 2, 300],
    ['purchase', 2, 160],
    ['deposit', 0, 0],
  ] as const) {
    assert.is(await figure(`backoffice_pending{kind="${kind}"}`), count);
    assert.is(await figure(`backoffice_pending_usd{kind="${kind}"}`), usd);
  }
  assert.is(await figure('backoffice_pending_oldest_seconds{kind="deposit"}'), 0);
  const age = await figure('backoffice_pending_oldest_seconds{kind="redeem"}');
  assert.ok(age >= 7200 && age < 7300, String(age));
  const settle = async () => (await as('ben')).changeRedeemStatus({ id: pat.redeem, body: { status: 'failed' } });
  assert.is(await change('backoffice_pending{kind="redeem"}', settle), -1);
  assert.ok((await figure('backoffice_pending_oldest_seconds{kind="redeem"}')) < 300);
});

test('where the pending rows cannot be read in time, only their own figures are missing', async () => {
  const read = await db.tx(async (sql) => {
    await sql`lock table redeems in access exclusive mode`; // waiting for it takes longer than any figure may
    return text();
  });
  for (const kind of ['purchase', 'deposit', 'redeem'])
    for (const name of ['pending', 'pending_usd', 'pending_oldest_seconds'])
      assert.match(read, new RegExp(`^backoffice_${name}\\{kind="${kind}"\\} NaN$`, 'im'));
  assert.match(read, /^backoffice_database_up 1$/m);
  assert.match(read, /^backoffice_sessions \d+$/m);
  assert.match(read, /^backoffice_ledger_drift_usd 0$/m);
  assert.match(read, /^backoffice_totals_behind_seconds [\d.]+$/m);
  assert.is(await figure('backoffice_pending{kind="redeem"}'), 2);
});

test('active sessions count, ended and idle ones do not', async () => {
  assert.is(await change('backoffice_sessions', () => tokenOf('ann')), 1);
  await tokenOf('ben');
  const idle = sql`update sessions set last_seen_at = now() - interval '31 minutes' where admin_id = ${people.ben.id}`;
  assert.is(await change('backoffice_sessions', () => idle), -1);
});

test('a wallet that does not equal its transfers is drift, to the cent, until it is put right', async () => {
  assert.is(await figure('backoffice_ledger_drift_usd'), 0);
  const give = (amount: string) =>
    sql`update wallets set bonus_balance = bonus_balance + ${amount}::numeric where player_id = ${pam.id}`;
  await give('12.34');
  assert.is(await figure('backoffice_ledger_drift_usd'), 12.34);
  await give('-12.34');
  const ann = await as('ann');
  await ann.adjustBalances({ id: pam.id, body: { bonus: '5' } });
  await (await as('ben')).changeRedeemStatus({ id: pat.redeem, body: { status: 'success' } });
  assert.is(await figure('backoffice_ledger_drift_usd'), 0, 'what the server books adds up');
});

test('the age of the last backup and check, and what they found; none is an age without end', async () => {
  assert.is(await figure('backoffice_backup_age_seconds'), Infinity);
  assert.is(await figure('backoffice_ledger_check_age_seconds'), Infinity);
  assert.is(await noteUpkeep(sql, 'backup', { at: new Date(Date.now() - 3_600_000), findings: 0 }), undefined);
  assert.is(Math.round((await figure('backoffice_backup_age_seconds')) / 10), 360);
  assert.is(await figure('backoffice_check_findings{by="backup"}'), 0);
  await noteUpkeep(sql, 'verify', { findings: 3 });
  assert.is(await figure('backoffice_check_findings{by="verify"}'), 3);
  assert.ok((await figure('backoffice_ledger_check_age_seconds')) < 60);
  assert.is(Math.round((await figure('backoffice_backup_age_seconds')) / 10), 360, 'a check is no backup');
});

test('the checks in the background count, and by how much the books are off', async () => {
  assert.ok(Number.isNaN(await figure('backoffice_books_off_usd')), 'not checked yet');
  await sql`update wallets set bonus_balance = bonus_balance + 1.5 where player_id = ${pam.id}`;
  await checkEverything();
  assert.is(await figure('backoffice_books_off_usd'), 1.5);
  assert.is(await figure('backoffice_check_findings{by="background"}'), 1);
  assert.ok((await figure('backoffice_ledger_check_age_seconds')) < 60);
});

test('a check in the background that keeps failing counts; one that failed twice may only be slow', async () => {
  await sql`insert into book_checks (tenant_id, failures) values (2, 2)`;
  assert.is(await figure('backoffice_ledger_checks_failing'), 0);
  await sql`update book_checks set failures = 3`;
  assert.is(await figure('backoffice_ledger_checks_failing'), 1);
});

test('the tenant whose facts are furthest behind says how far', async () => {
  await countAll();
  assert.ok((await figure('backoffice_totals_behind_seconds')) < 60);
  await sql`update facts_until set until = ${new Date(Date.now() - 3_600_000)} where tenant_id = 2`;
  const age = await figure('backoffice_totals_behind_seconds');
  assert.ok(age >= 3600 && age < 3700, String(age));
});

test('entries of the audit log count until its heads have left with the logs', async () => {
  assert.is(await figure('backoffice_audit_heads_age_seconds'), Infinity);
  const ann = await as('ann');
  const edit = () => ann.adjustBalances({ id: pam.id, body: { bonus: '1' } });
  assert.is(await change('backoffice_audit_unlogged_entries', edit), 1);
  monitor.headsLogged(await readHeads(sql));
  assert.is(await figure('backoffice_audit_unlogged_entries'), 0);
  assert.ok((await figure('backoffice_audit_heads_age_seconds')) < 60);
  assert.is(await change('backoffice_audit_unlogged_entries', edit), 1);
});

test('calls that use a connection or wait for one are counted, with the time they waited', async () => {
  const ann = await as('ann');
  let held: Promise<unknown>[] = [];
  await db.tx(async (tx) => {
    await tx`select 1 from wallets where tenant_id = 2 and player_id = ${pam.id} for update`;
    held = Array.from({ length: 8 }, () => ann.adjustBalances({ id: pam.id, body: { bonus: '1' } }));
    const becomes = async (name: string, wanted: number, why?: string) => {
      for (const until = Date.now() + 5_000; (await figure(name)) < wanted && Date.now() < until; );
      assert.is(await figure(name), wanted, why);
    };
    await becomes('backoffice_database_calls{state="running"}', 7, 'two connections are left to others');
    await becomes('backoffice_database_calls{state="waiting"}', 1);
    assert.is(await figure('backoffice_database_connections_max'), 10);
    await becomes('backoffice_database_connections{state="used"}', 8, 'theirs, and that of this transaction');
  });
  await Promise.all(held);
  assert.is(await figure('backoffice_database_calls{state="waiting"}'), 0);
  assert.is(await figure('backoffice_database_wait_seconds_count'), 8);
  assert.ok((await figure('backoffice_database_wait_seconds_sum')) > 0);
});

test('without a database the rest is answered, and its own figures are neither good nor bad', async () => {
  assert.is(await figure('backoffice_database_up'), 1);
  start({ db: { ...db, tx: () => Promise.reject(new Error('it is away')) } });
  assert.is(await figure('backoffice_database_up'), 0);
  assert.ok(Number.isNaN(await figure('backoffice_pending{kind="redeem"}')));
  assert.ok(Number.isNaN(await figure('backoffice_ledger_drift_usd')));
  assert.ok((await figure('nodejs_eventloop_lag_p99_seconds')) >= 0);
});

test('figures from the database are asked for once in a while, however often the page is read', async () => {
  let reads = 0,
    now = Promise.resolve();
  const read = remembered(60_000, () => {
    reads++;
    return now;
  });
  await Promise.all([read(), read()]);
  await read();
  assert.is(reads, 1);
  now = Promise.reject(new Error('away'));
  const failing = remembered(60_000, () => {
    reads++;
    return now;
  });
  for (let n = 0; n < 3; n++) assert.is(await failing().catch(() => 'failed'), 'failed');
  assert.is(reads, 2);
});

test('nothing of a tenant or a person is in the metrics, and no label but the known ones', async () => {
  const [sue, ann] = [await as('sue'), await as('ann')];
  await ann.listPlayers({ search: pam.email });
  await sue.listPlayers({ tenant_id: 3, search: 'Quinn' });
  await ann.adjustBalances({ id: pam.id, body: { bonus: '1', note: 'for Pam Poe' } });
  await post(calls.login.path, { email: people.ben.email, password: 'a wrong password' });
  await fetch(`/api/v1/${people.ben.email}`);
  const metrics = await text();
  for (const word of ['@', 'Acme', 'Bravo', 'Pam', 'Quinn', 'vblink', 'Cash Tag', 'password', '127.0.0.1'])
    assert.not.ok(metrics.includes(word), word);
  const labels = new Set([...metrics.matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
  const ofNode = ['major', 'minor', 'patch', 'space', 'type', 'quantile'];
  const known = ['by', 'call', 'kind', 'le', 'reason', 'state', 'status', 'version', ...ofNode];
  assert.is([...labels].filter((name) => !known.includes(name ?? '')).join(), '');
});

test.run();
