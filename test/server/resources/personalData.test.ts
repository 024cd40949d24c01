/** All that is kept of a player, for that person. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LIST_MAX } from '../../../src/contract/constants';
import { sweepNotes } from '../../../src/server/queries/playerNotes';
import { isRefused, lines, table } from '../../answers';
import { readAuditLog } from '../../audit';
import { ann, ben } from '../../callers';
import { addPlayer, redeem, topUp } from '../../seed';
import { people, refusal, reset, sql } from '../../world';

test.before.each(reset);

test('what was written about a player is in it, and neither a password nor a name of staff', async () => {
  const player = await addPlayer(2, { email: 'quinn@mail.test', credit: '500' });
  const { id } = player;
  await ann.addPlayerNote({ id, body: { text: 'likes slots' } });
  await ann.savePlayerTags({ id, body: { tags: ['vip'] } });
  await ann.saveEligibility({ id, body: { birth_date: '1990-02-28', region: 'US-TX' } });
  await ann.saveProtection({ id, body: { limits: [{ money: 'purchase', span: 'day', amount: 50 }] } });
  await ann.holdPayouts({ id, body: { is_held: true, reason: 'other', note: 'asked by phone' } });
  await sql`
    insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
    values (2, ${id}, 'yolo', 'quinn1', 'canary-password')`;
  await ann.adjustBalances({ id, body: { bonus: '15' } });
  await ann.adjustBalances({ id, body: { bonus: '5', bonus_op: 'remove' } });
  const other = await addPlayer(2, { email: 'other@mail.test' });
  await ann.linkPlayers({ id, body: { player_id: other.id } });
  const bought = await topUp(player, '20', 'success');
  const paid = await redeem(player, '30');
  const data = await ann.getPersonalData({ id });
  assert.equal([data.player.email, data.player.credit_balance], ['quinn@mail.test', 490]);
  assert.equal([data.tags, data.notes.map(({ text }) => text)], [['vip'], ['likes slots']]);
  assert.equal([data.eligibility.birth_date, data.eligibility.region, data.break], ['1990-02-28', 'US-TX', null]);
  assert.equal(table(data.limits, 'money', 'span', 'amount'), [['purchase', 'day', 50]]);
  assert.equal(lines(data.corrections, 'account', 'amount'), ['bonus -5', 'bonus 15', 'credit 500']);
  assert.ok(data.linked_since);
  assert.is(data.payout_hold?.note, 'asked by phone');
  assert.is(data.logins[0]?.platform_username, 'quinn1');
  assert.equal(lines(data.payments, 'id', 'type', 'status', 'amount'), [
    `${bought} TOP_UP success 20`,
    `${paid} REDEEM pending 30`,
  ]);
  assert.is(data.next_cursor, null);
  const text = JSON.stringify(data);
  assert.not.match(text, 'canary-password');
  assert.not.match(text, people.ann.email);
  assert.not.match(text, 'other@mail.test');
  await isRefused(ben.getPersonalData({ id }), 404);
});

test('a player with more payments than a page has them all, each once', async () => {
  const { id } = await addPlayer(2, { email: 'quinn@mail.test' });
  await sql`
    insert into transactions (tenant_id, player_id, transaction_type, amount)
    select 2, ${id}, 'TOP_UP', 1 from generate_series(1, ${LIST_MAX + 1})`;
  const first = await ann.getPersonalData({ id });
  assert.equal([first.payments.length, first.linked_since], [LIST_MAX, null]);
  assert.is(first.next_cursor, first.payments.at(-1)?.id);
  const rest = await ann.getPersonalData({ id, cursor: first.next_cursor ?? 0 });
  assert.equal([rest.payments.length, rest.next_cursor], [1, null]);
  assert.ok((rest.payments[0]?.id ?? 0) > (first.next_cursor ?? 0));
});

test('each page that is read has its entry in the audit log, about the player; a refusal has none', async () => {
  const { id } = await addPlayer(2, { email: 'quinn@mail.test' });
  await refusal(ben.getPersonalData({ id }));
  await ann.getPersonalData({ id });
  await ann.getPersonalData({ id, cursor: 1 });
  const found = (await readAuditLog()).filter(({ call }) => call === 'getPersonalData');
  const entry = [people.ann.email, 'export', null, 2, id, null];
  assert.equal(table(found, 'email', 'kind', 'object_id', 'tenant_id', 'player_id', 'after'), [entry, entry]);
});

test('notes go after the days that the installation keeps them, and with 0 never', async () => {
  const { id } = await addPlayer(2, { email: 'quinn@mail.test' });
  const texts = async () => (await ann.getPersonalData({ id })).notes.map(({ text }) => text);
  for (const [text, age] of Object.entries({ old: '30 days 1 minute', young: '29 days 23 hours' }))
    await sql`
      insert into player_notes (tenant_id, player_id, admin_id, text, created_at)
      values (2, ${id}, ${people.ann.id}, ${text}, now() - ${age}::interval)`;
  await sweepNotes(sql, 0);
  assert.equal(await texts(), ['young', 'old']);
  await sweepNotes(sql, 30);
  assert.equal(await texts(), ['young']);
});

test.run();
