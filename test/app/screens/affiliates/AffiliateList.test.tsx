import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AffiliateTracking } from '../../../../src/app/screens/affiliates/AffiliateTracking';
import { formatDay } from '../../../../src/app/ui/formatDay';
import { closeScreen, openScreen, type Screen } from '../../../screen';
import { addPlayer, redeem, topUp } from '../../../seed';
import { pam } from '../../../world';
import { fill, textsOf, type } from '../../controls';
import { at, laterOutage, nonsense, sentTo } from '../../network';

const lines = (screen: Screen, part = 'tbody') =>
  [...screen.container.querySelectorAll(`.frame ${part} tr:not(.note)`)].map((row) => textsOf(row.children));
const heads = (screen: Screen) =>
  [...screen.container.querySelectorAll('.frame th[aria-sort]')].map(
    (head) => `${head.textContent} ${head.getAttribute('aria-sort')}`,
  );
const note = (screen: Screen) => screen.container.querySelector('.frame .note')?.textContent?.trim();

/** Pam is of AFF1; two more players, of West and of nobody. */
const world = async () => {
  await topUp(pam, '100.10', 'success');
  const west = await addPlayer(2, { email: 'west@mail.test', affiliate_id: 'West', credit: '100' });
  await redeem(west, '40.05', 'success');
  await topUp(await addPlayer(2, { email: 'own@mail.test' }), '999', 'success');
};
const opened = () => openScreen(<AffiliateTracking />, 'ann', { before: world });

test('it is there by itself, for the range that is chosen, with the total of all', async () => {
  const screen = await opened();
  await screen.findByText('AFF1');
  assert.equal(lines(screen), [
    ['AFF1', '1', '$100.10', '$0.00', '$100.10'],
    ['West', '1', '$0.00', '$40.05', '-$40.05'],
  ]);
  assert.equal(lines(screen, 'tfoot'), [['Total of 2', '2', '$100.10', '$40.05', '$60.05']]);
  assert.equal(heads(screen), ['GGR descending']);
  assert.not.match(screen.container.textContent ?? '', nonsense);
});

test('clicking an affiliate fills the field and shows its figures, the same as in its row', async () => {
  const screen = await opened();
  fireEvent.click(await screen.findByText('West'));
  await screen.findByText('Players signed up with affiliate ID: West');
  assert.is((screen.getByLabelText('Affiliate ID') as HTMLInputElement).value, 'West');
  assert.match(screen.getByText('Total GGR').closest('div')!.textContent!, /-\$40\.05/);
  assert.match(screen.getByText('Total Players').closest('div')!.textContent!, /Players1P/);
  assert.is(location.search, '?affiliate=West');
});

test('between one range and the next it never says that there is nothing', async () => {
  const screen = await opened();
  await screen.findByText('AFF1');
  const said = new Set<string | undefined>();
  const observer = new MutationObserver(() => said.add(note(screen)));
  observer.observe(screen.container, { subtree: true, childList: true, characterData: true });
  for (const [start, day] of [
    ['2000-01-01', ''],
    ['', 'Choose a start and an end date.'],
    ['2000-01-02', ''],
  ] as const) {
    fill(screen, { 'Date Range': 'custom', 'Start Date': start });
    if (day) await screen.findByText(day);
    else await screen.findByRole('heading', { name: new RegExp(`^Affiliates, ${formatDay(start)} to `) });
  }
  await screen.findByText('AFF1');
  observer.disconnect();
  assert.not.ok(said.has('No affiliate activity in this range.'), [...said].join(' | '));
});

test('it follows the range, without Get Stats', async () => {
  const screen = await opened();
  await screen.findByText('AFF1');
  type(screen.getByLabelText('Date Range'), 'yesterday');
  await screen.findByText('No affiliate activity in this range.');
  assert.equal(lines(screen, 'tfoot'), []);
  fill(screen, { 'Date Range': 'custom', 'End Date': '2000-01-01' });
  await screen.findByText('The start date is after the end date.');
  type(screen.getByLabelText('Start Date'), '');
  await screen.findByText('Choose a start and an end date.');
  const asked = sentTo(screen, '/admin/affiliates').length;
  type(screen.getByLabelText('Start Date'), '1999-12-31');
  await screen.findByText('No affiliate activity in this range.');
  const { start_date, end_date } = sentTo(screen, '/admin/affiliates').at(-1)!.query;
  assert.equal(
    [sentTo(screen, '/admin/affiliates').length, start_date, end_date],
    [asked + 1, '1999-12-31', '2000-01-01'],
  );
});

test('every column sorts it, the head says so, and order and filter stay in the address', async () => {
  const screen = await opened();
  await screen.findByText('AFF1');
  const shows = (...ids: string[]) =>
    waitFor(() =>
      assert.equal(textsOf(screen.container.querySelectorAll('.frame tbody tr:not(.note) > :first-child')), ids),
    );
  for (const name of ['Affiliate', 'Players', 'Purchases', 'Redeems', 'GGR']) {
    fireEvent.click(screen.getByRole('button', { name }));
    await waitFor(() => assert.equal(heads(screen), [`${name} ascending`]));
  }
  await shows('West', 'AFF1');
  assert.is(location.search, '?order=asc');
  for (const order of ['ascending', 'descending']) {
    fireEvent.click(screen.getByRole('button', { name: 'Affiliate' }));
    await waitFor(() => assert.equal(heads(screen), [`Affiliate ${order}`]));
  }
  await shows('West', 'AFF1');
  assert.is(location.search, '?sort=affiliate_id');
  type(screen.getByLabelText('Filter affiliates'), 'aff');
  await shows('AFF1');
  assert.equal(lines(screen, 'tfoot'), [['Total of 1', '1', '$100.10', '$0.00', '$100.10']]);
  assert.is(location.search, '?sort=affiliate_id&text=aff');

  const again = await openScreen(<AffiliateTracking />, 'ann', {
    path: '/?sort=players&order=asc&text=nothing-like-it',
  });
  await again.findByText('No affiliate matches.');
  assert.equal(
    [heads(again), (again.getByLabelText('Filter affiliates') as HTMLInputElement).value],
    [['Players ascending'], 'nothing-like-it'],
  );
});

test('of too many it says that the first are shown', async () => {
  const row = { affiliate_id: 'A', players: 1, purchases: 1, redeems: 0, ggr: 1 };
  const answer = { affiliates: [row], total: { ...row, affiliates: 1234, players: 5678 } };
  const screen = await openScreen(<AffiliateTracking />, 'ann', { instead: at('/admin/affiliates', answer) });
  await screen.findByText('The first 1 of 1,234; the total includes all.');
  assert.equal(lines(screen, 'tfoot')[0]!.slice(0, 2), ['Total of 1,234', '5,678']);
});

test('figures of other days never stand under the days that could not be loaded', async () => {
  const broken = laterOutage('/admin/affiliates', '<html>');
  const screen = await openScreen(<AffiliateTracking />, 'ann', { before: world, ...broken });
  await screen.findByText('AFF1');
  broken.isDown = true;
  type(screen.getByLabelText('Date Range'), 'yesterday');
  await screen.findByText('Failed to fetch affiliates');
  await waitFor(() => assert.match(note(screen) ?? '', /^Could not be loaded\./));
  assert.equal([lines(screen), lines(screen, 'tfoot')], [[], []]);
});

test("another server's odd figures are dashes", async () => {
  const affiliates = [{ affiliate_id: null, players: 'x', purchases: '12.5', redeems: {} }];
  const screen = await openScreen(<AffiliateTracking />, 'ann', { instead: at('/admin/affiliates', { affiliates }) });
  await waitFor(() => assert.equal(lines(screen), [['-', '-', '$12.50', '-', '-']]));
  assert.not.match(screen.container.textContent ?? '', nonsense);
});

test.after(closeScreen);
test.run();
