/** 'Filters' of Users: fields, chips and the address, in front of our server and of another one. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../src/app/screens/users/Users';
import { closeScreen, openScreen, type Screen } from '../../../screen';
import { addPlayer, topUp } from '../../../seed';
import { as, pam } from '../../../world';
import { textsOf } from '../../controls';
import { sentTo } from '../../network';

test.after.each(closeScreen);

async function open(path: string, offered: Parameters<typeof openScreen>[2] = {}) {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', {
    before: async () => {
      const rich = await addPlayer(2, { email: 'rich@mail.test' });
      await topUp(rich, '500', 'success', {
        initiated_at: new Date('2026-03-01T12:00:00Z'),
        completed_at: new Date('2026-03-01T12:00:00Z'),
      });
      await (await as('ann')).savePlayerTags({ id: pam.id, body: { tags: ['big spender'] } });
    },
    path,
    ...offered,
  });
  const asked = () => sentTo(screen, '/users/').map(({ query }) => query['segment']);
  return { screen, asked };
}
const segment = () => new URLSearchParams(location.search).get('segment');
const type = (screen: Screen, label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } });
const chips = (screen: Screen) =>
  textsOf(within(screen.getByRole('group', { name: 'Filters that are set' })).getAllByRole('button'));

test('fields go into the address, the request and chips, and each chip takes its filter out again', async () => {
  const { screen, asked } = await open('/');
  await screen.findByText('Showing 1 to 2 of 2 users');
  fireEvent.click(await screen.findByRole('button', { name: 'Filters' }));
  type(screen, 'Tags', 'Big Spender, ');
  await screen.findByText('Showing 1 to 1 of 1 users');
  screen.getByRole('link', { name: pam.email });
  assert.is(segment(), 'tag:"Big Spender"');
  type(screen, 'GGR to', '100');
  await waitFor(() => assert.is(segment(), 'tag:"Big Spender" ggr:..100'));
  fireEvent.change(screen.getByLabelText('Payouts'), { target: { value: 'held' } });
  await screen.findByText('No users found.');
  fireEvent.click(screen.getByRole('button', { name: 'Filters (3)' }));
  assert.equal(chips(screen), ['Clear filters', 'Tag: Big Spender ×', 'GGR: to $100.00 ×', 'Payouts on hold ×']);
  fireEvent.click(screen.getByRole('button', { name: /^Payouts on hold/ }));
  await screen.findByText('Showing 1 to 1 of 1 users');
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  await screen.findByText('Showing 1 to 2 of 2 users');
  assert.is(segment(), null);
  assert.equal([asked()[0], asked().at(-1)], [undefined, undefined]);
});

test('an address with a selection shows it at once; what is typed wrong is said and not asked for', async () => {
  const { screen, asked } = await open('/?segment=last_purchase%3A2026-03-01..');
  await screen.findByText('Showing 1 to 1 of 1 users');
  await screen.findByRole('link', { name: 'rich@mail.test' });
  await waitFor(() => assert.equal(chips(screen), ['Last purchase: from Mar 1 ×']));
  fireEvent.click(screen.getByRole('button', { name: 'Filters (1)' }));
  const before = asked().length;
  type(screen, 'GGR from', '1e3');
  const why = 'Enter amounts in dollars with at most 2 decimals.';
  await screen.findByText(why);
  assert.is(asked().length, before);
  type(screen, 'GGR from', '1000');
  await screen.findByText('No users found.');
  assert.is(segment(), 'last_purchase:2026-03-01.. ggr:1000..');
  assert.is(screen.queryByText(why), null);
  fireEvent.click(await screen.findByRole('button', { name: 'Clear search and filters' }));
  assert.is(document.activeElement, screen.getByRole('searchbox'));
  await screen.findByText('Showing 1 to 2 of 2 users');
  assert.is(segment(), null);
});

test.run();
