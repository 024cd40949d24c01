/** Returns by staff, by an API key and by file (docs/extras/returns.md, "Returns"). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { permissions } from '../../../src/contract/permissions';
import { verifyEvidence } from '../../../src/server/books/verifyEvidence';
import { recordLedger } from '../../../src/server/commands/setup';
import { booksAddUp, creditOf, isRefused, pluck, table } from '../../answers';
import { ann, sue } from '../../callers';
import { countAll } from '../../facts';
import { importFile } from '../../importFile';
import { newKey, withKey } from '../../integrations';
import { addPlayer, deposit, fund } from '../../seed';
import { db, pam, pat, people, refusal, reset, services, sql } from '../../world';
import { look, seenBy } from '../notifications/bell';

test.before.each(async () => {
  await reset();
  await db.tx((tx) => recordLedger(tx, services.secrets));
  await sql`update admins set permissions = ${[...permissions]}`;
});
test.after.each(booksAddUp);
const agrees = async () => assert.equal(await verifyEvidence(db, services.secrets), []);

const won = { user_email: pam.email, amount: '300', platform: 'vblink' };
const success = { status: 'success' } as const;
const setLimit = async (edits_from: number) => ann.changeApprovalLimits({ body: { payouts_from: null, edits_from } });

test('staff record a win, see it in its own list, and settle it as they settle a deposit', async () => {
  const before = await creditOf();
  const row = await ann.createReturn({ body: { ...won, description: 'A win' } });
  assert.equal(table([row], 'transaction_type', 'status', 'amount', 'platform', 'description', 'player_id'), [
    ['RETURN', 'pending', 300, 'vblink', 'A win', pam.id],
  ]);
  assert.equal(table(await ann.listReturns({}), 'id', 'risks'), [[row.id, ['no_deposit']]]);
  assert.equal((await ann.countPending({})).returns, 1);
  assert.is((await ann.countListed({ list: 'returns', status: 'pending' })).total, 1);
  for (const list of [await ann.listPurchases({}), await ann.listDeposits({})])
    assert.not.ok(pluck(list, 'id').includes(row.id), 'it is no purchase and no deposit');
  assert.is((await ann.changePurchaseStatus({ id: row.id, body: { ...success, note: 'seen' } })).status, 'success');
  assert.is((await creditOf()) - before, 300);
  const { kind, made_by, decided_by, note } = await ann.getTransactionDetails({ id: row.id });
  assert.equal([kind, made_by, decided_by, note], ['return', people.ann.email, people.ann.email, 'seen']);
  const history = await ann.listPlayerTransactions({ id: pam.id });
  const shown = history.filter(({ transaction_type: type }) => type === 'RETURN');
  assert.equal(table(shown, 'amount', 'status'), [[300, 'success']]);
  assert.match(await (await ann.exportReturns({})).text(), /"?RETURN"?,"?success"?,/);
  await agrees();
});

test('an unknown platform, an unknown player and one of another tenant are refused', async () => {
  for (const [change, status] of [
    [{ platform: 'nowhere' }, 422],
    [{ amount: 0 }, 422],
    [{ user_email: 'no@mail.test' }, 404],
    [{ user_email: pat.email }, 404],
  ] as const)
    await isRefused(ann.createReturn({ body: { ...won, ...change } }), status);
  assert.equal(await ann.listReturns({}), []);
});

test('risks: no deposit there, and more than twenty times what went there, counted with what came back', async () => {
  const risksOf = async (id: number) => (await ann.listReturns({})).find((row) => row.id === id)?.risks;
  await fund(pam, 'credit', '100');
  await deposit(pam, 'credit', '10', 'success');
  const right = await ann.createReturn({ body: { ...won, amount: '200' } });
  assert.equal(await risksOf(right.id), []);
  await ann.changePurchaseStatus({ id: right.id, body: success });
  assert.equal(await risksOf(right.id), [], 'what is settled has none');
  const more = await ann.createReturn({ body: { ...won, amount: '0.01' } });
  assert.equal(await risksOf(more.id), ['over_20_times']);
  const elsewhere = await ann.createReturn({ body: { ...won, amount: '1', platform: 'yolo' } });
  assert.equal(await risksOf(elsewhere.id), ['no_deposit']);
  await look();
  const ofMore = `Return ${more.id} of $0.01 from vblink is unusual`,
    ofElsewhere = `Return ${elsewhere.id} of $1.00 from yolo is unusual`;
  assert.equal((await seenBy('ann', 'unusual_return')).sort(), [ofMore, ofElsewhere].sort());
});

test('a win that came back does not mark a redeem as adjusted', async () => {
  await addPlayer(2, { email: 'winner@mail.test' });
  const { id } = await ann.createReturn({ body: { ...won, user_email: 'winner@mail.test' } });
  await ann.changePurchaseStatus({ id, body: success });
  const to = { payout_method: 'PayPal', payout_address: 'winner' } as const;
  await ann.createManualRedeem({ body: { user_email: 'winner@mail.test', amount: 100, platform: 'vblink', ...to } });
  const [redeem] = await ann.listRedeems({ status: 'pending', text: 'winner@mail.test' });
  assert.equal(redeem?.risks, ['first_redeem', 'new_account']);
});

test('from the limit of edits on, two people agree, whichever way each of them takes', async () => {
  await setLimit(300);
  const before = await creditOf();
  const { id } = await ann.createReturn({ body: won });
  assert.is((await ann.changePurchaseStatus({ id, body: success })).status, 'pending');
  const listed = await ann.listApprovals({}),
    [waiting] = listed;
  const said = ['return', id, null, 300, pam.email];
  assert.equal(table(listed, 'kind', 'return_id', 'redeem_id', 'amount', 'user_email'), [said]);
  assert.equal(pluck(await ann.listReturns({ approval: 'waiting' }), 'id'), [id]);
  const own = 'You have approved this. A second person must, too';
  await isRefused(ann.changePurchaseStatus({ id, body: success }), 409, own);
  await isRefused(ann.approveChange({ id: waiting!.id }), 409, own);
  await sql`update admins set sign_in_set_by = ${people.ann.id} where id = ${people.sue.id}`;
  assert.match((await refusal(sue.changePurchaseStatus({ id, body: success }))).detail, 'and has set your password');
  await sql`update admins set sign_in_set_by = null where id = ${people.sue.id}`;
  assert.is(await creditOf(), before);
  await sue.approveChange({ id: waiting!.id });
  assert.is((await creditOf()) - before, 300);
  assert.equal(await ann.listApprovals({}), []);
  const second = await ann.createReturn({ body: { ...won, amount: '299.99' } });
  assert.is((await ann.changePurchaseStatus({ id: second.id, body: success })).status, 'success', 'below it one');
  await agrees();
});

test('a return that a colleague has taken is not decided by others, as one or as first of two', async () => {
  const { id } = await ann.createReturn({ body: won });
  for (const limit of [null, 1]) {
    if (limit) await setLimit(limit);
    await sue.claimRow({ body: { id } });
    assert.is((await ann.listReturns({}))[0]?.claimed_by, people.sue.email);
    const detail = `${people.sue.email} has taken this`;
    await isRefused(ann.changePurchaseStatus({ id, body: success }), 409, detail);
  }
  assert.is((await sue.changePurchaseStatus({ id, body: success })).status, 'pending');
  assert.is((await ann.listReturns({}))[0]?.claimed_by, undefined);
  assert.is((await ann.changePurchaseStatus({ id, body: success })).status, 'success');
  await agrees();
});

test('when the return is refused, so is what one person has approved', async () => {
  await setLimit(1);
  const { id } = await ann.createReturn({ body: won });
  await ann.changePurchaseStatus({ id, body: success });
  assert.is((await ann.changePurchaseStatus({ id, body: { status: 'failed' } })).status, 'failed');
  assert.equal(await ann.listApprovals({}), []);
});

test('a key makes and settles returns, once a reference, and alone none from the limit on', async () => {
  const shop = withKey((await newKey()).key);
  const body = { user_id: pam.id, amount: '20', platform: 'yolo', payment_reference: 'win-1' };
  const made = await shop.pushReturn({ body });
  assert.equal([made.type, made.status, made.payment_reference], ['RETURN', 'pending', 'win-1']);
  await isRefused(shop.pushReturn({ body }), 409);
  assert.is((await shop.pushStatus({ id: made.id, body: success })).status, 'success');
  await setLimit(50);
  const large = await shop.pushReturn({ body: { ...body, amount: '50', payment_reference: 'win-2' } });
  assert.is((await shop.pushStatus({ id: large.id, body: success })).status, 'pending');
  await isRefused(shop.pushStatus({ id: large.id, body: success }), 409);
  assert.is((await sue.changePurchaseStatus({ id: large.id, body: success })).status, 'success');
  await agrees();
});

test('a file brings settled returns as history, which moves no balance, and pending ones to be settled', async () => {
  const before = await creditOf();
  const file = [
    'source_id,user_email,type,status,amount,initiated_at,completed_at,platform',
    `r-1,${pam.email},RETURN,success,40,2026-01-01,2026-01-02,yolo`,
    `r-2,${pam.email},RETURN,pending,30,2026-01-03,,yolo`,
    `r-3,${pam.email},RETURN,success,40,2026-01-01,2026-01-02,`,
  ].join('\n');
  const result = await importFile(ann, 'transactions', file);
  assert.equal(JSON.stringify(result).includes('platform'), true, 'without a platform it is rejected');
  assert.is(await creditOf(), before);
  const pending = (await ann.listReturns({ status: 'pending' }))[0]!;
  await ann.changePurchaseStatus({ id: pending.id, body: success });
  assert.is((await creditOf()) - before, 30);
  await countAll();
  await agrees();
});

test.run();
