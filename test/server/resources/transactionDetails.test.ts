import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ann, sue } from '../../callers';
import { importFile, summary } from '../../importFile';
import { deposit, redeem, topUp } from '../../seed';
import { pam, people, reset, withCookie } from '../../world';

test.before.each(reset);

test('a manual redeem says who made it, who decided it, and why', async () => {
  const to = { platform: 'yolo', payout_method: 'PayPal', payout_address: 'pam@pay.test' } as const;
  const { id } = await ann.createManualRedeem({
    body: { ...to, user_email: pam.email, amount: '50', description: 'by phone' },
  });
  const waiting = {
    ...{ id, kind: 'redeem', status: 'pending', description: 'by phone', made_by: people.ann.email },
    ...{ decided_by: null, completed_at: null, reason: null, note: null },
  };
  assert.equal(await ann.getTransactionDetails({ id }), waiting);
  await sue.changeRedeemStatus({ id, body: { status: 'failed', reason: 'duplicate', note: 'twice' } });
  const { completed_at, ...decided } = await ann.getTransactionDetails({ id });
  assert.ok(completed_at);
  const { completed_at: _, ...same } = waiting;
  const why = { decided_by: people.sue.email, reason: 'duplicate', note: 'twice' };
  assert.equal(decided, { ...same, status: 'failed', ...why });
});

test('a purchase and a deposit say who decided them, also when no money moved', async () => {
  const [failed, put] = [await topUp(pam, '20'), await deposit(pam, 'credit', '30')];
  await ann.changePurchaseStatus({ id: failed, body: { status: 'failed' } });
  await ann.changePurchaseStatus({ id: put, body: { status: 'success', note: 'paid' } });
  const about = async (id: number) => {
    const { kind, status, made_by, decided_by, note } = await ann.getTransactionDetails({ id });
    return [kind, status, made_by, decided_by, note];
  };
  assert.equal(await about(failed), ['purchase', 'failed', null, people.ann.email, null]);
  assert.equal(await about(put), ['deposit', 'success', null, people.ann.email, 'paid']);
});

test('what staff did before there was a log, and what was imported, is known by the ledger', async () => {
  const { made_by, decided_by } = await ann.getTransactionDetails({ id: await redeem(pam, '10', 'success') });
  assert.equal([made_by, decided_by], [people.sue.email, people.sue.email]);
  const rows = [
    'source_id,user_email,transaction_type,status,amount,platform,initiated_at,completed_at',
    `T1,${pam.email},REDEEM,success,7,yolo,2020-01-01T00:00:00Z,2020-01-01T00:00:00Z`,
  ];
  assert.equal(summary(await importFile(ann, 'transactions', rows.join('\n'))).rejects, []);
  const [imported] = await ann.listRedeems({ max_amount: '7' });
  const details = await ann.getTransactionDetails({ id: imported!.id });
  assert.equal([details.made_by, details.decided_by], ['Import', 'Import']);
});

test("a redeem of one's own player account is made by that person", async () => {
  const { email } = await ann.createPlayer({
    body: { email: people.ann.email, password: 'long enough', tenant_id: 2 },
  });
  const [player] = await ann.searchPlayers({ email });
  await ann.adjustBalances({ id: Number(player?.id), body: { credit: 200, credit_op: 'add' } });
  const { id } = await (await withCookie('ann')).submitRedeem({ body: { platform_name: 'yolo', amount: 100 } });
  assert.is((await ann.getTransactionDetails({ id })).made_by, people.ann.email);
});

test.run();
