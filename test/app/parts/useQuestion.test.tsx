/** Why something is changed: asked in the flow, sent along where the server takes it, and nowhere else. */

import { fireEvent, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Admins } from '../../../src/app/screens/admins/Admins';
import { PaymentMethods } from '../../../src/app/screens/paymentMethods/PaymentMethods';
import { Users } from '../../../src/app/screens/users/Users';
import { closeScreen, openScreen } from '../../screen';
import { addPlayer } from '../../seed';
import { as, people } from '../../world';
import { interceptRequests, interceptRequestsAfter } from '../network';
import { closed, openDialog, type } from '../screens/users/openDialog';

type Screen = Awaited<ReturnType<typeof openScreen>>;
const choose = (select: HTMLElement, value: string) => fireEvent.change(select, { target: { value } });
const rowOf = async (screen: Screen, text: string) => within((await screen.findByText(text)).closest('tr')!);

interface Place {
  what: string;
  screen: ReactNode;
  path?: string;
  prepare?: () => Promise<unknown>;
  row: string;
  submit: string;
  question: string;
  said: string;
}
const places: Place[] = [
  {
    what: 'a player',
    screen: <Users tenantId={2} />,
    prepare: () => addPlayer(2, { email: 'gone@mail.test' }),
    row: 'gone@mail.test',
    submit: 'Delete',
    question: 'Delete this user?',
    said: 'User deleted',
  },
  {
    what: 'an admin',
    screen: <Admins />,
    path: '/admins?tenant=2',
    row: people.ann.email,
    submit: 'Disable',
    question: 'Disable this admin?',
    said: 'Admin disabled',
  },
  {
    what: 'a payment method',
    screen: <PaymentMethods />,
    prepare: async () =>
      (await as('sue')).createPaymentMethod({
        tenant_id: 2,
        payment_platform: 'apex',
        body: { api_key: 'a', secret_key: 'b', merchant_id: 'c' },
      }),
    row: 'Apex Processing',
    submit: 'Delete',
    question: 'Are you sure you want to delete Apex Processing for Acme?',
    said: 'Payment method deleted successfully',
  },
];

for (const { what, screen: component, path = '/', prepare = async () => undefined, row, submit, ...place } of places) {
  const open = async (features?: []) => {
    const line = interceptRequestsAfter(prepare);
    const screen = await openScreen(component, 'sue', { fetch: line.fetch, path, ...(features && { features }) });
    fireEvent.click((await rowOf(screen, row)).getByText(submit));
    return { screen, line };
  };

  test(`the question before the change of ${what} takes a reason, which goes along into the audit log`, async () => {
    const { screen, line } = await open();
    const dialog = within(await screen.findByRole('dialog', { name: place.question }));
    choose(dialog.getByLabelText('Reason'), 'duplicate');
    type(dialog.getByLabelText('Note'), ' twice ');
    fireEvent.click(dialog.getByRole('button', { name: submit }));
    await screen.findByText(place.said);
    assert.is(screen.queryByRole('dialog'), null);
    assert.equal(line.writes()[0]?.query, { reason: 'duplicate', note: 'twice' });
    const [entry] = (await (await as('sue')).getAudit({})).entries;
    // the note of a deletion goes with the player
    assert.equal([entry?.reason, entry?.note], ['duplicate', what === 'a player' ? 'deleted' : 'twice']);
  });

  test(`the change of ${what} needs none, and where the server takes none the browser asks`, async () => {
    const { screen, line } = await open();
    const dialog = within(await screen.findByRole('dialog', { name: place.question }));
    fireEvent.click(dialog.getByRole('button', { name: submit }));
    await screen.findByText(place.said);
    assert.equal(line.writes()[0]?.query, {});

    const asked: unknown[] = [];
    globalThis.confirm = (words) => asked.push(words) > 0;
    const other = await open([]);
    await other.screen.findByText(place.said);
    assert.equal(asked, [place.question]);
    assert.equal(other.line.writes()[0]?.query, {});
  });

  test(`no change of ${what} without a yes`, async () => {
    const { screen, line } = await open();
    const dialog = within(await screen.findByRole('dialog', { name: place.question }));
    choose(dialog.getByLabelText('Reason'), 'other');
    fireEvent.click(dialog.getByText('Cancel'));
    fireEvent.click(dialog.getByText('Discard'));
    assert.is(screen.queryByRole('dialog'), null);
    assert.equal(line.writes(), []);
  });
}

test('a balance edit takes a reason and a note, and the transaction history shows them', async () => {
  const line = interceptRequests();
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { fetch: line.fetch });
  const dialog = await openDialog(screen, 'Edit Balances');
  type(dialog.getByLabelText('Credit'), '5');
  choose(dialog.getByLabelText('Reason'), 'customer_request');
  type(dialog.getByLabelText('Note'), 'by phone');
  fireEvent.click(dialog.getByText('Save'));
  await closed(screen);
  assert.equal(line.writes()[0]?.body, { credit: 5, credit_op: 'add', reason: 'customer_request', note: 'by phone' });
  const history = await openDialog(screen, 'Transaction History');
  assert.ok(await history.findByText('Customer request: by phone'));
  assert.ok(history.getByText('Reason'));
});

test.after(closeScreen);
test.run();
