import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PLAYER_ROWS, TAGS_MAX } from '../../../src/contract/constants';
import { booksAddUp, isRefused, lines, pluck, statusOf, table } from '../../answers';
import { ann, sue } from '../../callers';
import { addPlayer, deposit, fund, redeem, topUp } from '../../seed';
import { pam, pat, people, refusal, reset, sql, untilLocked, whileHeld } from '../../world';

test.before.each(reset);
test.after.each(booksAddUp);

const gone = { status: 404, detail: 'User not found' };

test('a player is shown with profile, balances and what is held, to a super admin from any tenant', async () => {
  const file = await sue.getPlayer({ id: pam.id });
  const { player, held_balance, tenant_name } = file;
  assert.equal([player.email, player.credit_balance, held_balance, tenant_name], [pam.email, 350, 150, 'Acme']);
  assert.equal(file, await ann.getPlayer({ id: pam.id }));
  assert.equal(player, (await ann.listPlayers()).users[0]);
});

test('the ledger tells each movement with the balance after it and who made it', async () => {
  await fund(pam, 'bonus', '20');
  const body = { bonus: '5.50', bonus_op: 'remove', reason: 'correction', note: 'typed twice' } as const;
  await ann.adjustBalances({ id: pam.id, body });
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } });
  const { lines, next_cursor } = await ann.getPlayerLedger({ id: pam.id });
  assert.is(next_cursor, null);
  assert.equal(table(lines, 'account', 'amount', 'balance', 'transaction_type', 'by'), [
    ['credit', 150, 500, 'WITHDRAWAL', people.ann.email],
    ['held', -150, 0, 'WITHDRAWAL', people.ann.email],
    ['bonus', -5.5, 14.5, 'ADJUSTMENT', people.ann.email],
    ['bonus', 20, 20, 'ADJUSTMENT', people.sue.email],
    ['held', 150, 150, 'WITHDRAWAL', null],
    ['credit', -150, 350, 'WITHDRAWAL', null],
    ['credit', 500, 500, 'ADJUSTMENT', people.sue.email],
  ]);
  assert.equal([lines[2]?.reason, lines[2]?.note, lines[0]?.money_id], ['correction', 'typed twice', pam.redeem]);
  const bonus = await ann.getPlayerLedger({ id: pam.id, account: 'bonus' });
  assert.equal(pluck(bonus.lines, 'balance'), [14.5, 20]);
});

test('purchases and deposits are named in the ledger, and the last balances are those of the player', async () => {
  await topUp(pam, '60', 'success');
  await deposit(pam, 'credit', '25.25', 'success');
  const { lines } = await ann.getPlayerLedger({ id: pam.id });
  const types = new Set(pluck(lines, 'transaction_type'));
  assert.is([...types].sort().join(' '), 'ADJUSTMENT DEPOSIT TOP_UP WITHDRAWAL');
  const { player, held_balance } = await ann.getPlayer({ id: pam.id });
  const last = (name: string) => lines.find(({ account }) => account === name)?.balance;
  assert.equal([last('credit'), last('held')], [player.credit_balance, held_balance]);
});

test('a long ledger comes in pages of whole movements, each once, with the same running balance', async () => {
  const someone = await addPlayer(2, { email: 'busy@mail.test', credit: '1000' });
  for (let n = 0; n < PLAYER_ROWS; n++) await redeem(someone, '1');
  const first = await ann.getPlayerLedger({ id: someone.id });
  assert.is(first.lines.length, 2 * PLAYER_ROWS);
  const second = await ann.getPlayerLedger({ id: someone.id, cursor: first.next_cursor ?? 0 });
  assert.equal(table(second.lines, 'account', 'balance'), [['credit', 1000]]);
  assert.is(second.next_cursor, null);
  assert.equal(first.lines.at(-1)?.balance, 999);
});

test("the player's purchases and redeems are their own: what is pending first, then the newest", async () => {
  const someone = await addPlayer(2, { email: 'other@mail.test', credit: '100' });
  await redeem(someone, '5');
  const [failed, later] = [await topUp(pam, '10', 'failed'), await topUp(pam, '10', 'pending')],
    paid = await deposit(pam, 'credit', '1', 'success');
  assert.equal(pluck(await ann.listPlayerPurchases({ id: pam.id }), 'id'), [pam.purchase, later, paid, failed]);
  assert.equal(table(await ann.listPlayerRedeems({ id: pam.id }), 'id', 'payout_hold', 'risks'), [
    [pam.redeem, null, (await ann.listRedeems({ status: 'pending', text: pam.email }))[0]?.risks],
  ]);
});

test('what is pending is there behind any number of newer rows', async () => {
  await sql`
    insert into transactions (tenant_id, player_id, transaction_type, amount, status, completed_at)
    select 2, ${pam.id}, 'TOP_UP', 1, 'failed', now() from generate_series(1, ${PLAYER_ROWS + 5})`;
  const rows = await ann.listPlayerPurchases({ id: pam.id });
  assert.equal([rows.length, rows[0]?.id], [PLAYER_ROWS, pam.purchase]);
});

test('rows of lists say whose they are, until the player is deleted', async () => {
  await topUp(pam, '30', 'success');
  const lists = async () => [
    ...(await ann.listPurchases({})),
    ...(await ann.listPurchases({ sort_by: 'player' })),
    ...(await ann.listRedeems({})),
    ...(await ann.listRedeems({ order: 'pending_first' })),
  ];
  assert.equal(new Set((await lists()).map(({ player_id }) => player_id)), new Set([pam.id]));
  assert.is((await ann.listFirstPurchasesToday({}))[0]?.player_id, pam.id);
  await ann.changePurchaseStatus({ id: pam.purchase, body: { status: 'failed' } });
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } });
  await ann.deletePlayer({ id: pam.id });
  assert.equal(new Set((await lists()).map(({ player_id }) => player_id)), new Set([null]));
});

test('notes stand the newest first with who wrote them; an empty or endless one is refused', async () => {
  await ann.addPlayerNote({ id: pam.id, body: { text: 'Called, asked for patience' } });
  const note = await sue.addPlayerNote({ id: pam.id, body: { text: '  Agreed  ' } });
  const { notes } = await ann.getPlayer({ id: pam.id });
  assert.equal(lines(notes, 'text', 'by'), [
    `Agreed ${people.sue.email}`,
    `Called, asked for patience ${people.ann.email}`,
  ]);
  assert.equal(notes[0], note);
  await isRefused(ann.addPlayerNote({ id: pam.id, body: { text: ' ' } }), 422, 'body.text: must not be empty');
  await isRefused(ann.addPlayerNote({ id: pam.id, body: { text: 'x'.repeat(2001) } }), 422);
});

test('tags are replaced as a whole, each word once; two at once end as one of them', async () => {
  const save = (...tags: string[]) => ann.savePlayerTags({ id: pam.id, body: { tags } });
  assert.equal(await save('Whale', ' vip', 'whale', 'VIP'), { tags: ['vip', 'Whale'] });
  assert.equal((await ann.getPlayer({ id: pam.id })).tags, ['vip', 'Whale']);
  await isRefused(save('x'.repeat(41)), 422);
  await isRefused(save(...Array.from({ length: 21 }, (_, n) => `t${n}`)), 422);
  await Promise.all([save('a', 'b'), save('b', 'c')]);
  assert.ok(['a,b', 'b,c'].includes((await ann.getPlayer({ id: pam.id })).tags.join()));
  assert.equal(await save(), { tags: [] });
});

test("a held player's redeem cannot become success, but can fail; released it can", async () => {
  const body = { is_held: true, reason: 'fraud_suspected', note: 'two cards' } as const;
  const { hold } = await ann.holdPayouts({ id: pam.id, body });
  assert.equal([hold?.reason, hold?.note, hold?.by], ['fraud_suspected', 'two cards', people.ann.email]);
  const words = 'Payouts to this player are on hold: Fraud suspected, two cards';
  await isRefused(sue.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } }), 409, words);
  const { player, held_balance } = await ann.getPlayer({ id: pam.id });
  assert.equal([player.credit_balance, held_balance, player.individual_ggr], [350, 150, 0], 'nothing has moved');
  assert.is((await ann.getDashboardMetrics()).total_redeems_today, 0);

  const other = await redeem(pam, '10');
  assert.is((await ann.changeRedeemStatus({ id: other, body: { status: 'failed' } })).status, 'failed');
  assert.equal(await ann.holdPayouts({ id: pam.id, body: { is_held: false } }), { hold: null });
  assert.is((await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } })).status, 'success');
});

test('a hold shows on pending redeems of the player, in the list and in their own, and on nobody else', async () => {
  await ann.holdPayouts({ id: pam.id, body: { is_held: true, note: 'identity' } });
  const settled = await redeem(pam, '10', 'failed');
  const holds = Object.fromEntries((await sue.listRedeems()).map((row) => [row.id, row.payout_hold]));
  assert.equal(holds, { [settled]: null, [pam.redeem]: 'identity', [pat.redeem]: null });
  assert.is((await ann.listPlayerRedeems({ id: pam.id })).find(({ id }) => id === pam.redeem)?.payout_hold, 'identity');
  await ann.holdPayouts({ id: pam.id, body: { is_held: true } });
  assert.is((await ann.listRedeems()).find(({ id }) => id === pam.redeem)?.payout_hold, 'On hold');
});

test('a hold and a payout at the same moment: paid before the hold, or not at all', async () => {
  for (let n = 0; n < 20; n++) {
    const someone = await addPlayer(2, { email: `race${n}@mail.test`, credit: '50' });
    const id = await redeem(someone, '50');
    const holding = ann.holdPayouts({ id: someone.id, body: { is_held: true } });
    const [paid, heldFirst] = await Promise.all([
      statusOf(ann.changeRedeemStatus({ id, body: { status: 'success' } })),
      holding.then(async () => (await ann.getTransactionDetails({ id })).status === 'pending'),
    ]);
    assert.is(paid, heldFirst ? 409 : 200, 'who found it pending with the hold in place has stopped it');
  }
});

test('a note or a tag that comes while the player is being deleted is refused', async () => {
  const { id } = await addPlayer(2, { email: 'leaving@mail.test' });
  const late = await whileHeld(
    (tx) => tx`update players set deleted_at = now() where tenant_id = 2 and id = ${id}`,
    () =>
      Promise.all([
        refusal(ann.addPlayerNote({ id, body: { text: 'x' } })),
        refusal(ann.savePlayerTags({ id, body: { tags: ['x'] } })),
      ]),
    () => untilLocked(2),
  );
  assert.equal(late, [gone, gone]);
  for (const table of ['player_notes', 'player_tags']) assert.equal([...(await sql`select 1 from ${sql(table)}`)], []);
});

// ---- many users at once: a call for each (docs/extras/players.md, "Many users")

const tagsOf = async (id: number) =>
  pluck(await sql`select tag from player_tags where player_id = ${id} order by lower(tag)`, 'tag');

test('tags are added to those that are there, each once whatever its case', async () => {
  await ann.savePlayerTags({ id: pam.id, body: { tags: ['VIP', 'slow'] } });
  const { tags } = await ann.addPlayerTags({ id: pam.id, body: { tags: ['vip', 'Bingo', 'bingo'] } });
  assert.equal(tags, ['Bingo', 'slow', 'VIP']);
  assert.equal(await tagsOf(pam.id), tags);
});

test('nobody gets more tags than the most, and then none of them', async () => {
  const many = Array.from({ length: TAGS_MAX }, (_, n) => `tag ${n}`);
  await ann.savePlayerTags({ id: pam.id, body: { tags: many } });
  const words = `A user has at most ${TAGS_MAX} tags`;
  await isRefused(ann.addPlayerTags({ id: pam.id, body: { tags: ['tag 0', 'one more'] } }), 409, words);
  assert.equal((await tagsOf(pam.id)).toSorted(), many.toSorted());
});

test('a player is switched off and on, and keeps everything else', async () => {
  const before = (await ann.listPlayers()).users.find(({ id }) => id === pam.id);
  const off = await ann.setPlayerActive({ id: pam.id, body: { is_active: false } });
  assert.equal(off, { ...before, is_active: false });
  assert.equal(await ann.setPlayerActive({ id: pam.id, body: { is_active: true } }), before);
  await isRefused(ann.setPlayerActive({ id: pat.id, body: { is_active: false } }), 404);
});

test.run();
