/** Why something is changed: sent along where the server takes it, and nowhere else. */

import { fireEvent, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TransactionList } from '../../../src/app/parts/TransactionList';
import { Admins } from '../../../src/app/screens/Admins';
import { PaymentMethods } from '../../../src/app/screens/paymentMethods/PaymentMethods';
import { Redeems } from '../../../src/app/screens/redeems/Redeems';
import { Users } from '../../../src/app/screens/users/Users';
import { closeScreen, openScreen } from '../../screen';
import { addPlayer } from '../../seed';
import { as, pam, people } from '../../world';
import { interceptRequests, interceptRequestsAfter, respondWith, type Sent } from '../network';
import { closed, field, openDialog, type } from '../screens/users/openDialog';

type Screen = Awaited<ReturnType<typeof openScreen>>;
const NEXT = 'Reason for the next change';
const OPEN = 'Give a reason';
/** Opens the two fields, in a screen or in a dialog. */
async function reasonField(within: Pick<Screen, 'findByText' | 'findByLabelText'>, label = NEXT) {
  fireEvent.click(await within.findByText(OPEN));
  return within.findByLabelText(label);
}
const choose = (select: HTMLElement, value: string) => fireEvent.change(select, { target: { value } });
const rowOf = async (screen: Screen, text: string) => within((await screen.findByText(text)).closest('tr')!);
const confirming = (is: boolean) => {
  globalThis.confirm = () => is;
};

interface Place {
  what: string;
  screen: ReactNode;
  path?: string;
  prepare?: () => Promise<unknown>;
  change: (screen: Screen) => Promise<unknown>;
  sentIn: 'body' | 'query';
  said: string;
}
const places: Place[] = [
  {
    what: 'a redeem',
    screen: <Redeems tenantId={2} />,
    sentIn: 'body',
    said: 'Status updated',
    change: async (screen) => choose((await rowOf(screen, pam.email)).getByRole('combobox'), 'failed'),
  },
  {
    what: 'a purchase',
    screen: <TransactionList kind="TOP_UP" tenantId={2} />,
    sentIn: 'body',
    said: 'Status updated successfully',
    change: async (screen) => choose((await rowOf(screen, pam.email)).getByRole('combobox'), 'failed'),
  },
  {
    what: 'a player',
    screen: <Users tenantId={2} />,
    sentIn: 'query',
    said: 'User deleted',
    prepare: () => addPlayer(2, { email: 'gone@mail.test' }),
    change: async (screen) => fireEvent.click((await rowOf(screen, 'gone@mail.test')).getByText('Delete')),
  },
  {
    what: 'an admin',
    screen: <Admins />,
    path: '/admins?tenant=2',
    sentIn: 'query',
    said: 'Admin disabled',
    change: async (screen) => fireEvent.click((await rowOf(screen, people.ann.email)).getByText('Disable')),
  },
  {
    what: 'a payment method',
    screen: <PaymentMethods />,
    sentIn: 'query',
    said: 'Payment method deleted successfully',
    prepare: async () =>
      (await as('sue')).createPaymentMethod({
        tenant_id: 2,
        payment_platform: 'apex',
        body: { api_key: 'a', secret_key: 'b', merchant_id: 'c' },
      }),
    change: async (screen) => fireEvent.click((await rowOf(screen, 'Apex Processing')).getByText('Delete')),
  },
];
const remarkIn = (sent: Sent | undefined, place: Place['sentIn']) => {
  const { reason, note } = Object(sent?.[place]) as Record<string, unknown>;
  return { reason, note };
};

test.before(() => confirming(true));

for (const { what, screen: component, path = '/', prepare = async () => undefined, change, sentIn, said } of places) {
  test(`the reason chosen beside the list goes with the change of ${what}, once, and into the audit log`, async () => {
    const line = interceptRequestsAfter(prepare);
    const screen = await openScreen(component, 'sue', { fetch: line.fetch, path });
    choose(await reasonField(screen), 'duplicate');
    type(screen.getByLabelText('Note'), ' twice ');
    await change(screen);
    await screen.findByText(said);
    assert.equal(remarkIn(line.writes()[0], sentIn), { reason: 'duplicate', note: 'twice' });
    await screen.findByText(OPEN);
    for (const label of [NEXT, 'Note']) assert.not.ok(screen.queryByLabelText(label));
    const [entry] = (await (await as('sue')).getAudit({})).entries;
    // the note of a deletion goes with the player
    assert.equal([entry?.reason, entry?.note], ['duplicate', what === 'a player' ? 'deleted' : 'twice']);
  });

  test(`the change of ${what} needs none, and where the server takes none there is nothing to choose`, async () => {
    for (const features of [undefined, []]) {
      const line = interceptRequestsAfter(prepare);
      const screen = await openScreen(component, 'sue', { fetch: line.fetch, path, ...(features && { features }) });
      await change(screen);
      await screen.findByText(said);
      assert.equal(remarkIn(line.writes()[0], sentIn), { reason: undefined, note: undefined });
      assert.is(screen.queryByText(OPEN) !== null, features === undefined);
    }
  });
}

test('a change that fails keeps the reason for the next try', async () => {
  const line = interceptRequests(({ method }) => (method === 'POST' ? respondWith({ detail: 'no' }, 422) : undefined));
  const screen = await openScreen(<Redeems tenantId={2} />, 'ann', { fetch: line.fetch });
  choose(await reasonField(screen), 'other');
  choose((await rowOf(screen, pam.email)).getByRole('combobox'), 'failed');
  await screen.findByText('Failed to update status');
  assert.is(field(screen.getByLabelText(NEXT)).value, 'other');
});

test('a change that is not confirmed sends nothing', async () => {
  confirming(false);
  const line = interceptRequests();
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { fetch: line.fetch });
  choose(await reasonField(screen), 'other');
  fireEvent.click((await rowOf(screen, pam.email)).getByText('Delete'));
  assert.equal(line.writes(), []);
  assert.is(field(screen.getByLabelText(NEXT)).value, 'other');
  confirming(true);
});

test('a balance edit takes a reason and a note, and the transaction history shows them', async () => {
  const line = interceptRequests();
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { fetch: line.fetch });
  const dialog = await openDialog(screen, 'Edit Balances');
  type(dialog.getByLabelText('Credit'), '5');
  choose(await reasonField(dialog, 'Reason'), 'customer_request');
  type(dialog.getByLabelText('Note'), 'by phone');
  fireEvent.click(dialog.getByText('Save'));
  await closed(screen);
  assert.equal(line.writes()[0]?.body, { credit: 5, credit_op: 'add', reason: 'customer_request', note: 'by phone' });
  const history = await openDialog(screen, 'Transaction History');
  assert.ok(await history.findByText('Customer request: by phone'));
  assert.ok(history.getByText('Reason'));
});

test('without the feature the dialogs are those of the specification', async () => {
  const line = interceptRequests();
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { fetch: line.fetch, features: [] });
  const dialog = await openDialog(screen, 'Edit Balances');
  assert.not.ok(dialog.queryByText(OPEN));
  type(dialog.getByLabelText('Credit'), '5');
  fireEvent.click(dialog.getByText('Save'));
  await closed(screen);
  assert.equal(line.writes()[0]?.body, { credit: 5, credit_op: 'add' });
  const history = await openDialog(screen, 'Transaction History');
  await history.findByText('TOP_UP');
  assert.not.ok(history.queryByText('Reason'));
});

test.after(closeScreen);
test.run();
