import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../src/app/screens/users/Users';
import { closeScreen, type Options, openScreen } from '../../../screen';
import { pam } from '../../../world';
import { textsOf } from '../../controls';

test.after.each(closeScreen);

async function openRow(options: Options) {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', options);
  const row = within((await screen.findByText(pam.email)).closest('tr')!);
  const names = row.getAllByRole('button').map((one) => one.getAttribute('aria-label') ?? one.textContent);
  return { screen, row, names };
}
const specified = ['Edit', 'Edit Balances', 'Platform Credentials', 'Transaction History'];

test('in front of a server without extras a row has the five specified buttons, Delete at the end', async () => {
  const { names, row } = await openRow({ features: [] });
  assert.equal(names, [...specified, 'Delete']);
  assert.ok(row.getByRole('group', { name: pam.email }), 'whose buttons they are');
});

test('extras stand between them: View as a button, the rest in a menu', async () => {
  const { names, row, screen } = await openRow({ features: ['player_view', 'audit'] });
  assert.equal(names, [...specified, 'View', `Actions for ${pam.email}`, 'Delete']);
  const opener = row.getByRole('button', { name: `Actions for ${pam.email}` });
  opener.focus();
  fireEvent.click(opener);
  const menu = await screen.findByRole('menu', { name: `Actions for ${pam.email}` });
  const items = within(menu).getAllByRole('menuitem');
  assert.equal(textsOf(items), ['Purchases', 'Redeems', 'Notes', 'Audit', 'Copy email']);
  assert.is(opener.getAttribute('aria-expanded'), 'true');
  assert.is(document.activeElement, items[0]);
  for (const [key, at] of [
    ['ArrowDown', 1],
    ['ArrowUp', 0],
    ['ArrowUp', 4],
    ['ArrowDown', 0],
    ['End', 4],
    ['Home', 0],
    ['r', 1],
  ] as const) {
    fireEvent.keyDown(document.activeElement!, { key });
    assert.is(document.activeElement, items[at], `${key} leads to ${items[at]?.textContent}`);
  }
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
  await waitFor(() => assert.not.ok(screen.queryByRole('menu')));
  assert.is(document.activeElement, opener, 'the focus is back');
  assert.is(opener.getAttribute('aria-expanded'), 'false');
});

test('an item of the menu opens its part of the player view, or the audit log of the player', async () => {
  const { row, screen } = await openRow({ features: ['player_view', 'audit'] });
  const opener = row.getByRole('button', { name: `Actions for ${pam.email}` });
  fireEvent.click(opener);
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Redeems' }));
  const view = within(await screen.findByRole('dialog'));
  await waitFor(() => assert.is(view.getByRole('button', { name: 'Redeems' }).getAttribute('aria-pressed'), 'true'));
  assert.not.ok(screen.queryByRole('menu'));
  fireEvent.click(view.getByRole('button', { name: 'Close' }));
  fireEvent.click(opener);
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Audit' }));
  await screen.findByRole('dialog', { name: 'Audit' });
});

test('a click elsewhere closes the menu, and so does a second one on its button', async () => {
  const { row, screen } = await openRow({ features: ['audit'] });
  const opener = row.getByRole('button', { name: `Actions for ${pam.email}` });
  for (const close of [() => fireEvent.pointerDown(document.body), () => fireEvent.click(opener)]) {
    fireEvent.click(opener);
    await screen.findByRole('menu');
    close();
    await waitFor(() => assert.not.ok(screen.queryByRole('menu')));
  }
});

test.run();
