import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findFilterProblem, parseQueueQuery, queueAddress } from '../../../../src/app/parts/queue/filters';
import { formatWaitingTime } from '../../../../src/app/parts/queue/WaitingTime';
import { Deposits } from '../../../../src/app/screens/Deposits';
import { Purchases } from '../../../../src/app/screens/Purchases';
import { Redeems } from '../../../../src/app/screens/redeems/Redeems';
import { TenantAdmin } from '../../../../src/app/screens/TenantAdmin';
import { Users } from '../../../../src/app/screens/users/Users';
import { UNDO_MS } from '../../../../src/contract/constants';
import { closeScreen, openScreen, type Screen } from '../../../screen';
import { topUp } from '../../../seed';
import { pam } from '../../../world';
import { sees } from '../../controls';
import { partsOf, sentTo } from '../../network';
import { first, ids, loaded, openQueue, paid, row, second } from './redeemQueue';

test('what waits stands first with its age in words, what is settled follows', async () => {
  const screen = await openQueue();
  assert.equal(ids(screen), [pam.redeem, first, second, paid]);
  const age = (id: number) => row(screen, id).querySelector('.age');
  assert.equal(
    [age(pam.redeem)?.textContent, age(first)?.textContent, age(second)?.textContent, age(paid)],
    ['Overdue: 30 h', 'Waiting 2 h', 'Waiting 0 min', null],
  );
  assert.match(age(pam.redeem)!.className, /\bfailed\b/);
});

test('an age is late from four hours and overdue from a day on', () => {
  const hour = 3_600_000;
  for (const [ms, words, level] of [
    [0, 'Waiting 0 min', 'fresh'],
    [hour - 1, 'Waiting 59 min', 'fresh'],
    [4 * hour - 1, 'Waiting 3 h', 'fresh'],
    [4 * hour, 'Late: 4 h', 'late'],
    [24 * hour - 1, 'Late: 23 h', 'late'],
    [24 * hour, 'Overdue: 24 h', 'overdue'],
    [72 * hour, 'Overdue: 3 d', 'overdue'],
    [-5, 'Waiting 0 min', 'fresh'],
  ] as const)
    assert.equal(formatWaitingTime(ms), { words, level });
});

test('a risk stands on its row with its reason, for the eye and for the ear', async () => {
  const screen = await openQueue();
  const chips = within(row(screen, pam.redeem)).getByRole('list', { name: 'Risks' });
  const chip = within(chips).getByText('First redeem');
  assert.is(chip.getAttribute('title'), 'The player has not redeemed before.');
  assert.is(chip.textContent, 'First redeem: The player has not redeemed before.');
  assert.is(within(row(screen, paid)).queryByRole('list'), null);
});

test('filters live in the address, are in force at once, and the number follows', async () => {
  const screen = await openQueue({ path: '/?tab=redeems&page=1' });
  const filter = within(screen.getByRole('search'));
  fireEvent.change(filter.getByLabelText('By status'), { target: { value: 'success' } });
  await loaded(screen, 1);
  assert.is(location.search, '?tab=redeems&status=success');
  assert.equal(ids(screen), [paid]);
  fireEvent.change(filter.getByLabelText(/^Search/), { target: { value: 'nobody' } });
  await screen.findByText('Nothing matches the filters.');
  assert.is(location.search, '?tab=redeems&status=success&text=nobody');
  fireEvent.click(screen.getByText('Clear filters'));
  await loaded(screen, 4);
  assert.is(location.search, '?tab=redeems');
  assert.is((filter.getByLabelText(/^Search/) as HTMLInputElement).value, '');
  const asked = partsOf(sentTo(screen, '/redeems'), 'query');
  assert.equal(asked.at(1), { tenant_id: '2', order: 'pending_first', status: 'success', page: '1', limit: '100' });
});

test('an address opens the list with its filters and its page', async () => {
  const screen = await openQueue({ path: '/?tab=redeems&min=65&max=150&size=25&from=2020-01-01', count: 3 });
  const filter = { min_amount: '65', max_amount: '150', from_date: '2020-01-01' };
  assert.equal(screen.sent[0]?.query, { tenant_id: '2', order: 'pending_first', ...filter, page: '1', limit: '25' });
  assert.is((screen.getByLabelText('Min') as HTMLInputElement).value, '65');
});

test('filters that make no sense are said, not sent, and never left out in silence', async () => {
  const screen = await openQueue({ path: '/?from=2026-02-01&to=2026-01-01', count: 0 });
  await sees(screen, 'From is after To.', 'Correct the filters to see the list.');
  const asked = screen.sent.filter(({ path }) => !path.endsWith('/approvals'));
  assert.equal(asked, []);
  assert.is(screen.queryByText('Export CSV'), null);
  const address = (patch: object) => ({ ...queueAddress, ...patch });
  const amounts = 'Enter amounts in dollars with at most 2 decimals.';
  for (const [patch, problem] of [
    [{ status: 'paid' }, 'This status does not exist.'],
    [{ from: '2026-02-30' }, 'Enter dates as YYYY-MM-DD.'],
    [{ min: '-1' }, amounts],
    [{ max: '1.234' }, amounts],
    [{ min: '2', max: '1' }, 'Min is above Max.'],
    [{}, undefined],
    [{ min: '1', max: '1' }, undefined],
  ] as const)
    assert.is(findFilterProblem(address(patch)), problem);
  const { page, limit } = parseQueueQuery(address({ page: '-1', size: '7' }), 2);
  assert.equal([page, limit], [1, 100]);
});

test('pages turn, and a page past the end leads back to the last', async () => {
  const screen = await openScreen(<Purchases tenantId={2} />, 'ann', {
    before: async () => {
      for (let n = 0; n < 29; n++) await topUp(pam, '10', 'failed');
    },
    path: '/?size=25',
  });
  await screen.findByText('Showing 1 to 25 of 30 purchases');
  fireEvent.click(screen.getByText('Next'));
  await screen.findByText('Showing 26 to 30 of 30 purchases');
  await waitFor(() => assert.is(ids(screen).length, 5));
  assert.is(location.search, '?size=25&page=2');
  const past = await openScreen(<Purchases tenantId={2} />, 'ann', { path: '/?page=9' });
  await past.findByText('Showing 1 to 1 of 1 purchases');
  assert.is(location.search, '');
});

test('what is pending stands beside the names of the tabs, and follows a decision', async () => {
  const tabs = {
    Users: <p>the users</p>,
    Purchases: <p>the purchases</p>,
    Deposits: <p>the deposits</p>,
    Redeems: <Redeems tenantId={2} />,
  };
  const screen = await openScreen(<TenantAdmin tenantId={2} tabs={tabs} />, 'ann', { path: '/?tab=redeems' });
  const beside = (name: string) =>
    screen.getByRole('tab', { name }).parentElement?.querySelector('.count')?.textContent;
  const counts = [undefined, '1 pending', undefined, '1 pending'];
  await waitFor(() => assert.equal(Object.keys(tabs).map(beside), counts));
  fireEvent.change(await screen.findByLabelText(`Status of redeem ${pam.redeem}, ${pam.email}, $150.00`), {
    target: { value: 'success' },
  });
  await waitFor(() => assert.is(beside('Redeems'), undefined), { timeout: 2 * UNDO_MS });
});

test('an export asks with the filters of the list and is kept under its name', async () => {
  const kept: [string, string][] = [];
  const click = HTMLElement.prototype.click;
  HTMLElement.prototype.click = function clicked(this: HTMLElement) {
    if (this instanceof Element && this.tagName === 'A')
      kept.push([this.getAttribute('download') ?? '', this.getAttribute('href') ?? '']);
    else click.call(this);
  };
  try {
    const screen = await openQueue({ path: '/?status=pending&page=1', count: 3 });
    fireEvent.click(await screen.findByText('Export CSV'));
    await waitFor(() => assert.is(kept.length, 1));
    assert.match(kept[0]![0], /^redeems-\d{4}-\d\d-\d\d\.csv$/);
    assert.match(kept[0]![1], /^blob:/);
    const queries = (of: Screen, ...ends: string[]) => ends.map((end) => sentTo(of, end)[0]?.query);
    const [list, file] = queries(screen, '/redeems', '/redeems/export');
    assert.equal(file, list);

    const other = await openScreen(<Users tenantId={2} />, 'ann', { path: '/?search=pam&sort=email&order=asc' });
    await other.findByText(pam.email);
    fireEvent.click(await other.findByText('Export CSV'));
    await waitFor(() => assert.is(kept.length, 2));
    const [page, whole] = queries(other, '/users/', '/users/export');
    assert.equal(whole, page);
  } finally {
    HTMLElement.prototype.click = click;
  }
});

test('an export that is refused or is no file says why, and keeps nothing', async () => {
  const answers = [
    new Response('{"detail":"Too many exports are running."}', { status: 429 }),
    new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
  ];
  const screen = await openScreen(<Deposits tenantId={2} />, 'ann', {
    instead: ({ path }) => (path.endsWith('/export') ? answers.shift() : undefined),
  });
  fireEvent.click(await screen.findByText('Export CSV'));
  await screen.findByText('Too many exports are running.');
  await waitFor(() => assert.not.ok((screen.getByText('Export CSV') as HTMLButtonElement).disabled));
  fireEvent.click(screen.getByText('Export CSV'));
  await screen.findByText('Failed to export the list');
});

test.after(closeScreen);
test.run();
