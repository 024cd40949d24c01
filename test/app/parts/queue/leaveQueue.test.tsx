/** A queue is left while a decision waits: it is sent, and it says so. */
import { cleanup, fireEvent, render, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Root } from '../../../../src/app/Root';
import { closeScreen } from '../../../screen';
import { pam, reset, signIn, sql } from '../../../world';
import { interceptRequests } from '../../network';

const statusOf = async (id: number) => (await sql`select status from redeems where id = ${id}`)[0]?.['status'];

async function open() {
  cleanup();
  await reset();
  const { access_token, user, features } = await signIn('ann');
  localStorage.setItem('token', access_token);
  localStorage.setItem('user', JSON.stringify({ ...user, features }));
  history.replaceState(null, '', '/?tab=redeems');
  const line = interceptRequests();
  const screen = render(<Root fetch={line.fetch} />);
  const status = await screen.findByLabelText(`Status of redeem ${pam.redeem}, ${pam.email}, $150.00`);
  fireEvent.change(status, { target: { value: 'failed' } });
  await screen.findByText(`${pam.email}, $150.00: Failed in 5 seconds`);
  return { screen, ...line };
}

test('another screen: it is sent at once, with the reason typed so far, and the new screen says so', async () => {
  const { screen, writes } = await open();
  fireEvent.click(screen.getByText('Add reason'));
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'duplicate' } });
  fireEvent.click(screen.getByRole('tab', { name: 'Users' }));
  await screen.findByText(`${pam.email}, $150.00: Failed. It was sent because you left the list.`);
  screen.getByText('Status updated');
  assert.is(screen.queryByText('Undo'), null);
  assert.is(await statusOf(pam.redeem), 'failed');
  assert.equal(
    writes().map(({ body }) => body),
    [{ status: 'failed', reason: 'duplicate' }],
  );
});

test('logging out: it is sent before the session ends, and the login says so', async () => {
  const { screen, sent } = await open();
  fireEvent.click(screen.getByRole('button', { name: 'Logout' }));
  screen.getByRole('button', { name: 'Login' });
  await screen.findByText(`${pam.email}, $150.00: Failed. It was sent because you left the list.`);
  assert.is(await statusOf(pam.redeem), 'failed');
  await waitFor(async () => assert.is((await sql`select 1 from sessions`).length, 0, 'and the session has ended'));
  const [decision, logout] = ['/status', '/auth/logout'].map((end) => sent.findIndex(({ path }) => path.endsWith(end)));
  assert.ok(decision! >= 0 && decision! < logout!);
  assert.is(localStorage.length, 0);
});

test.after(closeScreen);
test.run();
