/** Rules about payments and balances that look wrong: their rows can be listed at any time, and each new one fires. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ListedKind } from '../../../src/contract/notifications';
import { lines, table } from '../../answers';
import { ann, ben, sue } from '../../callers';
import { addPlayer, fund, topUp } from '../../seed';
import { type Person, pam, pat, people, reset, sql } from '../../world';
import { bellOf, look, seenBy, setRule } from './bell';

const titles = async (person: Person, kind: ListedKind) => (await seenBy(person, kind)).reverse();
const turnOn = (person: Person, kind: ListedKind) => setRule(person, kind, { threshold: 0 });
const rowsOf = async (kind: ListedKind) => ann.listNotificationRows({ kind });

test.before.each(reset);

test('a success purchase without a payment reference is listed', async () => {
  await topUp(pam, '20', 'success', { payment_reference: 'has one' });
  await topUp(pam, '21');
  const id = await topUp(pam, '22', 'success', { payment_method: 'card' });
  const [row, ...more] = await rowsOf('no_reference');
  assert.equal(more, []);
  assert.equal(table([row!], 'payment_id', 'player_id', 'user_email', 'amount', 'detail'), [
    [id, pam.id, pam.email, 22, 'card'],
  ]);
  assert.equal(await ben.listNotificationRows({ kind: 'no_reference' }), []);
  assert.is((await sue.listNotificationRows({ kind: 'no_reference' })).length, 1);
});

test('a balance changed by hand without a reason is listed, one with a reason or a note is not', async () => {
  await ann.adjustBalances({ id: pam.id, body: { credit: '1', credit_op: 'add', reason: 'goodwill' } });
  assert.is((await rowsOf('no_reason')).length, 1);
  await fund(pam, 'bonus', '3');
  assert.equal(table(await rowsOf('no_reason'), 'amount', 'detail'), [
    [3, `bonus, ${people.sue.email}`],
    [500, `credit, ${people.sue.email}`],
  ]);
});

test('a frozen balance is listed: of a deleted player, and while payouts are on hold', async () => {
  const lee = await addPlayer(2, { email: 'lee@mail.test', credit: '9' });
  await ann.deletePlayer({ id: lee.id });
  await ann.holdPayouts({ id: pam.id, body: { is_held: true, reason: 'fraud_suspected' } });
  const frozen = lines(await rowsOf('frozen_balance'), 'user_email', 'amount', 'detail').sort();
  assert.equal(frozen, ['null 9 deleted player', `${pam.email} 500 payouts on hold`]);
});

test('a payment reference used twice is listed until one of the two has failed', async () => {
  await topUp(pam, '20', 'success', { payment_reference: 'R-1', payment_method: 'cash' });
  await topUp(pam, '20', 'pending', { payment_reference: 'R-1', payment_method: 'card' });
  assert.equal(await rowsOf('reference_twice'), [], 'another method has other references');
  const again = await topUp(pam, '20', 'pending', { payment_reference: 'R-1', payment_method: 'Cash' });
  const [row] = await rowsOf('reference_twice');
  assert.is(row?.payment_id, again);
  assert.match(row?.detail ?? '', 'R-1, also of purchase');
  await ann.changePurchaseStatus({ id: again, body: { status: 'failed' } });
  assert.equal(await rowsOf('reference_twice'), []);
});

test('a redeem paid to an address of another player is listed', async () => {
  const lee = await addPlayer(2, { email: 'lee@mail.test', credit: '500' });
  const send = { platform: 'vblink', amount: '50', payout_method: 'Cash Tag', payout_address: ' $TAG ' } as const;
  const { id } = await ann.createManualRedeem({ body: { ...send, user_email: lee.email } });
  await ann.changeRedeemStatus({ id, body: { status: 'success' } });
  assert.equal(await rowsOf('foreign_address'), [], 'the other player was not paid yet');
  await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'success' } });
  assert.equal(table(await rowsOf('foreign_address'), 'payment_id', 'user_email', 'detail'), [
    [pam.redeem, pam.email, '$tag'],
  ]);
});

test('the rule fires once for a new row, without the name of the player', async () => {
  const buy = (reference: string | null) => sql`
    insert into transactions (tenant_id, player_id, transaction_type, amount, status, initiated_at, completed_at,
      payment_reference)
    values (2, ${pam.id}, 'TOP_UP', 12.5, 'success', now(), now(), ${reference})`;
  await turnOn('ann', 'no_reference');
  await turnOn('ann', 'frozen_balance');
  await look();
  const before = await titles('ann', 'no_reference');
  await buy('r-1');
  await look();
  assert.equal(await titles('ann', 'no_reference'), before);
  await buy(null);
  await look();
  await look();
  const [found, ...more] = (await bellOf('ann', 'no_reference')).reverse().slice(before.length);
  assert.equal(more, []);
  assert.match(found!.title, /^Success purchase without a payment reference: purchase \d+, \$12\.50$/);
  const [{ key } = { key: '' }] = await rowsOf('no_reference');
  assert.equal([found!.object_id, found!.about_tenant_id], [key, 2]);
  await sql`insert into payout_holds (tenant_id, player_id, admin_id) values (2, ${pam.id}, ${people.ann.id})`;
  await look();
  const all = await titles('ann', 'frozen_balance');
  assert.match(all.at(-1)!, new RegExp(`^Negative or frozen balance: player ${pam.id}, \\$`));
  assert.not.match(JSON.stringify(all), /@/);
  assert.equal(await titles('sue', 'no_reference'), [], "the platform's rule is off at first");
});

test('many new rows are one notification', async () => {
  await turnOn('ben', 'no_reference');
  await sql`
    insert into transactions (tenant_id, player_id, transaction_type, amount, status, initiated_at, completed_at)
    select 3, ${pat.id}, 'TOP_UP', n, 'success', now(), now() from generate_series(1, 5) n`;
  await look();
  assert.ok((await titles('ben', 'no_reference')).includes('Success purchase without a payment reference: 5 new'));
});

test.run();
