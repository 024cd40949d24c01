/** Who has which pending row (docs/extras/counter-claims.md). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CLAIM_MINUTES } from '../../../src/contract/constants';
import type { Permission } from '../../../src/contract/permissions';
import { isRefused, table } from '../../answers';
import { readAuditLog } from '../../audit';
import { ann, hire, sue } from '../../callers';
import { newKey, withKey } from '../../integrations';
import { pam, pat, people, reset, sql } from '../../world';

const TAKEN = `${people.ann.email} has taken this`;
const redeem = { body: { id: pam.redeem } } as const;
const purchase = { body: { id: pam.purchase } } as const;
const success = { status: 'success' as const };

/** Bob, a colleague of Ann's. */
const bob = (permissions: Permission[] = ['queue', 'payouts']) => hire('bob@acme.test', permissions);
const shop = async () => withKey((await newKey('ann', ['transactions:settle'])).key);
/** As if so many minutes had passed since. */
const later = (minutes: number) =>
  sql`update row_claims set claimed_until = ${new Date(Date.now() + (CLAIM_MINUTES - minutes) * 60_000)}`;
const statusOf = async (id: number) => (await ann.getTransactionDetails({ id })).status;

test.before.each(reset);

test('a row that is taken is nobody else’s for ten minutes: all lists name who has it', async () => {
  const other = await bob();
  const { claimed_by, claimed_until } = await ann.claimRow(redeem);
  assert.is(claimed_by, people.ann.email);
  const minutes = (Date.parse(claimed_until) - Date.now()) / 60_000;
  assert.ok(minutes > CLAIM_MINUTES - 1 && minutes < CLAIM_MINUTES + 1, `${minutes} minutes`);
  await isRefused(other.claimRow(redeem), 409, TAKEN);
  for (const api of [other, sue]) {
    const [row] = await api.listRedeems({ tenant_id: 2, status: 'pending' });
    assert.equal([row?.claimed_by, row?.claimed_until], [people.ann.email, claimed_until]);
    const watched = await api.watchList({ tenant_id: 2, list: 'redeems', after_id: pam.redeem });
    assert.equal(watched, {
      new_rows: 0,
      claims: [{ id: pam.redeem, claimed_by: people.ann.email, claimed_until }],
      key_takes: false,
    });
  }
  assert.equal((await other.watchList({ list: 'purchases', after_id: 1 })).claims, []);
  assert.not.ok('claimed_by' in (await other.listPurchases({}))[0]!, 'nobody has it');
  await later(CLAIM_MINUTES);
  assert.not.ok('claimed_by' in (await other.listRedeems({ status: 'pending' }))[0]!, 'it has ended by itself');
  assert.is((await other.claimRow(redeem)).claimed_by, 'bob@acme.test');
});

test('taking it again makes it last, giving it back frees it', async () => {
  const other = await bob();
  const first = await ann.claimRow(purchase);
  await later(5);
  assert.ok((await ann.claimRow(purchase)).claimed_until >= first.claimed_until);
  await isRefused(other.releaseRow({ id: pam.purchase }), 404, undefined, 'it is not theirs');
  await ann.releaseRow({ id: pam.purchase });
  await isRefused(ann.releaseRow({ id: pam.purchase }), 404);
  assert.is((await other.claimRow(purchase)).claimed_by, 'bob@acme.test');
});

test('nobody else decides it, by any way; who has it does', async () => {
  const [other, key] = [await bob(), await shop()];
  await ann.claimRow(redeem);
  await ann.claimRow(purchase);
  const ways = [
    () => other.changeRedeemStatus({ id: pam.redeem, body: success }),
    () => other.changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } }),
    () => other.changePurchaseStatus({ id: pam.purchase, body: success }),
    () => key.pushStatus({ id: pam.redeem, body: success }),
  ];
  for (const way of ways) await isRefused(way(), 409, TAKEN);
  assert.equal([await statusOf(pam.redeem), await statusOf(pam.purchase)], ['pending', 'pending']);
  await ann.changeRedeemStatus({ id: pam.redeem, body: success });
  await ann.changePurchaseStatus({ id: pam.purchase, body: success });
  assert.equal([...(await sql`select * from row_claims`)], [], 'a decision ends the claim');
  await isRefused(other.claimRow(redeem), 409, 'It is no longer pending');
});

test('a claim that has ended keeps nobody from deciding', async () => {
  await ann.claimRow(purchase);
  await later(CLAIM_MINUTES);
  await (await bob()).changePurchaseStatus({ id: pam.purchase, body: success });
  assert.is(await statusOf(pam.purchase), 'success');
});

test('of two who must agree, neither decides what somebody else has; the first gives it to the second', async () => {
  await sql`update tenants set payout_approval_from = 100 where id = 2`;
  const other = await bob();
  await other.claimRow(redeem);
  const pay = () => ann.changeRedeemStatus({ id: pam.redeem, body: success });
  await isRefused(pay(), 409, 'bob@acme.test has taken this');
  assert.equal(await ann.listApprovals({}), []);
  await other.releaseRow({ id: pam.redeem });
  await ann.claimRow(redeem);
  await pay();
  await other.claimRow(redeem);
  const [waiting] = await other.listApprovals({});
  await other.approveChange({ id: waiting!.id });
  assert.is(await statusOf(pam.redeem), 'success');
});

test('it is taken over with a reason, which the audit log has', async () => {
  const other = await bob();
  await ann.claimRow(redeem);
  const over = { id: pam.redeem, take_over: true };
  await isRefused(other.claimRow({ body: over }), 422);
  await other.claimRow({ body: { ...over, note: 'Ann is at lunch' } });
  await isRefused(ann.changeRedeemStatus({ id: pam.redeem, body: success }), 409);
  const entries = (await readAuditLog()).filter(({ call }) => call === 'claimRow');
  assert.equal(table(entries, 'email', 'note', 'before', 'after'), [
    [people.ann.email, null, { claimed_by: null }, { claimed_by: people.ann.email }],
    ['bob@acme.test', 'Ann is at lunch', { claimed_by: people.ann.email }, { claimed_by: 'bob@acme.test' }],
  ]);
});

test('an API key takes rows by its name, and is another holder than who made it', async () => {
  const key = await shop();
  assert.is((await key.pushClaim(purchase)).claimed_by, 'Shop');
  await isRefused(ann.changePurchaseStatus({ id: pam.purchase, body: success }), 409, 'Shop has taken this');
  await key.dropClaim({ id: pam.purchase });
  await ann.claimRow(purchase);
  await isRefused(key.pushClaim(purchase), 409, TAKEN);
  await key.pushClaim({ body: { id: pam.purchase, take_over: true, note: 'night shift' } });
  await key.pushStatus({ id: pam.purchase, body: success });
});

test('it needs the permission of its decision, and the own tenant', async () => {
  const other = await bob(['queue']);
  await isRefused(other.claimRow(redeem), 403, 'You need the permission Payouts for this');
  await other.claimRow(purchase);
  await isRefused(other.claimRow({ body: { id: pat.purchase } }), 404);
  await isRefused((await shop()).pushClaim({ body: { id: pat.purchase } }), 404);
});

test('who made a row is still who made it when others have taken it', async () => {
  await sql`update redeems set is_history = false`;
  await (await bob()).claimRow(redeem);
  assert.is((await ann.getTransactionDetails({ id: pam.redeem })).made_by, null);
});

test.run();
