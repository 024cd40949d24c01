/** What a list of money offers beyond its rows: sorting, sums, a selection, chosen columns and ranges of days. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toCsv, toText } from '../../../../src/app/parts/bulk/report';
import { addAmounts, formatSums } from '../../../../src/app/parts/table/formatSums';
import { formatRows } from '../../../../src/app/parts/table/ListBar';
import { findRange, ranges } from '../../../../src/app/parts/table/ranges';
import { Purchases } from '../../../../src/app/screens/Purchases';
import { Redeems } from '../../../../src/app/screens/redeems/Redeems';
import { UNDO_MS } from '../../../../src/contract/constants';
import { addDays } from '../../../../src/contract/dates';
import type { Redeem } from '../../../../src/contract/entities';
import { readAuditLog } from '../../../audit';
import { closeScreen, type Options, openScreen, type Screen } from '../../../screen';
import { addPlayer, topUp } from '../../../seed';
import { pam, sql } from '../../../world';
import { cellsOf, press } from '../../controls';
import { at, noNetwork, outage } from '../../network';
import { answer } from '../../question';
import { ids } from '../queue/redeemQueue';

test.after.each(closeScreen);

/** Purchases of Acme: Pam's $80 that waits longest, then $0.10, $0.20 and $12.34 that wait, and $99 that failed. */
let dime = 0,
  pair = 0,
  other = 0,
  failed = 0;
async function addRows(): Promise<void> {
  await sql`update transactions set initiated_at = now() - interval '30 days' where id = ${pam.purchase}`;
  const zoe = await addPlayer(2, { email: 'zoe@mail.test' });
  await sql`update players set first_name = 'Zoë', last_name = null where id = ${zoe.id}`;
  const ago = (hours: number) => ({ initiated_at: new Date(Date.now() - hours * 3_600_000) });
  dime = await topUp(zoe, '0.10', 'pending', { ...ago(4), payment_method: 'Card' });
  pair = await topUp(zoe, '0.20', 'pending', ago(3));
  other = await topUp(pam, '12.34', 'pending', ago(2));
  failed = await topUp(zoe, '99', 'failed', ago(1));
}
async function open({ count = 5, ...options }: Options & { count?: number } = {}) {
  const given = { path: '/?tab=purchases', before: addRows, ...options };
  const screen = await openScreen(<Purchases tenantId={2} />, 'ann', given);
  await screen.findByText(`${count} transactions`);
  await waitFor(() => assert.is(ids(screen).length, count));
  return screen;
}
const box = (screen: Screen, id: number) =>
  screen.container.querySelector<HTMLInputElement>(`tr[data-id="${id}"] [type="checkbox"]`)!;
const head = (screen: Screen, name: string) => screen.getByRole('columnheader', { name });

test('a head sorts by its column, the other way round, and then not at all; the address says so', async () => {
  const screen = await open();
  const own = [pam.purchase, dime, pair, other, failed];
  assert.equal(ids(screen), own);
  press(screen, 'Amount');
  await waitFor(() => assert.equal(ids(screen), [dime, pair, other, pam.purchase, failed]));
  assert.is(head(screen, 'Amount').getAttribute('aria-sort'), 'ascending');
  assert.is(location.search, '?tab=purchases&sort=amount');
  press(screen, 'Amount');
  await waitFor(() => assert.equal(ids(screen), [failed, pam.purchase, other, pair, dime]));
  assert.is(head(screen, 'Amount').getAttribute('aria-sort'), 'descending');
  assert.is(location.search, '?tab=purchases&sort=amount&order=desc');
  press(screen, 'Amount');
  await waitFor(() => assert.equal(ids(screen), own));
  assert.is(location.search, '?tab=purchases');
  press(screen, 'User Email');
  await waitFor(() => assert.equal(ids(screen), [other, pam.purchase, failed, pair, dime]));
  assert.is(head(screen, 'Amount').getAttribute('aria-sort'), null);
  press(screen, 'Pending first');
  await waitFor(() => assert.equal(ids(screen), own));
});

test('an order in the address is that of the list; an unknown one is its own', async () => {
  const screen = await open({ path: '/?tab=purchases&sort=initiated_at&order=desc' });
  assert.equal(ids(screen), [failed, other, pair, dime, pam.purchase]);
  const unknown = await open({ path: '/?tab=purchases&sort=status' });
  assert.equal(ids(unknown), [pam.purchase, dime, pair, other, failed]);
});

test('the sums are those of all rows that match', async () => {
  const screen = await open({ path: '/?tab=purchases&size=25' });
  const sums = () => screen.getByRole('status', { name: 'Sums' }).textContent?.trim();
  await waitFor(() => assert.is(sums(), '4 pending, $92.64 ($90.64 after fees) 1 failed, $99.00'));
  fireEvent.change(screen.getByLabelText('Max'), { target: { value: '1' } });
  await waitFor(() => assert.is(sums(), '2 pending, $0.30'));
});

test('what is selected is counted and summed, with Shift a whole range, over pages but not over filters', async () => {
  const screen = await open();
  const selected = (words: string) => screen.findByText(words);
  fireEvent.click(box(screen, dime));
  await selected('1 selected, $0.10');
  fireEvent.click(box(screen, other), { shiftKey: true });
  await selected('3 selected, $12.64');
  assert.ok(box(screen, pair).checked);
  fireEvent.click(box(screen, other));
  await selected('2 selected, $0.30');
  assert.ok((screen.getByRole('checkbox', { name: 'Select page' }) as HTMLInputElement).indeterminate);
  press(screen, 'Amount');
  await waitFor(() => assert.is(location.search, '?tab=purchases&sort=amount'));
  await selected('2 selected, $0.30');
  press(screen, 'Clear selection');
  assert.not.ok(screen.queryByText(/ selected, /));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select page' }));
  await selected('5 selected, $191.64');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select page' }));
  assert.not.ok(screen.queryByText(/ selected, /));
  press(screen, 'Select 4 pending');
  await selected('4 selected, $92.64');
  fireEvent.change(screen.getByLabelText('By status'), { target: { value: 'failed' } });
  await waitFor(() => assert.not.ok(screen.queryByText(/ selected, /)));
  assert.is(box(screen, failed).getAttribute('aria-label'), 'Select zoe@mail.test, $99.00');
});

test('columns are hidden and shown, for this person and this list alone', async () => {
  const screen = await open();
  const table = () => screen.container.querySelector('table')!.className;
  assert.not.match(table(), 'no-');
  press(screen, 'Columns');
  const panel = within(screen.getByRole('group', { name: 'Columns that are shown' }));
  assert.is(panel.queryByLabelText('User Email'), null);
  fireEvent.click(panel.getByLabelText('Net Amount'));
  fireEvent.click(panel.getByLabelText('Deposit Type'));
  assert.match(table(), /no-net no-kind$/);
  fireEvent.keyDown(panel.getByLabelText('Net Amount'), { key: 'Escape' });
  assert.is(screen.queryByRole('group', { name: 'Columns that are shown' }), null);
  assert.is(document.activeElement, screen.getByRole('button', { name: 'Columns (2 hidden)' }));

  const again = await open();
  await waitFor(() => assert.match(again.container.querySelector('table')!.className, /no-net no-kind$/));
  press(again, 'Columns (2 hidden)');
  press(again, 'Show all');
  assert.not.match(again.container.querySelector('table')!.className, 'no-');

  fireEvent.click(again.getByLabelText('Net Amount'));
  const redeems = await openScreen(<Redeems tenantId={2} />, 'ann');
  await redeems.findByRole('button', { name: 'Columns' });
  const sue = await openScreen(<Purchases tenantId={2} />, 'sue');
  await sue.findByRole('button', { name: 'Columns' });

  const last = await open();
  await last.findByRole('button', { name: 'Columns (1 hidden)' });
  assert.is(location.search, '?tab=purchases&hide=net', 'the address says so, too');
  press(last, 'Columns (1 hidden)');
  press(last, 'Show all');
  assert.is(location.search, '?tab=purchases');
});

test('a link says what is hidden, and counts more than what its reader chose', async () => {
  const screen = await open();
  press(screen, 'Columns');
  fireEvent.click(screen.getByLabelText('Net Amount'));
  const again = await open({ path: '/?tab=purchases&hide=none' });
  assert.not.match(again.container.querySelector('table')!.className, 'no-');
  press(again, 'Columns');
  press(again, 'Show all');

  const odd = await open({ path: '/?tab=purchases&hide=net.email.nonsense' });
  assert.match(odd.container.querySelector('table')!.className, /^\S+ \S+ no-net$/, 'these are no columns that hide');
});

test('a range sets both dates; dates that are none of them are shown as they are', async () => {
  const screen = await open();
  const today = new Date().toISOString().slice(0, 10); // Acme is in UTC
  const range = screen.getByLabelText('Range') as HTMLSelectElement;
  assert.is(range.value, '');
  fireEvent.change(range, { target: { value: '7' } });
  await waitFor(() => assert.is(location.search, `?tab=purchases&from=${addDays(today, -6)}&to=${today}`));
  await screen.findByText('4 transactions');
  assert.is((screen.getByLabelText('From') as HTMLInputElement).value, addDays(today, -6));
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-01' } });
  await waitFor(() => assert.is(range.selectedOptions[0]?.textContent, 'Custom'));
  fireEvent.change(range, { target: { value: '' } });
  await waitFor(() => assert.is(location.search, '?tab=purchases'));
});

test('names stand below the e-mails', async () => {
  const screen = await open();
  const [, cell] = [...screen.container.querySelectorAll('tr[data-id] td:first-child')];
  assert.is(cell?.textContent, 'zoe@mail.testZoë');
});

test('sums of a list that is too long are lower bounds', () => {
  const sums = {
    pending: { total: 1_000_000, amount: 12_345.6 },
    success: { total: 0, amount: 0, net_amount: 0 },
    failed: { total: 1, amount: 5, net_amount: 5 },
  };
  const words = (is_complete: boolean) => formatSums({ ...sums, is_complete }).map((sum) => sum.words);
  assert.equal(words(true), ['1,000,000 pending, $12,345.60', '1 failed, $5.00']);
  const more = ['more than 1,000,000 pending, more than $12,345.60', 'more than 1 failed, more than $5.00'];
  assert.equal(words(false), more);
  const success = { total: 2, amount: 1_000, net_amount: 968.4 };
  const net = formatSums({ ...sums, success, is_complete: true })[1];
  assert.is(net?.words, '2 success, $1,000.00 ($968.40 after fees)');
});

test('amounts are added in cents, also as text from another server', () => {
  assert.is(addAmounts([0.1, 0.2]), 0.3);
  assert.is(addAmounts(['1.10', 2.2, null, 'x']), 3.3);
  assert.is(addAmounts(Array.from({ length: 1000 }, () => 0.07)), 70);
});

test('rows are copied for a spreadsheet, and nothing in them becomes a formula', () => {
  const row = {
    id: 7,
    user_email: '=evil@mail.test',
    user_name: 'A\tB',
    platform: 'yolo',
    amount: 5.5,
    status: 'pending',
    initiated_at: '2026-03-01T10:00:00Z',
    completed_at: null,
    payout_method: 'PayPal',
    payout_address: '@me;=1+1',
  } satisfies Redeem;
  assert.is(
    formatRows([row]),
    'ID\tUser Email\tName\tStatus\tAmount\tInitiated At\tMethod\tReference\n' +
      "7\t'=evil@mail.test\tA B\tpending\t5.5\t2026-03-01T10:00:00Z\tPayPal\t'@me;'=1+1",
  );
  const lines = [{ row: { id: 7, email: '＝evil@mail.test' }, is: 'refused', why: 'No;-1,\n "x"' }] as const;
  assert.is(toCsv(lines).split('\r\n')[1], `"7","'＝evil@mail.test","","Refused","No;'-1,\n ""x"""`);
  assert.is(toText(lines).split('\n')[1], `7\t'＝evil@mail.test\t\tRefused\tNo;'-1, "x"`);
});

test('each range is found by its days', () => {
  for (const { name, get } of ranges) assert.is(findRange(get('2026-03-15'), '2026-03-15'), name);
  assert.equal(ranges[3]?.get('2026-03-15'), { from: '2026-03-01', to: '2026-03-15' });
  assert.is(findRange({ from: '2026-03-02', to: '' }, '2026-03-15'), '');
});

const statusOf = (screen: Screen, id: number) =>
  screen.container.querySelector<HTMLSelectElement>(`tr[data-id="${id}"] select`)?.value;
const decided = ({ sent }: Screen) =>
  sent
    .filter(({ path }) => path.endsWith('/status'))
    .map(({ path, body }) => [Number(/\d+(?=\/status)/.exec(path)), body]);

/** Answers the question before several rows are set. */
const confirmAll = (screen: Screen, what: string, sum: string) => answer(screen, `${what}, ${sum} in all?`, what);

test('what is selected is settled together after one question; what is settled already is not counted', async () => {
  const screen = await open();
  for (const id of [dime, pair, failed]) fireEvent.click(box(screen, id));
  await screen.findByText('3 selected, $99.30');
  press(screen, 'Set 2 to Failed ($0.30)');
  await answer(screen, 'Set 2 to Failed, $0.30 in all?', 'Cancel');
  assert.equal(decided(screen), []);
  screen.getByText('3 selected, $99.30');

  press(screen, 'Set 2 to Failed ($0.30)');
  fireEvent.change(await screen.findByLabelText('Reason'), { target: { value: 'duplicate' } });
  await confirmAll(screen, 'Set 2 to Failed', '$0.30');
  await screen.findByText('2 selected, $0.30: Failed');
  assert.is(screen.getAllByText('Status updated successfully').length, 1, 'said once');
  assert.not.ok(screen.queryByText(/selected, \$99/), 'the selection has ended');
  const body = { status: 'failed', reason: 'duplicate' };
  assert.equal(decided(screen), [
    [dime, body],
    [pair, body],
  ]);
});

test('of several that are settled together, a report says which was refused and why', async () => {
  const screen = await open();
  for (const id of [dime, pair]) fireEvent.click(box(screen, id));
  press(screen, 'Set 2 to Success ($0.30)');
  await sql`update transactions set status = 'failed', completed_at = now() where id = ${pair}`;
  await confirmAll(screen, 'Set 2 to Success', '$0.30');
  await screen.findByText('1 selected, $0.10: Success');
  const report = await screen.findByRole('dialog', { name: 'Set 2 to Success' });
  within(report).getByText('1 refused, 1 done');
  assert.not.ok(within(report).queryByText('Try the rest again'), 'a refusal stays one');
  assert.equal(cellsOf(report), [
    ['zoe@mail.test', '$0.20', 'Refused', 'Already set to Failed by somebody else'],
    ['zoe@mail.test', '$0.10', 'Done', '-'],
  ]);
  fireEvent.click(within(report).getByRole('button', { name: 'Close' }));
  const shown = () => [statusOf(screen, dime), statusOf(screen, pair)];
  await waitFor(() => assert.equal(shown(), ['success', 'failed']));
  press(screen, 'Report');
  screen.getByText('1 refused, 1 done');
});

test('a line that breaks in the middle: the rest is not reached, and tried again; nothing is done twice', async () => {
  let isDown = false;
  const screen = await open({
    count: 4,
    before: async () => {
      for (const amount of ['1', '2', '3']) await topUp(pam, amount, 'pending');
    },
    instead: at('/status', () => {
      if (screen.writes().length === 3) isDown = true;
      if (!isDown) return undefined;
      Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
      return noNetwork();
    }),
  });
  press(screen, 'Select 4 pending');
  try {
    press(screen, 'Set 4 to Failed ($86.00)');
    await confirmAll(screen, 'Set 4 to Failed', '$86.00');
    await screen.findByText(/not reached, \d done/, {}, { timeout: 20_000 });
    isDown = false;
    Reflect.deleteProperty(navigator, 'onLine');
    press(screen, 'Try the rest again');
    await screen.findByText('4 done');
  } finally {
    Reflect.deleteProperty(navigator, 'onLine');
  }
  const entries = (await readAuditLog()).filter(({ call }) => call === 'changePurchaseStatus');
  assert.is(entries.length, 4, 'each once');
});

test('what was decided meanwhile is not tried again', async () => {
  const down = outage('/status', { detail: 'Down', code: 'unavailable' }, 503);
  const screen = await open({ count: 2, before: () => topUp(pam, '1', 'pending'), ...down });
  const [first, second] = ids(screen);
  press(screen, 'Select 2 pending');
  press(screen, 'Set 2 to Failed ($81.00)');
  await confirmAll(screen, 'Set 2 to Failed', '$81.00');
  const report = await screen.findByRole('dialog', { name: 'Set 2 to Failed' }, { timeout: 20_000 });
  down.isDown = false;
  fireEvent.click(within(report).getByRole('button', { name: 'Close' }));
  await waitFor(() => assert.is(box(screen, second!).disabled, false, 'the list is loaded again'));
  const choice = await screen.findByLabelText(new RegExp(`^Status of \\w+ ${second},`));
  await waitFor(() => assert.not.ok(choice.hasAttribute('disabled')));
  fireEvent.change(choice, { target: { value: 'success' } });
  await waitFor(() => assert.is(statusOf(screen, second!), 'success'));
  press(screen, 'Report');
  press(screen, 'Try the rest again');
  await waitFor(() => assert.is(statusOf(screen, first!), 'failed'));
  assert.is(statusOf(screen, second!), 'success');
  const sentTo = (id: number) => screen.writes().filter(({ path }) => path.includes(`/${id}/`)).length;
  await waitFor(() => assert.is(sentTo(second!), 1, 'once, when Undo is over'), { timeout: 2 * UNDO_MS });
});

test('redeems are paid out one by one: several can only be set to failed', async () => {
  const screen = await openScreen(<Redeems tenantId={2} />, 'ann', { path: '/?tab=redeems' });
  await screen.findByText(pam.email);
  fireEvent.click(box(screen, pam.redeem));
  await screen.findByRole('button', { name: 'Set 1 to Failed ($150.00)' });
  assert.is(screen.queryByRole('button', { name: /^Set 1 to Success/ }), null);
});

test.run();
