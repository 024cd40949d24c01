/** What a tenant's own systems are told: written with the change, numbered when it can be seen, sent in order. */
import { Webhook } from 'standardwebhooks';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Scope } from '../../../src/contract/integrations';
import type { Sql } from '../../../src/server/db/open';
import { deliverDue } from '../../../src/server/notifications/deliver';
import { publishEvents, sweepEvents } from '../../../src/server/notifications/publishEvents';
import { isRefused, pluck, table } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { newKey, withKey } from '../../integrations';
import { addPlayer } from '../../seed';
import { db, openAnother, type Person, pam, pat, people, refusal, refused, reset, services, sql } from '../../world';
import { startWebServer } from './receivers';

const web = await startWebServer();
test.after(() => web.close());
test.before.each(async () => {
  await reset();
  services.outgoing = { hasEmail: false, mayBeOwn: true };
  for (const list of [web.received, web.answers]) list.length = 0;
});

const success = { status: 'success' } as const;
const listen = async (path = '/events', with_addresses = false) =>
  ann.addNotificationChannel({ body: { kind: 'events', target: web.url + path, with_addresses } });
const deliver = () => deliverDue({ db, secrets: services.secrets, mayBeOwn: true });
const send = async () => {
  await publishEvents(db);
  return deliver();
};
const later = () => sql`
  update notification_deliveries set next_at = now() where status = 'waiting' and next_at < 'infinity'`;
const rename = (name: string, id: number = pam.id, on: Sql = sql) =>
  on`update players set first_name = ${name} where tenant_id = 2 and id = ${id}`;
const types = () => web.received.map(({ body }) => JSON.parse(body).type);
const keyOf = async (person: Person, scope: Scope) => withKey((await newKey(person, [scope])).key);
const reader = () => keyOf('ann', 'events:read');

test('nothing is kept while nobody wants to know', async () => {
  await ann.changePurchaseStatus({ id: pam.purchase, body: success });
  assert.equal(await sql`select 1 from event_outbox`, []);
});

test('what staff and players do is told once, by its kind, with amounts and without secrets', async () => {
  await listen();
  await ann.createPlayer({ body: { email: 'new@mail.test', password: 'a-secret-of-hers', first_name: 'Nia' } });
  await ann.updatePlayer({ id: pam.id, body: { first_name: 'Pamela' } });
  await ann.changePurchaseStatus({ id: pam.purchase, body: success });
  await ann.holdPayouts({ id: pam.id, body: { is_held: true, note: 'odd' } });
  await ann.holdPayouts({ id: pam.id, body: { is_held: false } });
  await ann.changeRedeemStatus({ id: pam.redeem, body: success });
  await ben.changePurchaseStatus({ id: pat.purchase, body: success });
  await send();
  const told = 'player.created player.updated purchase.settled hold.set hold.lifted redeem.settled';
  assert.is(types().join(' '), told);
  const { id, status, amount, player } = JSON.parse(web.received[2]!.body).data;
  assert.equal([id, status, amount], [pam.purchase, 'success', 80]);
  assert.equal(player, { id: pam.id, email: pam.email, external_id: null });
  const all = web.received.map(({ body }) => body).join();
  assert.not.match(all, /secret|password|payout_address|odd/);
  assert.ok(web.received.every(({ body }) => body.length < 20_000));
});

test('what is undone was never told', async () => {
  await listen();
  const undone = db.tx(async (tx) => {
    await rename('Nobody', pam.id, tx);
    throw new Error('undone');
  });
  await undone.catch(() => undefined);
  assert.is(await send(), 0);
});

test('payout addresses are for those who may know them', async () => {
  await listen('/with', true);
  await listen('/without');
  const redeem = { platform: 'vblink', amount: '100', payment_reference: 'r-1', payout_address: 'bc1-secret' };
  await (await keyOf('ann', 'transactions:write')).pushRedeem({ body: { email: pam.email, ...redeem } });
  await send();
  const told = Object.fromEntries(web.received.map(({ path, body }) => [path, JSON.parse(body).data.payout_address]));
  assert.equal(told, { '/with': 'bc1-secret', '/without': undefined });
  const { events } = await (await reader()).readEvents({});
  assert.equal(pluck(events, 'type'), ['redeem.created']);
  assert.not.ok('payout_address' in events[0]!.data);
});

test('the feed skips nothing, however long a transaction takes that began first', async () => {
  const api = await reader();
  const [one, two] = [await openAnother(), await openAnother()];
  const renameOn = (on: typeof db, name: string, id: number, before = async () => {}) =>
    on.tx(async (tx) => {
      await rename(name, id, tx);
      await before();
    });
  const other = await addPlayer(2, { email: 'other@mail.test', credit: '1' });
  await publishEvents(db);
  let { next } = await api.readEvents({});
  const seen: unknown[] = [];
  const read = async () => {
    await publishEvents(db);
    const page = await api.readEvents({ ...(next !== null && { after: next }), limit: 1 });
    next = page.next;
    seen.push(...page.events.map(({ data }) => data['first_name']));
  };
  await renameOn(one, 'slow', pam.id, async () => {
    await renameOn(two, 'quick', other.id);
    await read();
    assert.equal(seen, ['quick']);
  });
  await read();
  await read();
  assert.equal(seen, ['quick', 'slow']);
  await Promise.all([one.close(), two.close()]);
});

test('the events of a player wait for each other, those of others do not', async () => {
  const other = await addPlayer(2, { email: 'other@mail.test', credit: '1' });
  await listen();
  await rename('one');
  await rename('two');
  await rename('three', other.id);
  web.answers.push(503, 503);
  await send();
  const names = () => web.received.map(({ body }) => JSON.parse(body).data.first_name);
  assert.is(names().includes('two'), false);
  assert.ok(names().includes('three'));
  const first = web.received.find(({ body }) => JSON.parse(body).data.first_name === 'one');
  web.received.length = 0;
  await later();
  await deliver();
  const again = web.received.find(({ body }) => JSON.parse(body).data.first_name === 'one');
  assert.is(again?.headers['webhook-id'], first!.headers['webhook-id'], 'the same at each try');
  const hers = names().filter((name) => name !== 'three');
  assert.equal(hers, ['one', 'two']);
});

test('a published library verifies what is sent, with the new secret and for a day with the old one', async () => {
  const { id, secret } = await listen();
  const verify = (by: string | null) => {
    const { headers, body } = web.received.at(-1)!;
    return new Webhook(by!).verify(body, headers as Record<string, string>);
  };
  await rename('one');
  await send();
  assert.is((verify(secret) as { type: string }).type, 'player.updated');
  assert.throws(() => verify(`whsec_${Buffer.from('another').toString('base64')}`));
  const renewed = await ann.renewChannelSecret({ id });
  await rename('two');
  await send();
  for (const by of [secret, renewed.secret]) verify(by);
});

test('a receiver that is gone is asked no more, until somebody switches it on', async () => {
  const { id } = await listen();
  await rename('one');
  await rename('two');
  web.answers.push(410);
  await send();
  assert.is(web.received.length, 1);
  assert.is((await ann.listNotificationChannels())[0]!.is_active, false);
  await rename('three');
  assert.is(await send(), 0);
  await ann.switchNotificationChannel({ id, body: { is_active: true } });
  await rename('four');
  await send();
  assert.is(JSON.parse(web.received[1]!.body).data.first_name, 'four');
});

test('what is old goes, and numbers are never given twice', async () => {
  const api = await reader();
  await rename('one');
  await publishEvents(db);
  const { next } = await api.readEvents({});
  await sql`update events set at = now() - interval '31 days'`;
  await sweepEvents(sql);
  assert.equal((await api.readEvents({})).events, []);
  await rename('two');
  await publishEvents(db);
  const page = await api.readEvents({ after: next! });
  assert.is(page.events.map(({ data }) => data['first_name']).join(), 'two');
});

test('whoever may make no file of players, or pay nobody, makes no channel that would tell it', async () => {
  const add = (with_addresses: boolean) =>
    refusal(ann.addNotificationChannel({ body: { kind: 'events', target: web.url, with_addresses } }));
  const words = (name: string) => ({ status: 403, detail: `You need the permission ${name} for this` });
  await sql`update admins set permissions = '{settings}' where id = ${people.ann.id}`;
  assert.equal(await add(false), words('Export'));
  await sql`update admins set permissions = '{settings,export}' where id = ${people.ann.id}`;
  assert.equal(await add(true), words('Payouts'));
});

test('a key reads the events of its tenant alone, and needs the scope', async () => {
  const [api, other] = [await reader(), await keyOf('ben', 'events:read')];
  await sql`update players set first_name = 'x' where id = ${pat.id}`;
  await publishEvents(db);
  assert.equal((await api.readEvents({})).events, []);
  assert.is((await other.readEvents({})).events.length, 1);
  assert.is(await refused((await keyOf('ann', 'transactions:write')).readEvents({})), 403);
  const ofNone = sue.addNotificationChannel({ body: { kind: 'events', target: web.url } });
  await isRefused(ofNone, 400, 'Events are of a tenant: choose one first');
});

test('a robot takes a deposit, does it, or gives it back with a reason that staff see', async () => {
  const robot = await keyOf('ann', 'work');
  const shop = await keyOf('ann', 'transactions:write');
  const push = (payment_reference: string) =>
    shop.pushDeposit({ body: { email: pam.email, amount: '20', platform: 'vblink', payment_reference } });
  const [first, second] = [await push('d-1'), await push('d-2')];
  const waiting = await robot.listWork({ platform: 'vblink' });
  const both = [first, second].map(({ id }) => [id, 'DEPOSIT', 20, pam.email, null, null]);
  assert.equal(table(waiting, 'id', 'type', 'amount', 'email', 'username', 'claimed_by'), both);
  await sql`
    insert into tenant_platforms (tenant_id, platform_id, is_active)
    select 2, id, true from platforms where name = 'vblink'`;
  await robot.pushLogin({ body: { email: pam.email, platform: 'vblink', username: 'pam77' } });
  assert.is((await robot.listWork({}))[0]!.username, 'pam77');
  await robot.pushClaim({ body: { id: first.id } });
  assert.is((await robot.listWork({}))[0]!.claimed_by, 'Shop');
  await robot.pushStatus({ id: first.id, body: success });
  await robot.pushClaim({ body: { id: second.id } });
  assert.is(await refused(robot.releaseWork({ id: second.id, body: {} })), 422);
  await robot.releaseWork({ id: second.id, body: { note: 'the panel does not know her' } });
  assert.is(await refused(robot.releaseWork({ id: second.id, body: { note: 'again' } })), 404);
  assert.equal(table(await robot.listWork({}), 'id', 'claimed_by'), [[second.id, null]]);
  const notes = async () => (await sql<{ note: string }[]>`select note from remarks where line_id = ${second.id}`)[0];
  assert.is((await notes())?.note, 'the panel does not know her');
  await ann.claimRow({ body: { id: second.id } });
  assert.is(await refused(robot.pushStatus({ id: second.id, body: success })), 409);
  await ann.changePurchaseStatus({ id: second.id, body: { ...success, note: 'typed by hand' } });
  assert.is((await notes())?.note, 'typed by hand', 'whoever decides has the last word');
});

test('a robot decides no purchase, no redeem, and nothing of another tenant', async () => {
  const [robot, other] = [await keyOf('ann', 'work'), await keyOf('ben', 'work')];
  for (const id of [pam.purchase, pam.redeem]) {
    assert.is(await refused(robot.pushClaim({ body: { id } })), 403);
    assert.is(await refused(robot.pushStatus({ id, body: success })), 403);
    assert.is(await refused(robot.readTransaction({ id })), 403);
    assert.is(await refused(other.pushStatus({ id, body: success })), 404);
  }
});

test.run();
