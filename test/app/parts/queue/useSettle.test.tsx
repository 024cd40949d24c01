/** Mouse, keyboard and touch decide by one path: five seconds in which nothing is sent and all can be undone. */
import { act, fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UNKNOWN } from '../../../../src/app/api/repeat';
import { REPEATING } from '../../../../src/app/hooks/useRepeats';
import { UNDO_MS } from '../../../../src/contract/constants';
import { ann, sue } from '../../../callers';
import { closeScreen, type Screen } from '../../../screen';
import { pam, people, sql } from '../../../world';
import { fill } from '../../controls';
import { at, noNetwork, outage, partsOf } from '../../network';
import { pause, restoreUndo, shortenUndo, undo } from '../../undo';
import { first, openQueue, paid, row, second } from './redeemQueue';

const key = (text: string, more: object = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key: text, ...more });
const statusIn = async (table: 'redeems' | 'transactions', id: number) =>
  (await sql`select status from ${sql(table)} where id = ${id}`)[0]?.['status'];
const select = (screen: Screen, id: number) => within(row(screen, id)).getByRole('combobox') as HTMLSelectElement;
const choose = (screen: Screen, id: number, status: string) =>
  fireEvent.change(select(screen, id), { target: { value: status } });
/** Each decision is a form of its own. */
const decisions = (screen: Screen) => screen.container.querySelectorAll('.decisions form');
const isFocused = (screen: Screen, id: number) => document.activeElement === row(screen, id);

test.before(() => shortenUndo(UNDO_MS));
test.before.each(() => {
  undo.ms = UNDO_MS;
});
test.after(restoreUndo);

test('j and k go from row to row, s and f decide, and after five seconds it is sent once', async () => {
  const screen = await openQueue();
  screen.getByRole('region', { name: 'Redeems' }).focus();
  key('j');
  assert.ok(isFocused(screen, pam.redeem));
  key('j');
  key('j');
  key('k');
  assert.ok(isFocused(screen, first));
  undo.ms = 150;
  key('s');
  assert.ok(isFocused(screen, second), 'on to the next that waits');
  key('f');
  screen.getByText('pia@mail.test, $60.00: Success in 5 seconds');
  screen.getByText('pia@mail.test, $70.00: Failed in 5 seconds');
  assert.ok(select(screen, first).disabled);
  assert.equal(screen.writes(), [], 'nothing is sent yet');
  await waitFor(async () =>
    assert.equal([await statusIn('redeems', first), await statusIn('redeems', second)], ['success', 'failed']),
  );
  await screen.findAllByText('Status updated');
  screen.getByText('pia@mail.test, $60.00: Success');
  screen.getByText('pia@mail.test, $70.00: Failed');
  await waitFor(() => assert.is(decisions(screen).length, 0));
  assert.equal(partsOf(screen.writes(), 'body'), [{ status: 'success' }, { status: 'failed' }]);
});

test('x ticks the row that has the focus, d opens its details, and both lead back to it', async () => {
  const screen = await openQueue();
  row(screen, first).focus();
  key('x');
  await screen.findByText('1 selected, $60.00');
  assert.ok(isFocused(screen, first));
  key('x');
  assert.is(screen.queryByText('1 selected, $60.00'), null);
  key('d');
  fireEvent.click(within(await screen.findByRole('dialog')).getByText('Close'));
  await waitFor(() => assert.ok(isFocused(screen, first)));
});

test('a row that is decided offers no Take and has no age, until it is undone', async () => {
  const screen = await openQueue();
  const offers = () => [within(row(screen, first)).queryByText('Take'), row(screen, first).querySelector('.age')];
  assert.ok(offers().every(Boolean));
  choose(screen, first, 'failed');
  assert.equal(offers(), [null, null]);
  fireEvent.click(screen.getByText('Undo'));
  assert.ok(offers().every(Boolean));
});

test('the mouse decides by the same path: named, undone for five seconds, and on to the next row', async () => {
  const screen = await openQueue();
  choose(screen, first, 'success');
  assert.equal([select(screen, first).value, select(screen, first).disabled], ['success', true]);
  assert.ok(isFocused(screen, second), 'on to the next that waits');
  const message = within(screen.getByRole('status', { name: 'Decisions not sent yet' }));
  message.getByText('pia@mail.test, $60.00: Success in 5 seconds');
  message.getByText('Add reason');
  fireEvent.click(message.getByText('Undo'));
  assert.is(decisions(screen).length, 0);
  assert.equal([select(screen, first).value, select(screen, first).disabled], ['pending', false]);
  assert.ok(isFocused(screen, first), 'back to what was undone');
  undo.ms = 50;
  choose(screen, first, 'failed');
  await screen.findByText('Status updated');
  const sent = [[`/api/v1/admin/redeems/${first}/status`, { status: 'failed' }]];
  assert.equal(partsOf(screen.writes(), 'path', 'body'), sent, 'as the specification has it');
});

test('a decision on the last row goes on to one above that waits', async () => {
  const screen = await openQueue();
  choose(screen, second, 'failed');
  assert.ok(isFocused(screen, first));
});

test('u undoes the last decision, the button any, and nothing is sent', async () => {
  const screen = await openQueue();
  undo.ms = 400;
  row(screen, first).focus();
  key('s');
  key('f');
  key('u');
  assert.is(screen.queryByText(/\$70\.00: Failed/), null);
  assert.ok(screen.getByText(/\$60\.00: Success/));
  fireEvent.click(screen.getByText('Undo'));
  assert.is(decisions(screen).length, 0);
  await pause(700);
  assert.equal(screen.writes(), []);
  assert.not.ok(select(screen, first).disabled);
});

test('a reason is asked in the message, stops the clock and goes along into the audit log', async () => {
  const screen = await openQueue();
  undo.ms = 300;
  choose(screen, first, 'failed');
  fireEvent.click(screen.getByText('Add reason'));
  screen.getByText('pia@mail.test, $60.00: Failed, not sent yet');
  const reason = screen.getByLabelText('Reason');
  assert.is(document.activeElement, reason);
  await pause(500);
  assert.equal(screen.writes(), [], 'it waits while the reason is given');
  fireEvent.change(reason, { target: { value: 'duplicate' } });
  fill(screen, { Note: ' twice ' }, 'Send');
  await screen.findByText('Status updated');
  assert.equal(screen.writes()[0]?.body, { status: 'failed', reason: 'duplicate', note: 'twice' });
  const [entry] = (await sue.getAudit({})).entries;
  assert.equal([entry?.reason, entry?.note], ['duplicate', 'twice']);
  assert.ok(isFocused(screen, second), 'back in the list');
});

test('r asks for the reason of the last decision by keyboard; it can still be undone', async () => {
  const screen = await openQueue();
  row(screen, first).focus();
  key('s');
  key('r');
  fill(screen, { Reason: 'other' }, 'Undo');
  assert.is(decisions(screen).length, 0);
  assert.equal(screen.writes(), []);
});

test('a server that takes no reasons is asked for none', async () => {
  const screen = await openQueue({ path: '/', features: ['queue'] });
  choose(screen, first, 'failed');
  screen.getByText('Undo');
  assert.is(screen.queryByText('Add reason'), null);
});

test('keys do nothing while typing or choosing, with a modifier, on a settled row and outside the table', async () => {
  const screen = await openQueue();
  const none = () => assert.is(decisions(screen).length, 0);
  screen.getByLabelText(/^Search/).focus();
  key('s');
  key('j');
  assert.is(document.activeElement, screen.getByLabelText(/^Search/));
  select(screen, first).focus();
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

test('while nothing has the focus j leads into the table, but not while a dialog is open', async () => {
  const screen = await openQueue();
  const leave = () => document.activeElement instanceof HTMLElement && document.activeElement.blur();
  leave();
  key('j', { ctrlKey: true });
  key('s');
  assert.is(document.activeElement, document.body);
  key('j');
  assert.ok(isFocused(screen, pam.redeem));
  fireEvent.click(screen.getByText('Create Manual Redeem'));
  await screen.findByRole('dialog');
  leave();
  key('j');
  assert.is(document.activeElement, document.body);
});

test('a decision whose answer is lost is sent again with the same key, and counts once', async () => {
  let lost = 0;
  const line = await openQueue({ path: '/', instead: at('POST', () => (lost++ === 0 ? noNetwork() : undefined)) });
  undo.ms = 50;
  choose(line, first, 'failed');
  await line.findByText(REPEATING);
  await line.findByText('Status updated');
  const keys = line.writes().map(({ headers }) => headers.get('Idempotency-Key'));
  assert.equal([keys.length, new Set(keys).size, keys[0] !== null], [2, 1, true]);
});

test('a decision of which nobody knows says so, with whose it is, and the list is loaded again', async () => {
  const screen = await openQueue({
    path: '/',
    features: ['queue'],
    instead: at('POST', { detail: 'Unknown', code: 'unknown_outcome' }, 500),
  });
  undo.ms = 50;
  const before = screen.sent.length;
  row(screen, first).focus();
  key('f');
  await screen.findByText(UNKNOWN);
  screen.getByText('pia@mail.test, $60.00');
  assert.is(screen.queryByText('Failed to update status'), null);
  await waitFor(() => assert.ok(screen.sent.slice(before).some(({ path }) => path.endsWith('/redeems'))));
  assert.is(screen.sent.slice(before).filter(({ method }) => method === 'POST').length, 1);
});

test('a page that is left and shown again has sent it, and offers no undo', async () => {
  const screen = await openQueue();
  row(screen, first).focus();
  key('f');
  fireEvent(window, new Event('pagehide'));
  await waitFor(async () => assert.is(await statusIn('redeems', first), 'failed'));
  assert.not.ok(screen.queryByText('Undo'));
  screen.unmount();
  assert.is(screen.writes().length, 1);
});

test('what somebody else has decided says who it was, and shows how', async () => {
  const screen = await openQueue();
  await sue.changeRedeemStatus({ id: first, body: { status: 'failed' } });
  undo.ms = 50;
  choose(screen, first, 'success');
  await screen.findByText('Failed to update status');
  screen.getByText(`pia@mail.test, $60.00 was already set to Failed by ${people.sue.email}`);
  await waitFor(() => assert.is(select(screen, first).value, 'failed'));
});

test("a refusal says whose it was and the server's reason; a success of the same row removes it", async () => {
  const closing = outage('POST', { detail: 'The cashier is closed' }, 422);
  const screen = await openQueue({ path: '/', ...closing });
  undo.ms = 50;
  choose(screen, first, 'failed');
  await screen.findByText('pia@mail.test, $60.00: The cashier is closed');
  screen.getByText('Failed to update status');
  await waitFor(() => assert.not.ok(select(screen, first).disabled));
  assert.is(select(screen, first).value, 'pending');
  closing.isDown = false;
  choose(screen, first, 'failed');
  await screen.findByText('Status updated');
  assert.is(screen.queryByText('Failed to update status'), null);
});

test('Success is closed while payouts are on hold, by mouse and by key, with the reason; Failed is open', async () => {
  const screen = await openQueue({
    path: '/',
    before: () => ann.holdPayouts({ id: pam.id, body: { is_held: true, reason: 'fraud_suspected' } }),
  });
  assert.is(within(row(screen, pam.redeem)).getByText('Payouts on hold').title, 'Fraud suspected');
  const [, success, failed] = [...select(screen, pam.redeem).options];
  assert.equal([success?.disabled, success?.title], [true, 'Payouts on hold: Fraud suspected']);
  assert.is(select(screen, pam.redeem).title, 'Payouts on hold: Fraud suspected');
  assert.not.ok(failed?.disabled);
  row(screen, pam.redeem).focus();
  key('s');
  await screen.findByText(`${pam.email}, $150.00: payouts are on hold. Fraud suspected`);
  assert.is(decisions(screen).length, 0);
  key('f');
  assert.is(decisions(screen).length, 1);
  assert.equal(screen.writes(), []);
});

test('a decision whose session has ended says that it was not sent', async () => {
  const screen = await openQueue();
  choose(screen, first, 'failed');
  localStorage.clear();
  await act(async () => void fireEvent(window, new Event('pagehide')));
  await screen.findByText('pia@mail.test, $60.00 was not sent, because your session has ended.');
  assert.equal(screen.writes(), []);
});

test.after(closeScreen);
test.run();
