import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../../src/app/App';
import { Returns } from '../../../../src/app/screens/returns/Returns';
import { features } from '../../../../src/contract/constants';
import { closeScreen, openScreen } from '../../../screen';
import { giveBack } from '../../../seed';
import { as, pam, sql } from '../../../world';
import { beforeFirstRequest, interceptRequests, interceptRequestsAfter } from '../../network';
import { restoreUndo, shortenUndo } from '../../undo';

const oneReturn = () => interceptRequests(beforeFirstRequest(() => giveBack(pam, '300')));
const credit = async () =>
  (await sql<{ credit: string }[]>`select credit_balance::text as credit from wallets where player_id = ${pam.id}`)[0]!
    .credit;

/** Two platforms, and Pam's login at the later one. */
const withPlatforms = async () => {
  await sql`insert into tenant_platforms (tenant_id, platform_id, is_active)
    select 2, id, name <> 'yolo' from platforms where name in ('golden_dragon', 'vblink', 'yolo')`;
  await (await as('sue')).createPlayerCredential({
    user_id: pam.id,
    body: { platform_name: 'vblink', platform_username: 'pam1' },
  });
};

test('a return is recorded with its player, platform and amount, and shows its risk', async () => {
  const { fetch, writes } = interceptRequestsAfter(withPlatforms);
  const screen = await openScreen(<Returns tenantId={2} />, 'ann', { fetch });
  fireEvent.click(await screen.findByText('Record Return'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Record Return' }));
  fireEvent.click(dialog.getByText('Record'));
  await screen.findByText('Please select a user');
  fireEvent.change(dialog.getByLabelText('Search User'), { target: { value: 'pam' } });
  await waitFor(() => assert.ok(document.querySelector('[role=listbox] [role=option]')));
  fireEvent.click(document.querySelector('[role=listbox] [role=option]')!);
  await dialog.findByText('VBlink (pam1)');
  assert.equal(
    [...(dialog.getByLabelText('Platform') as HTMLSelectElement).options].map(({ text }) => text),
    ['Choose a platform', 'VBlink (pam1)', 'Golden Dragon'],
    'those of the tenant that are on, where the player has a login first',
  );
  fireEvent.change(dialog.getByLabelText('Platform'), { target: { value: 'vblink' } });
  fireEvent.change(dialog.getByLabelText('Amount'), { target: { value: '300.07' } });
  fireEvent.click(dialog.getByText('Record'));
  await screen.findByText('Return recorded');
  const row = (await screen.findByText('$300.07')).closest('tr')!;
  assert.ok(within(row).getByText('VBlink'));
  assert.ok(within(row).getByText('No deposit there'));
  assert.is(writes().filter(({ path }) => path === '/api/v1/admin/returns').length, 1);
});

test('it is settled like a deposit, and success credits it', async () => {
  const screen = await openScreen(<Returns tenantId={2} />, 'ann', { fetch: oneReturn().fetch });
  const status = await screen.findByLabelText(/^Status of RETURN/);
  fireEvent.click(screen.getByRole('button', { name: /^Details/ }));
  const details = within(await screen.findByRole('dialog'));
  assert.ok(details.getByText('Platform'));
  assert.not.ok(details.queryByText('Payment Method'));
  fireEvent.click(details.getByRole('button', { name: 'Close' }));
  const before = Number(await credit());
  shortenUndo(50);
  fireEvent.change(status, { target: { value: 'success' } });
  await screen.findByText('Status updated successfully');
  restoreUndo();
  assert.is(Number(await credit()) - before, 300);
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

test('an app in front of a server without the feature shows no returns', async () => {
  const without = features.filter((name) => name !== 'returns' && name !== 'two_factor_setup');
  const screen = await openScreen(<App />, 'ann', { features: without });
  await screen.findByRole('tab', { name: /^Deposits/ });
  assert.not.ok(screen.queryByRole('tab', { name: /^Returns/ }));
  const offered = await openScreen(<App />, 'ann', {});
  assert.ok(await offered.findByRole('tab', { name: /^Returns/ }));
});

test.after(closeScreen);
test.run();
