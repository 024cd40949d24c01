import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../../src/app/App';
import { UNDO_MS } from '../../../../src/contract/constants';
import { permissions } from '../../../../src/contract/permissions';
import { storeApproval } from '../../../../src/server/ledger/approvalSeal';
import { ann, hire } from '../../../callers';
import { closeScreen, type Options, openScreen } from '../../../screen';
import { pam, people, services, sql } from '../../../world';
import { field, fill, opens, sees, type } from '../../controls';
import { answer } from '../../question';
import { openDialog } from '../../screens/users/openDialog';

/** Both limits of Acme, a colleague Bob, and what he was first to approve: Pam's redeem of $150, and an edit. */
const prepare = async () => {
  await sql`update tenants set payout_approval_from = 100, edit_approval_from = 100 where id = 2`;
  const { id } = await hire('bob@acme.test');
  const first = { tenant_id: 2, player_id: pam.id, first_admin_id: id };
  await storeApproval(sql, services.secrets, { ...first, kind: 'redeem', redeem_id: pam.redeem });
  const change = { credit: '120', vip: '1', vip_op: 'remove', note: 'agreed by phone' };
  await storeApproval(sql, services.secrets, { ...first, kind: 'balances', change });
};
const byAnn = () => sql`update approvals set first_admin_id = ${people.ann.id}`;

async function open(path: string, { before, ...options }: Options = {}) {
  const prepareAll = async () => {
    await prepare();
    await before?.();
  };
  return openScreen(<App />, 'ann', { path, permissions, ...options, before: prepareAll });
}
async function openApprovals(options: Options = {}) {
  const screen = await open('/users', options);
  await screen.findByText(pam.email);
  const dialog = await opens(screen.getByRole('button', { name: 'Approvals' }), 'Approvals');
  await dialog.findByText('2 wait for a second person');
  return { screen, dialog };
}
const enabled = (element: HTMLElement) => !field(element).disabled;

test('what waits is listed in words, and the second person approves or refuses it after a question', async () => {
  const { screen, dialog } = await openApprovals();
  const [, payout = '', edit = ''] = dialog.getAllByRole('row').map(({ textContent }) => textContent ?? '');
  assert.match(payout, /^Payout \d+ pam@mail\.test\$150\.00bob@acme\.test, /);
  assert.match(edit, /^Edit of balances pam@mail\.testCredit \+\$120\.00, VIP −\$1\.00bob@acme\.test, /);
  const question = await opens(dialog.getByRole('button', { name: /^Approve: Payout/ }), 'Approve this?');
  await question.findByText('First redeem');
  const facts = question.getAllByRole('row').map(({ textContent }) => textContent ?? '');
  assert.ok(facts.some((fact) => /^First personbob@acme\.test, /.test(fact)));
  assert.ok(['WhatPayout', 'Amount$150.00', 'Payout Address$tag '].every((fact) => facts.includes(fact)));
  await question.findByText(/^Credit \$[\d.]+, held \$150\.00$/);
  fireEvent.click(question.getByRole('button', { name: 'Approve' }));
  await screen.findByText('Approved by two. It is paid out');
  await dialog.findByText('1 waits for a second person');
  const next = dialog.getByRole('button', { name: /^Approve: Edit/ });
  await waitFor(() => assert.is(document.activeElement, next, 'keys go on from there'));
  const look = await opens(next, 'Approve this?');
  fireEvent.click(await look.findByRole('button', { name: 'Refuse' }));
  const why = within(await screen.findByRole('dialog', { name: 'Refuse this?' }));
  await why.findByText('$350.00 → $470.00'); // as before Approve
  fireEvent.change(why.getByLabelText('Reason'), { target: { value: 'fraud_suspected' } });
  fireEvent.click(why.getByRole('button', { name: 'Refuse' }));
  await screen.findByText('Approval refused');
  await dialog.findByText('Nothing waits for a second person.');
  assert.is((await sql`select status from redeems where id = ${pam.redeem}`)[0]?.['status'], 'success');
  const outcomes = [...(await sql`select outcome from approvals order by id`)];
  assert.equal(outcomes, [{ outcome: 'approved' }, { outcome: 'refused' }]);
  const [refused] = (await ann.getAudit({ player_id: pam.id })).entries;
  assert.equal([refused?.call, refused?.reason], ['endApproval', 'fraud_suspected']);
});

test('the second person sees what an edit would change, and why, and that a payout goes nowhere', async () => {
  const { screen, dialog } = await openApprovals({
    before: () => sql`update redeems set payout_address = null, from_game = true`,
  });
  await waitFor(() => assert.match(screen.getByRole('button', { name: /^Approvals/ }).textContent!, /\(2\)$/));
  const question = await opens(dialog.getByRole('button', { name: /^Approve: Edit/ }), 'Approve this?');
  const credit = await question.findByText('Credit');
  assert.is(credit.closest('tr')?.textContent, 'Credit$350.00 → $470.00');
  assert.is(question.getByText('Reason').closest('tr')?.textContent, 'Reasonagreed by phone');
  assert.is(question.queryByText('Bonus'), null);
  fireEvent.click(question.getByText('Cancel'));
  const payout = await opens(dialog.getByRole('button', { name: /^Approve: Payout/ }), 'Approve this?');
  await payout.findByText('No payout address');
  await payout.findByText('The game: nothing held');
});

test('a purchase of credits has its own words, with how many and for how much', async () => {
  const buy = async () => {
    const [bob] = await sql<{ id: number }[]>`select id from admins where email = 'bob@acme.test'`;
    const change = { kind: 'bought', account_name: 'Till to Stock', to_id: 1, amount: '200.50', credits: '1000' };
    const first = { tenant_id: 2, player_id: null, first_admin_id: bob!.id };
    await sql`delete from approvals where kind = 'balances'`;
    await storeApproval(sql, services.secrets, { ...first, kind: 'account', change });
  };
  const { dialog } = await openApprovals({ before: buy });
  const words = 'Till to Stock: 1,000 credits for $200.50';
  const name = `Approve: Purchase of credits, ${words}`;
  const question = await opens(dialog.getByRole('button', { name }), 'Approve this?');
  assert.is((await question.findByText('Change')).closest('tr')?.textContent, `Change${words}`);
});

test('whoever was first can only withdraw, and is told that somebody else must approve', async () => {
  const { screen, dialog } = await openApprovals({ before: byAnn });
  assert.is(dialog.queryByRole('button', { name: /^Approve/ }), null);
  assert.is(dialog.getAllByText('You approved this. It needs a second person.').length, 2);
  fireEvent.click(dialog.getByRole('button', { name: /^Withdraw: Payout/ }));
  await answer(screen, 'Withdraw this?', 'Withdraw');
  await screen.findByText('Approval withdrawn');
});

test('without its permission nothing can be decided, and the reason stands there', async () => {
  const { dialog } = await openApprovals({ permissions: ['payouts'] });
  const [approve, refuse] = ['Approve', 'Refuse'].map((name) =>
    dialog.getByRole('button', { name: new RegExp(`^${name}: Edit`) }),
  );
  assert.equal([enabled(approve!), enabled(refuse!)], [false, false]);
  const reason = document.getElementById(approve!.getAttribute('aria-describedby') ?? '');
  assert.is(reason?.textContent, 'You need the permission Money for this');
  assert.ok(enabled(dialog.getByRole('button', { name: /^Approve: Payout/ })));
  assert.is(dialog.queryByLabelText('Two people for payouts from'), null);
  await dialog.findByText('Only people with the Team permission can change the limits: bob@acme.test.');
});

test('whoever signs in with a password of the first person sees why they cannot be second', async () => {
  const set = () => sql`
    update admins set sign_in_set_by = (select id from admins where email = 'bob@acme.test')
    where id = ${people.ann.id}`;
  const { dialog } = await openApprovals({ before: set });
  assert.not.ok(enabled(dialog.getByRole('button', { name: /^Approve: Payout/ })));
  assert.is(dialog.getAllByText(/has set your password\. Change it under Account first$/).length, 2);
});

test('the limits are changed by two while one is set', async () => {
  const { screen, dialog } = await openApprovals();
  await dialog.findByText(
    /^These people can report .*: ann@acme\.test, bob@acme\.test\. .* must settle what their keys report\.$/,
  );
  const payouts = dialog.getByLabelText('Two people for payouts from');
  type(payouts, 'much');
  fireEvent.click(dialog.getByText('Save limits'));
  await screen.findByText('Failed to save the limits');
  type(payouts, '300');
  fireEvent.click(dialog.getByText('Save limits'));
  await screen.findByText('The change of the limits waits for a second person');
  await sees(
    dialog,
    'A change of the limits waits for a second person, above.',
    'Payouts: from $300.00. Edits: from $100.00',
    /^Payouts: two people from \$100\.00 on/,
  );
});

test('a redeem that waits says who was first, and a first decision says that it waits', async () => {
  const screen = await open('/?tab=redeems', { before: () => sql`delete from approvals` });
  const status = await screen.findByRole('combobox', { name: /^Status of redeem/ });
  fireEvent.change(status, { target: { value: 'success' } });
  await screen.findByText('Approved, 1 of 2', {}, { timeout: 2 * UNDO_MS });
  await screen.findByText(`${pam.email}, $150.00 is paid out when a second person approves it, too`);
  await screen.findByRole('button', { name: /^1 of 2, by ann / });
  const success = within(screen.getByRole('combobox', { name: /^Status of redeem/ })).getByText('Success');
  assert.ok(field(success).disabled);
  assert.is(success.title, 'You have approved this. A second person must, too');
  fireEvent.click(screen.getByRole('button', { name: '1 waits for a second approval' }));
  await waitFor(() => assert.match(location.search, /approval=waiting/));
});

test('an edit above the limit says before and after that it waits, and what waits already is shown', async () => {
  const screen = await open('/users');
  const dialog = await openDialog(screen, 'Edit Balances');
  await dialog.findByText(/^An edit waits for a second person: Credit \+\$120\.00, VIP −\$1\.00\.$/, { exact: false });
  type(dialog.getByLabelText('Bonus'), '99.99');
  assert.is(dialog.queryByText(/this edit will wait/), null);
  type(dialog.getByLabelText('Bonus'), '100');
  await dialog.findByText('From $100.00 on, a second person must approve: this edit will wait.');
  assert.ok(field(dialog.getByText('Save')).disabled, 'the second person wants to know why');
  dialog.getByText('Choose a reason, or write a note, to save.');
  fill(dialog, { Note: 'agreed by phone' }, 'Save');
  await screen.findByText('Waiting for a second person, under Approvals');
  assert.is(screen.queryByText('Balances updated'), null);
});

test.after.each(closeScreen);
test.run();
