/**
 * A team of four on a day, in four windows: support, a cashier, finance and a manager. Each sees only what they may do,
 * large payouts and edits of balances take two of them, and a permission that is taken away is gone at once.
 */
import type { Locator } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Running } from '../server/running';
import { demoData, newVisit, type Person, startDemo, type Visit } from './harness';
import {
  balancesOf,
  button,
  choice,
  choose,
  chooseTool,
  dialog,
  field,
  rows,
  rowWith,
  saying,
  searchUsers,
  settled,
  table,
} from './seen';

const PLAYER = 'team.player@mail.test';
const [sam, cleo, fay, mona] = ['sam', 'cleo', 'fay', 'mona'] as const;
const visits = {} as Record<Person, Visit>;
const page = (person: Person) => visits[person].page;

let server: Running;
async function enter(person: Person): Promise<void> {
  await visits[person]?.close();
  visits[person] = await newVisit({ url: server.url });
  await visits[person].signIn(person);
}
test.before(async () => {
  server = await startDemo(demoData()); // its limits are its own
  for (const person of [sam, cleo, fay, mona]) await enter(person);
});
test.after(async () => {
  for (const visit of Object.values(visits)) await visit.close();
  await server.end('SIGTERM');
});

async function openTab(person: Person, tab: string): Promise<void> {
  await visits[person].goTo('/');
  await choose(page(person), 'Tenant', tab);
  await settled(page(person));
}
/** What a person's buttons on screen are called. */
const names = async (of: Locator): Promise<string[]> =>
  (await of.getByRole('button').allInnerTexts()).map((name) => name.trim()).filter(Boolean);
const playerRow = async (person: Person): Promise<Locator> => {
  await openTab(person, 'Users');
  await searchUsers(page(person), PLAYER);
  return rowWith(table(page(person), 'Users'), PLAYER);
};
async function approvals(person: Person): Promise<Locator> {
  await chooseTool(page(person), 'Approvals');
  await settled(page(person));
  return dialog(page(person), 'Approvals');
}
const waiting = (person: Person, ...words: string[]) =>
  rowWith(table(page(person), 'Waiting for a second person'), ...words);
async function decide(person: Person, name: 'Approve' | 'Refuse' | 'Withdraw', ...words: string[]): Promise<void> {
  await waiting(person, ...words)
    .getByRole('button', { name: `${name}: ` })
    .click();
  await button(dialog(page(person), `${name} this?`), name).click();
}
async function setLimits(person: Person, payouts: string, edits: string, says: string): Promise<void> {
  const shown = await approvals(person);
  await field(shown, 'Two people for payouts from').fill(payouts);
  await field(shown, 'Two people for edits of balances from').fill(edits);
  await button(shown, 'Save limits').click();
  await saying(page(person), says);
  await button(shown, 'Close').click();
}

test('the manager sets from which amounts on two people must agree', async () => {
  await setLimits(mona, '50', '200', 'Limits saved');
  assert.match(await (await approvals(mona)).innerText(), /payouts need two people from \$50\.00 on/);
  await button(dialog(page(mona), 'Approvals'), 'Close').click();
});

test('support signs a player up, and is offered nothing that moves money', async () => {
  const { page: own } = visits[sam];
  await openTab(sam, 'Users');
  await button(own, 'Create User').click();
  const form = dialog(own, 'Create User');
  await field(form, 'Email').fill(PLAYER);
  await field(form, 'Password').fill('A-secret-1');
  await field(form, 'First Name').fill('Team');
  await field(form, 'Last Name').fill('Player');
  await form.locator('footer button').last().click();
  await form.waitFor({ state: 'detached' });
  const row = await playerRow(sam);
  assert.equal(await names(row), ['Edit', 'Platform Credentials', 'Transaction History', 'View', 'Delete']);
  for (const name of ['Export CSV', 'Import', 'Team', 'API keys', 'Approvals'])
    assert.is(await own.getByRole('button', { name, exact: true }).count(), 0, name);
  await openTab(sam, 'Redeems');
  assert.is(await button(own, 'Create Manual Redeem').count(), 0);
  const status = rows(table(own, 'Redeems')).first().getByRole('combobox');
  assert.equal(
    [await status.isDisabled(), await status.getAttribute('title')],
    [true, 'You need the permission Payouts for this'],
  );
});

test('the cashier settles a deposit, and no redeem', async () => {
  const { page: own } = visits[cleo];
  await openTab(cleo, 'Deposits');
  const status = rows(table(own, 'Deposits (Platform Only)')).first().getByRole('combobox');
  const id = await rows(table(own, 'Deposits (Platform Only)')).first().getAttribute('data-id');
  await status.selectOption('success');
  await saying(own, 'Status updated successfully');
  await settled(own);
  const same = own.locator(`tr[data-id="${id}"]`).getByRole('combobox');
  if (await same.count()) assert.is(await same.inputValue(), 'success');
  await openTab(cleo, 'Redeems');
  assert.ok(await rows(table(own, 'Redeems')).first().getByRole('combobox').isDisabled());
  assert.equal((await names(await playerRow(cleo))).includes('Edit Balances'), false);
});

test('finance pays out above the limit: one of two, and cannot be the second', async () => {
  const { page: own } = visits[fay];
  await button(await playerRow(fay), 'Edit Balances').click();
  await field(dialog(own, 'Edit Balances'), 'Credit').fill('90');
  await choice(dialog(own, 'Edit Balances'), 'Reason').selectOption('goodwill');
  await button(dialog(own, 'Edit Balances'), 'Save').click();
  await saying(own, 'Balances updated');
  await openTab(fay, 'Redeems');
  await button(own, 'Create Manual Redeem').click();
  const form = dialog(own, 'Create Manual Redeem');
  await choice(form, 'Search User').fill(PLAYER);
  await own.getByRole('listbox', { name: 'Users found' }).getByRole('option').first().click();
  await choice(form, 'Platform').selectOption('yolo');
  await field(form, 'Amount').fill('60');
  await choice(form, 'Payout Method').selectOption('PayPal');
  await field(form, 'Payout Address').fill('team@pay.test');
  await button(form, 'Create').click();
  await saying(own, 'Manual redeem created successfully');
  const row = rowWith(table(own, 'Redeems'), PLAYER);
  await row.getByRole('combobox').selectOption('success');
  await saying(own, 'Approved, 1 of 2');
  await row.getByRole('button', { name: /^1 of 2, by fay, / }).waitFor();
  await row.locator('select[aria-busy="false"]').waitFor(); // until then it shows what was sent
  assert.is(await row.getByRole('combobox').inputValue(), 'pending');
  assert.ok(await row.getByRole('option', { name: 'Success' }).isDisabled());
  // The key for it says why, too.
  await row.focus();
  await own.keyboard.press('s');
  await own
    .getByText(/You have approved this\. A second person must, too/)
    .first()
    .waitFor();
  await saying(own, 'Failed to update status');
  await button(own, '1 waits for a second approval').click();
  await settled(own);
  assert.is(await rows(table(own, 'Redeems')).count(), 1);
  assert.match(own.url(), /approval=waiting/);
});

test('a large edit of balances waits, says so, and is refused by the manager', async () => {
  const { page: own } = visits[fay];
  await button(await playerRow(fay), 'Edit Balances').click();
  const form = dialog(own, 'Edit Balances');
  await field(form, 'Bonus').fill('250');
  await choice(form, 'Reason').selectOption('goodwill');
  await form.getByText('From $200.00 on, a second person must approve: this edit will wait.').waitFor();
  await field(form, 'Note').fill('Won at the party');
  await button(form, 'Save').click();
  await saying(own, 'Waiting for a second person, under Approvals');
  const { bonus, credit } = await balancesOf(await playerRow(fay));
  assert.equal([bonus, credit], [0, 3000], 'nothing was added yet, and the redeem holds its money');

  await approvals(mona);
  assert.match(await waiting(mona, 'Edit of balances').innerText(), /Bonus \+\$250\.00[\s\S]*fay@acme\.test/);
  await decide(mona, 'Refuse', 'Edit of balances');
  await saying(page(mona), 'Approval refused');
  await waiting(mona, 'Edit of balances').waitFor({ state: 'detached' });
});

test('the manager is the second: the redeem is paid out, and finance sees it', async () => {
  await decide(mona, 'Approve', PLAYER);
  await saying(page(mona), 'Approved by two. It is paid out');
  await page(mona).getByText('Nothing waits for a second person.').waitFor();
  await button(dialog(page(mona), 'Approvals'), 'Close').click();
  await openTab(fay, 'Redeems');
  await field(page(fay), 'Search redeems').fill(PLAYER);
  await page(fay).waitForURL(/text=/);
  await settled(page(fay));
  const row = rowWith(table(page(fay), 'Redeems'), PLAYER);
  assert.is(await row.getByRole('combobox').inputValue(), 'success');
  assert.equal((await balancesOf(await playerRow(fay))).bonus, 0, 'the refused edit changed nothing');
});

test('nobody saw anything break', () => {
  for (const [person, { faults }] of Object.entries(visits)) assert.equal([person, ...faults], [person]);
});

test.run();
