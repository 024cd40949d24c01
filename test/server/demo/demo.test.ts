import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyAudit } from '../../../src/server/audit/verify';
import { secretContext } from '../../../src/server/auth/secrets';
import { verifyLedger } from '../../../src/server/books/verify';
import { askSecond } from '../../../src/server/demo/askSecond';
import { fillDemo } from '../../../src/server/demo/fillDemo';
import { evaluate } from '../../../src/server/notifications/evaluate';
import { pluck, table } from '../../answers';
import { apiOf } from '../../callers';
import { createApi } from '../../createApi';
import { db, fetch, guest, newBrowser, refused, reset, services, sql } from '../../world';
import { catchError } from '../catchError';
import { assertUsualSize, dips, empty, one } from './sampleData';

const signIn = async (email: string) =>
  apiOf((await guest.login({ body: { email, password: 'demo-password' } })).access_token);

test.before(async () => {
  await empty();
  await fillDemo(db, services);
});
test.after(reset);

test('its ledger, wallets and day totals agree to the cent', async () => assert.equal(await verifyLedger(sql), []));

test('it is as large as at any other moment', assertUsualSize);

test('it has five tenants besides the own one, Acme and Bravo first, one of them in another time zone', async () => {
  const tenants = await (await signIn('super@demo.test')).listTenants();
  assert.equal(pluck(tenants, 'id'), [1, 2, 3, 4, 5, 6]);
  assert.equal(pluck(tenants.slice(1, 3), 'name'), ['Acme', 'Bravo']);
  assert.is((await one(sql`select count(distinct time_zone)::int as zones from tenants`)).zones, 2);
});

test('every account signs in with the same password but the one that is disabled', async () => {
  assert.ok(await signIn('ann@acme.test'));
  assert.ok(await signIn('ben@bravo.test'));
  assert.ok(await signIn('oli@acme.test'));
  assert.is(await refused(signIn('former@acme.test')), 401);
  const roles =
    await sql`select a.email, a.tenant_id, r.name from admins a join roles r on r.id = a.role_id order by a.id limit 4`;
  assert.equal(table(roles, 'email', 'tenant_id', 'name'), [
    ['super@demo.test', 1, 'super_admin'],
    ['ann@acme.test', 2, 'admin'],
    ['ben@bravo.test', 3, 'admin'],
    ['oli@acme.test', 2, 'support'],
  ]);
});

test('Acme has accounts with something in each, a shift that was off by 5 dollars, and one that is open', async () => {
  const ann = await signIn('ann@acme.test');
  const { accounts } = await ann.getValueAccounts();
  assert.is(accounts.length, 11);
  for (const { name, balance } of accounts) assert.ok(Number(balance) > 0, name);
  const [open] = (await ann.getShiftDay()).shifts;
  assert.equal([open?.cashier, open?.relieved, open?.closed_at], ['cleo@acme.test', 'ann@acme.test', null]);
  const { counts } = await ann.getShift({ id: 1 });
  assert.ok(counts.some(({ moved }) => Number(moved) !== 0));
  const off = counts.filter(({ difference }) => Number(difference) !== 0);
  assert.equal(table(off, 'name', 'reason'), [['Cash App', 'Gave change twice']]);
});

test('purchases, deposits, returns and redeems come in every state, with plenty pending at each tenant', async () => {
  const rows = await sql<{ tenant_id: number; kind: string; status: string; number: number; days: number }[]>`
    select m.tenant_id, kind, status, count(*)::int as number, count(distinct day)::int as days
    from (
      select m.tenant_id, kind, status, (initiated_at at time zone time_zone)::date as day
      from (
        select tenant_id, transaction_type as kind, status, initiated_at from transactions
        union all select tenant_id, 'REDEEM', status, initiated_at from redeems) m
      join tenants t on t.id = m.tenant_id) m
    group by 1, 2, 3`;
  assert.is(rows.length, 5 * 4 * 3 - 3, 'five tenants, four kinds, three states; one tenant has no returns');
  const waiting = rows.filter(({ status }) => status === 'pending');
  for (const { kind, number } of waiting)
    if (kind !== 'RETURN') assert.ok(number >= (kind === 'TOP_UP' ? 5 : 1), `${number} ${kind}`);
  assert.is(Math.max(...rows.map(({ days }) => days)), 90);
});

test('nothing in it is in the future, and nothing ends before it began', async () => {
  const { late, early } = await one(sql`
    select
      (select count(*) from transfers where created_at > now())::int
      + (select count(*) from players where greatest(created_at, updated_at) > now())::int as late,
      (select count(*) from transactions t join players p on p.tenant_id = t.tenant_id and p.id = t.player_id
        where t.completed_at < t.initiated_at or t.initiated_at < p.created_at)::int
      + (select count(*) from redeems r join players p on p.tenant_id = r.tenant_id and p.id = r.player_id
        where r.completed_at < r.initiated_at or r.initiated_at < p.created_at)::int as early`);
  assert.equal([late, early], [0, 0]);
});

test('today, up to now, is an ordinary day, and little is added by hand', async () => {
  const { today, before, purchases, by_hand } = await one(sql`
    select sum(amount) filter (where from_account = 'cash_in' and ago = 0) as today,
      sum(amount) filter (where from_account = 'cash_in' and ago = 1) as before,
      sum(amount) filter (where from_account = 'cash_in') as purchases,
      sum(amount) filter (where from_account = 'adjustment') as by_hand
    from (
      select m.*, (now() at time zone time_zone)::date - (m.created_at at time zone time_zone)::date as ago
      from transfers m join tenants t on t.id = m.tenant_id) m`);
  assert.ok(Number(today) > 0 && Number(today) < Number(before), `${today} today, ${before} the day before`);
  assert.ok(Number(by_hand) < 0.05 * Number(purchases), `${by_hand} of ${purchases}`);
});

test('no redeem that waits is marked as adjusted', async () => {
  const api = await signIn('ann@acme.test');
  const redeems = await api.listRedeems({ status: 'pending' });
  assert.ok(redeems.length > 0);
  const adjusted = redeems.filter(({ risks }) => risks?.includes('adjusted'));
  assert.equal(pluck(adjusted, 'id'), []);
});

test('one tenant pays redeems from the game', async () => {
  const { paid, others } = await one(sql`
    select count(*) filter (where from_game and status = 'success')::int as paid,
      count(*) filter (where not from_game)::int as others
    from redeems where tenant_id = 4`);
  assert.equal([Number(paid) > 20, others], [true, 0]);
  assert.ok((await (await signIn('hana@harbor.test')).getReturnSettings({})).redeems_from_game);
});

test('no balance was ever below zero on the way', async () => assert.is(await dips(), 0));

test('wins come back by returns: no credit is added by hand', async () => {
  const { edits, returns } = await one(sql`
    select count(*) filter (where from_account = 'adjustment')::int as edits,
      count(*) filter (where from_account = 'platform')::int as returns
    from transfers where to_account = 'credit'`);
  assert.is(edits, 0);
  assert.ok(Number(returns) > 500, `${returns} returns`);
});

test('no player asked for more than 1000 on one business day', async () => {
  const { most } = await one(sql`
    select max(asked) as most from (
      select sum(amount) as asked from redeems
      where not is_manual and status <> 'failed'
      group by player_id, business_day) d`);
  assert.ok(Number(most) <= 1000, String(most));
});

test('every tenant has sign-ups and first purchases today, and purchases and redeems in each recent span', async () => {
  const api = await signIn('super@demo.test');
  for (const tenant_id of [2, 3, 4, 5, 6]) {
    const metrics = await api.getDashboardMetrics({ tenant_id });
    assert.ok(metrics.new_signups_today >= 5, `sign-ups of ${tenant_id}`);
    assert.ok(metrics.first_purchase_today >= 1, `first purchases of ${tenant_id}`);
    for (const sum of ['total_purchases_today', 'last_week_purchases', 'month_purchases'] as const)
      assert.ok(metrics[sum] > 0, `${sum} of ${tenant_id}`);
    assert.is((await api.listNewPlayersToday({ tenant_id })).length, metrics.new_signups_today);
    assert.is((await api.listFirstPurchasesToday({ tenant_id })).length, metrics.first_purchase_today);
  }
});

test('names come in ten scripts and can be searched', async () => {
  // Latin, its accents, Cyrillic, Greek, Arabic, Hebrew, Han, kana, Hangul, Thai, Devanagari
  for (const letters of 'A-Za-z À-ž а-я α-ω ء-ي א-ת 一-鿿 ぁ-ヿ 가-힣 ก-๙ अ-ह'.split(' ')) {
    const { found } = await one(sql`select count(*)::int as found from players where first_name ~ ${`[${letters}]`}`);
    assert.ok(Number(found) > 0, letters);
  }
  const { users } = await (await signIn('super@demo.test')).listPlayers({ search: '김' });
  assert.ok(users.length > 0);
});

test('an admin who is also a player can redeem', async () => {
  const browser = newBrowser();
  const { access_token } = await createApi({ fetch: browser }).login({
    body: { email: 'ann@acme.test', password: 'demo-password' },
  });
  const ann = createApi({ fetch: browser, token: () => access_token });
  const redeem = await ann.submitRedeem({ body: { platform_name: 'vblink', amount: 100 } });
  assert.is(redeem.user_email, 'ann@acme.test');
  assert.equal(await verifyLedger(sql), []);
});

test('its secrets open with the key of the server, each in its own place', async () => {
  const credentials = await sql<
    { tenant_id: number; player_id: number; platform_name: string; password_secret: string }[]
  >`select * from player_credentials`;
  assert.ok(credentials.length > 1000);
  for (const { tenant_id, player_id, platform_name, password_secret } of credentials) {
    const place = secretContext.playerCredential(tenant_id, player_id, platform_name);
    assert.match(services.secrets.decrypt(password_secret, place), /^[A-Z2-9]{10}$/);
  }
  const api = await signIn('super@demo.test');
  assert.ok((await api.listPaymentMethods()).length >= 8);
  const assignments = await api.listAssignments({ id: 2 });
  assert.ok(assignments.some(({ is_active }) => is_active) && assignments.some(({ is_active }) => !is_active));
});

test('each return says who recorded it, in an audit log that is whole', async () => {
  const { id } = await one(sql`
    select min(id) as id from transactions where tenant_id = 2 and transaction_type = 'RETURN'`);
  const ann = await signIn('ann@acme.test');
  assert.is((await ann.getTransactionDetails({ id: Number(id) })).made_by, 'ann@acme.test');
  assert.equal((await verifyAudit(db, services.secrets)).sentences, []);
});

test('at Lucky Harbor a payout and an edit of balances wait for the second person, who is told', async () => {
  await askSecond(fetch);
  await evaluate(db, (error) => assert.unreachable(String(error)), { isForced: true });
  const hana = await signIn('hana@harbor.test');
  assert.equal(table(await hana.listApprovals({}), 'kind', 'amount', 'first_email', 'refusal'), [
    ['redeem', 640, 'finn@harbor.test', null],
    ['balances', 250, 'finn@harbor.test', null],
  ]);
  const told = (await hana.listNotifications({})).filter(({ kind }) => kind === 'approval_waits');
  assert.is(told.length, 2);
  assert.equal(await (await signIn('ann@acme.test')).listApprovals({}), []);
  assert.equal(await verifyLedger(sql), []);
});

test('new rows take up where it ends', async () => {
  const api = await signIn('super@demo.test');
  const player = await api.createPlayer({ body: { email: 'new@mail.test', password: 'long enough', tenant_id: 2 } });
  assert.is(player.id, Number((await one(sql`select max(id) as id from players`)).id));
  assert.is((await api.createTenant({ body: { name: 'Seventh' } })).id, 7);
});

test('a database that is in use is refused and left as it is', async () => {
  await reset();
  assert.match((await catchError(fillDemo(db, services))).message, /needs a database without tenants/);
  assert.is((await one(sql`select count(*)::int as n from tenants`)).n, 3);
});

test.run();
