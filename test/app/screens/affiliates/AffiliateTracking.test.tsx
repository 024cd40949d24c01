import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AffiliateTracking, readAffiliateQuery } from '../../../../src/app/screens/affiliates/AffiliateTracking';
import { closeScreen, openScreen, type Screen } from '../../../screen';
import { topUp } from '../../../seed';
import { pam } from '../../../world';
import { fieldValue, fill, isDisabled, textsOf, type } from '../../controls';
import { nonsense, partsOf, respondWith, sentTo } from '../../network';

/** The calls for figures; the list below them has a test of its own. */
const asked = (screen: Screen) => sentTo(screen, '/affiliate-stats');
/** A fixed clock: noon of that day where the person sits. */
const on = (day: string) => () => new Date(`${day}T12:00:00`);
const askFor = (screen: Screen, id: string) => {
  fill(screen, { 'Affiliate ID': id }, 'Get Stats');
};

test('it opens on week to date, without pickers, and with nothing to ask for yet', async () => {
  const screen = await openScreen(<AffiliateTracking />, 'ann');
  const range = screen.getByLabelText('Date Range') as HTMLSelectElement;
  assert.is(range.value, 'week');
  assert.equal(textsOf(range.options), ['Today', 'Yesterday', 'Week to Date', 'Month to Date', 'Custom Range']);
  assert.is(screen.queryByLabelText('Start Date'), null);
  assert.ok(isDisabled(screen.getByText('Get Stats')));
  type(screen.getByLabelText('Affiliate ID'), '   ');
  assert.ok(isDisabled(screen.getByText('Get Stats')), 'blanks are no ID');
  assert.equal(asked(screen), []);
});

test("the figures come from the affiliate's players and stand in two cards", async () => {
  const screen = await openScreen(<AffiliateTracking />, 'ann');
  await topUp(pam, '1250.50', 'success');
  askFor(screen, ' aff1 ');
  const players = (await screen.findByText('Total Players')).closest('div')!;
  assert.match(players.textContent!, /^Total Players1Players signed up with affiliate ID: aff1$/);
  const ggr = screen.getByText('Total GGR').closest('div')!;
  assert.match(ggr.textContent!, /^Total GGR\$1,250\.50Gross Gaming Revenue from affiliate players$/);
});

test('the cards say for which days they are, follow the range, and lead to the players', async () => {
  const screen = await openScreen(<AffiliateTracking now={on('2026-12-31')} />, 'ann');
  askFor(screen, 'aff1');
  await screen.findByRole('heading', { name: /^aff1, Dec 27\b.* to Dec 31\b/ });
  type(screen.getByLabelText('Date Range'), 'month');
  await screen.findByRole('heading', { name: /^aff1, Dec 1\b.* to Dec 31\b/ });
  assert.ok(screen.getByText('Total GGR'));
  assert.is(screen.getByText('Show its players').getAttribute('href'), '/users?segment=affiliate%3Aaff1');
});

for (const [preset, today, from, to] of [
  ['today', '2026-12-31', '2026-12-31', '2026-12-31'],
  ['yesterday', '2027-01-01', '2026-12-31', '2026-12-31'],
  ['yesterday', '2028-03-01', '2028-02-29', '2028-02-29'],
  ['week', '2027-01-01', '2026-12-27', '2027-01-01'],
  ['week', '2026-03-08', '2026-03-08', '2026-03-08'],
  ['week', '2026-11-07', '2026-11-01', '2026-11-07'],
  ['month', '2026-12-01', '2026-12-01', '2026-12-01'],
  ['month', '2028-02-29', '2028-02-01', '2028-02-29'],
] as const) {
  test(`${preset} on ${today} asks for ${from} to ${to}`, async () => {
    const screen = await openScreen(<AffiliateTracking now={on(today)} />, 'ann');
    type(screen.getByLabelText('Date Range'), preset);
    askFor(screen, 'AFF1');
    await screen.findByText('Total Players');
    assert.equal(partsOf(asked(screen), 'query'), [{ affiliate_id: 'AFF1', start_date: from, end_date: to }]);
  });
}

test('inside a tenant only its players count, in the cards and in the list', async () => {
  const screen = await openScreen(<AffiliateTracking tenantId={2} />, 'sue');
  askFor(screen, 'AFF1');
  const players = (await screen.findByText('Total Players')).closest('div')!;
  assert.match(players.textContent!, /Players1P/);
  const lists = sentTo(screen, '/admin/affiliates');
  assert.equal([asked(screen)[0]?.query['tenant_id'], lists[0]?.query['tenant_id']], ['2', '2']);
});

test('a custom range is picked freely, begins with the days shown before, and stays in the address', async () => {
  const screen = await openScreen(<AffiliateTracking now={on('2026-11-20')} />, 'ann');
  type(screen.getByLabelText('Date Range'), 'custom');
  const start = screen.getByLabelText('Start Date') as HTMLInputElement;
  assert.equal([start.value, start.min, start.max], ['2026-11-15', '1900-01-01', '2099-12-31']);
  assert.is(fieldValue(screen.getByLabelText('End Date')), '2026-11-20');
  type(start, '2026-01-01');
  type(screen.getByLabelText('End Date'), '2026-06-30');
  askFor(screen, 'AFF1');
  await screen.findByText('Total Players');
  assert.equal(asked(screen)[0]!.query, { affiliate_id: 'AFF1', start_date: '2026-01-01', end_date: '2026-06-30' });
  assert.is(location.search, '?range=custom&start=2026-01-01&end=2026-06-30&affiliate=AFF1');

  const again = await openScreen(<AffiliateTracking />, 'ann', { path: `/${location.search}` });
  await again.findByText('Players signed up with affiliate ID: AFF1');
  assert.is(fieldValue(again.getByLabelText('Start Date')), '2026-01-01');
  type(again.getByLabelText('Date Range'), 'today');
  assert.is(again.queryByLabelText('Start Date'), null);
  assert.is(location.search, '?range=today&affiliate=AFF1');
});

test('what is missing is said, and nothing is sent', async () => {
  const screen = await openScreen(<AffiliateTracking />, 'ann');
  fireEvent.keyDown(screen.getByLabelText('Affiliate ID'), { key: 'Enter' }); // the button is disabled
  await screen.findByText('Please enter an affiliate ID');
  fill(screen, { 'Date Range': 'custom', 'End Date': '' });
  askFor(screen, 'AFF1');
  await screen.findByText('Please select date range');
  assert.equal(asked(screen), []);
  assert.is(readAffiliateQuery('A', { start_date: '1899-12-31', end_date: '2026-01-01' }), 'Please select date range');
  assert.is(readAffiliateQuery('A', { start_date: '2026-01-01', end_date: '2100-01-01' }), 'Please select date range');
});

test("Get Stats waits for its answer; a refusal shows the server's words, and clears the results", async () => {
  const screen = await openScreen(<AffiliateTracking />, 'ann');
  askFor(screen, 'AFF1');
  assert.ok(isDisabled(screen.getByText('Get Stats')), 'locked while loading');
  await screen.findByText('Total Players');
  await waitFor(() => assert.not(isDisabled(screen.getByText('Get Stats'))));
  fireEvent.click(screen.getByText('Get Stats'));
  await waitFor(() => assert.is(asked(screen).length, 2, 'the same again asks again'));
  await waitFor(() => assert.not(isDisabled(screen.getByText('Get Stats'))));
  fill(screen, { 'Date Range': 'custom', 'Start Date': '2027-02-02', 'End Date': '2027-01-01' }, 'Get Stats');
  await waitFor(() => assert.match(screen.container.querySelector('.toast.error')?.textContent ?? '', /start/i));
  await waitFor(() => assert.not(isDisabled(screen.getByText('Get Stats')), 'free again'));
  assert.is(screen.queryByText('Failed to fetch affiliate stats'), null);
  assert.is(screen.queryByText('Total Players'), null);
  assert.is(fieldValue(screen.getByLabelText('Affiliate ID')), 'AFF1');
});

test("another server's odd figures show as dashes, amounts as text as amounts", async () => {
  const screen = await openScreen(<AffiliateTracking />, 'ann', {
    instead: () => respondWith({ total_players: 'many', total_ggr: '-12.5' }),
    path: '/?affiliate=%3Cb%3E&range=never',
  });
  const ggr = (await screen.findByText('Total GGR')).closest('div')!;
  assert.match(ggr.textContent!, /-\$12\.50/);
  assert.ok(ggr.querySelector('.loss'));
  assert.match(screen.getByText('Total Players').closest('div')!.textContent!, /^Total Players-Players/);
  await screen.findByText('Players signed up with affiliate ID: <b>');
  assert.not.match(screen.container.textContent!, nonsense);
});

test.after(closeScreen);
test.run();
