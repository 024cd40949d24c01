import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { SEARCH_HITS } from '../../../src/contract/search';
import { isRefused, lines, pluck } from '../../answers';
import { ann, ben, hire, sue } from '../../callers';
import { addPlayer, giveBack, topUp } from '../../seed';
import { pam, pat, people, reset, send, sql, tokenOf } from '../../world';

test.before.each(reset);

const nothing = { players: [], payments: [], payouts: [], tenants: [], admins: [], affiliates: [] };
const ofPam = { id: pam.id, tenant_id: 2, tenant_name: 'Acme', email: pam.email, first_name: 'Pam', last_name: 'Poe' };
const emails = async (who: Api, q: string) => (await who.search({ q })).players.map(({ email }) => email);

test('fewer than two characters, more than a hundred, none at all and half a character are 422', async () => {
  for (const q of ['', 'p', ' p ', 'x'.repeat(101), 'a\0b'])
    await isRefused(ann.search({ q }), 422, undefined, JSON.stringify(q));
  assert.is((await send('GET', '/api/v1/admin/search', { token: await tokenOf('ann') })).status, 422);
  assert.equal((await ann.search({ q: `  ${pam.email}  ` })).players.length, 1);
});

test('a player is found by e-mail, name and phone, and it is said by which', async () => {
  for (const [q, matched, value] of [
    [pam.email.toUpperCase(), 'email', pam.email],
    ['am@mail', 'email', pam.email],
    ['poe pam', 'name', 'Pam Poe'],
    ['OE', null, null],
    ['Po', 'name', 'Pam Poe'],
    ['5550102000', 'phone', '+1 (555) 010-2000'],
    ['(555) 010', 'phone', '+1 (555) 010-2000'],
    ['+1 (555) 010-2000', 'phone', '+1 (555) 010-2000'],
    ['15', 'phone', '+1 (555) 010-2000'],
    ['pam 010', 'email', pam.email],
  ] as const) {
    assert.equal((await ann.search({ q })).players, matched ? [{ ...ofPam, matched, value }] : [], q);
  }
});

test('a player is found by id, once, also if the same digits are in the phone number', async () => {
  await sql`update players set phone_number = ${`555 ${pam.id}`} where id = ${pam.id}`;
  for (const q of [`#${pam.id}`, `0${pam.id}`, ` #${pam.id} `])
    assert.equal((await ann.search({ q })).players, [{ ...ofPam, matched: 'player_id', value: String(pam.id) }], q);
  assert.equal([(await ben.search({ q: `#${pam.id}` })).players, (await ann.search({ q: '#0' })).players], [[], []]);
  await sql`update players set deleted_at = now() where id = ${pam.id}`;
  assert.equal((await ann.search({ q: `#${pam.id}` })).players, []);
});

test('two letters find what begins a word with them, in any script', async () => {
  await addPlayer(2, { email: 'x1@mail.test', first_name: 'Mary Zoe', last_name: 'Übel' });
  await addPlayer(2, { email: 'x2@mail.test', first_name: '小明', last_name: '李' });
  const begins = { zo: 'x1', ÜB: 'x1', 小明: 'x2', '李 小': 'x2', x2: 'x2' };
  for (const [q, name] of Object.entries(begins)) assert.equal(await emails(ann, q), [`${name}@mail.test`], q);
  assert.equal(await emails(ann, 'ry'), []);
});

/** What is shown of a payment beside its player. */
async function paymentOf(list: 'purchases' | 'redeems', id: number) {
  const table = list === 'redeems' ? 'redeems' : 'transactions';
  const [row] = await sql`select id, status, amount, initiated_at from ${sql(table)} where id = ${id}`;
  const payment = { ...row, list, amount: Number(row!.amount), initiated_at: row!.initiated_at.toJSON() };
  return { payment, method: list === 'redeems' ? 'vblink' : 'card' };
}

test('a payment reference or payout address finds its payment, by any part of it and in any case', async () => {
  await sql`update transactions set payment_reference = 'TXN-81-Ab' where id = ${pam.purchase}`;
  await sql`update redeems set payout_address = ' bc1qXYZ ' where id = ${pam.redeem}`;
  const bought = { matched: 'payment_reference', value: 'TXN-81-Ab' };
  const payments = [{ ...ofPam, ...(await paymentOf('purchases', pam.purchase)), ...bought }];
  const payout = { matched: 'payout_address', value: 'bc1qXYZ' };
  const payouts = [{ ...ofPam, ...(await paymentOf('redeems', pam.redeem)), ...payout }];
  const paid = async (q: string) => (await ann.search({ q })).payments,
    paidOut = async (q: string) => (await ann.search({ q })).payouts;
  for (const q of ['TXN-81-Ab', 'txn-81', 'TX', 'txn']) assert.equal(await paid(q), payments, q);
  for (const q of ['bc1QXYZ', 'bc1', ' BC ', 'qxy']) assert.equal(await paidOut(q), payouts, q);
  for (const q of ['TXN-81-Abc', 'bc1qXYZ2']) assert.equal(await ann.search({ q }), nothing, q);
});

test('a payment is found by its id in any status, and by its amount while it is pending', async () => {
  const done = await topUp(pam, '71.25', 'success'),
    waiting = await topUp(pam, '71.25', 'pending');
  const ids = async (who: Api, q: string) => (await who.search({ q })).payments.map(({ payment }) => payment.id);
  for (const q of [`#${done}`, `#${waiting}`]) assert.equal(await ids(ann, q), [Number(q.slice(1))], q);
  for (const q of ['71.25', '$71.25']) assert.equal(await ids(ann, q), [waiting], q);
  const [match] = (await ann.search({ q: '71.25' })).payments;
  assert.equal([match?.matched, match?.value], ['amount', '71.25']);
  const old = await topUp(pam, '71.25', 'pending', { initiated_at: new Date('2026-01-02') });
  const returned = await giveBack(pam, '71.25');
  await sql`update transactions set payment_method = 'wallet' where id = ${returned}`;
  const found = (await ann.search({ q: '71.25' })).payments;
  assert.equal(pluck(pluck(found, 'payment'), 'id'), [returned, waiting, old], 'the newest first');
  assert.equal(lines(found, 'method'), ['vblink', 'null', 'null'], 'of a return the platform');
  assert.equal(await ids(ben, `#${done}`), []);
  assert.equal(await ids(ben, '71.25'), []);
});

test('a player with many payments to one address stands there once', async () => {
  await sql`
    insert into redeems (tenant_id, player_id, platform, amount, payout_address, business_day)
    select 2, ${pam.id}, 'yolo', 1, 'same-place', '2026-01-01' from generate_series(1, 300)`;
  await sql`
    insert into redeems (tenant_id, player_id, platform, amount, payout_address, business_day)
    values (3, ${pat.id}, 'yolo', 1, 'Same-Place', '2026-01-01')`;
  assert.is((await ann.search({ q: 'same-place' })).payouts.length, 1);
  assert.equal(lines((await sue.search({ q: 'same-place' })).payouts, 'email', 'tenant_name'), [
    `${pam.email} Acme`,
    `${pat.email} Bravo`,
  ]);
});

test('what stands for anything in a pattern stands for itself', async () => {
  const odd = await addPlayer(2, { email: 'odd@mail.test', first_name: '100%_\\', last_name: 'Odd' });
  await topUp(odd, '10', 'pending', { payment_reference: '%_ref' });
  for (const q of ['%%', '__', '\\\\', 'p%m', 'p_m', 'r%f-1', 'ref_1', '%.%', '--', "'; drop table players; --"])
    assert.equal(await ann.search({ q }), nothing, q);
  assert.equal([await emails(ann, '100%_\\'), (await ann.search({ q: '%_' })).payments.length], [['odd@mail.test'], 1]);
});

test('of each kind there are so many at most, the very e-mail first, then what begins so', async () => {
  for (let n = 0; n < 20; n++) {
    const player = await addPlayer(2, { email: `a${n}.zed@mail.test`, last_name: 'Other' });
    await topUp(player, '10', 'pending', { payment_reference: `zed ${n}` });
    await sql`
      insert into redeems (tenant_id, player_id, platform, amount, payout_address, business_day)
      values (2, ${player.id}, 'yolo', 1, ${`zed ${n}`}, '2026-01-01')`;
    const [tenant] = await sql<{ id: number }[]>`
      insert into tenants (name, time_zone) values (${`Zed ${n}`}, 'UTC') returning id`;
    await addPlayer(tenant!.id, { email: `q${n}@mail.test`, affiliate_id: 'ZED' });
    await hire(`zed${n}@staff.test`);
  }
  for (const email of ['zed@mail.test', 'm@mail.test', 'zedx@mail.test'])
    await addPlayer(2, { email, last_name: email === 'm@mail.test' ? 'Zedler' : 'Q' });
  const found = await sue.search({ q: 'zed' });
  const most = Object.keys(nothing).map(() => SEARCH_HITS);
  assert.equal(pluck(Object.values(found), 'length'), most);
  const first = ['zed@mail.test', 'zedx@mail.test', 'm@mail.test', 'a0.zed@mail.test'];
  assert.equal(pluck(found.players.slice(0, 4), 'email'), first);
  assert.equal(found.payments[0]!.value, 'zed 0');
  await sql`
    insert into players (tenant_id, email)
    select 2, 'b' || n || 'zedx@mail.test' from generate_series(1, 700) n`;
  assert.is((await emails(ann, 'zedx@mail.test'))[0], 'zedx@mail.test', 'among very many, too');
});

test('a deleted player is not found, by nothing that was theirs', async () => {
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } });
  await ann.changePurchaseStatus({ id: pam.purchase, body: { status: 'failed' } });
  await ann.deletePlayer({ id: pam.id });
  for (const q of [pam.email, 'pam', 'poe', '5550102000', 'ref-1', '$tag', 'deleted'])
    assert.equal(await ann.search({ q }), nothing, q);
});

test('a super admin searches all tenants or one; part of name or e-mail finds a tenant, never the first', async () => {
  await sql`update tenants set email = 'boss@harbour.test' where id = 3`;
  assert.equal(lines((await sue.search({ q: 'mail.test' })).players, 'email', 'tenant_name'), [
    `${pam.email} Acme`,
    `${pat.email} Bravo`,
  ]);
  assert.equal(pluck((await sue.search({ q: 'mail.test', tenant_id: 3 })).players, 'email'), [pat.email]);
  assert.equal(pluck((await sue.search({ q: '$tag', tenant_id: 3 })).payouts, 'email'), [pat.email]);
  assert.equal((await sue.search({ q: 'RAV' })).tenants, [{ id: 3, name: 'Bravo', email: 'boss@harbour.test' }]);
  assert.is((await sue.search({ q: 'harbour' })).tenants.length, 1);
  for (const none of [{ q: 'platform' }, { q: 'bravo', tenant_id: 2 }])
    assert.equal((await sue.search(none)).tenants, []);
  assert.equal((await ann.search({ q: 'Acme' })).tenants, [], "a tenant's admin asks for none");
});

test('a super admin finds admins of every tenant by a part of the e-mail; with Team, others colleagues', async () => {
  await sql`update admins set is_active = false where email = ${people.ben.email}`;
  const found = async (who: Api, q: string, tenant_id?: number) =>
    lines((await who.search({ q, tenant_id })).admins, 'email', 'is_active', 'tenant_name');
  assert.equal(await found(sue, 'NN@'), [`${people.ann.email} true Acme`]);
  assert.equal(await found(sue, people.ben.email), [`${people.ben.email} false Bravo`]);
  assert.equal(await found(sue, people.ben.email, 2), []);
  assert.equal(await found(sue, people.oli.email), [], 'another role is not in the list of admins either');
  assert.equal(await found(ann, people.ann.email), []);
  await sql`update admins set permissions = permissions || '{team}' where id = ${people.ann.id}`;
  assert.equal(await found(ann, 'ANN@'), [`${people.ann.email} true Acme`], 'with Team, a colleague');
  assert.equal(await found(ann, people.ben.email), []);
});

test('an affiliate is found by the whole id, whatever its case, in each tenant that has it', async () => {
  const found = async (who: Api, q: string) =>
    (await who.search({ q })).affiliates?.map(({ affiliate_id, tenant_name }) => [affiliate_id, tenant_name]);
  assert.equal(await found(sue, 'aff1'), [
    ['AFF1', 'Acme'],
    ['AFF1', 'Bravo'],
  ]);
  assert.equal(await found(ann, ' AFF1 '), [['AFF1', 'Acme']]);
  assert.equal(await found(ann, 'aff'), []);
});

test.run();
