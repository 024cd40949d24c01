/** Nothing typed or shown once is lost: dialogs ask before they close, and the tab keeps drafts for their person. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Redeems } from '../../../src/app/screens/redeems/Redeems';
import { Users } from '../../../src/app/screens/users/Users';
import { closeScreen, openScreen, reloadScreen } from '../../screen';
import { pam } from '../../world';
import { closed, field, fill, opens, type, valuesOf } from '../controls';
import { interceptRequests, outage } from '../network';
import { openDialog } from '../screens/users/openDialog';

const ASKS = 'Discard changes?';
const pressEscape = (element: HTMLElement) => fireEvent.keyDown(element, { key: 'Escape' });

test('a dialog in which something was typed asks before it closes, by Escape and by Cancel', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  const dialog = await openDialog(screen, 'Edit', 'Edit User');
  const name = field(dialog.getByLabelText('First Name'));
  name.focus();
  type(name, 'Pamela');
  assert.not.ok(pressEscape(name), 'the browser does not close it');
  dialog.getByText(ASKS);
  assert.is(document.activeElement, dialog.getByText('Keep editing'));
  pressEscape(dialog.getByText('Keep editing'));
  assert.is(dialog.queryByText(ASKS), null);
  assert.is(document.activeElement, name, 'back to where one was');
  fireEvent.click(dialog.getByText('Cancel'));
  dialog.getByText(ASKS);
  fireEvent.click(dialog.getByText('Keep editing'));
  assert.is(name.value, 'Pamela');
  fireEvent.click(dialog.getByText('Cancel'));
  fireEvent.click(dialog.getByText('Discard'));
  await closed(screen);
  const again = await openDialog(screen, 'Edit', 'Edit User');
  assert.is(field(again.getByLabelText('First Name')).value, 'Pam', 'discarded is gone');
});

test('a close that the browser does not let a page refuse is asked about as well', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  const dialog = await openDialog(screen, 'Edit Balances');
  type(dialog.getByLabelText('Credit'), '5');
  const element = screen.getByRole('dialog') as HTMLDialogElement;
  element.close();
  await dialog.findByText(ASKS);
  assert.ok(element.open);
});

test('a dialog in which nothing was changed closes at once, also after something was typed and removed', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  const dialog = await openDialog(screen, 'Edit', 'Edit User');
  type(dialog.getByLabelText('First Name'), 'Pamela');
  type(dialog.getByLabelText('First Name'), 'Pam');
  fireEvent.click(dialog.getByLabelText('Active'));
  fireEvent.click(dialog.getByLabelText('Active'));
  fireEvent.click(dialog.getByText('Cancel'));
  await closed(screen);
});

test('a note that was typed is asked about, a filter is not', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { path: `/?player=${pam.id}&part=notes` });
  const view = within(await screen.findByRole('dialog', { name: pam.email }));
  type(await view.findByLabelText(/New note/), 'called twice');
  fireEvent.click(view.getByText('Close'));
  view.getByText(ASKS);
  fireEvent.click(view.getByText('Discard'));
  await closed(screen);
  fireEvent.click((await openDialog(screen, 'View', pam.email)).getByText('Notes'));
  assert.is(field(await screen.findByLabelText(/New note/)).value, '');
  fireEvent.click(screen.getByText('Close'));
  await closed(screen);
  const audit = await openDialog(screen, 'Audit', 'Audit');
  type(audit.getByLabelText('Person'), 'ann');
  pressEscape(audit.getByLabelText('Person'));
  assert.is(audit.queryByText(ASKS), null);
});

test('what was typed survives a reload of the tab, but no password; it can be started over', async () => {
  await openScreen(<Users tenantId={2} />, 'ann');
  const first = await openDialog(await reloadScreen(<Users tenantId={2} />), 'Edit', 'Edit User');
  fill(first, { 'First Name': 'Pamela', Password: 'typed-secret' });
  fireEvent.click(first.getByLabelText('Active'));
  assert.not.match(JSON.stringify({ ...sessionStorage }), /typed-secret/);

  const screen = await reloadScreen(<Users tenantId={2} />);
  const dialog = await openDialog(screen, 'Edit', 'Edit User');
  dialog.getByText(/What you typed before is still here/);
  assert.equal(valuesOf(dialog, 'First Name', 'Last Name', 'Password'), ['Pamela', 'Poe', '']);
  assert.not.ok(field(dialog.getByLabelText('Active')).checked);
  pressEscape(dialog.getByLabelText('First Name'));
  dialog.getByText(ASKS);
  fireEvent.click(dialog.getByText('Keep editing'));
  fireEvent.click(dialog.getByText('Start over'));
  assert.is(field(dialog.getByLabelText('First Name')).value, 'Pam');
  assert.ok(field(dialog.getByLabelText('Active')).checked);
  assert.is(dialog.queryByText(/What you typed before/), null);
});

test('what was saved is no draft any more; what was refused still is', async () => {
  const closing = outage('POST', { detail: 'The cashier is closed' }, 422);
  const { fetch } = interceptRequests(closing.instead);
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { fetch });
  const dialog = await openDialog(screen, 'Edit Balances');
  fill(dialog, { VIP: '7', Note: 'by phone' }, 'Save');
  await screen.findByText('The cashier is closed');
  const again = await openDialog(await reloadScreen(<Users tenantId={2} />, fetch), 'Edit Balances');
  assert.equal(valuesOf(again, 'VIP', 'Note'), ['7', 'by phone']);
  closing.isDown = false;
  fireEvent.click(again.getByText('Save'));
  await within(document.body).findByText('Balances updated');
  await waitFor(() => assert.not.ok(document.querySelector('dialog')));
  assert.equal(Object.keys(sessionStorage), ['person']);
});

test('a manual redeem survives with the player that was chosen', async () => {
  await openScreen(<Redeems tenantId={2} />, 'ann');
  const open = async () => {
    const screen = await reloadScreen(<Redeems tenantId={2} />);
    return { screen, dialog: await opens(await screen.findByText('Create Manual Redeem'), 'Create Manual Redeem') };
  };
  const { dialog } = await open();
  type(dialog.getByLabelText('Search User'), 'pam');
  fireEvent.click(await within(await dialog.findByRole('listbox')).findByRole('option'));
  type(dialog.getByLabelText('Payout Address'), 'pam@pay.test');
  const again = await open();
  assert.equal(valuesOf(again.dialog, 'Search User', 'Payout Address'), [pam.email, 'pam@pay.test']);
  fireEvent.click(again.dialog.getByText('Create'));
  await again.screen.findByText('Please fill in all required fields'); // so the player is chosen
  fireEvent.click(again.dialog.getByText('Start over'));
  assert.is(field(again.dialog.getByLabelText('Search User')).value, '');
});

test.after.each(closeScreen);
test.run();
