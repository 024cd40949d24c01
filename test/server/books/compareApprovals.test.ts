/**
 * Approvals and limits that were changed past the server: by SQL of the owner of the database, who does
 * not have the key. Each test first shows that verification is quiet.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createApi } from '../../../src/app/api/createApi';
import { permissions } from '../../../src/contract/permissions';
import { verifyEvidence } from '../../../src/server/books/verifyEvidence';
import { recordLedger } from '../../../src/server/commands/setup';
import { newKey, withKey } from '../../integrations';
import { addPlayer } from '../../seed';
import { as, db, fetch, guest, hashOfPassword, PASSWORD, pam, reset, runEach, services, sql } from '../../world';

const found = async (): Promise<string> => (await verifyEvidence(db, services.secrets)).join(' ');
const quiet = async () => assert.is(await found(), '');
/** The limits are older than a minute: a call that began before them may have read none. */
const limitsWereSet = () =>
  db.tx((tx) =>
    runEach(
      tx,
      `alter table audit_log disable trigger user;
      update audit_log set at = at - interval '10 minutes' where call = 'changeApprovalLimits';
      alter table audit_log enable trigger user`,
    ),
  );
const pay = { id: pam.redeem, body: { status: 'success' as const } };
const limits = (edits_from: number | null) => ({ body: { payouts_from: 150, edits_from } });

test.before.each(async () => {
  await reset();
  await sql`update admins set permissions = ${[...permissions]}`;
  await sql`
    insert into admins (tenant_id, role_id, email, password_hash, permissions)
    select 2, id, 'bob@acme.test', ${hashOfPassword}, ${[...permissions]} from roles where name = 'admin'`;
  await db.tx((tx) => recordLedger(tx, services.secrets));
  await (await as('ann')).changeApprovalLimits(limits(100));
  await limitsWereSet();
});
async function bob() {
  const token = (await guest.login({ body: { email: 'bob@acme.test', password: PASSWORD } })).access_token;
  return createApi({ fetch, token: () => token });
}

test('what two people do is as the log says, by every way', async () => {
  const [ann, second] = [await as('ann'), await bob()];
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

test('an edit that waits is changed: before and after the second person approves it', async () => {
  await (await as('ann')).adjustBalances({ id: pam.id, body: { credit: 600 } });
  await quiet();
  await sql`update approvals set change = '{"credit":60000}'`;
  assert.match(await found(), /Approval \d+ of tenant 2 \(player \d+\) is not what admin/);
  const second = await bob();
  await second.approveChange({ id: (await second.listApprovals({}))[0]!.id });
  assert.match(await found(), /were edited by 60000, but the audit log does not say that two people agreed/);
});

test('an edit that waits goes to another balance, or to another player', async () => {
  await (await as('ann')).adjustBalances({ id: pam.id, body: { credit: 600 } });
  await sql`update approvals set change = '{"bonus":600}'`;
  assert.match(await found(), /is not what admin/);
  const other = await addPlayer(2, { email: 'other@mail.test' });
  await sql`update approvals set change = '{"credit":600}', player_id = ${other.id}`;
  assert.match(await found(), /is not what admin/);
});

test('an approval that was carried out is opened again', async () => {
  await (await as('ann')).adjustBalances({ id: pam.id, body: { credit: 600 } });
  const second = await bob(),
    { id } = (await second.listApprovals({}))[0]!;
  await second.approveChange({ id });
  await quiet();
  await sql`update approvals set ended_at = null, ended_by = null, outcome = null`;
  await second.approveChange({ id });
  assert.match(await found(), /were edited by 600, but the audit log does not say that two people agreed/);
});

test('a first approval is invented, and one person pays out', async () => {
  await sql`
    insert into approvals (tenant_id, kind, redeem_id, player_id, first_admin_id)
    select 2, 'redeem', ${pam.redeem}, ${pam.id}, id from admins where email = 'bob@acme.test'`;
  assert.match(await found(), /Approval \d+ of tenant 2 \(redeem \d+\) is not what admin/);
  assert.is((await (await as('ann')).changeRedeemStatus(pay)).status, 'success');
  assert.match(await found(), /Redeem \d+ of tenant 2 \(150\.00\) was paid out, but .* two people agreed/);
});

test('another person is written down as the first, and the first pays out', async () => {
  const ann = await as('ann');
  await ann.changeRedeemStatus(pay);
  await quiet();
  await sql`update approvals set first_admin_id = (select id from admins where email = 'bob@acme.test')`;
  assert.match(await found(), /Approval \d+ of tenant 2 \(redeem \d+\) is not what admin/);
  assert.is((await ann.changeRedeemStatus(pay)).status, 'success');
  assert.match(await found(), /was paid out, but the audit log does not say that two people agreed/);
});

test('the limits are lifted for one payout, and set again', async () => {
  await sql`update tenants set payout_approval_from = null where id = 2`;
  assert.match(await found(), /The limits of tenant 2 are none and 100\.00, but the audit log says 150 and 100/);
  await (await as('ann')).changeRedeemStatus(pay);
  await sql`update tenants set payout_approval_from = 150 where id = 2`;
  assert.match(await found(), /was paid out, but the audit log does not say that two people agreed/);
});

test('the limits are lifted, and one person sets others', async () => {
  await sql`update tenants set payout_approval_from = null, edit_approval_from = null where id = 2`;
  await (await as('ann')).changeApprovalLimits(limits(900_000));
  assert.match(await found(), /The limits of tenant 2 were changed by entry \d+, but .* two people agreed/);
});

test('a change of the limits that waits is another one', async () => {
  await (await as('ann')).changeApprovalLimits(limits(200));
  await sql`update approvals set change = '{"payouts_from":150,"edits_from":null}'`;
  assert.match(await found(), /Approval \d+ of tenant 2 \(tenant 2\) is not what admin/);
  const second = await bob();
  await second.approveChange({ id: (await second.listApprovals({}))[0]!.id });
  assert.match(await found(), /The limits of tenant 2 were changed by entry \d+, but .* two people agreed/);
});

test('a wallet is closed past the server', async () => {
  await quiet();
  await sql`update wallets set closed_at = now() where player_id = ${pam.id}`;
  assert.match(await found(), /The wallet of player \d+ of tenant 2 is closed, but no entry of the audit log says so/);
});

test.run();
