/** What one tenant has, does or cannot do leaves the notifications of all others as they are. */
import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DELIVERIES_AN_HOUR, type RuleKind } from '../../../src/contract/notifications';
import { deliverDue } from '../../../src/server/notifications/deliver';
import { isRefused, table } from '../../answers';
import { ann, sue } from '../../callers';
import { as, db, isSpread, type Person, pam, pastTriggers, pat, reset, services, sql } from '../../world';
import { collectPlans } from '../queries/collectPlans';
import { look, setRule, seenBy as titles } from './bell';
import { startHangingServer, startWebServer } from './receivers';

const web = await startWebServer();
test.after(() => web.close());
test.before.each(async () => {
  await reset();
  services.outgoing = { hasEmail: true, mayBeOwn: true };
  web.received.length = 0;
});

const deliver = (isStopped?: () => boolean) => deliverDue({ db, secrets: services.secrets, mayBeOwn: true }, isStopped);
const add = async (person: Person, target: string) =>
  (await as(person)).addNotificationChannel({ body: { kind: 'webhook', target } });
/** So many tests of a channel that are due. */
const due = (tenant: number, channel: number, count: number, createdAgo = '0 s') => sql`
  insert into notification_deliveries (tenant_id, channel_id, created_at, next_at, give_up_at)
  select ${tenant}, ${channel}, now() - ${createdAgo}::interval, now() - interval '1 minute', now() + interval '1 day'
  from generate_series(1, ${count}::int)`;
const set = (person: Person, kind: RuleKind, threshold: number) => setRule(person, kind, { threshold });
const deliveries = async () => ann.listNotificationDeliveries();

test('a host that never answers delays nobody but its own tenant, which has four tries at once', async () => {
  const slow = await startHangingServer();
  try {
    const [hers, his] = [await add('ann', `${slow.url}/hook`), await add('ben', `${web.url}/hook`)];
    await due(2, hers.id, 30);
    const all = deliver();
    while (slow.state.count < 4) await setTimeout(10);
    await due(3, his.id, 3);
    const began = Date.now();
    while (web.received.length < 3) {
      assert.ok(Date.now() - began < 8_000, 'the other tenant waits');
      await setTimeout(20);
    }
    assert.equal([slow.state.count, slow.state.most], [4, 4]);
    slow.release();
    assert.is(await all, 33);
    assert.ok((await deliveries()).every(({ status, attempts }) => status === 'sent' && attempts === 1));
  } finally {
    slow.close();
  }
});

test('a server that stops begins no further try', async () => {
  const { id } = await add('ann', `${web.url}/hook`);
  await due(2, id, 1);
  assert.is(await deliver(() => true), 0);
  assert.is(await deliver(), 1);
});

test('a person sends twenty deliveries again in ten minutes, and a tenant sixty in an hour', async () => {
  const { id: channel } = await add('ann', `${web.url}/hook`);
  await due(2, channel, 1);
  const [delivery] = await deliveries();
  const { id } = delivery!;
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 20; n++) await ann.resendNotification({ id });
    const words = 'Only 20 deliveries are sent again in 10 minutes. Try again later.';
    await isRefused(ann.resendNotification({ id }), 429, words);
    await sql`delete from rate_limits where key like 'resend:%'`;
  }
  const words = 'Only 60 deliveries are sent again in an hour. Try again later.';
  for (const api of [ann, sue]) await isRefused(api.resendNotification({ id }), 429, words);
});

test('what is over the limit of an hour has failed and says why, and can be sent again', async () => {
  const { id } = await add('ann', `${web.url}/one`);
  await add('ann', `${web.url}/two`);
  const reason = `Not sent: more than ${DELIVERIES_AN_HOUR} deliveries of this rule in an hour`;
  await due(2, id, 40, '61 minutes'); // these count no more
  await due(2, id, DELIVERIES_AN_HOUR - 1);
  const [{ id: notice } = { id: 0 }] = await sql<{ id: number }[]>`
    insert into notifications (tenant_id, kind, title) values (2, 'large_redeem', 'Earlier') returning id`;
  await sql`update notification_deliveries set notification_id = ${notice}`;
  await set('ann', 'large_redeem', 1);
  await look();
  const failed = ['failed', reason],
    waits = ['waiting', null];
  const newest = async () => table((await deliveries()).slice(0, 2), 'status', 'answer');
  assert.equal(await newest(), [failed, waits]);
  await sql`delete from notification_things`;
  await look();
  assert.equal(await newest(), [failed, failed]);
  await set('ann', 'pending_money', 1);
  await look();
  assert.equal(await newest(), [waits, waits], 'another rule is not silenced');
  await sql`
    delete from notification_deliveries
    where notification_id in (select id from notifications where kind = 'pending_money')`;
  assert.is((await titles('ann', 'large_redeem')).length, 3, 'both are under the bell');
  const [last] = await deliveries();
  await ann.resendNotification({ id: last!.id });
  await sql`delete from notification_deliveries where status = 'waiting' and notification_id = ${notice}`;
  assert.is(await deliver(), 2);
  await sql`delete from notification_things`;
  await look();
  assert.equal(await newest(), [waits, waits], 'those that were too many do not count');
});

/** On Citus a plan has those of the shards in it, and most of them are empty. */
const onOneNode = isSpread ? test.skip : test;

onOneNode('what is due is found by the index of each tenant', async () => {
  const { id } = await add('ann', `${web.url}/hook`);
  await set('ann', 'large_redeem', 1);
  await look();
  await due(2, id, 3000, '2 hours');
  await sql`
    update notification_deliveries set status = 'sent', notification_id = (select max(id) from notifications)
    where created_at < now() - interval '1 hour' and id % 1000 > 0`;
  await sql`analyze notification_deliveries, notifications`;
  const plans = await collectPlans(/as place from/, deliver);
  assert.match(plans, /notification_deliveries_due/);
  await sql`delete from notification_things`;
  assert.match(await collectPlans(/count\(\*\)::int as count/, look), /notification_deliveries_recent/);
});

/** Rows that wait, of Pam. They are no money: nothing of them is in a wallet. */
const waiting = (count: number, hours: number) =>
  pastTriggers(['redeems'], async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`
      insert into redeems (tenant_id, player_id, platform, amount, business_day, initiated_at)
      select 2, ${pam.id}, 'yolo', 1, current_date,
        now() - make_interval(hours => ${hours}) - make_interval(secs => n / 100.0)
      from generate_series(1, ${count}::int) n`;
  });

test('a tenant with very many redeems that wait too long rings for the next one, and for everybody else', async () => {
  await waiting(8000, 25);
  await sql`
    insert into notification_things (tenant_id, kind, dedup_key)
    select 2, 'old_redeem', 'redeem ' || id from redeems where tenant_id = 2 and id <> ${pam.redeem}`;
  await sql`update redeems set initiated_at = now() - interval '24.5 hours' where id in (${pam.redeem}, ${pat.redeem})`;
  await look();
  assert.equal(await titles('ann', 'old_redeem'), [`Redeem ${pam.redeem} of $150.00 waits for 24 hours`]);
  assert.equal(await titles('ben', 'old_redeem'), [`Redeem ${pat.redeem} of $150.00 waits for 24 hours`]);
});

onOneNode('no rule about money reads more rows of a tenant than its bound', async () => {
  await waiting(12_000, 25);
  await waiting(12_000, 0);
  await sql`analyze redeems`;
  for (const kind of ['large_redeem', 'old_redeem', 'pending_money'] as const) await set('ann', kind, 1);
  const plans = await collectPlans(/ from redeems\s/, look);
  assert.not.match(plans, /Seq Scan on redeems/);
  assert.ok((plans.match(/->\s+Limit/g) ?? []).length >= 5, plans);
});

test('tenants with different hours are each told of what waits longer than theirs', async () => {
  await set('ben', 'old_redeem', 48);
  await sql`update redeems set initiated_at = now() - interval '30 hours' where id in (${pam.redeem}, ${pat.redeem})`;
  await look();
  assert.equal((await titles('ann', 'old_redeem')).length, 1);
  assert.equal(await titles('ben', 'old_redeem'), []);
  await sql`update redeems set initiated_at = now() - interval '49 hours' where id = ${pat.redeem}`;
  await look();
  assert.equal((await titles('ben', 'old_redeem')).length, 1);
});

test('a sum of very many pending rows says that there is more', async () => {
  await waiting(50_001, 0);
  await set('ann', 'pending_money', 100);
  await look();
  assert.equal(await titles('ann', 'pending_money'), ['More than $50,229.00 is pending']);
});

test.run();
