import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../../src/app/screens/users/Users';
import { MASK, UNDO_MS } from '../../../../../src/contract/constants';
import { ann } from '../../../../callers';
import { closeScreen, type Options, openScreen, type Screen } from '../../../../screen';
import { topUp } from '../../../../seed';
import { pam, pat, people, sql } from '../../../../world';
import { copied } from '../../../clipboard';
import { cellsOf, closed, dialogOf, field, fill, opens, press, textsOf, type, type Within } from '../../../controls';
import { at, nonsense, partsOf } from '../../../network';
import { restoreUndo, shortenUndo, undo } from '../../../undo';

const drawer = (screen: Screen) => dialogOf(screen, pam.email);
const rowsOf = (dialog: Within, name: string) => cellsOf(dialog.getByRole('region', { name }));

async function openPam(options: Options = {}) {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', options);
  const row = within((await screen.findByRole('link', { name: pam.email })).closest('tr')!);
  const dialog = await opens(row.getByRole('button', { name: 'View' }), pam.email);
  await dialog.findByText('Acme', { selector: 'span' });
  return { screen, dialog };
}

test('View opens it from the row and puts it into the address; Close and the way back take it out', async () => {
  const { screen, dialog } = await openPam({ path: '/users?search=pam' });
  assert.equal([location.search, dialog.getByText('Pam Poe').tagName], [`?search=pam&player=${pam.id}`, 'BDI']);
  press(dialog, 'Balances');
  assert.is(location.search, `?search=pam&player=${pam.id}&part=balances`);
  press(dialog, 'Close');
  await closed(screen);
  assert.is(location.search, '?search=pam');
});

test('a link opens it at its part; an address that makes no sense opens nothing', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { path: `/users?player=${pam.id}&part=redeems` });
  await (await drawer(screen)).findByText('$tag');
  for (const player of ['x', '-1', '0', '1.5']) {
    const other = await openScreen(<Users tenantId={2} />, 'ann', { path: `/users?player=${player}` });
    await other.findByText('Showing 1 to 1 of 1 users');
    assert.is(other.queryByRole('dialog'), null, player);
  }
});

test("another tenant's player is not there for Ann", async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { path: `/users?player=${pat.id}` });
  const dialog = await dialogOf(screen, `Player ${pat.id}`);
  await dialog.findByText('This player could not be loaded.', { exact: false });
  assert.ok(screen.getByText('User not found'));
  assert.not.match(document.body.textContent ?? '', new RegExp(pat.email));
});

test('balances stand with their ledger: the balance after each movement, who made it and why', async () => {
  const before = () => ann.adjustBalances({ id: pam.id, body: { bonus: '5.50', reason: 'goodwill', note: 'late' } });
  const { dialog } = await openPam({ before });
  press(dialog, 'Balances');
  await dialog.findByText('Goodwill: late');
  const without = (cells: (string | null)[]) => cells.slice(1, 7);
  assert.equal(rowsOf(dialog, 'Ledger').map(without), [
    ['ADJUSTMENT', 'Bonus', '$5.50', '$5.50', people.ann.email, 'Goodwill: late'],
    ['WITHDRAWAL', 'Held', '$150.00', '$150.00', 'Platform', '-'],
    ['WITHDRAWAL', 'Credit', '-$150.00', '$350.00', 'Platform', '-'],
    ['ADJUSTMENT', 'Credit', '$500.00', '$500.00', people.sue.email, '-'],
  ]);
  type(dialog.getByLabelText('Account'), 'held');
  await waitFor(() => assert.is(rowsOf(dialog, 'Ledger').length, 1));
});

test('purchases, redeems and logins are shown, passwords masked', async () => {
  const before = async () => {
    await topUp(pam, '60', 'success', { payment_method: 'Bitcoin' });
    await sql`
      insert into player_credentials (tenant_id, player_id, platform_name, platform_username, password_secret)
      values (2, ${pam.id}, 'vblink', 'pam-login', 'v1.sealed')`;
  };
  const { dialog } = await openPam({ before });
  press(dialog, 'Purchases');
  await dialog.findByText('Bitcoin');
  assert.is(rowsOf(dialog, 'Purchases').length, 2);
  press(dialog, 'Redeems');
  await dialog.findByText('$tag');
  const details = await opens(dialog.getByRole('button', { name: 'Details' }), `Redeem ${pam.redeem}`);
  await details.findByText('Made by');
  press(details, 'Close');
  press(dialog, 'Platform Logins');
  await dialog.findByText('pam-login');
  assert.equal(rowsOf(dialog, 'Platform Logins'), [['VBlink', 'pam-login ', `${MASK} `, 'Yes ', 'Edit']]);
});

const status = (dialog: Within, id: number, what = 'redeem') =>
  dialog.getByLabelText(new RegExp(`^Status of ${what} ${id}, `));
const figure = (dialog: Within, name: string) =>
  dialog.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;

test('what is pending is decided as in the lists: named, with an undo, and the figures move', async () => {
  shortenUndo(UNDO_MS);
  const { screen, dialog } = await openPam();
  await dialog.findByRole('region', { name: 'To decide' });
  assert.equal([figure(dialog, 'Credit'), figure(dialog, 'Held')], ['$350.00', '$150.00']);
  type(status(dialog, pam.redeem), 'failed');
  await dialog.findByText(`${pam.email}, $150.00: Failed in 5 seconds`);
  press(dialog, 'Undo');
  assert.equal([field(status(dialog, pam.redeem)).value, screen.writes()], ['pending', []]);

  undo.ms = 20;
  type(status(dialog, pam.redeem), 'failed');
  await screen.findByText('Status updated');
  screen.getByText(`${pam.email}, $150.00: Failed`);
  await waitFor(() => assert.equal([figure(dialog, 'Credit'), figure(dialog, 'Held')], ['$500.00', '$0.00']));
  type(status(dialog, pam.purchase, 'TOP_UP'), 'success');
  await screen.findByText('Status updated successfully');
  await waitFor(() => assert.is(figure(dialog, 'Credit'), '$580.00'));
  assert.equal(partsOf(screen.writes(), 'path', 'body'), [
    [`/api/v1/admin/redeems/${pam.redeem}/status`, { status: 'failed' }],
    [`/api/v1/admin/purchases/${pam.purchase}/status`, { status: 'success' }],
  ]);
  (document.activeElement as HTMLElement).blur(); // rows keep their places while the focus is among them
  await waitFor(() => assert.ok(!dialog.queryByRole('region', { name: 'To decide' })));
  press(dialog, 'Close');
  await screen.findByText('$580.00', { selector: '.credit *' });
});

test('a decision outlives its part, and is sent when the view is closed', async () => {
  shortenUndo(UNDO_MS);
  const { screen, dialog } = await openPam();
  press(dialog, 'Purchases');
  type(await dialog.findByLabelText(`Status of TOP_UP ${pam.purchase}, ${pam.email}, $80.00`), 'success');
  press(dialog, 'Notes');
  await dialog.findByText(`${pam.email}, $80.00: Success in 5 seconds`);
  assert.equal(screen.writes(), []);
  press(dialog, 'Close');
  await screen.findByText(`${pam.email}, $80.00: Success`);
  assert.is(screen.writes().length, 1);
  await screen.findByText('$430.00', { selector: '.credit *' });
});

test('the keys of the lists work in it, also with nothing focused', async () => {
  shortenUndo(UNDO_MS);
  const { dialog } = await openPam();
  const row = (await dialog.findByLabelText(`Status of redeem ${pam.redeem}, ${pam.email}, $150.00`)).closest('tr')!;
  (document.activeElement as HTMLElement).blur();
  fireEvent.keyDown(document.body, { key: 'j' });
  assert.is(document.activeElement, row);
  fireEvent.keyDown(row, { key: 's' });
  await dialog.findByText(`${pam.email}, $150.00: Success in 5 seconds`);
  fireEvent.keyDown(document.activeElement!, { key: 'u' });
  await waitFor(() => assert.not.ok(dialog.queryByText(/in 5 seconds/)));
  assert.is(document.activeElement, row);
});

test('the user is edited and balances are adjusted in it, and list and figures follow', async () => {
  const { screen, dialog } = await openPam();
  const form = await opens(dialog.getByRole('button', { name: 'Edit' }), 'Edit User');
  fill(form, { 'First Name': 'Pamela' }, 'Save');
  await dialog.findByText('Pamela Poe');
  await waitFor(() => assert.is(screen.queryByRole('dialog', { name: 'Edit User' }), null)); // or it closes the next
  const balances = await opens(dialog.getByRole('button', { name: 'Edit Balances' }), 'Edit Balances');
  fill(balances, { Bonus: '12.50' }, 'Save');
  await waitFor(() => assert.is(figure(dialog, 'Bonus'), '$12.50'));
  press(dialog, 'Close');
  await screen.findByText('Pamela Poe', { selector: 'td' });
});

test('everything that somebody copies has a button', async () => {
  const texts = copied();
  const before = async () => {
    await sql`update redeems set payout_address = 'bc1qpam' where id = ${pam.redeem}`;
    await sql`update transactions set payment_reference = 'REF-9' where id = ${pam.purchase}`;
  };
  const { dialog } = await openPam({ before });
  await dialog.findByText('bc1qpam');
  for (const what of ['Email', 'ID', 'Phone', 'Payout address', 'Reference']) press(dialog, `Copy ${what}`);
  assert.equal(texts, [pam.email, String(pam.id), '+1 (555) 010-2000', 'bc1qpam', 'REF-9']);
});

test('a note is added and stands first; an empty one is not sent', async () => {
  const { screen, dialog } = await openPam();
  press(dialog, 'Notes');
  await dialog.findByText('No notes yet.');
  type(dialog.getByLabelText('New note'), '   ');
  assert.ok(field(dialog.getByRole('button', { name: 'Add note' })).disabled);
  for (const text of ['Called', 'Called <b>again</b>']) {
    fill(dialog, { 'New note': text }, 'Add note');
    await dialog.findByText(text);
    await waitFor(() => assert.is(field(dialog.getByLabelText('New note')).value, ''));
  }
  assert.equal(textsOf(document.querySelectorAll('.note-text')), ['Called <b>again</b>', 'Called']);
  assert.equal(partsOf(screen.writes(), 'body'), [{ text: 'Called' }, { text: 'Called <b>again</b>' }]);
  assert.ok(screen.getByText('Note added'));
});

test('tags are added and removed', async () => {
  const { screen, dialog } = await openPam();
  const isThere = (tag: string) =>
    waitFor(() => assert.not(field(dialog.getByRole('button', { name: `Remove tag ${tag}` })).disabled));
  const input = field(dialog.getByLabelText('New tag'));
  type(input, 'vip');
  press(dialog, 'Add tag');
  type(input, 'whale'); // while the first is on its way
  await isThere('vip');
  assert.is(input.value, 'whale');
  press(dialog, 'Add tag');
  await isThere('whale');
  assert.is(input.value, '');
  press(dialog, 'Remove tag vip');
  await waitFor(() => assert.not.ok(dialog.queryByText('vip')));
  assert.equal(partsOf(screen.writes(), 'body'), [{ tags: ['vip'] }, { tags: ['vip', 'whale'] }, { tags: ['whale'] }]);
});

test('payouts are held with a reason, which stands on the redeem, and released again', async () => {
  const { screen, dialog } = await openPam();
  const asking = await opens(dialog.getByRole('button', { name: 'Hold payouts' }), 'Hold payouts?');
  asking.getByText(pam.email);
  fill(asking, { Reason: 'fraud_suspected', Note: 'two cards' }, 'Hold payouts');
  await dialog.findByRole('button', { name: 'Release payouts' });
  assert.ok(screen.getByText('Payouts are on hold'));
  assert.match(
    dialog.getByText(/^by|reason:/, { exact: false, selector: 'p' }).textContent ?? '',
    /ann@acme.test.*Fraud suspected: two cards/,
  );
  press(dialog, 'Redeems');
  assert.is((await dialog.findByText('Payouts on hold', { selector: 'td *' })).title, 'Fraud suspected, two cards');
  press(dialog, 'Profile');
  press(dialog, 'Release payouts');
  await dialog.findByRole('button', { name: 'Hold payouts' });
  assert.equal(partsOf(screen.writes(), 'method', 'body'), [
    ['PUT', { is_held: true, reason: 'fraud_suspected', note: 'two cards' }],
    ['PUT', { is_held: false }],
  ]);
});

test('the history tells what was done to the player; without the audit log there is none', async () => {
  const before = () => ann.savePlayerTags({ id: pam.id, body: { tags: ['vip'] } });
  const { dialog } = await openPam({ before });
  press(dialog, 'History');
  await dialog.findByText('Saved player tags');
  const { dialog: other } = await openPam({ features: ['player_view'] });
  assert.is(other.queryByRole('button', { name: 'History' }), null);
});

test('whatever odd answer comes, nothing nonsensical is shown', async () => {
  const odd = { player: { id: pam.id, email: pam.email }, tenant_name: 'Acme' };
  const { dialog } = await openPam({ instead: at(`/user/${pam.id}`, odd) });
  for (const part of ['Balances', 'Notes', 'Profile']) press(dialog, part);
  assert.not.match(document.querySelector('dialog')?.textContent ?? '', nonsense);
});

test.after.each(restoreUndo);
test.after(closeScreen);
test.run();
