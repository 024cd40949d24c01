import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../../src/app/screens/users/Users';
import { DOUBLES_PAGE } from '../../../../../src/contract/doubles';
import { ann } from '../../../../callers';
import { closeScreen, openScreen, type Screen } from '../../../../screen';
import { addPlayer } from '../../../../seed';
import { pam, sql } from '../../../../world';
import { opens } from '../../../controls';
import { sentTo } from '../../../network';

/** Adds a player who has Pam's phone. */
async function addTwin() {
  const { id } = await addPlayer(2, { email: 'twin@mail.test' });
  await sql`update players set phone_number = '555 0102000', last_name = 'Twin' where id = ${id}`;
  return id;
}
async function openPairs(before: () => PromiseLike<unknown> = addTwin) {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { before, path: '/users' });
  const dialog = await opens(await screen.findByRole('button', { name: 'Possible doubles' }), 'Possible doubles');
  return { screen, dialog };
}
const both = `twin@mail.test and ${pam.email}`;

/** Presses the button of a pair, and answers the question. */
async function decide(screen: Screen, what: 'Link' | 'Dismiss', pair: string, answer: string = what) {
  const button = await screen.findByRole('button', { name: `${what} ${pair}` });
  const question = await opens(button, what === 'Link' ? 'Link these users?' : 'Dismiss this pair?');
  question.getByText(pair);
  fireEvent.click(question.getByRole('button', { name: answer }));
}

test('a pair says who, what is the same, and is linked after a question', async () => {
  const { screen, dialog } = await openPairs();
  const row = (await dialog.findByRole('link', { name: 'twin@mail.test' })).closest('tr')!;
  assert.match(row.textContent ?? '', /^twin@mail\.testSome Twinpam@mail\.testPam PoePhone/);
  within(row).getByRole('button', { name: `Link ${both}` });
  await decide(screen, 'Link', both);
  await screen.findByText('Linked', { selector: '.chip' });
  assert.is(dialog.queryByRole('button', { name: `Dismiss ${both}` }), null);
  assert.is(sentTo(screen, '/links').length, 1);
});

test('a pair that is dismissed, after a question, is gone, and the list says that there are none', async () => {
  const { screen, dialog } = await openPairs();
  await decide(screen, 'Dismiss', both, 'Cancel');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog', { name: 'Dismiss this pair?' })));
  assert.equal(screen.writes(), []);
  await decide(screen, 'Dismiss', both);
  await screen.findByText('Dismissed');
  await dialog.findByText('No doubles found');
});

/** Adds players of one phone, which is nobody else's. */
const addCrowd = (count: number) => sql`
  insert into players (tenant_id, email, phone_number)
  select 2, 'more' || n || '@mail.test', '5550107777' from generate_series(1, ${count}) n`;

test('after a decision the focus is on the row, or on the one that took its place', async () => {
  const first = async () => {
    await addTwin();
    await addCrowd(2);
    await sql`insert into wallets (tenant_id, player_id) select 2, id from players where email like 'more%'`;
  };
  const { screen, dialog } = await openPairs(first);
  const twins = async () => (await dialog.findByRole('link', { name: 'twin@mail.test' })).closest('tr');
  await decide(screen, 'Dismiss', 'more2@mail.test and more1@mail.test');
  await screen.findByText('Dismissed');
  await waitFor(() => assert.not.ok(dialog.queryByRole('link', { name: 'more1@mail.test' })));
  const row = await twins();
  await waitFor(() => assert.ok(document.activeElement === row));
  await decide(screen, 'Link', both);
  await dialog.findByText('Linked', { selector: '.chip' });
  await waitFor(() => assert.ok(document.activeElement === row));
});

test('a player shows with whom it is linked, and is taken out after a question', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'sue', {
    before: async () => {
      const id = await addTwin();
      await ann.linkPlayers({ id: pam.id, body: { player_id: id } });
      await ann.saveProtection({ id, body: { exclusion: { until: null } } });
    },
    path: `/users?player=${pam.id}`,
  });
  const dialog = within(await screen.findByRole('dialog', { name: pam.email }));
  const line = (await dialog.findByRole('link', { name: 'twin@mail.test' })).closest('p');
  assert.is(
    line?.textContent,
    'Linked with twin@mail.test (on a break). A break of one stops all. ' +
      'What all buy and deposit counts against each limit.',
  );
  const question = await opens(dialog.getByRole('button', { name: 'Unlink' }), 'Unlink this user?');
  fireEvent.click(question.getByRole('button', { name: 'Unlink' }));
  await screen.findByText('Unlinked');
  await waitFor(() => assert.not.ok(dialog.queryByRole('button', { name: 'Unlink' })));
});

test('where a page is not the last it says how far it looked, and goes on', async () => {
  const first = async () => {
    await addTwin();
    await addCrowd(110);
  };
  const { dialog } = await openPairs(first);
  await dialog.findByText(/^Looked at users who signed up since/);
  fireEvent.click(dialog.getByRole('button', { name: 'Older' }));
  await dialog.findByRole('button', { name: `Link ${both}` });
  assert.is(dialog.queryByText(/^Looked at users/), null);
});

test('a last page without any does not say that there are none at all', async () => {
  const { dialog } = await openPairs(() => addCrowd(DOUBLES_PAGE + 1));
  await dialog.findByText(/^Looked at users who signed up since/);
  fireEvent.click(dialog.getByRole('button', { name: 'Older' }));
  await dialog.findByText('None among these users');
  assert.is(dialog.queryByText(/^Looked at users/), null);
});

test.after(closeScreen);
test.run();
