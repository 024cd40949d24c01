/** Selections of players: their words, the list that is narrowed to one, and the call of other systems. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatSegment, noSegment, parseSegment } from '../../../src/contract/segment';
import { verifyLedger } from '../../../src/server/books/verify';
import { booksAddUp, isRefused, pluck } from '../../answers';
import { ann, sue } from '../../callers';
import { newKey, withKey } from '../../integrations';
import { addPlayer, topUp } from '../../seed';
import { as, pam, pat, people, reset, sql } from '../../world';

test.before.each(reset);
test.after.each(booksAddUp);

/** The e-mails of the list, in order. */
const listed = async (segment: string, person: 'ann' | 'ben' | 'sue' = 'ann', more: object = {}) => {
  const api = await as(person);
  const { users } = await api.listPlayers({ segment, sort_by: 'email', sort_order: 'asc', ...more });
  return users.map(({ email }) => email.split('@')[0]);
};
const at = (day: string) => ({ initiated_at: new Date(day), completed_at: new Date(day) });

/** Of Acme: one who bought long ago, one who bought lately, one with a loss, one who never bought. */
async function crowd() {
  const add = (name: string) => addPlayer(2, { email: `${name}@mail.test` });
  const [old, fresh, sore, none] = [await add('old'), await add('fresh'), await add('sore'), await add('none')];
  await topUp(old, '500', 'success', at('2026-03-01T12:00:00Z'));
  await topUp(old, '70', 'failed', at('2026-09-01T12:00:00Z'));
  await topUp(fresh, '20', 'success', at('2026-03-02T12:00:00Z'));
  await topUp(fresh, '30', 'success', at('2026-08-01T23:30:00Z'));
  await topUp(fresh, '40', 'success', at('2026-04-01T12:00:00Z')); // reported late
  await ann.savePlayerTags({ id: old.id, body: { tags: ['VIP', 'big "spender"'] } });
  await ann.savePlayerTags({ id: none.id, body: { tags: ['vip'] } });
  await ann.holdPayouts({ id: sore.id, body: { is_held: true } });
  return { old, fresh, sore, none };
}

test('a selection is text that reads back as itself, and what it does not understand is a problem', () => {
  const bought = { bought_from: '2026-01-01', bought_to: '' };
  const ggr = { ggr_from: '-100', ggr_to: '2.50' };
  const whole = { tags: ['vip', 'big "spender"'], ...bought, ...ggr, affiliate: 'A 1', is_held: true };
  const text = 'tag:vip tag:"big ""spender""" last_purchase:2026-01-01.. ggr:-100..2.50 affiliate:"A 1" hold:yes';
  assert.is(formatSegment(whole), text);
  assert.equal(parseSegment(text), whole);
  assert.equal(parseSegment('  '), noSegment);
  for (const [wrong, problem] of [
    ['vip', /Not understood: vip/],
    ['tag:', /Not understood/],
    ['tag:"a"b', /Not understood/],
    ['ggr:..', /Not understood/],
    ['hold:no', /Not understood/],
    ['affiliate:""', /Not understood/],
    ['affiliate:A affiliate:B', /Not understood: affiliate:B/],
    ['ggr:1e3..', /2 decimals/],
    ['ggr:5..4', /above/],
    ['last_purchase:2026-02-30..', /YYYY-MM-DD/],
    ['last_purchase:2026-03-02..2026-03-01', /after/],
    [`tag:${'x'.repeat(41)}`, /1 to 40/],
    ['tag:a '.repeat(6), /At most 5/],
  ] as const)
    assert.match(parseSegment(wrong).problem ?? '', problem, wrong);
});

test('the list is narrowed by tag, last purchase, GGR and hold, and by all of them together', async () => {
  const { sore } = await crowd();
  assert.equal(await listed('tag:vip'), ['none', 'old']);
  assert.equal(await listed('tag:VIP tag:"big ""spender"""'), ['old']);
  assert.equal(await listed('tag:%'), []);
  assert.equal(await listed('last_purchase:2026-03-01..'), ['fresh', 'old']);
  assert.equal(await listed('last_purchase:..2026-03-01'), ['old'], 'a failed purchase is none');
  const april = await listed('last_purchase:2026-04-01..2026-04-30');
  assert.equal(april, [], 'an earlier one that came late is not the last');
  assert.equal(await listed('last_purchase:2026-08-01..2026-08-01'), ['fresh']);
  assert.equal(await listed('ggr:90..'), ['fresh', 'old']);
  assert.equal(await listed('ggr:90..90'), ['fresh']);
  assert.equal(await listed('hold:yes'), ['sore']);
  await sql`update players set affiliate_id = 'AFF-7' where id = ${sore.id}`;
  assert.equal(await listed('affiliate:aff-7'), ['sore']);
  await sql`update wallets set individual_ggr = -5.01 where player_id = ${sore.id}`;
  assert.equal(await listed('ggr:..-5'), ['sore']);
  await sql`update wallets set individual_ggr = 0 where player_id = ${sore.id}`;
  assert.equal(await listed('tag:vip ggr:100.. last_purchase:..2026-12-31'), ['old']);
  assert.equal(await listed('tag:vip', 'ann', { search: 'none' }), ['none'], 'and by the search');
});

test('a day is that of the tenant, also in the list of all tenants', async () => {
  await crowd();
  await topUp(pat, '5', 'success', at('2026-08-01T23:30:00Z'));
  await sql`update tenants set time_zone = 'Europe/Berlin' where id = 2`;
  assert.equal(await listed('last_purchase:..2026-08-01', 'sue'), ['old', 'pat']);
  assert.equal(await listed('last_purchase:2026-08-02..', 'sue'), ['fresh']);
  assert.equal(await listed('last_purchase:2026-08-02..'), ['fresh']);
  await sql`update tenants set time_zone = 'UTC' where id = 2`;
});

test('pages, totals, the export and the tenancy are those of the list', async () => {
  await crowd();
  const page = await ann.listPlayers({ segment: 'last_purchase:2026-01-01..', page_size: 25, page: 2 });
  const pagination = { total_users: 2, total_pages: 1, has_next: false, has_previous: true };
  assert.equal(page, { users: [], pagination });
  const csv = await (await ann.exportPlayers({ segment: 'tag:vip', sort_by: 'email', sort_order: 'asc' })).text();
  assert.is(csv.match(/\w+@mail\.test/g)?.join(), 'none@mail.test,old@mail.test');
  const ofAll = await (await sue.exportPlayers({ segment: 'last_purchase:..2026-12-31' })).text();
  assert.is(ofAll.trim().split('\r\n').length, 3);
  assert.equal(await listed('tag:vip', 'ben'), []);
  for (const read of [ann.listPlayers, ann.exportPlayers])
    await isRefused(read({ segment: 'vip' }), 422, /query\.segment: Not understood: vip/);
});

test('a system of the tenant reads a segment page by page, by the same words', async () => {
  const { old, fresh, sore, none } = await crowd();
  const shop = withKey((await newKey('ann', ['players:read'])).key);
  const all = await shop.readPlayers({});
  const ids = pluck([pam, old, fresh, sore, none], 'id').sort((a, b) => a - b);
  assert.equal([pluck(all.players, 'id'), all.next], [ids, null]);
  const first = await shop.readPlayers({ segment: 'last_purchase:2026-01-01..', limit: 1 });
  const shown = { id: old.id, email: old.email, external_id: null, is_active: true };
  const bought = { individual_ggr: 500, last_purchase_at: '2026-03-01T12:00:00.000Z' };
  assert.equal(first, { players: [{ ...shown, ...bought }], next: old.id });
  const second = await shop.readPlayers({ segment: 'last_purchase:2026-01-01..', limit: 1, after: first.next! });
  assert.equal([second.players.map(({ id }) => id), second.next], [[fresh.id], null]);
  await isRefused(shop.readPlayers({ segment: 'vip' }), 422, 'query.segment: Not understood: vip');
  const others = withKey((await newKey('ann', ['players:write', 'transactions:write'])).key);
  await isRefused(others.readPlayers({}), 403, undefined, 'a shop that sends players gets no list of them');
  await sql`update admins set permissions = array_remove(permissions, 'export') where id = ${people.ann.id}`;
  await isRefused(newKey('ann', ['players:read']), 403, undefined, 'a list that its maker may not have as a file');
  const bravo = withKey((await newKey('ben', ['players:read'])).key);
  assert.equal((await bravo.readPlayers({ segment: 'tag:vip' })).players, []);
});

test('a wallet that does not know its last purchase is found', async () => {
  const { fresh } = await crowd();
  await sql`update wallets set last_purchase_at = null where player_id = ${fresh.id}`;
  assert.match((await verifyLedger(sql)).join(), /none as the time of the last purchase, but it is 2026-08-01/);
  await sql`update wallets set last_purchase_at = '2026-08-01T23:30:00Z' where player_id = ${fresh.id}`;
});

test.run();
