/**
 * One person does not make money, move it to themselves or make it vanish alone, by a way that is not called an edit or
 * a payout (docs/permissions.md, "Every way money moves").
 */
import { setTimeout } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { permissions } from '../../../src/contract/permissions';
import { evaluate } from '../../../src/server/notifications/evaluate';
import { booksAddUp, isRefused, pluck, table } from '../../answers';
import { ann, apiOf, hire } from '../../callers';
import { newKey, withKey } from '../../integrations';
import { addPlayer } from '../../seed';
import { db, guest, PASSWORD, pam, people, reset, sql, untilLocked } from '../../world';

/** An account that `maker` makes and signs in with, without changing its password. */
async function madeBy(maker: Api, email: string, current_password = PASSWORD): Promise<Api> {
  const body = { email, password: 'A-secret-1', permissions: [...permissions], current_password };
  await maker.createTeamMember({ body });
  return apiOf((await guest.login({ body: { email, password: 'A-secret-1' } })).access_token);
}
const limit = (edits_from: number) => sql`update tenants set edit_approval_from = ${edits_from} where id = 2`;
const success = { status: 'success' as const };

test.before.each(async () => {
  await reset();
  await sql`update admins set permissions = ${[...permissions]} where id = ${people.ann.id}`;
});
test.after.each(booksAddUp);

test('a player with a balance is deleted by whoever may remove the balance alone', async () => {
  const { id } = await addPlayer(2, { email: 'rich@mail.test', credit: '9000' });
  const sam = await hire('sam@acme.test', ['support']);
  await isRefused(sam.deletePlayer({ id }), 403, 'You need the permission Money for this');
  await limit(500);
  const words = 'Two people must agree on a balance of this size: remove the balance first';
  await isRefused(ann.deletePlayer({ id }), 409, words);
  assert.is((await sql`select 1 from wallets where player_id = ${id} and closed_at is null`).length, 1);
  const { id: poor } = await addPlayer(2, { email: 'poor@mail.test' });
  assert.equal(await sam.deletePlayer({ id: poor }), { ok: true }, 'one without a balance by support');
  await limit(9000.01);
  assert.equal(await ann.deletePlayer({ id }), { ok: true });
});

test('what a key reports from the limit on is not settled by that key, its maker, or an account of the maker', async () => {
  await limit(500);
  const hired = await madeBy(ann, 'zoe@acme.test');
  const { key } = await newKey('ann', ['transactions:write', 'transactions:settle']);
  const shop = withKey(key),
    OWN = 'Whoever could have made the API key that reported this cannot settle it. Another person must';
  const report = async (payment_reference: string, amount: number) =>
    (await shop.pushTopUp({ body: { user_id: pam.id, amount, payment_method: 'Card', payment_reference } })).id;
  const id = await report('a', 100_000);
  const other = withKey((await newKey('ann', ['transactions:settle'])).key);
  for (const settle of [shop.pushStatus, ann.changePurchaseStatus, hired.changePurchaseStatus, other.pushStatus])
    await isRefused(settle({ id, body: success }), 409, OWN);
  assert.is((await (await hire('bob@acme.test')).changePurchaseStatus({ id, body: success })).status, 'success');
  const body = { user_id: pam.id, amount: 600, platform: 'yolo' as const, payment_reference: 'd' };
  const deposit = await shop.pushDeposit({ body });
  await isRefused(shop.pushStatus({ id: deposit.id, body: success }), 409, OWN);
  assert.is((await shop.pushStatus({ id: deposit.id, body: { status: 'failed' } })).status, 'failed');
  const small = await report('b', 499.99);
  assert.is((await shop.pushStatus({ id: small, body: success })).status, 'success');
  await sql`update tenants set edit_approval_from = null`;
  const free = await report('c', 100_000);
  assert.is((await shop.pushStatus({ id: free, body: success })).status, 'success');
});

test('one person through a chain of accounts is not two', async () => {
  await sql`update tenants set payout_approval_from = 150, edit_approval_from = 500 where id = 2`;
  const zoe = await madeBy(ann, 'zoe@acme.test'),
    yan = await madeBy(zoe, 'yan@acme.test', 'A-secret-1'),
    may = await madeBy(zoe, 'may@acme.test', 'A-secret-1');
  const payout = { id: pam.redeem, body: success };
  await ann.changeRedeemStatus(payout);
  await isRefused(yan.changeRedeemStatus(payout), 409, /has approved this and has set your password/);
  await ann.endApproval({ id: (await ann.listApprovals({}))[0]!.id });
  await yan.changeRedeemStatus(payout);
  await isRefused(ann.changeRedeemStatus(payout), 409, /has approved this with a password that you have set/);
  assert.match(String((await may.listApprovals({}))[0]?.refusal), /one colleague has set the passwords of both of you/);
  await isRefused(may.changeRedeemStatus(payout), 409, /one colleague has set the passwords of both of you/);
  await yan.changeApprovalLimits({ body: { payouts_from: 900_000, edits_from: null } });
  const change = (await ann.listApprovals({})).find(({ kind }) => kind === 'limits')!;
  await isRefused(ann.approveChange({ id: change.id }), 409, /with a password that you have set/);
  assert.is((await (await hire('bob@acme.test')).changeRedeemStatus(payout)).status, 'success');
});

test('two who agree while the account of one is new ring a rule, at the platform too', async () => {
  await sql`update tenants set payout_approval_from = 150 where id = 2`;
  await sql`update admins set created_at = now() - interval '1 year', updated_at = now() - interval '1 year'`;
  const rung = async () => {
    await evaluate(db, (error) => assert.unreachable(String(error)), { isForced: true });
    return sql`
      select tenant_id, title, detail, object_id from notifications where kind = 'new_second' order by tenant_id`;
  };
  await ann.changeRedeemStatus({ id: pam.redeem, body: success });
  const bob = await hire('bob@acme.test');
  assert.equal([...(await rung())], []);
  await bob.changeRedeemStatus({ id: pam.redeem, body: success });
  const says = async (how: string) => {
    const title = `Payout ${pam.redeem} of $150.00 was approved by an account ${how} in the 7 days before`;
    const detail = `bob@acme.test agreed with ${people.ann.email}. They could be one person`;
    assert.equal(table(await rung(), 'tenant_id', 'title', 'detail', 'object_id'), [
      [1, title, detail, `redeem ${pam.redeem}`],
      [2, title, detail, `redeem ${pam.redeem}`],
    ]);
    await sql`delete from notification_deliveries`;
    await sql`delete from notifications`;
    await sql`delete from notification_things`;
  };
  await says('made');
  await sql`update admins set created_at = now() - interval '8 days'`;
  await says('changed');
  await sql`update admins set updated_at = now() - interval '8 days'`;
  assert.equal([...(await rung())], []);
});

test("an account does not get a player's e-mail without payouts, nor a player that of any account", async () => {
  await addPlayer(2, { email: 'rich@acme.test', credit: '900' });
  const may = permissions.filter((one) => one !== 'payouts');
  const ted = await hire('ted@acme.test', may);
  const account = { password: 'A-secret-1', permissions: ['support' as const], current_password: PASSWORD };
  const NEEDS = 'You need the permission Payouts for an account with the email of a user';
  await isRefused(ted.createTeamMember({ body: { ...account, email: 'Rich@acme.test' } }), 403, NEEDS);
  const { id } = await ted.createTeamMember({ body: { ...account, email: 'nina@acme.test' } });
  const change = (body: object) => ted.updateTeamMember({ id, body: { current_password: PASSWORD, ...body } });
  await isRefused(change({ email: 'rich@acme.test' }), 403, NEEDS);
  await change({ is_active: false });
  const support = await hire('sam@acme.test', ['support']);
  const words = 'You need the permission Payouts to give a player the email of an admin';
  await isRefused(support.createPlayer({ body: { email: 'nina@acme.test', password: 'A-secret-1' } }), 403, words);
  await addPlayer(2, { email: 'nina@acme.test', credit: '300' });
  await isRefused(change({ is_active: true }), 403, NEEDS);
  await isRefused(change({ password: 'A-secret-2' }), 403, NEEDS);
  await change({ permissions: [] });
  await ann.updateTeamMember({ id, body: { current_password: PASSWORD, is_active: true } });
});

test('two people who give one e-mail to a player and to an account at one moment: one is refused', async () => {
  const ted = await hire('ted@acme.test', ['support', 'team']),
    sam = await hire('sam@acme.test', ['support']);
  const both = { email: 'nina@acme.test', password: 'A-secret-1' };
  let results: Promise<PromiseSettledResult<unknown>[]> | undefined;
  await db.tx(async (tx) => {
    await tx`lock table players in share row exclusive mode`; // the player is checked, and not yet there
    const player = sam.createPlayer({ body: both });
    await untilLocked();
    const account = ted.createTeamMember({ body: { ...both, permissions: ['support'], current_password: PASSWORD } });
    results = Promise.allSettled([player, account]);
    await Promise.race([account.catch(() => {}), setTimeout(1_500)]);
  });
  assert.equal(pluck((await results) ?? [], 'status'), ['fulfilled', 'rejected']);
});

test.run();
