/**
 * Approvals and limits that were changed past the server: by SQL of the owner of the database, who does
 * not have the key. Each test first shows that verification is quiet.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../src/app/api/client';
import { permissions } from '../../../src/contract/permissions';
import { verifyEvidence } from '../../../src/server/books/verifyEvidence';
import { recordLedger } from '../../../src/server/commands/setup';
import { isRefused } from '../../answers';
import { ann, hire } from '../../callers';
import { newKey, withKey } from '../../integrations';
import { addPlayer } from '../../seed';
import { db, pam, pastTriggers, people, reset, services, sql } from '../../world';

const found = async (): Promise<string> => (await verifyEvidence(db, services.secrets)).join(' ');
const quiet = async () => assert.is(await found(), '');
/** The limits are older than a minute: a call that began before them may have read none. */
const limitsWereSet = () =>
  pastTriggers(
    ['audit_log'],
    (tx) => tx`update audit_log set at = ${new Date(Date.now() - 600_000)} where call = 'changeApprovalLimits'`,
  );
const pay = { id: pam.redeem, body: { status: 'success' as const } };
const limits = (edits_from: number | null) => ({ body: { payouts_from: 150, edits_from } });

let second: Api;
test.before.each(async () => {
  await reset();
  await sql`update admins set permissions = ${[...permissions]}`;
  second = await hire('bob@acme.test');
  await db.tx((tx) => recordLedger(tx, services.secrets));
  await ann.changeApprovalLimits(limits(100));
  await limitsWereSet();
});

test('what two people do is as the log says, by every way', async () => {
  const { key } = await newKey('ann', ['transactions:settle']);
  await withKey(key).pushStatus({ id: pam.redeem, body: { status: 'success' } });
  await ann.adjustBalances({ id: pam.id, body: { credit: 60, vip: 50 } });
  await ann.adjustBalances({ id: pam.id, body: { credit: 20, credit_op: 'remove' } });
  await quiet();
  for (const { id } of await second.listApprovals({})) await second.approveChange({ id });
  await ann.changeApprovalLimits(limits(null));
  await second.approveChange({ id: (await second.listApprovals({}))[0]!.id });
  await ann.adjustBalances({ id: pam.id, body: { credit: 5000 } });
  await ann.changeApprovalLimits(limits(100));
  await second.endApproval({ id: (await second.listApprovals({}))[0]!.id });
  await quiet();
});

const CHANGED =
  'This approval was changed in the database after it was stored. It cannot be carried out. ' +
  'Refuse it, and tell the operator of the server.';
const isNotDone = (work: Promise<unknown>) => isRefused(work, 409, CHANGED);
const money = () => sql`select player_id, credit_balance, bonus_balance, held_balance from wallets order by player_id`;
const reopened = { ended_at: null, ended_by: null, outcome: null };

test('an edit that waits is changed: another amount, balance, player or person; it is not carried out', async () => {
  await ann.adjustBalances({ id: pam.id, body: { credit: 600 } });
  await quiet();
  const other = await addPlayer(2, { email: 'other@mail.test' });
  const [{ id }, before] = [(await second.listApprovals({}))[0]!, await money()];
  const [stored] = await sql`select change::text, player_id, first_admin_id from approvals`;
  for (const change of [
    { change: '{"credit":60000}' },
    { change: '{"bonus":600}' },
    { change: '{"credit": 600}' },
    { player_id: other.id },
    { first_admin_id: people.sue.id },
    { seal: null },
  ]) {
    await sql`update approvals set ${sql({ ...stored, ...change })}`;
    assert.match(await found(), /Approval \d+ of tenant 2 is not what admin \d+ approved: its seal does not match/);
    await isNotDone(second.approveChange({ id }));
    assert.equal(await money(), before);
  }
  const entries = await sql`select kind, after::text from audit_log where after::text like '%tampering_found%'`;
  assert.equal({ ...entries[0] }, { kind: 'player', after: '{"tampering_found":true}' });
  assert.is(entries.length, 6);
  await second.endApproval({ id });
  await quiet();
});

test('an approval that has ended is opened again', async () => {
  await ann.adjustBalances({ id: pam.id, body: { credit: 600 } });
  const { id } = (await second.listApprovals({}))[0]!;
  await second.approveChange({ id });
  await quiet();
  const before = await money();
  await sql`update approvals set ${sql(reopened)}`;
  await isNotDone(second.approveChange({ id }));
  assert.equal(await money(), before);
});

test('a first approval is invented, or another person is written down as the first', async () => {
  await sql`
    insert into approvals (tenant_id, kind, redeem_id, player_id, first_admin_id)
    select 2, 'redeem', ${pam.redeem}, ${pam.id}, id from admins where email = 'bob@acme.test'`;
  const isPending = async () => {
    assert.match(await found(), /Approval \d+ of tenant 2 is not what admin/);
    const before = await money();
    await isNotDone(ann.changeRedeemStatus(pay));
    await isNotDone(ann.approveChange({ id: (await ann.listApprovals({}))[0]!.id }));
    assert.equal(await money(), before);
    assert.equal([...(await sql`select status from redeems where id = ${pam.redeem}`)], [{ status: 'pending' }]);
  };
  await isPending();
  await ann.endApproval({ id: (await ann.listApprovals({}))[0]!.id });
  await ann.changeRedeemStatus(pay);
  await quiet();
  await sql`
    update approvals set first_admin_id = (select id from admins where email = 'bob@acme.test') where ended_at is null`;
  await isPending();
});

/** Somebody who kept the seal from while it waited puts the whole row back. */
test('an approval that was withdrawn is put back with its seal, and carried out by the second alone', async () => {
  const won = await ann.createReturn({ body: { user_email: pam.email, amount: '300', platform: 'vblink' } });
  const first = [
    () => ann.changeRedeemStatus(pay),
    () => ann.adjustBalances({ id: pam.id, body: { credit: 600 } }),
    () => ann.changePurchaseStatus({ id: won.id, body: { status: 'success' } }),
    () => ann.changeApprovalLimits(limits(200)),
  ];
  const sentences = [
    /Redeem \d+ of tenant 2 \(150\.00\) was paid out, but .* two people agreed/,
    /The balances of player \d+ of tenant 2 were edited by 600, but .* two people agreed/,
    /Return \d+ of tenant 2 \(300\.00\) was settled, but .* two people agreed/,
    /The limits of tenant 2 were changed by entry \d+, but .* two people agreed/,
  ];
  for (const [n, approve] of first.entries()) {
    await approve();
    const { id } = (await second.listApprovals({}))[0]!;
    const [row] = await sql<{ seal: Buffer }[]>`select seal from approvals where id = ${id}`;
    await ann.endApproval({ id });
    assert.not.match(await found(), sentences[n]!);
    await sql`update approvals set ${sql({ ...reopened, seal: row!.seal })} where id = ${id}`;
    await second.approveChange({ id });
    assert.match(await found(), sentences[n]!);
  }
});

test('a return is settled by two people, one with a key, and not if the approval names another return', async () => {
  const { key } = await newKey('ann', ['transactions:settle']);
  const won = { user_email: pam.email, amount: '300', platform: 'vblink' };
  const [one, other] = [await ann.createReturn({ body: won }), await ann.createReturn({ body: won })];
  const settled = { id: one.id, body: { status: 'success' as const } };
  await withKey(key).pushStatus(settled);
  await quiet();
  await sql`update approvals set return_id = ${other.id}`;
  assert.match(await found(), /Approval \d+ of tenant 2 is not what admin/);
  await isNotDone(second.changePurchaseStatus({ ...settled, id: other.id }));
  await sql`update approvals set return_id = ${one.id}`;
  const before = await money();
  for (const change of [{ amount: '90000' }, { platform: 'yolo' }]) {
    await sql`update transactions set ${sql(change)} where id = ${one.id}`;
    await isNotDone(second.changePurchaseStatus(settled));
    await isNotDone(second.approveChange({ id: (await second.listApprovals({}))[0]!.id }));
    assert.match(await found(), /Approval \d+ of tenant 2 is not what admin/);
    assert.equal(await money(), before);
    await sql`update transactions set amount = '300', platform = 'vblink' where id = ${one.id}`;
  }
  assert.is((await second.changePurchaseStatus(settled)).status, 'success');
  await quiet();
});

test('one of two equal edits is withdrawn, and the other is carried out', async () => {
  for (let n = 0; n < 2; n++) await ann.adjustBalances({ id: pam.id, body: { credit: 600 } });
  const [one, other] = await ann.listApprovals({});
  await ann.endApproval({ id: one!.id });
  await second.approveChange({ id: other!.id });
  await quiet();
});

test('the limits are lifted for one payout and one edit, and set again', async () => {
  await sql`update tenants set payout_approval_from = null, edit_approval_from = null where id = 2`;
  assert.match(await found(), /The limits of tenant 2 are none and none, but the audit log says 150 and 100/);
  await ann.changeRedeemStatus(pay);
  await ann.adjustBalances({ id: pam.id, body: { credit: 600 } });
  await sql`update tenants set payout_approval_from = 150, edit_approval_from = 100 where id = 2`;
  assert.match(await found(), /were edited by 600, but the audit log does not say that two people agreed/);
  assert.match(await found(), /was paid out, but the audit log does not say that two people agreed/);
});

test('the limits are lifted, and one person sets others', async () => {
  await sql`update tenants set payout_approval_from = null, edit_approval_from = null where id = 2`;
  await ann.changeApprovalLimits(limits(900_000));
  assert.match(await found(), /The limits of tenant 2 were changed by entry \d+, but .* two people agreed/);
});

test('a change of the limits that waits is another one', async () => {
  await ann.changeApprovalLimits(limits(200));
  await sql`update approvals set change = '{"payouts_from":150,"edits_from":null}'`;
  assert.match(await found(), /Approval \d+ of tenant 2 is not what admin/);
  await isNotDone(second.approveChange({ id: (await second.listApprovals({}))[0]!.id }));
  assert.is((await second.getApprovalLimits({})).edits_from, 100);
});

test('a wallet is closed past the server', async () => {
  await quiet();
  await sql`update wallets set closed_at = now() where player_id = ${pam.id}`;
  assert.match(await found(), /The wallet of player \d+ of tenant 2 is closed, but no entry of the audit log says so/);
});

test.run();
