/** Each kind of rule fires once, for those whose rule it is, and not while it is off, muted or below its number. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addDays } from '../../../src/contract/dates';
import { notificationAddress } from '../../../src/contract/notificationAddress';
import { storeApproval } from '../../../src/server/ledger/approvalSeal';
import { sweepNotifications } from '../../../src/server/notifications/evaluate';
import { notifyLargeExport } from '../../../src/server/notifications/immediateRules';
import { ann, ben, hire } from '../../callers';
import { countAll } from '../../facts';
import { redeem, topUp } from '../../seed';
import { at, zoneAt } from '../../timestamps';
import { db, pam, pat, people, reset, send, services, signIn, sql, tokenOf } from '../../world';
import { bellOf, look, seenBy, setRule as set } from './bell';

const asTenant = { isSuper: false, hasView: true, hasOverview: true };

test.before.each(reset);

test('a redeem above the amount rings once, to the cent, for its tenant alone', async () => {
  await set('ann', 'large_redeem', { threshold: 150 });
  await set('ben', 'large_redeem', { threshold: 149.99 });
  await look();
  await look();
  assert.equal(await seenBy('ann', 'large_redeem'), [], 'as much as the limit is not above it');
  assert.equal(await seenBy('ben', 'large_redeem'), [`Redeem ${pat.redeem} is $150.00`]);
  const [row] = await ben.listNotifications();
  assert.equal([row!.tenant_id, row!.about_tenant_id, row!.object_id], [3, 3, String(pat.redeem)]);
  assert.equal(await seenBy('sue', 'large_redeem'), [], "the platform's rule is off at first");
});

test('a rule of the platform looks at every tenant, and super admins alone see it', async () => {
  await set('sue', 'large_redeem', { threshold: 100 });
  await look();
  assert.equal((await seenBy('sue', 'large_redeem')).length, 2);
  assert.equal(await seenBy('ann', 'large_redeem'), []);
  assert.equal(await seenBy('sue', 'large_redeem', 2), []);
});

test('a redeem that waits too long rings once; many at once are one notification', async () => {
  await sql`update redeems set initiated_at = now() - interval '25 hours' where id = ${pam.redeem}`;
  await look();
  await look();
  assert.equal(await seenBy('ann', 'old_redeem'), [`Redeem ${pam.redeem} of $150.00 waits for 25 hours`]);
  await sql`
    insert into redeems (tenant_id, player_id, platform, amount, business_day, initiated_at)
    select 2, ${pam.id}, 'yolo', n, current_date, now() - interval '2 days' from generate_series(1, 12) n`;
  await look();
  assert.equal((await seenBy('ann', 'old_redeem'))[0], '12 redeems wait too long');
  const [many] = await ann.listNotifications();
  assert.is(many!.detail.split('\n').length, 11);
  assert.match(many!.detail, /and 2 more$/);
  assert.is(many!.object_id, null);
});

test('a purchase that waits too long rings, and whoever looks sees whose it is', async () => {
  await sql`update transactions set initiated_at = now() - interval '25 hours' where id = ${pam.purchase}`;
  await look();
  assert.equal(await seenBy('ann', 'old_purchase'), [`Purchase ${pam.purchase} of $80.00 waits for 25 hours`]);
  const named = async () => (await ann.listNotifications())[0]?.user_email;
  assert.is(await named(), pam.email);
  await sql`update transactions set status = 'failed', completed_at = now() where id = ${pam.purchase}`;
  assert.equal(await seenBy('ann', 'old_purchase'), [`Purchase ${pam.purchase} of $80.00 waited for 25 hours`]);
  await sql`update players set deleted_at = now() where id = ${pam.id}`;
  assert.is(await named(), null, 'of a deleted player nothing is left');
});

test('what waits for a second person rings once, for those alone who may approve something', async () => {
  const first = { tenant_id: 2, player_id: pam.id, first_admin_id: people.ann.id } as const;
  await storeApproval(sql, services.secrets, { ...first, kind: 'redeem', redeem_id: pam.redeem });
  await look();
  await look();
  assert.equal(await seenBy('ann', 'approval_waits'), [`Payout ${pam.redeem} of $150.00 waits for a second person`]);
  await sql`update admins set permissions = '{support}' where id = ${people.ann.id}`;
  assert.equal(await seenBy('ann', 'approval_waits'), []);
  assert.is((await ann.countUnreadNotifications()).unread, 0);
});

test('credits that wait to be bought are no correction', async () => {
  const change = { kind: 'bought', account_name: 'Stock', to_id: 1, amount: '500', credits: '900' };
  const first = { tenant_id: 2, player_id: null, first_admin_id: people.ann.id, kind: 'account', change } as const;
  await storeApproval(sql, services.secrets, first);
  await look();
  const title = 'A purchase of credits of $500.00 waits for a second person';
  assert.equal(await seenBy('ann', 'approval_waits'), [title]);
});

test('what has waited for a second person says whose it was, how it ended, and where that is seen', async () => {
  const bob = await hire('bob@acme.test');
  await sql`update tenants set edit_approval_from = 20 where id = 2`;
  const seen = async () => {
    const [row] = await bellOf('ann', 'approval_waits');
    return [row?.title, row?.user_email, row?.detail, notificationAddress(row!, asTenant)];
  };
  for (const [end, how] of [
    [(id: number) => bob.approveChange({ id }), 'Approved by bob@acme.test'],
    [(id: number) => bob.endApproval({ id }), 'Refused by bob@acme.test'],
    [(id: number) => ann.endApproval({ id }), `Withdrawn by ${people.ann.email}`],
  ] as const) {
    await ann.adjustBalances({ id: pam.id, body: { credit: 30, bonus: 5.5 } });
    const [waiting] = await ann.listApprovals({});
    await look();
    const detail = `${people.ann.email} was first`;
    const what = 'An edit of balances of $35.50';
    assert.equal(await seen(), [`${what} waits for a second person`, pam.email, detail, '/?tool=Approvals']);
    await end(waiting!.id);
    const address = `/?tool=Audit&of=player+${pam.id}`;
    assert.equal(await seen(), [`${what} waited for a second person`, pam.email, `${detail}. ${how}`, address]);
  }
});

test('pending money rings when it rises above the amount, and again only after it was below', async () => {
  await set('ann', 'pending_money', { threshold: 229.99 });
  await look();
  await look();
  assert.equal(await seenBy('ann', 'pending_money'), ['$230.00 is pending']);
  await set('ann', 'pending_money', { threshold: 230 });
  await sql`update notification_things set at = (at at time zone 'UTC' - interval '2 hours') at time zone 'UTC'`;
  await look();
  await set('ann', 'pending_money', { threshold: 229.99 });
  await look();
  assert.is((await seenBy('ann', 'pending_money')).length, 2);
});

test("the platform's pending money is that of all tenants together", async () => {
  await set('sue', 'pending_money', { threshold: 459.99 });
  await look();
  assert.equal(await seenBy('sue', 'pending_money'), ['$460.00 is pending']);
});

test('a provider whose deliveries fail rings for its tenant and for the platform', async () => {
  const fail = (n: number) => sql`
    insert into webhook_deliveries (tenant_id, payment_platform, delivery_id, event_type, outcome, detail)
    values (2, 'apex', ${`d${n}`}, 'payment.failed', 'attention', 'No such player')`;
  for (const n of [1, 2]) await fail(n);
  await look();
  assert.equal(await seenBy('ann', 'provider_failing'), []);
  await fail(3);
  await look();
  await look();
  for (const person of ['ann', 'sue'] as const)
    assert.equal(await seenBy(person, 'provider_failing'), ['3 deliveries of apex failed in the last hour']);
  assert.equal(await seenBy('ben', 'provider_failing'), []);
});

test('a provider that delivered in the last week and then nothing for a day rings', async () => {
  await sql`
    insert into payment_methods (tenant_id, payment_platform, credentials_secret)
    values (2, 'apex', 'x') on conflict do nothing`;
  await sql`
    insert into webhook_deliveries (tenant_id, payment_platform, delivery_id, event_type, outcome, last_at)
    values (2, 'apex', 'd1', 'payment.paid', 'applied', now() - interval '23 hours')`;
  await look();
  assert.equal(await seenBy('ann', 'provider_failing'), []);
  await sql`update webhook_deliveries set last_at = now() - interval '25 hours'`;
  await look();
  await look();
  for (const person of ['ann', 'sue'] as const)
    assert.equal(await seenBy(person, 'provider_failing'), ['apex has delivered nothing for 24 hours']);
  assert.equal(await seenBy('ben', 'provider_failing'), []);
});

test('one is said as one', async () => {
  await set('ann', 'provider_failing', { threshold: 1 });
  await set('ann', 'old_redeem', { threshold: 1 });
  await sql`
    insert into webhook_deliveries (tenant_id, payment_platform, delivery_id, event_type, outcome)
    values (2, 'apex', 'd1', 'payment.failed', 'attention')`;
  await sql`update redeems set initiated_at = now() - interval '61 minutes' where id = ${pam.redeem}`;
  await look();
  assert.equal(await seenBy('ann', 'provider_failing'), ['1 delivery of apex failed in the last hour']);
  assert.equal(await seenBy('ann', 'old_redeem'), [`Redeem ${pam.redeem} of $150.00 waits for 1 hour`]);
});

test('a sign-in from a new place rings, the first one of an account and the next from there do not', async () => {
  await signIn('ann');
  assert.equal(await seenBy('ann', 'new_place'), []);
  await sql`update known_networks set network = '203.0.113.9'`;
  await signIn('ann');
  await signIn('ann');
  assert.equal(await seenBy('ann', 'new_place'), [`${people.ann.email} signed in from a new place`]);
  assert.equal(await seenBy('sue', 'new_place'), [`${people.ann.email} signed in from a new place`]);
  assert.equal(await seenBy('ben', 'new_place'), []);
});

test('an export of more rows than the limit rings for its tenant and for the platform', async () => {
  await set('ann', 'large_export', { threshold: 1 });
  const get = async () => (await send('GET', '/api/v1/admin/purchases/export', { token: await tokenOf('ann') })).text();
  await get(); // one row
  await topUp(pam, '5');
  await get();
  for (let waited = 0; waited < 100 && !(await seenBy('ann', 'large_export')).length; waited++);
  assert.equal(await seenBy('ann', 'large_export'), [`${people.ann.email} exported 2 rows of purchases`]);
  assert.equal(await seenBy('sue', 'large_export'), [], 'its limit is 10,000');
  const whole = { tenant_id: null, email: people.sue.email, list: 'users', rows: 10_001, request_id: 'r1' };
  for (let n = 0; n < 2; n++) await db.tx((tx) => notifyLargeExport(tx, whole));
  assert.equal(await seenBy('sue', 'large_export'), [`${people.sue.email} exported 10,001 rows of users`]);
});

test('a ledger that is off and a backup that is too old ring for the platform, once', async () => {
  await sql`insert into upkeep (task, at, findings) values ('verify', now(), 2)`;
  await sql`insert into upkeep (task, at, findings) values ('backup', now() - interval '27 hours', 0)`;
  await look();
  await look();
  assert.equal(await seenBy('sue', 'ledger_off'), ['2 differences were found by the last verify']);
  assert.equal(await seenBy('sue', 'old_backup'), ['The last backup is 27 hours old']);
  assert.equal(await seenBy('ann'), []);
});

test('wallets that differ from their transfers ring', async () => {
  await sql`update wallets set bonus_balance = 0.01 where player_id = ${pam.id}`;
  await look();
  assert.equal(await seenBy('sue', 'ledger_off'), ['Wallets and transfers differ by $0.01']);
});

test('a rule that is off or muted does not ring; after the mute what still holds does', async () => {
  await set('ann', 'large_redeem', { threshold: 1, is_active: false });
  await look();
  await set('ann', 'large_redeem', { threshold: 1 });
  const muted = await ann.muteNotificationRule({ body: { kind: 'large_redeem', is_muted: true } });
  assert.ok(Date.parse(muted.muted_until!) - Date.now() > 23 * 3_600_000);
  await look();
  assert.equal(await seenBy('ann'), []);
  await ann.muteNotificationRule({ body: { kind: 'large_redeem', is_muted: false } });
  await look();
  assert.equal((await seenBy('ann')).length, 1);
});

test('what one person has read is still new to another', async () => {
  const amy = await hire('amy@acme.test');
  await set('ann', 'large_redeem', { threshold: 1 });
  await look();
  const [one] = await ann.listNotifications();
  assert.equal([one!.is_read, (await ann.countUnreadNotifications()).unread], [false, 1]);
  assert.equal(await ann.readNotifications({ body: { ids: [one!.id] } }), { unread: 0 });
  assert.is((await ann.listNotifications())[0]!.is_read, true);
  assert.is((await sql`select 1 from notification_reads where admin_id = ${amy.id}`).length, 0);
});

test('all are read up to the newest that was listed, and nobody reads those of another tenant', async () => {
  for (const person of ['ann', 'ben'] as const) await set(person, 'large_redeem', { threshold: 1 });
  await look();
  const [newest] = await ann.listNotifications();
  const [theirs] = await ben.listNotifications();
  await ben.readNotifications({ body: { ids: [newest!.id], up_to: newest!.id } });
  assert.is((await ann.countUnreadNotifications()).unread, 1);
  assert.equal(await ann.readNotifications({ body: { up_to: Math.max(newest!.id, theirs!.id) } }), { unread: 0 });
  assert.is((await ben.countUnreadNotifications()).unread, 1);
});

test('the digest of yesterday is written once, at its hour in the time zone of the tenant', async () => {
  const zone = zoneAt(new Date().getUTCHours() < 12 ? 18 : 6); // never that of UTC, never near midnight
  const [now] = await sql<{ hour: number; day: string }[]>`
    select extract(hour from now() at time zone ${zone})::int as hour,
      ((now() at time zone ${zone})::date - 1)::text as day`;
  await sql`update tenants set time_zone = ${zone} where id = 2`;
  const completed_at = await at(zone, `${now!.day} 12:00`);
  const before = { completed_at: await at(zone, `${addDays(now!.day, -7)} 12:00`) };
  for (const amount of ['1000.04', '0.02', '0.02', '0.02', '0.02'])
    await topUp(pam, amount, 'success', { completed_at });
  await countAll();
  await redeem(pam, '400.05', 'success', { completed_at });
  await topUp(pam, '10', 'success', before);
  await redeem(pam, '30', 'success', before);
  await set('ann', 'digest', { threshold: (now!.hour + 1) % 24 });
  await look();
  assert.equal(await seenBy('ann', 'digest'), []);
  await set('ann', 'digest', { threshold: now!.hour });
  await look();
  await look();
  assert.equal(await seenBy('ann', 'digest'), [`Acme on ${now!.day}: GGR $600.07`]);
  const [digest] = await ann.listNotifications();
  assert.equal(digest!.detail.split('\n'), [
    'GGR $600.07; a week before -$20.00',
    'Purchases $1,000.12 in 5, on average $200.02',
    'Redeems $400.05 in 1',
    '0 new players, 0 first purchases',
    'Pending now $230.00 in 2, the oldest for 0 hours',
    '0 notifications yesterday',
  ]);
  assert.equal(await seenBy('ben'), []);
});

test('what is older than 90 days is deleted with its marks', async () => {
  await set('ann', 'large_redeem', { threshold: 1 });
  await look();
  await ann.readNotifications({ body: { up_to: 1_000 } });
  await sql`update notifications set at = now() - interval '91 days'`;
  await sweepNotifications(sql);
  const [left] = await sql<{ count: number }[]>`
    select (select count(*) from notifications) + (select count(*) from notification_reads) as count`;
  assert.is(left!.count, 0);
});

test.run();
