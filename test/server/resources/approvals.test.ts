/** Two people agree on large payouts and edits, whichever way one of them tries (docs/permissions.md, "Two people"). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { permissions } from '../../../src/contract/permissions';
import { booksAddUp, creditOf, isRefused, lines, pluck, table } from '../../answers';
import { readAuditLog } from '../../audit';
import { ann, apiOf, hire, sue } from '../../callers';
import { importFile } from '../../importFile';
import { newKey, withKey } from '../../integrations';
import { guest, PASSWORD, pam, pat, people, reset, sql, whileHeld } from '../../world';

const statusOf = async (id: number) =>
  (await sql<{ status: string }[]>`select status from redeems where id = ${id}`)[0]?.status;
const signIn = async (email: string, password = PASSWORD) =>
  apiOf((await guest.login({ body: { email, password } })).access_token);
/** A colleague of Ann's whose password somebody has set. */
async function colleague(email: string, setBy: number) {
  const hired = await hire(email);
  await sql`update admins set sign_in_set_by = ${setBy} where id = ${hired.id}`;
  return hired;
}
const bob = () => hire('bob@acme.test');
/** What they change their password to. */
const NEW = 'violet harbour 42 lanterns';
const pay = { id: pam.redeem, body: { status: 'success' as const } };
const OWN = 'You have approved this. A second person must, too';

test.before.each(async () => {
  await reset();
  await sql`update admins set permissions = ${[...permissions]}`;
  await sql`update tenants set payout_approval_from = 150, edit_approval_from = 100 where id = 2`;
});
test.after.each(booksAddUp);

test('the first decision is stored and the redeem stays pending; the second pays out', async () => {
  assert.is((await ann.changeRedeemStatus(pay)).status, 'pending');
  const listed = await ann.listApprovals({}),
    [waiting] = listed;
  assert.equal(table(listed, 'kind', 'redeem_id', 'amount', 'user_email', 'first_email', 'is_own', 'refusal'), [
    ['redeem', pam.redeem, 150, pam.email, people.ann.email, true, OWN],
  ]);
  assert.equal(pluck(await ann.listRedeems({ approval: 'waiting' }), 'id'), [pam.redeem]);
  assert.is((await ann.countListed({ list: 'redeems', approval: 'waiting' })).total, 1);
  assert.is((await ann.countListed({ list: 'purchases', approval: 'waiting' })).total, 0);
  assert.is((await sue.listApprovals({}))[0]?.refusal, null);
  await isRefused(ann.changeRedeemStatus(pay), 409, OWN);
  await isRefused(ann.approveChange({ id: waiting!.id }), 409, OWN);
  assert.is(await statusOf(pam.redeem), 'pending');
  assert.is((await (await bob()).changeRedeemStatus(pay)).status, 'success');
  assert.equal(await ann.listApprovals({}), []);
  assert.equal(await ann.listRedeems({ approval: 'waiting' }), []);
  const settled = (await readAuditLog()).filter(({ kind }) => kind === 'redeem');
  assert.equal(table(settled, 'email', 'after'), [
    [people.ann.email, { approved: '1 of 2' }],
    ['bob@acme.test', { status: 'success' }],
  ]);
});

test('a smaller payout, and a refusal of any, need one person', async () => {
  await sql`update tenants set payout_approval_from = 150.01 where id = 2`;
  assert.is((await ann.changeRedeemStatus(pay)).status, 'success');
  await reset();
  await sql`update tenants set payout_approval_from = 1 where id = 2`;
  const failed = await ann.changeRedeemStatus({ id: pam.redeem, body: { status: 'failed' } });
  assert.is(failed.status, 'failed');
});

test('a limit that is raised in between changes nothing of what waits', async () => {
  await ann.changeRedeemStatus(pay);
  await sql`update tenants set payout_approval_from = null where id = 2`;
  await isRefused(ann.changeRedeemStatus(pay), 409, OWN);
  await ann.endApproval({ id: (await ann.listApprovals({}))[0]!.id });
  assert.is((await ann.changeRedeemStatus(pay)).status, 'success', 'withdrawn, and no longer large');
});

test('an API key is never the second, and counts as whoever made it as the first', async () => {
  const { key } = await newKey('ann', ['transactions:settle']);
  const settle = () => withKey(key).pushStatus({ id: pam.redeem, body: { status: 'success' } });
  assert.is((await settle()).status, 'pending');
  await isRefused(ann.changeRedeemStatus(pay), 409, OWN);
  await isRefused(settle(), 409, `${people.ann.email} has approved this. A person must approve it too`);
  assert.is((await (await bob()).changeRedeemStatus(pay)).status, 'success');
});

test('whoever set the password of an account cannot approve after it', async () => {
  const cal = { email: 'cal@acme.test', password: 'A-secret-1' };
  await ann.createTeamMember({ body: { ...cal, permissions: ['payouts'], current_password: PASSWORD } });
  const hired = await signIn(cal.email, cal.password);
  await hired.changeRedeemStatus(pay);
  const why =
    `${cal.email} has approved this with a password that you have set. ` +
    'They must change it under Account and approve this again';
  const [waiting] = await ann.listApprovals({});
  assert.is(waiting?.refusal, why);
  await isRefused(ann.approveChange({ id: waiting!.id }), 409, why);
  await isRefused(ann.changeRedeemStatus(pay), 409, why);
  await hired.changePassword({ body: { current_password: cal.password, new_password: NEW } });
  assert.equal(await ann.listApprovals({}), []); // it may have been Ann who approved with that password
  assert.is((await (await signIn(cal.email, NEW)).changeRedeemStatus(pay)).status, 'pending');
  assert.is((await ann.changeRedeemStatus(pay)).status, 'success');
});

test('a password that somebody sets once more ends what was approved with the one before', async () => {
  const cal = { email: 'cal@acme.test', password: 'A-secret-1' };
  const { id } = await ann.createTeamMember({ body: { ...cal, permissions: ['payouts'], current_password: PASSWORD } });
  await (await signIn(cal.email, cal.password)).changeRedeemStatus(pay); // Ann could have done this
  await sue.updateAdmin({ id, body: { email: cal.email, password: NEW } });
  assert.equal(await ann.listApprovals({}), []);
  assert.is((await ann.changeRedeemStatus(pay)).status, 'pending', 'Ann is the first of two');
});

test('two whose passwords one colleague has set are one person, until one of them changes it', async () => {
  const cal = await colleague('cal@acme.test', people.ann.id),
    dan = await colleague('dan@acme.test', people.ann.id);
  await cal.changeRedeemStatus(pay);
  const one = 'cal@acme.test has approved this, and one colleague has set the passwords of both of you. ';
  await isRefused(dan.changeRedeemStatus(pay), 409, `${one}Change yours under Account first`);
  await dan.changePassword({ body: { current_password: PASSWORD, new_password: NEW } });
  assert.is((await (await signIn('dan@acme.test', NEW)).changeRedeemStatus(pay)).status, 'success');
});

test('two admins whom a super admin has made can agree', async () => {
  const cal = await colleague('cal@acme.test', people.sue.id),
    dan = await colleague('dan@acme.test', people.sue.id);
  await cal.changeRedeemStatus(pay);
  assert.is((await dan.changeRedeemStatus(pay)).status, 'success');
});

test('what somebody approved who may no longer sign in counts no more', async () => {
  await ann.changeRedeemStatus(pay);
  await sql`update admins set is_active = false where id = ${people.ann.id}`;
  const other = await bob();
  assert.is((await other.changeRedeemStatus(pay)).status, 'pending', 'now the first of two');
  await isRefused(other.changeRedeemStatus(pay), 409, OWN);
});

const off = { payouts_from: null, edits_from: null };
/** What ended, and by whom. */
const ended = async () => lines(await sql`select * from approvals order by id`, 'kind', 'outcome', 'ended_by');
/** Bob is first to approve one of each kind. */
async function bobFirst() {
  const first = await bob();
  await first.changeRedeemStatus(pay);
  await first.adjustBalances({ id: pam.id, body: { credit: 200 } });
  await first.changeApprovalLimits({ body: off });
  return { id: first.id, email: 'bob@acme.test' };
}
type Bob = { id: number; email: string };
const inactive = { is_active: false, current_password: PASSWORD };
const switchOff = ({ id, email }: Bob) => sue.updateAdmin({ id, body: { email, is_active: false } });
const whileBob: [what: string, by: number, end: (bob: Bob) => Promise<unknown>][] = [
  ['a super admin disables their account', people.sue.id, ({ id }) => sue.disableAdmin({ id })],
  ['a super admin switches their account off', people.sue.id, switchOff],
  ['a colleague switches their sign-in off', people.ann.id, ({ id }) => ann.updateTeamMember({ id, body: inactive })],
];
for (const [what, by, end] of whileBob) {
  test(`what somebody approved is refused for good when ${what}`, async () => {
    const first = await bobFirst();
    assert.is((await ann.listApprovals({})).length, 3);
    await end(first);
    assert.equal(await ended(), [`redeem refused ${by}`, `balances refused ${by}`, `limits refused ${by}`]);
    await sue.updateAdmin({ id: first.id, body: { email: first.email, is_active: true } });
    assert.equal(await ann.listApprovals({}), []);
    assert.is((await ann.changeRedeemStatus(pay)).status, 'pending', 'now the first of two');
    await ann.changeApprovalLimits({ body: off });
    assert.equal(lines(await ann.listApprovals({}), 'kind', 'first_email'), [
      `redeem ${people.ann.email}`,
      `limits ${people.ann.email}`,
    ]);
  });
}

test('what somebody approved is refused when they lose the permission for it, and nothing else is', async () => {
  const { id, email } = await bobFirst();
  const hold = async (held: readonly (typeof permissions)[number][]) =>
    ann.updateTeamMember({ id, body: { permissions: [...held], current_password: PASSWORD } });
  await hold(permissions.filter((one) => one !== 'export'));
  assert.equal(await ended(), ['redeem null null', 'balances null null', 'limits null null']);
  await hold(permissions.filter((one) => one !== 'money'));
  const balances = `balances refused ${people.ann.id}`;
  assert.equal(await ended(), ['redeem null null', balances, 'limits null null']);
  await sue.updateAdmin({ id, body: { email, permissions: ['money', 'payouts'] } });
  assert.equal(await ended(), ['redeem null null', balances, `limits refused ${people.sue.id}`]);
  await hold(['money']);
  assert.is((await ended())[0], `redeem refused ${people.ann.id}`);
});

test('what a super admin approved is refused when they are disabled, whatever the tenant', async () => {
  const { id, ...sid } = await hire('sid@platform.test');
  await sql`update admins set tenant_id = 1, role_id = 1 where id = ${id}`;
  await sid.changeRedeemStatus(pay);
  await sid.adjustBalances({ id: pat.id, body: { credit: 200 } }); // in Bravo, which has no limits
  await sql`update tenants set edit_approval_from = 100 where id = 3`;
  await sid.adjustBalances({ id: pat.id, body: { credit: 200 } });
  await sue.disableAdmin({ id });
  assert.equal(await ended(), [`redeem refused ${people.sue.id}`, `balances refused ${people.sue.id}`]);
});

test('without any call too, what somebody may no longer do counts no more, and holds up no new limits', async () => {
  const { id } = await bobFirst();
  const waiting = await ann.listApprovals({});
  assert.is((await ann.countListed({ list: 'redeems', approval: 'waiting' })).total, 1);
  await sql`update admins set permissions = '{support}' where id = ${id}`;
  assert.equal(await ann.listApprovals({}), []);
  assert.is((await ann.countListed({ list: 'redeems', approval: 'waiting' })).total, 0);
  const words = 'bob@acme.test may no longer do this: their approval is no longer valid';
  for (const { id } of waiting) await isRefused(ann.approveChange({ id }), 409, words);
  await ann.changeApprovalLimits({ body: off });
  assert.equal((await ended()).slice(2), ['limits refused null', 'limits null null']);
});

test('two first decisions at once are one', async () => {
  const results = await Promise.allSettled([ann.changeRedeemStatus(pay), ann.changeRedeemStatus(pay)]);
  assert.equal(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.is(await statusOf(pam.redeem), 'pending');
});

test('an approval is locked after its redeem, as by whoever decides the redeem', async () => {
  const other = await bob();
  await ann.changeRedeemStatus(pay);
  const [waiting] = await ann.listApprovals({});
  await whileHeld(
    (tx) => tx`select 1 from redeems where tenant_id = 2 and id = ${pam.redeem} for update`,
    () => other.approveChange({ id: waiting!.id }),
    (tx) => tx`select 1 from approvals where tenant_id = 2 and id = ${waiting!.id} for update nowait`,
  );
  assert.is(await statusOf(pam.redeem), 'success');
});

test('an approval that is withdrawn at the moment of the second counts no more', async () => {
  const other = await bob();
  await ann.changeRedeemStatus(pay);
  const second = await whileHeld(
    (tx) => tx`update approvals set outcome = 'withdrawn', ended_at = now(), ended_by = ${people.ann.id}`,
    () => other.changeRedeemStatus(pay),
  );
  assert.is(second.status, 'pending', 'now it is the first of two');
  assert.is(await statusOf(pam.redeem), 'pending');
  assert.is((await ann.listApprovals({}))[0]?.first_email, 'bob@acme.test');
});

test('a large edit of balances waits for a second person, and is made as it was sent', async () => {
  const before = await creditOf();
  const body = { credit: '60', bonus: '40', reason: 'goodwill' as const, note: 'A gift' };
  assert.is((await ann.adjustBalances({ id: pam.id, body })).waits, true);
  assert.is(await creditOf(), before);
  const [waiting] = await ann.listApprovals({});
  assert.equal([waiting?.kind, waiting?.amount, waiting?.credit, waiting?.vip], ['balances', 100, 60, null]);
  await isRefused(ann.approveChange({ id: waiting!.id }), 409, OWN);
  const other = await bob();
  await other.approveChange({ id: waiting!.id });
  assert.is(await creditOf(), before + 60);
  await isRefused(other.approveChange({ id: waiting!.id }), 404, undefined, 'once');
  const [line] = await other.listPlayerTransactions({ id: pam.id });
  assert.is(line?.note, 'A gift');
  await ann.adjustBalances({ id: pam.id, body: { credit: '99.99' } });
  assert.is(await creditOf(), before + 60 + 99.99, 'a smaller one needs nobody else');
});

test('the limits themselves need two people while one is set', async () => {
  assert.equal(await ann.changeApprovalLimits({ body: off }), { payouts_from: 150, edits_from: 100 });
  const already = 'A change of the limits waits for a second person already';
  await isRefused(ann.changeApprovalLimits({ body: off }), 409, already);
  const [waiting] = await ann.listApprovals({});
  await isRefused(ann.approveChange({ id: waiting!.id }), 409, OWN);
  await (await bob()).approveChange({ id: waiting!.id });
  const { both_ends, changers, ...limits } = await ann.getApprovalLimits({});
  assert.equal(limits, off);
  assert.equal(both_ends, [people.ann.email, 'bob@acme.test'], 'they make keys and settle');
  assert.equal(changers, both_ends, 'they manage the team');
  const on = { payouts_from: '500', edits_from: null };
  assert.equal(await ann.changeApprovalLimits({ body: on }), { payouts_from: 500, edits_from: null }, 'at once');
});

test('a file brings no balances that two people must agree on [ASVS 2.3.5]', async () => {
  const text = 'email,credit_balance,bonus_balance\nsmall@mail.test,99.99,0\nlarge@mail.test,60,40';
  const { created, rejects } = await importFile(ann, 'players', text);
  assert.equal([created, pluck(rejects, 'line')], [1, [3]]);
  assert.match(rejects[0]?.reason ?? '', /need two people/);
});

test('a file brings no pending purchase with which one person could credit what two must agree on', async () => {
  const row = (id: string, type: string, status: string, amount: string, net = '') => {
    const completed = status === 'success' ? '2026-01-02' : '';
    return [id, pam.email, type, status, amount, net, '2026-01-01', completed, 'yolo', 'CREDIT'].join(',');
  };
  const text = [
    'source_id,user_email,transaction_type,status,amount,net_amount,initiated_at,completed_at,platform,deposit_type',
    row('a', 'TOP_UP', 'pending', '50000', '1'),
    row('b', 'TOP_UP', 'pending', '100'),
    row('c', 'TOP_UP', 'pending', '99.99', '200'), // the net amount is credited to nobody
    row('d', 'TOP_UP', 'success', '50000'), // the past changes no balance
    row('e', 'DEPOSIT', 'pending', '100'), // takes out of a balance what it could put back
  ].join('\n');
  const bring = async (isCheck = false) => {
    const { created, rejects } = await importFile(ann, 'transactions', text, { isCheck });
    return [created, ...rejects.map(({ line, reason }) => `${line} ${/need two people/.test(reason)}`)];
  };
  const expected = [3, '2 true', '3 true'];
  assert.equal(await bring(true), expected);
  const before = await creditOf();
  assert.equal(await bring(), expected);
  const pending = await sql<{ id: number; amount: number }[]>`
    select id, amount from transactions
    where tenant_id = 2 and transaction_type = 'TOP_UP' and status = 'pending' and id <> ${pam.purchase}`;
  assert.equal(pluck(pending, 'amount'), [99.99]);
  await ann.changePurchaseStatus({ id: pending[0]!.id, body: { status: 'success' } });
  assert.is(await creditOf(), Math.round((before - 100 + 99.99) * 100) / 100);
  await sql`update tenants set edit_approval_from = null where id = 2`;
  assert.equal(await bring(), [2], 'without the limit they come in');
});

test('each kind needs its permission, also to refuse it', async () => {
  await ann.changeRedeemStatus(pay);
  const id = (await ann.listApprovals({}))[0]!.id;
  const other = await bob();
  await sql`update admins set permissions = ${permissions.filter((one) => one !== 'payouts')} 
    where email = 'bob@acme.test'`;
  for (const work of [other.approveChange, other.endApproval])
    await isRefused(work({ id }), 403, 'You need the permission Payouts for this');
});

test.run();
