import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PaymentMethods } from '../../../../src/app/screens/paymentMethods/PaymentMethods';
import { addApex, deliver } from '../../../integrations';
import { closeScreen, openScreen } from '../../../screen';
import { RECOVERY_CODE, withFactor } from '../../../twoFactor';
import { PASSWORD, pam } from '../../../world';
import { cellsOf, field, fill, opens } from '../../controls';
import { type Instead, nonsense, outage, sentTo } from '../../network';
import { answerBrowser } from '../../question';

const path = '/api/v1/webhooks/2/apex';
const event = {
  id: 'e1',
  type: 'payment.succeeded',
  reference: 'pay-1',
  amount: 5,
  email: pam.email,
  occurred_at: '2026-01-31T10:00:00Z',
};
const SECRET = 'Webhook Secret of this address';
async function openDialog(before: () => Promise<unknown> = addApex, more: { instead?: Instead; features?: [] } = {}) {
  const screen = await openScreen(<PaymentMethods />, 'sue', { before, ...more });
  return { screen, dialog: await opens(await screen.findByText('Edit'), 'Edit Payment Method') };
}

test('the dialog of a method shows where its events go, and shows the secret that signs them on request', async () => {
  const { screen, dialog } = await openDialog();
  assert.is(field(await dialog.findByLabelText('Address for the processor')).value, new URL(path, location.href).href);
  assert.ok(dialog.getByText('The processor sends the signature of each event in the header X-Signature.'));
  await dialog.findByText('No deliveries yet.');
  assert.not.ok(dialog.queryByLabelText(SECRET));
  assert.equal(screen.writes(), []);
  fill(dialog, { 'Your password': PASSWORD }, 'Show Secret');
  const secret = field(await dialog.findByLabelText(SECRET)).value;
  assert.is((await deliver(path, secret, event)).status, 200);
  assert.not.match(screen.container.textContent ?? '', nonsense);
});

test('a new secret is made only after a question, and the old one is worth nothing then', async () => {
  const { screen, dialog } = await openDialog();
  fill(dialog, { 'Your password': PASSWORD }, 'Show Secret');
  const old = field(await dialog.findByLabelText(SECRET)).value;
  await waitFor(() => assert.is(field(dialog.getByLabelText('Your password')).value, ''));
  fill(dialog, { 'Your password': PASSWORD });
  const asked = answerBrowser(() => asked.length > 1);
  fireEvent.click(dialog.getByText('New Secret'));
  assert.is(screen.writes().length, 1, 'only the look');
  fireEvent.click(dialog.getByText('New Secret'));
  await waitFor(() => assert.is.not(field(dialog.getByLabelText(SECRET)).value, old));
  assert.match(asked[0]!, /^Generate a new secret\?/);
  assert.is((await deliver(path, old, event)).status, 401);
});

test('the secret is not shown without the own password, and Enter there does not save the payment method', async () => {
  const { screen, dialog } = await openDialog();
  await dialog.findByText('No deliveries yet.');
  for (const name of ['Show Secret', 'New Secret'])
    assert.ok((dialog.getByRole('button', { name }) as HTMLButtonElement).disabled, name);
  fill(dialog, { 'Your password': 'a guess' });
  const isLeftToTheForm = fireEvent.keyDown(dialog.getByLabelText('Your password'), { key: 'Enter' });
  assert.is(isLeftToTheForm, false);
  await screen.findByText('The password is wrong');
  assert.not.ok(dialog.queryByLabelText(SECRET));
  assert.is(field(dialog.getByLabelText('Your password')).value, 'a guess');
  fill(dialog, { 'Your password': PASSWORD });
  fireEvent.keyDown(dialog.getByLabelText('Your password'), { key: 'Enter' });
  await dialog.findByLabelText(SECRET);
  assert.is(sentTo(screen, '/webhook-secret').length, 2);
});

test('with two-factor sign-in the code is asked for', async () => {
  const { screen, dialog } = await openDialog(async () => {
    await addApex();
    await withFactor('sue');
  });
  fill(dialog, { 'Your password': PASSWORD }, 'Show Secret');
  await screen.findByText('Code: is required, because you use two-factor sign-in');
  fill(dialog, { Code: RECOVERY_CODE }, 'Show Secret');
  await dialog.findByLabelText(SECRET);
});

test('the last deliveries stand there with what came of them, and why they need a look', async () => {
  const { screen, dialog } = await openDialog(async () => {
    const secret = await addApex();
    for (const more of [{}, {}, { id: 'e2', reference: 'pay-2', currency: 'EUR' }])
      await deliver(path, secret, { ...event, ...more });
  });
  await dialog.findByText('Applied');
  assert.equal(
    cellsOf(screen.getByRole('dialog')).map((cells) => cells.slice(1)),
    [
      ['Needs reviewPaid in EUR, not in USD', 'payment.succeededpay-2', '1'],
      ['Applied', 'payment.succeededpay-1', '2'],
    ],
  );
  assert.not.match(screen.container.textContent ?? '', nonsense);
});

test('when it cannot be read the dialog still saves, and says so', async () => {
  const broken = outage('/webhook');
  const { screen, dialog } = await openDialog(addApex, broken);
  await screen.findByText('Failed to fetch the webhook');
  broken.isDown = false;
  fireEvent.click(dialog.getByText('Retry'));
  await dialog.findByText('No deliveries yet.');
  fireEvent.click(dialog.getByText('Update'));
  await screen.findByText('Payment method updated successfully');
});

test('a new method has no webhook yet, and a server without webhooks shows none', async () => {
  const { screen, dialog } = await openDialog(addApex, { features: [] });
  assert.not.ok(dialog.queryByText('Webhook'));
  fireEvent.click(dialog.getByText('Cancel'));
  await opens(screen.getByText('Add Payment Method'), 'Add New Payment Method');
  assert.not.ok(screen.queryByText('Show Secret'));
  assert.equal(sentTo(screen, '/webhook'), []);
});

test.after(closeScreen);
test.run();
