import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Returns } from '../../../../src/app/screens/returns/Returns';
import { creditOf } from '../../../answers';
import { sue } from '../../../callers';
import { closeScreen, openScreen } from '../../../screen';
import { giveBack } from '../../../seed';
import { pam, sql } from '../../../world';
import { fill, opens, optionsOf, type } from '../../controls';
import { restoreUndo, shortenUndo } from '../../undo';

/** Two platforms, and Pam's login at the later one. */
const withPlatforms = async () => {
  await sql`insert into tenant_platforms (tenant_id, platform_id, is_active)
    select 2, id, name <> 'yolo' from platforms where name in ('golden_dragon', 'vblink', 'yolo')`;
  await sue.createPlayerCredential({
    user_id: pam.id,
    body: { platform_name: 'vblink', platform_username: 'pam1' },
  });
};

test('a return is recorded with its player, platform and amount, and shows its risk', async () => {
  const screen = await openScreen(<Returns tenantId={2} />, 'ann', { before: withPlatforms });
  const dialog = await opens(await screen.findByText('Record Return'), 'Record Return');
  fireEvent.click(dialog.getByText('Record'));
  await screen.findByText('Please select a user');
  type(dialog.getByLabelText('Search User'), 'pam');
  await waitFor(() => assert.ok(document.querySelector('[role=listbox] [role=option]')));
  fireEvent.click(document.querySelector('[role=listbox] [role=option]')!);
  await dialog.findByText('VBlink (pam1)');
  const platforms = optionsOf(dialog.getByLabelText('Platform'));
  const wanted = ['Choose a platform', 'VBlink (pam1)', 'Golden Dragon'];
  assert.equal(platforms, wanted, 'those of the tenant that are on, where the player has a login first');
  fill(dialog, { Platform: 'vblink', Amount: '300.07' }, 'Record');
  await screen.findByText('Return recorded');
  const row = (await screen.findByText('$300.07')).closest('tr')!;
  assert.ok(within(row).getByText('VBlink'));
  assert.ok(within(row).getByText('No deposit there'));
  assert.is(screen.writes().filter(({ path }) => path === '/api/v1/admin/returns').length, 1);
});

test('it is settled like a deposit, and success credits it', async () => {
  const screen = await openScreen(<Returns tenantId={2} />, 'ann', { before: () => giveBack(pam, '300') });
  const status = await screen.findByLabelText(/^Status of RETURN/);
  const details = await opens(screen.getByRole('button', { name: /^Details/ }), /^Transaction /);
  assert.ok(details.getByText('Platform'));
  assert.not.ok(details.queryByText('Payment Method'));
  fireEvent.click(details.getByRole('button', { name: 'Close' }));
  const before = await creditOf();
  shortenUndo(50);
  fireEvent.change(status, { target: { value: 'success' } });
  await screen.findByText('Status updated successfully');
  restoreUndo();
  assert.is((await creditOf()) - before, 300);
});

test('the way winnings are paid is not changed while redeems wait, which the message counts', async () => {
  const screen = await openScreen(<Returns tenantId={2} />, 'ann');
  const label = /^Winnings are paid from the game/;
  const change = async () => {
    fireEvent.click(await screen.findByLabelText(label));
    fireEvent.click(await screen.findByRole('button', { name: 'Change' }));
  };
  await change();
  await screen.findByText('1 redeem waits. Settle them first');
  await waitFor(() => assert.not.ok((screen.getByLabelText(label) as HTMLInputElement).disabled));
  assert.not.ok((screen.getByLabelText(label) as HTMLInputElement).checked);
  await sql`update redeems set status = 'failed', completed_at = now() where tenant_id = 2`;
  await change();
  await waitFor(() => assert.ok((screen.getByLabelText(label) as HTMLInputElement).checked));
});

test('a person without the permissions records nothing and changes nothing', async () => {
  const screen = await openScreen(<Returns tenantId={2} />, 'ann', { permissions: ['support'] });
  const box = (await screen.findByLabelText(/^Winnings are paid/)) as HTMLInputElement;
  assert.ok(box.disabled);
  assert.not.ok(screen.queryByText('Record Return'));
});

test.after(closeScreen);
test.run();
