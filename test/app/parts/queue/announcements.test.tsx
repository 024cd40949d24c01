/** What comes in while somebody reads a queue, what one's own decision moves, and which filters are set. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../../src/app/App';
import { reloadPendingCounts } from '../../../../src/app/parts/polled';
import { useApi } from '../../../../src/app/state/session';
import type { Feature } from '../../../../src/contract/constants';
import { closeScreen, openScreen } from '../../../screen';
import { fund, redeem } from '../../../seed';
import { pam, pat } from '../../../world';
import { fill, opens } from '../../controls';
import { sentTo } from '../../network';
import { ids } from './redeemQueue';

test.after.each(closeScreen);

let poll = () => undefined as void;
/** The poll of each minute, now. */
function Poll() {
  const api = useApi();
  poll = () => reloadPendingCounts(api);
  return null;
}
const screenOf = (
  <>
    <App />
    <Poll />
  </>
);
const open = async (path = '/?tab=redeems', lacks: readonly Feature[] = ['claims']) => {
  // With claims, the queue learns of new rows another way: claims.test.tsx.
  const screen = await openScreen(screenOf, 'ann', { path, lacks });
  await screen.findByText('1 redeem');
  await waitFor(() => assert.equal(ids(screen), [pam.redeem]));
  await waitFor(() => assert.is(document.title, 'Redeems (1) · Acme', 'the first counts are there'));
  return screen;
};

test('what comes in is announced, and stands in the list when somebody asks for it', async () => {
  const screen = await open();
  await fund(pam, 'credit', '100');
  const added = [await redeem(pam, '10'), await redeem(pam, '20')];
  assert.equal(sentTo(screen, '/list-new'), [], 'not asked before the next poll');
  poll();
  const button = await screen.findByRole('button', { name: '2 new – show' });
  assert.equal(ids(screen), [pam.redeem], 'the list stays as it was read');
  await waitFor(() => assert.is(document.title, 'Redeems (3) · Acme'));
  fireEvent.click(button);
  await waitFor(() => assert.equal(ids(screen), [pam.redeem, ...added]));
  await waitFor(() =>
    assert.is(document.activeElement?.getAttribute('data-id'), String(added[0]), 'the first of them'),
  );
  assert.not.ok(screen.queryByText(/new – show/));
  poll();
  const asked = () => sentTo(screen, '/list-new').at(-1)?.query['after_id'];
  await waitFor(() => assert.is(asked(), String(added[1]), 'the newest that was shown'));
  assert.not.ok(screen.queryByText(/new – show/));
});

test('only what matches the filters is announced, and nothing of another tenant', async () => {
  const screen = await open('/?tab=redeems&min=100');
  await fund(pam, 'credit', '1000');
  await redeem(pam, '10');
  await redeem(pat, '200');
  poll();
  await waitFor(() => assert.is(sentTo(screen, '/list-new').length, 1));
  assert.not.ok(screen.queryByText(/new – show/));
  await redeem(pam, '200');
  poll();
  await screen.findByRole('button', { name: '1 new – show' });
  assert.equal(sentTo(screen, '/list-new').at(-1)?.query, {
    tenant_id: '2',
    min_amount: '100',
    list: 'redeems',
    after_id: String(pam.redeem),
  });
});

test("one's own decision moves the figures beside it at once", async () => {
  const screen = await open();
  const figure = () => within(screen.getByText('Total Redeems').parentElement!).getByRole('definition').textContent;
  await waitFor(() => assert.is(figure(), '$0.00'));
  fireEvent.change(screen.getByLabelText(/^Status of redeem/), { target: { value: 'success' } });
  await waitFor(() => assert.is(figure(), '$150.00'), { timeout: 9000 });
  await waitFor(() => assert.is(document.title, 'Redeems · Acme'));
});

test('a new player moves the figure of the title bar', async () => {
  const screen = await openScreen(<App />, 'ann');
  await screen.findByText('New Sign Ups Today: 1');
  const form = await opens(screen.getByText('Create User'), 'Create User');
  fill(form, { Email: 'new@mail.test', Password: 'long-enough-secret' }, 'Save');
  await screen.findByText('New Sign Ups Today: 2');
});

test('each filter that is set can be removed by itself, or all at once, and typing goes on in the search', async () => {
  const screen = await open('/?tab=redeems&status=pending&min=5&text=pam');
  const set = within(screen.getByRole('group', { name: 'Filters that are set' }));
  assert.equal(
    set.getAllByRole('button').map((button) => button.textContent?.trim()),
    ['Clear filters', 'Status: Pending ×', 'Min: 5 ×', 'Search: pam ×'],
  );
  fireEvent.click(set.getByText(/^Min/));
  assert.is(location.search, '?tab=redeems&status=pending&text=pam');
  assert.is((document.activeElement as HTMLInputElement).type, 'search');
  fireEvent.click(set.getByText('Clear filters'));
  assert.is(location.search, '?tab=redeems');
  assert.is((document.activeElement as HTMLInputElement).type, 'search');
  assert.is(set.queryAllByRole('button').length, 0);
  screen.getByRole('group', { name: 'Filters that are set' }); // its place stays
});

test('a server that does not count what is new is not asked', async () => {
  const screen = await open('/?tab=redeems', ['claims', 'new_rows']);
  poll();
  await waitFor(() => assert.ok(sentTo(screen, '/pending-counts').length > 1));
  assert.equal(sentTo(screen, '/list-new'), []);
  assert.not.ok(screen.queryByText(/new – show/));
});

test.run();
