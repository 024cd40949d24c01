import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../../src/app/screens/users/Users';
import { closeScreen, openScreen } from '../../../../screen';
import { pam } from '../../../../world';

test.after.each(closeScreen);

test('what is kept of a player is saved as a JSON file', async () => {
  const saved: Blob[] = [];
  const { createObjectURL } = URL;
  URL.createObjectURL = (file) => {
    saved.push(file as Blob);
    return '#saved'; // the window would go to a real one
  };
  try {
    const screen = await openScreen(<Users tenantId={2} />, 'ann', { path: `/users?player=${pam.id}` });
    const dialog = within(await screen.findByRole('dialog', { name: pam.email }));
    fireEvent.click(await dialog.findByRole('button', { name: 'Personal data' }));
    await waitFor(() => assert.is(saved.length, 1));
  } finally {
    URL.createObjectURL = createObjectURL;
  }
  const { player, payments, next_cursor } = JSON.parse((await saved[0]?.text()) ?? '');
  assert.is(player.email, pam.email);
  assert.ok(payments.some(({ id }: { id: number }) => id === pam.purchase));
  assert.is(next_cursor, undefined, 'the pages are put together');
});

test('without the feature there is no button', async () => {
  const options = { path: `/users?player=${pam.id}`, lacks: ['personal_data'] as const };
  const screen = await openScreen(<Users tenantId={2} />, 'ann', options);
  const dialog = within(await screen.findByRole('dialog', { name: pam.email }));
  await dialog.findByText('Acme', { selector: 'span' });
  assert.not.ok(dialog.queryByRole('button', { name: 'Personal data' }));
});

test.run();
