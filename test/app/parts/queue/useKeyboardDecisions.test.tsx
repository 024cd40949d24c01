import { configure, fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UNDO_MS } from '../../../../src/contract/constants';
import { closeScreen } from '../../../screen';
import { as, pam, sql } from '../../../world';
import { first, ids, loaded, openQueue, paid, row, second } from './redeemQueue';

const key = (text: string, more: object = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key: text, ...more });
const statusIn = async (table: 'redeems' | 'transactions', id: number) =>
  (await sql`select status from ${sql(table)} where id = ${id}`)[0]?.['status'];

// Five seconds are long for a test: that wait, and no other, is cut short.
const realTimeout = globalThis.setTimeout;
let undoMs = UNDO_MS;
configure({ asyncUtilTimeout: UNDO_MS - 1 }); // Testing Library waits with the same clock
test.before(() => {
  globalThis.setTimeout = Object.assign(
    (run: () => void, ms?: number, ...args: unknown[]) => realTimeout(run, ms === UNDO_MS ? undoMs : ms, ...args),
    realTimeout,
  );
});
test.before.each(() => {
  undoMs = UNDO_MS;
});
test.after(() => {
  globalThis.setTimeout = realTimeout;
});

test('j and k go from row to row, s and f decide, and after five seconds it is sent once', async () => {
  const { screen, writes } = await openQueue();
  await loaded(screen, 4);
  screen.getByRole('region', { name: 'Redeems' }).focus();
  key('j');
  assert.is(document.activeElement, row(screen, pam.redeem));
  key('j');
  key('j');
  key('k');
  assert.is(document.activeElement, row(screen, first));
  undoMs = 150;
  key('s');
  assert.is(document.activeElement, row(screen, second), 'on to the next that waits');
  key('f');
  screen.getByText('pia@mail.test, $60.00: Success in 5 seconds');
  screen.getByText('pia@mail.test, $70.00: Failed in 5 seconds');
  assert.ok((within(row(screen, first)).getByRole('combobox') as HTMLSelectElement).disabled);
  assert.equal(writes(), [], 'nothing is sent yet');
  await waitFor(async () =>
    assert.equal([await statusIn('redeems', first), await statusIn('redeems', second)], ['success', 'failed']),
  );
  await screen.findByText('Status updated');
  await waitFor(() => assert.is(screen.container.querySelectorAll('.decisions p').length, 0));
  assert.equal(
    writes().map(({ body }) => body),
    [{ status: 'success' }, { status: 'failed' }],
  );
  assert.is(ids(screen)[0], pam.redeem, 'which alone waits now');
});

test('u takes the last decision back, the button takes back any, and nothing is sent', async () => {
  const { screen, writes } = await openQueue();
  await loaded(screen, 4);
  undoMs = 400;
  row(screen, first).focus();
  key('s');
  key('f');
  key('u');
  assert.is(screen.queryByText(/\$70\.00: Failed/), null);
  assert.ok(screen.getByText(/\$60\.00: Success/));
  fireEvent.click(screen.getByText('Undo'));
  assert.is(screen.container.querySelectorAll('.decisions p').length, 0);
  await new Promise((resolve) => realTimeout(resolve, 700));
  assert.equal(writes(), []);
  assert.not.ok((within(row(screen, first)).getByRole('combobox') as HTMLSelectElement).disabled);
});

test('keys do nothing while typing or choosing, with a modifier, on a settled row and outside the table', async () => {
  const { screen } = await openQueue();
  await loaded(screen, 4);
  const none = () => assert.is(screen.container.querySelectorAll('.decisions p').length, 0);
  screen.getByLabelText(/^Search/).focus();
  key('s');
  key('j');
  assert.is(document.activeElement, screen.getByLabelText(/^Search/));
  within(row(screen, first)).getByRole('combobox').focus();
  key('s');
  key('f');
  none();
  row(screen, first).focus();
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) key('s', { [modifier]: true });
  none();
  row(screen, paid).focus();
  key('s');
  none();
  screen.getByRole('region', { name: 'Redeems' }).focus();
  key('s');
  none();
  screen.getByText('Create Manual Redeem').focus();
  key('j');
  key('s');
  none();
  assert.is(document.activeElement, screen.getByText('Create Manual Redeem'));
});

test('whoever leaves has decided: it is sent at once', async () => {
  const { screen, writes } = await openQueue();
  await loaded(screen, 4);
  row(screen, first).focus();
  key('f');
  screen.unmount();
  await waitFor(async () => assert.is(await statusIn('redeems', first), 'failed'));
  assert.equal(
    writes().map(({ body }) => body),
    [{ status: 'failed' }],
  );
});

test('a page that is left and shown again has sent it, and offers nothing to take back', async () => {
  const { screen, writes } = await openQueue();
  await loaded(screen, 4);
  row(screen, first).focus();
  key('f');
  fireEvent(window, new Event('pagehide'));
  await waitFor(async () => assert.is(await statusIn('redeems', first), 'failed'));
  assert.not.ok(screen.queryByText('Undo'));
  screen.unmount();
  assert.is(writes().length, 1);
});

test('what somebody else has settled meanwhile says so and shows how', async () => {
  const { screen } = await openQueue();
  await loaded(screen, 4);
  await (await as('sue')).changeRedeemStatus({ id: first, body: { status: 'failed' } });
  undoMs = 50;
  row(screen, first).focus();
  key('s');
  await screen.findByText('Failed to update status');
  await waitFor(() =>
    assert.is((within(row(screen, first)).getByRole('combobox') as HTMLSelectElement).value, 'failed'),
  );
});

test('the select still sends at once', async () => {
  const { screen, writes } = await openQueue();
  await loaded(screen, 4);
  fireEvent.change(within(row(screen, first)).getByRole('combobox'), { target: { value: 'failed' } });
  await screen.findByText('Status updated');
  assert.equal(
    writes().map(({ body }) => body),
    [{ status: 'failed' }],
  );
});

test.after(closeScreen);
test.run();
