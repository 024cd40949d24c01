import { fireEvent, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HeaderMetrics } from '../../../src/app/parts/HeaderMetrics';
import { closeScreen, openScreen } from '../../screen';
import { addPlayer } from '../../seed';
import { as, pam } from '../../world';
import { heard } from '../console';
import { headsOf, opens } from '../controls';
import { noNetwork, respondWith, type Sent } from '../network';

const isMetrics = ({ path }: Sent) => path.endsWith('/dashboard-metrics');

test('the chips count, and open who they count', async () => {
  const screen = await openScreen(<HeaderMetrics tenantId={2} />, 'ann', {
    before: () => addPlayer(2, { email: 'new@mail.test' }),
  });
  const players = await opens(await screen.findByText('New Sign Ups Today: 2'), 'New Players Today');
  assert.is(headsOf(players), 'Name, Email, Phone, Affiliate ID, Sign Up Time');
  const row = within((await players.findByText('new@mail.test')).closest('tr')!);
  assert.is(row.getAllByText('N/A').length, 2, 'no phone, no affiliate');
  assert.ok(players.getByText('Pam Poe'));
  assert.ok(players.getByText('AFF1'));
  fireEvent.click(players.getByText('Close'));
  assert.is(screen.queryByRole('dialog'), null);

  const purchases = await opens(screen.getByText('First Purchase Today: 1'), 'First Purchases Today');
  assert.is(headsOf(purchases), 'Customer, Amount, Payment Method, Status, Purchase Time');
  const purchase = (await purchases.findByText(pam.email)).closest('tr')!;
  for (const text of ['Pam Poe', '$80.00', 'card', 'PENDING']) assert.ok(purchase.textContent!.includes(text), text);
  fireEvent.click(purchases.getByText(pam.email));
  assert.is(screen.queryByRole('dialog'), null, 'a link leads out of the dialog');
  assert.is(location.pathname + location.search, `/users?search=pam%40mail.test&player=${pam.id}`);
});

test('a first purchase that succeeded is highlighted', async () => {
  const screen = await openScreen(<HeaderMetrics />, 'ann', {
    before: async () => (await as('ann')).changePurchaseStatus({ id: pam.purchase, body: { status: 'success' } }),
  });
  fireEvent.click(await screen.findByText('First Purchase Today: 1'));
  assert.match((await screen.findByText('SUCCESS')).className, /success/);
});

test('nobody new today is said so', async () => {
  const screen = await openScreen(<HeaderMetrics />, 'ann', {
    instead: (sent) => (isMetrics(sent) ? undefined : respondWith([])),
  });
  fireEvent.click(screen.getByText(/New Sign Ups Today/));
  await screen.findByText('No new players today');
  fireEvent.click(screen.getByText('Close'));
  fireEvent.click(screen.getByText(/First Purchase Today/));
  await screen.findByText('No first purchases today');
});

test('lists that cannot be fetched are only logged', async () => {
  const screen = await openScreen(<HeaderMetrics />, 'ann', {
    instead: (sent) => (isMetrics(sent) ? undefined : noNetwork()),
  });
  for (const chip of [/New Sign Ups Today/, /First Purchase Today/]) {
    const logged = await heard('error', async () => {
      fireEvent.click(screen.getByText(chip));
      await screen.findByText(/Could not be loaded|cannot be reached/);
    });
    assert.ok(logged.some((word) => word instanceof Error && word.name === 'ApiError'));
    assert.is(document.querySelector('.toast.error'), null);
    fireEvent.click(screen.getByText('Close'));
  }
});

test.after(closeScreen);
test.run();
