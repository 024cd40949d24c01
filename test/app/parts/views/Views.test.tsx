/** A list is kept under a name, opened again and deleted. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { applyView, readView } from '../../../../src/app/parts/views/viewQuery';
import { Redeems } from '../../../../src/app/screens/redeems/Redeems';
import { closeScreen, openScreen, type Screen } from '../../../screen';
import { as } from '../../../world';
import { fill, opens, press } from '../../controls';

test.after.each(closeScreen);

const open = async (options: Parameters<typeof openScreen>[2] = {}) => {
  const screen = await openScreen(<Redeems tenantId={2} />, 'ann', { path: '/?tab=redeems', ...options });
  await screen.findByRole('button', { name: /^Columns/ });
  return screen;
};

async function choose(screen: Screen, name: string) {
  press(screen, 'Views');
  fireEvent.click(await screen.findByRole('menuitem', { name }));
}
async function save(screen: Screen, name: string) {
  await choose(screen, 'Save this view…');
  const form = within(screen.getByRole('dialog', { name: 'Save view' }));
  fill(form, { Name: name }, 'Save');
  await screen.findByText('View saved');
}

test('a view keeps filters, order and columns, and opens with them; other parameters stay out', async () => {
  const search = '?tab=redeems&status=pending&min=100&sort=amount&order=desc&hide=ended';
  const screen = await open({ path: `/${search}&page=1` });
  await save(screen, 'Large ones');
  const [view] = await (await as('ann')).listSavedViews({ list: 'redeems' });
  assert.is(view?.query, 'status=pending&min=100&sort=amount&order=desc&hide=ended');

  history.replaceState(null, '', '/?tab=redeems&status=failed&text=pam');
  await choose(screen, 'Large ones');
  assert.is(location.search, search);
  await waitFor(() => assert.match(screen.container.querySelector('table')!.className, 'no-ended'));
  press(screen, 'Views');
  await screen.findByRole('menuitem', { name: 'Large ones ✓' });
});

test('a view is deleted after a question', async () => {
  const screen = await open();
  await save(screen, 'Mine');
  await choose(screen, 'Manage views…');
  const dialog = within(screen.getByRole('dialog', { name: 'Views of redeems' }));
  const question = await opens(dialog.getByRole('button', { name: 'Delete Mine' }), 'Delete this view?');
  question.getByText('Mine');
  fireEvent.click(question.getByRole('button', { name: 'Delete' }));
  await screen.findByText('View deleted');
  assert.equal(await (await as('ann')).listSavedViews({ list: 'redeems' }), []);
});

test('a range stays a range: today is the day on which the view is opened', () => {
  const day = '2026-11-23';
  const query = readView('purchases', `?tab=x&from=${day}&to=${day}&status=pending&page=3`, [], day);
  assert.is(query, 'status=pending&hide=none&range=today');
  assert.is(
    applyView('purchases', '?tab=x&text=pam&page=2', query, '2026-12-01'),
    '?tab=x&status=pending&from=2026-12-01&to=2026-12-01&hide=none',
  );
  const days = readView('purchases', '?from=2026-11-02&to=2026-11-05', [], day);
  assert.is(days, 'from=2026-11-02&to=2026-11-05&hide=none');
  assert.is(applyView('users', '?tab=x&search=pam', 'tab=evil&player=7&size=25', day), '?tab=x&size=25');
});

test.run();
