import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Redeems, readManualRedeem } from '../../../../src/app/screens/redeems/Redeems';
import { manualRedeemPlatforms, payoutMethods } from '../../../../src/contract/platforms';
import { closeScreen, openScreen, type Screen } from '../../../screen';
import { pam, sql } from '../../../world';
import { click, closed, fill as enter, fieldValue, opens, sees, type, type Within } from '../../controls';
import { at, partsOf, sentTo } from '../../network';

const press = (field: HTMLElement, key: string) => fireEvent.keyDown(field, { key });

const openDialog = (screen: Screen) => opens(screen.getByText('Create Manual Redeem'), 'Create Manual Redeem');
/** Everything but the player. */
function fill(dialog: Within, fields: Record<string, string> = {}) {
  const all = { Amount: '25.50', Platform: 'yolo', 'Payout Method': 'PayPal', 'Payout Address': 'pam@pay.test' };
  enter(dialog, { ...all, ...fields });
}
/** What becomes of it. */
const asSent = {
  ...{ user_email: pam.email, amount: 25.5, platform: 'yolo' },
  ...{ payout_method: 'PayPal', payout_address: 'pam@pay.test' },
};
/** The players offered, not the options of the selects. */
const offered = () => [...document.querySelectorAll('[role=listbox] [role=option]')];
const oneOffered = () =>
  waitFor(() => {
    assert.is(offered().length, 1);
    return offered()[0]!;
  });
async function pick(dialog: Within, words: string, email: string) {
  type(dialog.getByLabelText('Search User'), words);
  const option = await oneOffered();
  assert.ok(option.textContent!.includes(email));
  fireEvent.click(option);
}

test('the dialog offers the platforms and payout methods of the specification', async () => {
  const dialog = await openDialog(await openScreen(<Redeems />, 'ann'));
  const options = (label: string) =>
    [...(dialog.getByLabelText(label) as HTMLSelectElement).options].map(({ value }) => value).filter(Boolean);
  assert.equal(options('Platform'), manualRedeemPlatforms);
  assert.equal(options('Payout Method'), payoutMethods);
  const amount = dialog.getByLabelText('Amount') as HTMLInputElement;
  assert.equal([amount.type, amount.min, amount.step], ['number', '0.01', '0.01']);
});

test('a manual redeem holds the money, says so and shows its row', async () => {
  const screen = await openScreen(<Redeems />, 'ann');
  await screen.findByText(pam.email);
  const dialog = await openDialog(screen);
  await pick(dialog, 'pam', pam.email);
  fill(dialog, { Description: ' thanks ' });
  fireEvent.click(dialog.getByText('Create'));
  fireEvent.click(dialog.getByText('Create'));

  await sees(screen, 'Manual redeem created successfully', '$25.50');
  await closed(screen);
  assert.ok(within(screen.getByText('$25.50').closest('tr')!).getByText('New'), 'the new row is marked');
  assert.is(screen.getAllByText('New').length, 1);
  assert.equal(partsOf(screen.writes(), 'path', 'body'), [
    ['/api/v1/admin/redeems/manual', { ...asSent, description: 'thanks', tenant_id: 2 }],
  ]);
  assert.equal((await sql`select credit_balance, held_balance from wallets where player_id = ${pam.id}`)[0], {
    credit_balance: 324.5,
    held_balance: 175.5,
  });
});

test('a server that does not take a tenant is not sent one, and the description also when empty', async () => {
  const screen = await openScreen(<Redeems />, 'ann', { features: [] });
  const dialog = await openDialog(screen);
  await pick(dialog, 'pam', pam.email);
  fill(dialog);
  click(dialog, 'Create');
  await screen.findByText('Manual redeem created successfully');
  assert.equal(screen.writes()[0]!.body, { ...asSent, description: '' });
});

test('what is missing is said in the order of the rules, and nothing is sent', async () => {
  const screen = await openScreen(<Redeems />, 'ann');
  const dialog = await openDialog(screen);
  fireEvent.click(dialog.getByText('Create'));
  await screen.findByText('Please select a user');
  await pick(dialog, 'pam', pam.email);
  fireEvent.click(dialog.getByText('Create'));
  await screen.findByText('Please fill in all required fields');
  const marked = () =>
    ['Platform', 'Amount', 'Payout Method', 'Payout Address', 'Description'].map(
      (name) => dialog.getByLabelText(name).getAttribute('aria-invalid') === 'true',
    );
  assert.equal(marked(), [true, true, true, true, false]);
  assert.is(document.activeElement, dialog.getByLabelText('Platform'));
  fireEvent.input(dialog.getByLabelText('Amount'), { target: { value: '999' } });
  assert.equal(marked(), [true, true, true, true, false], 'it is more than the credit');
  dialog.getByText(/^The credit is only \$/);
  fireEvent.input(dialog.getByLabelText('Amount'), { target: { value: '1' } });
  assert.equal(marked(), [true, false, true, true, false]);
  for (const field of ['Platform', 'Amount', 'Payout Method', 'Payout Address']) {
    fill(dialog, { [field]: '' });
    for (const button of screen.getAllByLabelText('Dismiss')) fireEvent.click(button);
    fireEvent.click(dialog.getByText('Create'));
    await screen.findByText('Please fill in all required fields');
  }
  fill(dialog, { Amount: '0' });
  fireEvent.click(dialog.getByText('Create'));
  await screen.findByText('Please enter a valid amount');
  assert.equal(screen.writes(), []);
});

test('only an amount of at least a cent, in whole cents, is one', () => {
  const player = { id: 1, tenant_id: 2, email: 'a@b.test', first_name: null, last_name: null, credit_balance: 1 };
  const rest = { platform: 'yolo', payout_method: 'PayPal', payout_address: 'x', description: '' };
  const read = (amount: string) => readManualRedeem({ player, amount, ...rest });
  for (const amount of ['0', '-5', '0.001', '10.005', 'ten', 'NaN', 'Infinity'])
    assert.is(read(amount), 'Please enter a valid amount', amount);
  for (const [amount, sent] of [
    ['0.01', 0.01],
    ['10', 10],
    ['4.1', 4.1],
    ['1000000.29', 1000000.29],
  ] as const)
    assert.is((read(amount) as { amount: number }).amount, sent);
});

test("a refusal shows the server's words and keeps what was typed", async () => {
  const screen = await openScreen(<Redeems />, 'ann');
  const dialog = await openDialog(screen);
  await pick(dialog, 'pam', pam.email);
  fill(dialog, { Amount: '1000' });
  fireEvent.click(dialog.getByText('Create'));
  await screen.findByText(/Insufficient credit balance: \$350(\.00)? available/);
  assert.is(fieldValue(dialog.getByLabelText('Payout Address')), 'pam@pay.test');
  assert.is(fieldValue(dialog.getByLabelText('Search User')), pam.email);
});

test('a refusal without words shows the words of the specification', async () => {
  const screen = await openScreen(<Redeems />, 'ann', { instead: at('/manual', '<html>forbidden</html>', 403) });
  const dialog = await openDialog(screen);
  await pick(dialog, 'pam', pam.email);
  fill(dialog);
  fireEvent.click(dialog.getByText('Create'));
  await screen.findByText('Failed to create manual redeem');
});

test('the search starts at two characters, asks once the typing rests, and shows who was found', async () => {
  const screen = await openScreen(<Redeems tenantId={3} />, 'sue');
  const dialog = await openDialog(screen);
  const field = dialog.getByLabelText('Search User');
  const searches = () => partsOf(sentTo(screen, '/users/search'), 'query');
  type(field, 'p');
  type(field, ' p ');
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.equal(searches(), [], 'one character, with blanks around it, is not enough');
  type(field, 'mail');
  type(field, 'mail.test');
  const option = await oneOffered();
  assert.equal(searches(), [{ email: 'mail.test' }], 'of those that are found, inside a tenant only its own');
  assert.match(option.textContent!, /pat@mail\.test.*Pat Quinn.*\$350\.00/);
  assert.is(field.getAttribute('aria-expanded'), 'true');
  type(field, 'nobody at all');
  await dialog.findByText('No user found.');
  assert.equal(offered(), []);
});

test('the list works by keyboard: arrows wrap, Enter chooses, Escape closes the list and not the dialog', async () => {
  const screen = await openScreen(<Redeems />, 'sue');
  const dialog = await openDialog(screen);
  const field = dialog.getByLabelText('Search User');
  const chosen = () => offered().find((option) => option.getAttribute('aria-selected') === 'true')!;
  type(field, 'mail.test');
  await waitFor(() => assert.is(offered().length, 2));
  const first = chosen();
  assert.is(field.getAttribute('aria-activedescendant'), first.id);
  press(field, 'ArrowDown');
  assert.is.not(chosen(), first);
  press(field, 'ArrowDown');
  assert.is(chosen(), first, 'round again');
  press(field, 'ArrowUp');
  const lastText = chosen().textContent!;
  assert.not(press(field, 'Escape'), 'kept from the dialog');
  assert.equal(offered(), []);
  assert.not(press(field, 'Escape'));
  dialog.getByText('Discard changes?'); // with the list closed Escape is about the dialog again, which asks
  press(field, 'ArrowDown');
  await waitFor(() => assert.is(offered().length, 2));
  press(field, 'ArrowUp');
  press(field, 'Enter');
  assert.ok(lastText.startsWith(fieldValue(field)) && fieldValue(field).endsWith('@mail.test'));
  assert.equal(offered(), []);
  fill(dialog);
  type(field, 'changed');
  fireEvent.click(dialog.getByText('Create'));
  await screen.findByText('Please select a user');
});

test('a search that fails says so', async () => {
  const screen = await openScreen(<Redeems />, 'ann', { instead: at('/users/search', { detail: 'no' }, 500) });
  const dialog = await openDialog(screen);
  type(dialog.getByLabelText('Search User'), 'pam');
  await screen.findByText('Failed to search users');
  await dialog.findByText('The search failed.');
});

test.after(closeScreen);
test.run();
