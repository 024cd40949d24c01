import { fireEvent, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TransactionList } from '../../../src/app/parts/TransactionList';
import { closeScreen, openScreen } from '../../screen';
import { newGate } from '../../server/gate';
import { as, pam, sql } from '../../world';
import { headsOf, opens, optionsOf, textsOf } from '../controls';
import { at, noNetwork, nonsense, partsOf, respondWith } from '../network';

const columns =
  'User Email, Type, Status, Amount, Net Amount, Payment Method, Deposit Type, Initiated At, Completed At, ' +
  'Description, Reference, Actions';
const select = (element: HTMLElement) => element as HTMLSelectElement;
const label = `Status of TOP_UP ${pam.purchase}, ${pam.email}, $80.00`;
const choose = (element: HTMLElement, value: string) => fireEvent.change(element, { target: { value } });

test('shows the twelve columns, amounts with two decimals, and the e-mail as a way to the user', async () => {
  const screen = await openScreen(<TransactionList kind="all" tenantId={2} />, 'ann');
  const email = await screen.findByText('pam@mail.test');
  assert.is(headsOf(screen), columns);
  assert.is(email.getAttribute('href'), `/users?search=pam%40mail.test&player=${pam.id}`);
  const cells = textsOf(email.closest('tr')!.cells);
  assert.equal(
    [cells[1], cells[3], cells[4], cells[5], cells[6], cells[8], cells[9]],
    ['TOP_UP', '$80.00', '$78.00', 'card', '-', '-', '-'],
  );
  assert.match(cells[7]!, /\d/);
});

test('asks for a hundred of what it is to show, says whose they are, and how many', async () => {
  const shows = async (list: ReactNode, words: string, name: string) => {
    const screen = await openScreen(list, 'sue');
    await screen.findByText(words);
    screen.getByRole('heading', { name });
    return [screen.sent[0]!.path, screen.sent[0]!.query];
  };
  assert.equal(await shows(<TransactionList kind="TOP_UP" tenantId={2} title="Tops" />, '1 transaction', 'Tops'), [
    '/api/v1/admin/purchases',
    { limit: '100', tenant_id: '2', transaction_type: 'TOP_UP' },
  ]);
  const deposits = await shows(<TransactionList kind="DEPOSIT" title="Deps" />, 'Nothing here yet.', 'Deps');
  assert.equal(deposits, ['/api/v1/admin/deposits', { limit: '100' }]);
  const all = await shows(<TransactionList kind="all" />, '2 transactions', 'Latest Purchases (All Tenants)');
  assert.equal(all, ['/api/v1/admin/purchases', { limit: '100' }]);
});

test('where no work queue is offered, a status is sent at once, and locks the row for good', async () => {
  const screen = await openScreen(<TransactionList kind="all" tenantId={2} />, 'ann', { features: [] });
  const status = select(await screen.findByLabelText(label));
  assert.equal(optionsOf(status), ['Pending', 'Success', 'Failed']);
  assert.not.ok(status.disabled);
  choose(status, 'success');
  assert.ok(status.disabled, 'locked while on its way');
  choose(status, 'failed');

  await screen.findByText('Status updated successfully');
  await waitFor(() => assert.is(status.value, 'success'));
  assert.ok(select(screen.getByLabelText(label)).disabled, 'settled');
  assert.equal(partsOf(screen.writes(), 'path', 'body'), [
    [`/api/v1/admin/purchases/${pam.purchase}/status`, { status: 'success' }],
  ]);
  assert.is((await sql`select credit_balance from wallets where player_id = ${pam.id}`)[0]!['credit_balance'], 430);
  await waitFor(() => assert.match(status.closest('tr')!.cells[8]!.textContent!, /\d/, 'completed at'));
});

test("what somebody else has settled says so with the server's reason, and shows how", async () => {
  const screen = await openScreen(<TransactionList kind="all" tenantId={2} />, 'ann', { features: [] });
  const status = select(await screen.findByLabelText(label));
  await (await as('sue')).changePurchaseStatus({ id: pam.purchase, body: { status: 'failed' } });
  choose(status, 'success');
  await screen.findByText('Failed to update status');
  screen.getByText('Purchase is already failed');
  await waitFor(() => assert.is(status.value, 'failed'));
  await waitFor(() => assert.ok(status.disabled));
});

test('a change that never arrived leaves the status as it was, open', async () => {
  const instead = at('POST', noNetwork);
  const screen = await openScreen(<TransactionList kind="all" tenantId={2} />, 'ann', { features: [], instead });
  const status = select(await screen.findByLabelText(label));
  choose(status, 'success');
  await screen.findByText('Failed to update status');
  await waitFor(() => assert.not.ok(status.disabled));
  assert.is(status.value, 'pending');
});

test('a row being decided leaves the others free', async () => {
  const { open: settle, opened } = newGate();
  const instead = at('POST', () => opened.then(() => respondWith({ detail: 'no' }, 400)));
  const screen = await openScreen(<TransactionList kind="all" />, 'sue', { instead, features: [] });
  const status = select(await screen.findByLabelText(label));
  choose(status, 'failed');
  assert.ok(status.disabled);
  assert.not.ok(select(screen.getByLabelText(/^Status of TOP_UP 4,/)).disabled);
  settle();
  await waitFor(() => assert.not.ok(status.disabled));
});

const rows = [
  {
    ...{ id: 1, user_email: 'object@x.test', transaction_type: 'TOP_UP', status: 'SUCCESS', amount: '12.5' },
    ...{ net_amount: null, payment_metadata: { type: 'LOYALTY' }, initiated_at: '2026-03-01T10:00:00' },
  },
  {
    ...{ id: 2, user_email: 'text@x.test', transaction_type: 'DEPOSIT', status: 'refunded', amount: 7 },
    ...{ payment_method: 'Wallet', platform: 'vblink', payment_metadata: '{"type":"BONUS"}', initiated_at: 'never' },
  },
  {
    ...{ id: 3, user_email: 'broken@x.test', transaction_type: null, status: null, amount: 'lots' },
    ...{ payment_metadata: '{broken', description: { a: 1 }, payment_reference: ['x'] },
  },
  { id: 4, user_email: 'none@x.test', status: 'pending', payment_metadata: null, description: '<script>x</script>' },
  { id: 5 },
];
test("another server's rows: text amounts, metadata of any kind, unknown states, holes", async () => {
  const screen = await openScreen(<TransactionList kind="all" />, 'sue', {
    instead: () => respondWith({ purchases: rows }),
    features: [],
  });
  const cellsIn = async (email: string) => textsOf((await screen.findByText(email)).closest('tr')!.cells);
  const object = await cellsIn('object@x.test');
  assert.equal([object[3], object[4], object[6]], ['$12.50', '-', 'FREE PLAY']);
  assert.equal((await cellsIn('text@x.test')).slice(5, 7), ['Wallet', 'BONUS'], 'whatever else it says');
  const broken = await cellsIn('broken@x.test');
  assert.equal([broken[1], broken[3], broken[6], broken[7], broken[9], broken[10]], ['-', '-', '-', '-', '-', '-']);
  assert.is((await cellsIn('none@x.test'))[6], '-');

  const [settled, unknown, missing, open] = screen.getAllByRole('combobox').map(select);
  assert.equal([settled!.value, settled!.disabled], ['success', true]);
  assert.equal([unknown!.value, unknown!.disabled, missing!.disabled, open!.disabled], ['refunded', true, true, false]);
  assert.not.match(screen.container.textContent!, nonsense);
  assert.is(screen.container.querySelector('script'), null);
});

test('Details shows all of a transaction, its metadata too, and closes', async () => {
  const screen = await openScreen(<TransactionList kind="all" />, 'sue', { instead: () => respondWith(rows) });
  await screen.findByText('object@x.test');
  const dialog = await opens(screen.getAllByText('Details')[0]!, 'Transaction 1');
  const metadata = dialog.getByRole('rowheader', { name: 'Metadata' }).nextElementSibling;
  assert.is(metadata?.textContent, 'typeLOYALTY');
  assert.ok(dialog.getByText('$12.50'));
  fireEvent.click(dialog.getByText('Close'));
  assert.is(screen.queryByRole('dialog'), null);

  fireEvent.click(screen.getAllByText('Details')[4]!);
  assert.not.match(screen.getByRole('dialog').textContent!, nonsense);
});

test.after(closeScreen);
test.run();
