import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PaymentMethods } from '../../../../src/app/screens/paymentMethods/PaymentMethods';
import type { Feature } from '../../../../src/contract/constants';
import { deliver } from '../../../integrations';
import { closeScreen, openScreen } from '../../../screen';
import { RECOVERY_CODE, withFactor } from '../../../twoFactor';
import { as, PASSWORD, pam } from '../../../world';
import { interceptRequestsAfter, nonsense, respondWith } from '../../network';
import { field } from '../users/openDialog';

const path = '/api/v1/webhooks/2/apex';
const event = {
  id: 'e1',
  type: 'payment.succeeded',
  reference: 'pay-1',
  amount: 5,
  email: pam.email,
  occurred_at: '2026-01-31T10:00:00Z',
};
async function given() {
  const sue = await as('sue');
  await sue.createPaymentMethod({
    tenant_id: 2,
    payment_platform: 'apex',
    body: { api_key: 'k', secret_key: 's', merchant_id: 'm' },
  });
}
const enter = (dialog: ReturnType<typeof within>, label: string, value: string) =>
  fireEvent.change(dialog.getByLabelText(label), { target: { value } });
async function openDialog(
  prepare: () => Promise<unknown> = given,
  instead: Parameters<typeof interceptRequestsAfter>[1] = () => undefined,
  features?: readonly Feature[],
) {
  const line = interceptRequestsAfter(prepare, instead);
  const screen = await openScreen(<PaymentMethods />, 'sue', { fetch: line.fetch, ...(features && { features }) });
  fireEvent.click(await screen.findByText('Edit'));
  return { screen, line, dialog: within(await screen.findByRole('dialog', { name: 'Edit Payment Method' })) };
}

test('the dialog of a method shows where its events go, and shows the secret that signs them on request', async () => {
  const { screen, line, dialog } = await openDialog();
  assert.is(field(await dialog.findByLabelText('Address for the processor')).value, new URL(path, location.href).href);
  assert.ok(dialog.getByText('The processor sends the signature of each event in the header X-Signature.'));
  await dialog.findByText('No deliveries yet.');
  assert.not.ok(dialog.queryByLabelText('Webhook Secret of this address'));
  assert.equal(line.writes(), []);
  enter(dialog, 'Your password', PASSWORD);
  fireEvent.click(dialog.getByText('Show Secret'));
  const secret = field(await dialog.findByLabelText('Webhook Secret of this address')).value;
  assert.is((await deliver(path, secret, event)).status, 200);
  assert.not.match(screen.container.textContent ?? '', nonsense);
});

test('a new secret is made only after a question, and the old one is worth nothing then', async () => {
  const { line, dialog } = await openDialog();
  enter(dialog, 'Your password', PASSWORD);
  fireEvent.click(dialog.getByText('Show Secret'));
  const old = field(await dialog.findByLabelText('Webhook Secret of this address')).value;
  await waitFor(() => assert.is(field(dialog.getByLabelText('Your password')).value, ''));
  enter(dialog, 'Your password', PASSWORD);
  const asked: string[] = [];
  globalThis.confirm = (words) => {
    asked.push(String(words));
    return asked.length > 1;
  };
  fireEvent.click(dialog.getByText('New Secret'));
  assert.is(line.writes().length, 1, 'only the look');
  fireEvent.click(dialog.getByText('New Secret'));
  await waitFor(() => assert.is.not(field(dialog.getByLabelText('Webhook Secret of this address')).value, old));
  assert.match(asked[0]!, /^Generate a new secret\?/);
  assert.is((await deliver(path, old, event)).status, 401);
});

test('the secret is not shown without the own password, and Enter there does not save the payment method', async () => {
  const { screen, line, dialog } = await openDialog();
  await dialog.findByText('No deliveries yet.');
  for (const name of ['Show Secret', 'New Secret'])
    assert.ok((dialog.getByRole('button', { name }) as HTMLButtonElement).disabled, name);
  enter(dialog, 'Your password', 'a guess');
  const isLeftToTheForm = fireEvent.keyDown(dialog.getByLabelText('Your password'), { key: 'Enter' });
  assert.is(isLeftToTheForm, false);
  await screen.findByText('The password is wrong');
  assert.not.ok(dialog.queryByLabelText('Webhook Secret of this address'));
  assert.is(field(dialog.getByLabelText('Your password')).value, 'a guess');
  enter(dialog, 'Your password', PASSWORD);
  fireEvent.keyDown(dialog.getByLabelText('Your password'), { key: 'Enter' });
  await dialog.findByLabelText('Webhook Secret of this address');
  assert.equal(
    line.writes().map(({ path: at }) => at.split('/').at(-1)),
    ['webhook-secret', 'webhook-secret'],
  );
});

test('with two-factor sign-in the code is asked for', async () => {
  const { screen, dialog } = await openDialog(async () => {
    await given();
    await withFactor('sue');
  });
  enter(dialog, 'Your password', PASSWORD);
  fireEvent.click(dialog.getByText('Show Secret'));
  await screen.findByText('Code: is required, because you use two-factor sign-in');
  enter(dialog, 'Code', RECOVERY_CODE);
  fireEvent.click(dialog.getByText('Show Secret'));
  await dialog.findByLabelText('Webhook Secret of this address');
});

test('the last deliveries stand there with what came of them, and why they need a look', async () => {
  const { screen, dialog } = await openDialog(async () => {
    await given();
    const { secret } = await (await as('sue')).revealWebhookSecret({
      tenant_id: 2,
      platform: 'apex',
      body: { rotate: false, password: PASSWORD },
    });
    for (const more of [{}, {}, { id: 'e2', reference: 'pay-2', currency: 'EUR' }])
      await deliver(path, secret, { ...event, ...more });
  });
  await dialog.findByText('Applied');
  assert.equal(
    dialog
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .slice(1)
          .map((cell) => cell.textContent),
      ),
    [
      ['Needs reviewPaid in EUR, not in USD', 'payment.succeeded', 'pay-2', '1'],
      ['Applied', 'payment.succeeded', 'pay-1', '2'],
    ],
  );
  assert.not.match(screen.container.textContent ?? '', nonsense);
});

test('when it cannot be read the dialog still saves, and says so', async () => {
  let isBroken = true;
  const { screen, dialog } = await openDialog(given, ({ path: at }) =>
    isBroken && at.endsWith('/webhook') ? respondWith({ detail: 'no' }, 500) : undefined,
  );
  await screen.findByText('Failed to fetch the webhook');
  isBroken = false;
  fireEvent.click(dialog.getByText('Retry'));
  await dialog.findByText('No deliveries yet.');
  fireEvent.click(dialog.getByText('Update'));
  await screen.findByText('Payment method updated successfully');
});

test('a new method has no webhook yet, and a server without webhooks shows none', async () => {
  const { screen, line, dialog } = await openDialog(given, () => undefined, []);
  assert.not.ok(dialog.queryByText('Webhook'));
  fireEvent.click(dialog.getByText('Cancel'));
  fireEvent.click(screen.getByText('Add Payment Method'));
  await screen.findByRole('dialog', { name: 'Add New Payment Method' });
  assert.not.ok(screen.queryByText('Show Secret'));
  assert.is(
    line.sent.some(({ path: at }) => at.endsWith('/webhook')),
    false,
  );
});

test.after(closeScreen);
test.run();
