/** Why something is changed: asked in the flow, sent along where the server takes it, and nowhere else. */

import { fireEvent } from '@testing-library/react';
import type { ReactNode } from 'react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Admins } from '../../../src/app/screens/admins/Admins';
import { PaymentMethods } from '../../../src/app/screens/paymentMethods/PaymentMethods';
import { Users } from '../../../src/app/screens/users/Users';
import { closeScreen, openScreen } from '../../screen';
import { addPlayer } from '../../seed';
import { as, people } from '../../world';
import { closed, dialogOf, fill, rowOf, type } from '../controls';
import { answerBrowser } from '../question';
import { openDialog } from '../screens/users/openDialog';

const choose = (select: HTMLElement, value: string) => fireEvent.change(select, { target: { value } });

interface Place {
  what: string;
  screen: ReactNode;
  path?: string;
  before?: () => Promise<unknown>;
  row: string;
  submit: string;
  question: string;
  said: string;
}
const places: Place[] = [
  {
    what: 'a player',
    screen: <Users tenantId={2} />,
    before: () => addPlayer(2, { email: 'gone@mail.test' }),
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
    before: async () =>
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

for (const { what, screen: component, path = '/', before = async () => undefined, row, submit, ...place } of places) {
  const open = async (features?: []) => {
    const screen = await openScreen(component, 'sue', { before, path, ...(features && { features }) });
    fireEvent.click((await rowOf(screen, row)).getByText(submit));
    return screen;
  };
  const asked = async () => {
    const screen = await open();
    return { screen, dialog: await dialogOf(screen, place.question) };
  };

  test(`the question before the change of ${what} takes a reason, which goes along into the audit log`, async () => {
    const { screen, dialog } = await asked();
    choose(dialog.getByLabelText('Reason'), 'duplicate');
    type(dialog.getByLabelText('Note'), ' twice ');
    fireEvent.click(dialog.getByRole('button', { name: submit }));
    await screen.findByText(place.said);
    assert.is(screen.queryByRole('dialog'), null);
    assert.equal(screen.writes()[0]?.query, { reason: 'duplicate', note: 'twice' });
    const [entry] = (await (await as('sue')).getAudit({})).entries;
    // the note of a deletion goes with the player
    assert.equal([entry?.reason, entry?.note], ['duplicate', what === 'a player' ? 'deleted' : 'twice']);
  });

  test(`before the change of ${what} the browser asks where the server takes no reason`, async () => {
    const questions = answerBrowser(() => true);
    const screen = await open([]);
    await screen.findByText(place.said);
    assert.equal([questions, screen.writes()[0]?.query], [[place.question], {}]);
  });

  test(`no change of ${what} without a yes`, async () => {
    const { screen, dialog } = await asked();
    choose(dialog.getByLabelText('Reason'), 'other');
    fireEvent.click(dialog.getByText('Cancel'));
    fireEvent.click(dialog.getByText('Discard'));
    assert.is(screen.queryByRole('dialog'), null);
    assert.equal(screen.writes(), []);
  });
}

test('a balance edit takes a reason and a note, and the transaction history shows them', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  const dialog = await openDialog(screen, 'Edit Balances');
  type(dialog.getByLabelText('Credit'), '5');
  choose(dialog.getByLabelText('Reason'), 'customer_request');
  fill(dialog, { Note: 'by phone' }, 'Save');
  await closed(screen);
  assert.equal(screen.writes()[0]?.body, { credit: 5, credit_op: 'add', reason: 'customer_request', note: 'by phone' });
  const history = await openDialog(screen, 'Transaction History');
  assert.ok(await history.findByText('Customer request: by phone'));
  assert.ok(history.getByText('Reason'));
});

test.after(closeScreen);
test.run();
