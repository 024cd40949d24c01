/** Whoever may not move money is offered nothing that does, and reads why. */
import { within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../src/app/App';
import { closeScreen, openScreen } from '../screen';
import { pam } from '../world';

test('support signs players up, and is offered nothing that moves money', async () => {
  const screen = await openScreen(<App />, 'ann', { permissions: ['support'] });
  const row = within((await screen.findByText(pam.email)).closest('tr')!);
  await screen.findByText('Create User');
  for (const name of ['Edit', 'Platform Credentials', 'Transaction History', 'Delete'])
    assert.ok(row.getByRole('button', { name }), name);
  assert.not.ok(row.queryByRole('button', { name: 'Edit Balances' }));
  for (const name of ['Export CSV', 'Import']) assert.not.ok(screen.queryByRole('button', { name }), name);
});

for (const held of ['support', 'queue'] as const)
  test(`a redeem is closed to whoever has only '${held}', with the reason`, async () => {
    const screen = await openScreen(<App />, 'ann', { path: '/?tab=redeems', permissions: [held] });
    const row = within((await screen.findByText(pam.email)).closest('tr')!);
    const status = row.getByRole('combobox') as HTMLSelectElement;
    assert.equal([status.disabled, status.title], [true, 'You need the permission Payouts for this']);
    assert.not.ok(screen.queryByText('Create Manual Redeem'));
  });

test.after(closeScreen);
test.run();
