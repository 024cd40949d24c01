/** A queue is left while a decision waits, or while several are being sent: all are sent, and it says so. */
import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { closeScreen } from '../../../screen';
import { redeem } from '../../../seed';
import { newGate } from '../../../server/gate';
import { pam, sql } from '../../../world';
import { type Instead, partsOf, respondWith, type Sent } from '../../network';
import { answer } from '../../question';
import { openRoot } from '../../root';

const statusOf = async (id: number) => (await sql`select status from redeems where id = ${id}`)[0]?.['status'];

const start = (instead?: Instead) =>
  openRoot('ann', {
    path: '/?tab=redeems',
    instead,
    before: async () => {
      for (const amount of instead ? ['1', '2', '3', '4'] : []) await redeem(pam, amount, 'pending');
    },
  });

async function open() {
  const screen = await start();
  const status = await screen.findByLabelText(`Status of redeem ${pam.redeem}, ${pam.email}, $150.00`);
  fireEvent.change(status, { target: { value: 'failed' } });
  await screen.findByText(`${pam.email}, $150.00: Failed in 5 seconds`);
  return screen;
}

test('another screen: it is sent at once, with the reason typed so far, and the new screen says so', async () => {
  const screen = await open();
  fireEvent.click(screen.getByText('Add reason'));
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'duplicate' } });
  fireEvent.click(screen.getByRole('tab', { name: 'Users' }));
  await screen.findByText(`${pam.email}, $150.00: Failed`);
  screen.getByText('Status updated');
  assert.is(screen.queryByText('Undo'), null);
  assert.is(await statusOf(pam.redeem), 'failed');
  assert.equal(partsOf(screen.writes(), 'body'), [{ status: 'failed', reason: 'duplicate' }]);
});

test('logging out: it is sent before the session ends, and the login says so', async () => {
  const screen = await open();
  fireEvent.click(screen.getByRole('button', { name: 'Logout' }));
  screen.getByRole('button', { name: 'Login' });
  await screen.findByText(`${pam.email}, $150.00: Failed`);
  assert.is(await statusOf(pam.redeem), 'failed');
  await waitFor(async () => assert.is((await sql`select 1 from sessions`).length, 0, 'and the session has ended'));
  const [decision, logout] = ['/status', '/auth/logout'].map((end) =>
    screen.sent.findIndex(({ path }) => path.endsWith(end)),
  );
  assert.ok(decision! >= 0 && decision! < logout!);
  assert.is(localStorage.length, 0);
});

/** Five redeems are being set to failed: the first is on its way until it is `released`, and the others wait. */
async function openBatch(instead: (sent: Sent) => Response | undefined = () => undefined) {
  const { open: release, opened: released } = newGate();
  const screen = await start(async (sent) => {
    if (!sent.path.endsWith('/status')) return undefined;
    if (screen.writes().length === 1) await released;
    return instead(sent);
  });
  await waitFor(() => assert.is(screen.container.querySelectorAll('tr[data-id]').length, 5));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select page' }));
  fireEvent.click(screen.getByRole('button', { name: 'Set 5 to Failed ($160.00)' }));
  await answer(screen, 'Set 5 to Failed, $160.00 in all?', 'Set 5 to Failed');
  await waitFor(() => assert.is(screen.writes().length, 1));
  const open = async () =>
    Number((await sql`select count(*) from redeems where status = 'pending' and player_id = ${pam.id}`)[0]?.['count']);
  return { screen, release, countOpen: open };
}

test('another screen while several are being sent: sending goes on, and what is refused is told', async () => {
  const { screen, release, countOpen } = await openBatch(({ path }) =>
    path.includes(`/${pam.redeem}/`) ? undefined : respondWith({ detail: 'Closed.' }, 422),
  );
  fireEvent.click(screen.getByRole('tab', { name: 'Users' }));
  await screen.findByLabelText('Search by email, name, or phone');
  assert.is(screen.writes().length, 1, 'one after another');
  release();
  await screen.findByText('Set 5 to Failed: 4 refused, 1 done');
  assert.is(await countOpen(), 4);
});

test('logging out while several are being sent: the session ends after the one on its way, and it says what is left', async () => {
  const { screen, release, countOpen } = await openBatch();
  fireEvent.click(screen.getByRole('button', { name: 'Logout' }));
  screen.getByRole('button', { name: 'Login' });
  release();
  await screen.findByText('Set 5 to Failed: 4 not reached, 1 done');
  assert.is(await countOpen(), 4);
  await waitFor(() => assert.is(screen.sent.at(-1)?.path.endsWith('/auth/logout'), true));
});

test('the browser asks before it closes a page that is sending several', async () => {
  const { screen, release } = await openBatch();
  const isAsked = () => !fireEvent(window, new Event('beforeunload', { cancelable: true }));
  assert.is(isAsked(), true);
  release();
  await screen.findByText(/^5 selected, /);
  await waitFor(() => assert.is(isAsked(), false));
});

test.after(closeScreen);
test.run();
