/** Where notifications go: webhooks, chats and e-mail, at least once, and nowhere they must not go. */
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChannelKind } from '../../../src/contract/notifications';
import { secretContext } from '../../../src/server/auth/secrets';
import { deliverDue } from '../../../src/server/notifications/deliver';
import { createMailer } from '../../../src/server/notifications/email';
import { isRefused, pluck, table } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { redeem, topUp } from '../../seed';
import { as, db, type Person, pam, people, refusal, refused, reset, services, sql } from '../../world';
import { look, setRule } from './bell';
import { startMailServer, startWebServer } from './receivers';

const web = await startWebServer();
const mail = await startMailServer();
test.after(() => {
  web.close();
  mail.close();
});
test.before.each(async () => {
  await reset();
  services.outgoing = { hasEmail: true, mayBeOwn: true };
  mail.state.refuse = false;
  for (const list of [web.received, web.answers, mail.mails, mail.recipients]) list.length = 0;
});

const deliver = (mayBeOwn = true, appUrl?: string) => {
  const sendEmail = createMailer(mail.url, 'Back-office <alerts@office.test>');
  return deliverDue({ db, secrets: services.secrets, sendEmail, appUrl, mayBeOwn });
};
/** Of an e-mail address the last mail has the code. */
const readCode = () => /The code is (\d{8})\./.exec(mail.mails.at(-1)!.replaceAll('=\r\n', ''))![1]!;
async function add(kind: ChannelKind, target: string, person: Person = 'ann') {
  const api = await as(person),
    made = await api.addNotificationChannel({ body: { kind, target } });
  if (kind !== 'email') return made;
  await deliver();
  await api.confirmNotificationChannel({ id: made.id, body: { code: readCode() } });
  await sql`delete from notification_deliveries`;
  mail.mails.length = mail.recipients.length = 0;
  return made;
}
/** The rule fires for a redeem of more than $1 of Acme. */
async function fire(): Promise<void> {
  await ann.saveNotificationRule({ body: { kind: 'large_redeem', is_active: true, threshold: 1 } });
  await look();
}
const deliveries = async (person: Person = 'ann') => (await as(person)).listNotificationDeliveries();
/** The digest is due at this hour. */
const digestNow = () =>
  ann.saveNotificationRule({ body: { kind: 'digest', is_active: true, threshold: new Date().getUTCHours() } });
/** Waits are over. */
const later = () => sql`update notification_deliveries set next_at = now() where status = 'waiting'`;

test('a webhook is signed over time and body with a secret that is shown once [ASVS 4.1.5]', async () => {
  const { secret, target } = await add('webhook', `${web.url}/hook?key=1`);
  assert.is(target, new URL(web.url).host);
  await fire();
  await deliver();
  assert.is(web.received.length, 1);
  const [{ path, headers, body }] = web.received as [(typeof web.received)[number]];
  assert.is(path, '/hook?key=1');
  new Webhook(secret!).verify(body, headers as Record<string, string>);
  const sent = JSON.parse(body);
  const facts = [sent.kind, sent.tenant_id, sent.about_tenant_id, sent.object_id, sent.title];
  assert.equal(facts, ['large_redeem', 2, 2, String(pam.redeem), `Redeem ${pam.redeem} is $150.00`]);
  assert.is(headers['webhook-id'], String(sent.id));
  const text = JSON.stringify(await ann.listNotificationChannels()) + JSON.stringify(await deliveries());
  assert.not.ok(text.includes(secret!) || text.includes('key=1'));
  const [row] = await sql<{ secret: string }[]>`select secret from notification_channels`;
  assert.not.ok(row!.secret.includes(secret!) || row!.secret.includes('127.0.0.1'), 'encrypted where it is stored');
});

test('a channel of before has its old signature until a day after it gets a new secret', async () => {
  const { id } = await add('webhook', `${web.url}/hook`);
  const kept = JSON.stringify({ target: `${web.url}/hook`, key: 'of before' });
  const sealed = services.secrets.encrypt(kept, secretContext.notificationChannel(2, id));
  await sql`update notification_channels set secret = ${sealed}`;
  const api = await as('ann');
  const sent = async () => {
    await api.testNotificationChannel({ id });
    await deliver();
    return web.received.at(-1)!;
  };
  const isOld = ({ headers, body }: Awaited<ReturnType<typeof sent>>) => {
    const [, time = '', mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-signature'])) ?? [];
    return mac === createHmac('sha256', 'of before').update(`${time}.${body}`).digest('hex');
  };
  const before = await sent();
  assert.equal([isOld(before), before.headers['webhook-signature']], [true, undefined]);
  const { secret } = await api.renewChannelSecret({ id });
  const both = await sent();
  assert.ok(isOld(both));
  new Webhook(secret).verify(both.body, both.headers as Record<string, string>);
});

test('a chat gets one text, in which nothing is markup', async () => {
  await add('chat', `${web.url}/chat`);
  await sql`update tenants set name = '<!channel> & Co' where id = 2`;
  await digestNow();
  await look();
  await deliver();
  const sent = JSON.parse(web.received[0]!.body);
  assert.equal(Object.keys(sent), ['text']);
  assert.match(sent.text, /^\u2060‹!channel› ＆ Co on /);
  assert.is(sent.text.split('\n').length, 7);
});

test('an e-mail has the lines as text, and the digest a picture that every mail program shows', async () => {
  await add('email', 'boss@acme.test');
  const completed_at = new Date(Date.now() - 86_400_000);
  await topUp(pam, '1000', 'success', { completed_at });
  await redeem(pam, '250', 'success', { completed_at });
  await digestNow();
  await look();
  await deliver();
  assert.equal(mail.recipients, ['boss@acme.test']);
  const [text = ''] = mail.mails;
  const plain = text.replaceAll('=\r\n', '').replaceAll('\r', '').replaceAll('=3D', '=');
  assert.match(plain, /^From: "?Back-office"? <alerts@office\.test>$/m);
  assert.match(plain, /^Subject: Acme on \d{4}-\d\d-\d\d: GGR \$750\.00$/m);
  assert.match(plain, /^Content-Type: text\/plain/m);
  assert.match(plain, /GGR \$750\.00; a week before \$0\.00/);
  const widths = [...plain.matchAll(/<td width="(\d+)"/g)].map(([, width]) => Number(width));
  assert.equal(widths, [260, 65], 'the longest bar is as wide as the picture, and a quarter is a quarter of it');
  assert.equal(table(await deliveries(), 'status', 'attempts'), [['sent', 1]]);
});

test('e-mails and chats lead to what they are about, if the address of the app is set', async () => {
  await add('chat', `${web.url}/chat`);
  await add('email', 'boss@acme.test');
  await add('chat', `${web.url}/platform`, 'sue');
  await fire();
  for (const kind of ['ledger_off', 'frozen_balance', 'old_backup'])
    await sql`
      with made as (insert into notifications (tenant_id, kind, about_tenant_id, title) values (1, ${kind}, 2, 'x')
        returning tenant_id, id)
      insert into notification_deliveries (tenant_id, notification_id, channel_id, give_up_at)
      select m.tenant_id, m.id, c.id, now() + interval '1 day'
      from made m join notification_channels c using (tenant_id)`;
  await deliver(true, 'https://office.test/admin/');
  const links = web.received.map(({ body }) => JSON.parse(body).text.split('\n').at(-1)).sort();
  assert.equal(links, [
    'https://office.test/admin/',
    `https://office.test/admin/?tab=redeems&text=${pam.redeem}`,
    'https://office.test/admin/tenant/2/admin?tool=Books',
    'https://office.test/admin/tenant/2/admin?tool=Notifications',
  ]);
  const plain = mail.mails[0]!.replaceAll('=\r\n', '').replaceAll('\r', '').replaceAll('=3D', '=');
  assert.ok(plain.includes(`\nhttps://office.test/admin/?tab=redeems&text=${pam.redeem}\n`));
  assert.ok(plain.includes(`<a href="https://office.test/admin/?tab=redeems&amp;text=${pam.redeem}">`));
  for (const list of [web.received, mail.mails]) list.length = 0;
  await sql`update notification_deliveries set status = 'waiting', next_at = now()`;
  await deliver();
  assert.not.match(web.received.map(({ body }) => body).join() + mail.mails.join(), /office\.test\/|href/);
});

test('a person tests channels five times in ten minutes, and a tenant twenty times in an hour', async () => {
  const { id } = await add('webhook', `${web.url}/hook`);
  for (let n = 0; n < 5; n++) await ann.testNotificationChannel({ id });
  const perPerson = 'Only 5 tests of channels in 10 minutes. Try again later.';
  await isRefused(ann.testNotificationChannel({ id }), 429, perPerson);
  await sue.testNotificationChannel({ id });
  assert.is((await deliveries()).length, 6, 'a test that is refused is not sent');
  await sql`delete from rate_limits where key like 'channel-test:%'`;
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 5 && round < 2; n++) await ann.testNotificationChannel({ id });
    await sql`delete from rate_limits where key like 'channel-test:%'`;
  }
  for (let n = 0; n < 4; n++) await sue.testNotificationChannel({ id });
  const perTenant = 'Only 20 tests of channels in an hour. Try again later.';
  await isRefused(sue.testNotificationChannel({ id }), 429, perTenant);
});

test('what fails is tried again, later and later, and given up after a day', async () => {
  await add('webhook', `${web.url}/hook`);
  await fire();
  web.answers.push(500, { status: 302, location: `${web.url}/elsewhere` }, 200);
  await deliver();
  const [first] = await deliveries();
  assert.equal([first!.status, first!.attempts, first!.answer], ['waiting', 1, 'Answered 500']);
  const wait = Date.parse(first!.next_at!) - Date.now();
  assert.ok(wait > 20_000 && wait < 40_000, String(wait));
  assert.is(await deliver(), 0, 'not before it is due');
  await later();
  await deliver();
  const [second] = await deliveries();
  assert.equal([second!.status, second!.answer], ['waiting', 'Answered 302']);
  assert.ok(Date.parse(second!.next_at!) - Date.now() > 50_000);
  await later();
  await deliver();
  assert.equal(table(await deliveries(), 'status', 'attempts'), [['sent', 3]]);
  const ids = web.received.map(({ headers }) => headers['x-delivery-id']);
  assert.is(new Set(ids).size, 1, 'a receiver can tell that it is the same');
  const others = web.received.filter(({ path }) => path !== '/hook');
  assert.equal(others, [], 'a redirect is not followed');
});

test('after a day it has failed, and a person can send it again', async () => {
  await add('webhook', `${web.url}/hook`);
  await fire();
  await sql`update notification_deliveries set give_up_at = now() + interval '1 second'`;
  web.answers.push(503);
  await deliver();
  const [failed] = await deliveries();
  assert.equal([failed!.status, failed!.next_at], ['failed', null]);
  await later();
  assert.is(await deliver(), 0);
  await ann.resendNotification({ id: failed!.id });
  await deliver();
  assert.is((await deliveries())[0]!.status, 'sent');
});

test('a delivery that a dying server took is sent by another one, and never by two at once', async () => {
  await add('webhook', `${web.url}/hook`);
  await fire();
  assert.equal((await Promise.all([deliver(), deliver(), deliver()])).sort(), [0, 0, 1]);
  // taken, and never told how it went
  await sql`update notification_deliveries set status = 'waiting', next_at = now() + interval '119 seconds'`;
  assert.is(await deliver(), 0);
  await later();
  assert.is(await deliver(), 1);
});

test("an address that nobody asked gets one mail, in which no word is an admin's", async () => {
  const victim = { kind: 'email', target: 'victim@elsewhere.test' } as const;
  const { id, is_confirmed } = await ann.addNotificationChannel({ body: victim });
  assert.is(is_confirmed, false);
  await fire();
  await deliver();
  assert.is(mail.mails.length, 1);
  assert.match(mail.mails[0]!, /Subject: Your code for notifications/);
  assert.not.match(mail.mails[0]!, /acme|Redeem/i);
  const states = (await deliveries()).map(({ status, answer }) => [status, answer]);
  assert.equal(states[0], ['waiting', 'The address has not answered its code']);
  const wrong = (n: number) => ann.confirmNotificationChannel({ id, body: { code: String(10_000_000 + n) } });
  for (let n = 0; n < 4; n++) assert.is(await refused(wrong(n)), 400);
  assert.is(await refused(ann.confirmNotificationChannel({ id, body: { code: readCode() } })), 429, 'no more guesses');
  await sql`delete from rate_limits`;
  await ann.confirmNotificationChannel({ id, body: { code: readCode() } });
  assert.is((await ann.listNotificationChannels({}))[0]!.is_confirmed, true);
  await ann.testNotificationChannel({ id });
  await deliver();
  assert.match(mail.mails[1]!, /Subject: This is a test/);
});

test('neither comments, literals, links nor variants of letters are an e-mail address', async () => {
  const link = '[Your-account-is-locked,sign-in-here](https://evil.example/x)@acme.test';
  for (const target of [link, '(c)a@b.test', 'a@b.test(c)', 'a@[127.0.0.1]', 'ａ@b.test', 'a@local', 'a..b@c.test']) {
    assert.is(await refused(ann.addNotificationChannel({ body: { kind: 'email', target } })), 422, target);
    const made = { email: target, password: 'a long secret', tenant_id: 2 };
    assert.is(await refused(sue.createAdmin({ body: { ...made, role_id: 2 } })), 422, target);
    assert.is(await refused(sue.createPlayer({ body: made })), 422, target);
    assert.is(await refused(sue.updateAdmin({ id: people.ann.id, body: { email: target } })), 422, target);
    assert.is(await refused(sue.updatePlayer({ id: pam.id, body: { email: target } })), 422, target);
  }
  await sql`update players set email = 'p@b' where id = ${pam.id}`;
  await sue.updatePlayer({ id: pam.id, body: { email: 'p@b', first_name: 'Pamela' } });
  await sql`update admins set email = 'ann@localhost' where id = ${people.ann.id}`;
  await sue.updateAdmin({ id: people.ann.id, body: { email: 'ann@localhost' } });
});

test('a mail server that refuses is asked again', async () => {
  await add('email', 'boss@acme.test');
  await fire();
  mail.state.refuse = true;
  await deliver();
  assert.is((await deliveries())[0]!.answer, 'The mail server refused it (451)', 'not in its own words');
  mail.state.refuse = false;
  await later();
  await deliver();
  assert.is((await deliveries())[0]!.status, 'sent');
});

test('addresses of the own network, of the host and of clouds are refused when stored, and when called', async () => {
  services.outgoing = { hasEmail: false, mayBeOwn: false };
  const hosts = [
    ...['127.0.0.1', '169.254.169.254', '10.0.0.1', '192.168.1.1', '[::1]', '[::ffff:10.0.0.1]', '[::10.0.0.1]'],
    ...['[64:ff9b::10.0.0.1]', '[64:ff9b::a00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::172.16.0.1]'],
    ...['[64:ff9b::192.168.1.1]', '[64:ff9b::100.64.0.1]', '[64:ff9b::169.254.169.254]', '[64:ff9b:1::10.0.0.1]'],
    ...['[2002:a00:1::1]', '[::ffff:0:10.0.0.1]', 'localhost', 'db.internal', 'user:word@example.com'],
  ];
  const others = [web.url, 'http://example.com/', 'ftp://example.com/', 'no address'];
  for (const target of [...others, ...hosts.map((host) => `https://${host}/x`)])
    for (const kind of ['webhook', 'chat'] as const) assert.is(await refused(add(kind, target)), 422, target);
  assert.is((await refusal(add('email', 'nobody'))).detail, 'body.target: expected an email address');

  services.outgoing = { hasEmail: false, mayBeOwn: true };
  await add('webhook', `${web.url}/hook`);
  await add('webhook', web.url.replace('127.0.0.1', 'localhost')); // a name that leads to this machine
  await add('webhook', 'https://[64:ff9b::10.0.0.1]/');
  await fire();
  await deliver(false);
  const failed = ['failed', 'The address of this channel is not allowed'];
  assert.equal(table(await deliveries(), 'status', 'answer'), Array(3).fill(failed));
  assert.is(web.received.length, 0);
});

test('metadata addresses are refused even where the own network is allowed [ASVS 1.3.6]', async () => {
  for (const target of ['https://169.254.169.254/', 'https://100.100.100.200/', 'https://[fd00:ec2::254]/'])
    assert.is(await refused(add('webhook', target)), 422, target);
});

test('a rule is sent to its channels alone; a channel that is removed takes its deliveries with it', async () => {
  const [one, two] = [await add('webhook', `${web.url}/one`), await add('webhook', `${web.url}/two`)];
  await setRule('ann', 'large_redeem', { threshold: 1, channel_ids: [two.id] });
  await look();
  await deliver();
  assert.equal(pluck(web.received, 'path'), ['/two']);
  await ann.testNotificationChannel({ id: one.id });
  await deliver();
  assert.is(JSON.parse(web.received[1]!.body).kind, 'test');
  await ann.removeNotificationChannel({ id: two.id });
  assert.equal(pluck(await deliveries(), 'title'), ['Test']);
  const rules = await ann.listNotificationRules();
  assert.equal(rules.find(({ kind }) => kind === 'large_redeem')!.channel_ids, []);
});

test('channels are counted, and no rule sends to those of another tenant', async () => {
  for (let n = 0; n < 10; n++) await add('chat', `${web.url}/chat${n}`);
  assert.is(await refused(add('chat', `${web.url}/chat10`)), 409);
  const [first] = await ann.listNotificationChannels();
  const rule = { kind: 'large_redeem', is_active: true, threshold: 1 } as const;
  assert.is(await refused(ben.saveNotificationRule({ body: { ...rule, channel_ids: [first!.id] } })), 422);
});

test('numbers that a rule does not have are refused, and the rules of the platform', async () => {
  const rule = { kind: 'old_redeem', is_active: true, threshold: 24 } as const;
  const words = 'body: the number is not in the range of this rule';
  for (const threshold of [0, 0.5, 721])
    await isRefused(ann.saveNotificationRule({ body: { ...rule, threshold } }), 422, words);
  await isRefused(ann.saveNotificationRule({ body: { ...rule, kind: 'large_redeem', threshold: 0.001 } }), 422);
  assert.is(await refused(ann.saveNotificationRule({ body: { ...rule, kind: 'old_backup' } })), 422);
  assert.equal(await ann.getNotificationSettings(), { has_email: true });
});

test.run();
