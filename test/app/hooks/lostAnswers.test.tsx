/** Forms and controls whose answer is lost: the app repeats by itself, says what became of it, and keeps the form. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UNKNOWN } from '../../../src/app/api/repeat';
import { REPEATING } from '../../../src/app/hooks/useRepeats';
import { PaymentMethods } from '../../../src/app/screens/paymentMethods/PaymentMethods';
import { Tenants } from '../../../src/app/screens/Tenants';
import { Users } from '../../../src/app/screens/users/Users';
import { creditOf } from '../../answers';
import { sue } from '../../callers';
import { closeScreen, type Options, openScreen } from '../../screen';
import { fetch, sql } from '../../world';
import { click, closed, field, fill, isDisabled, sees, type } from '../controls';
import { noNetwork, respondWith, type Sent } from '../network';
import { answer } from '../question';
import { openDialog } from '../screens/users/openDialog';

test.after.each(closeScreen);

const keysOf = (sent: readonly Sent[]) => new Set(sent.map(({ headers }) => headers.get('Idempotency-Key')));

/** Executes the first so many writes and loses their answers; then `instead` may answer. */
function losing(answers: number, instead: () => Response | undefined = () => undefined) {
  let lost = 0;
  return {
    instead: ({ method }: Sent) => (method !== 'GET' && lost >= answers ? instead() : undefined),
    fetch: async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      return init.method !== 'GET' && lost++ < answers ? noNetwork() : response;
    },
  };
}
async function edit(options: Options) {
  const screen = await openScreen(<Users />, 'sue', options);
  const dialog = await openDialog(screen, 'Edit Balances');
  fill(dialog, { Credit: '5' }, 'Save');
  return { screen, dialog };
}

test('a balance edit whose answers are lost is done once, and the app says that it is done', async () => {
  const { screen } = await edit(losing(2));
  await sees(screen, REPEATING, 'Balances updated');
  await closed(screen);
  assert.equal([screen.writes().length, keysOf(screen.writes()).size, await creditOf()], [3, 1, 355]);
});

test('if it stays unknown the app says so and keeps what was typed; saved again it counts once', async () => {
  let answer: Response | undefined = respondWith({ detail: 'Not now' }, 403);
  const { screen, dialog } = await edit(losing(1, () => answer?.clone()));
  await screen.findAllByText(UNKNOWN);
  assert.is(screen.queryByText('Failed to update balances'), null);
  await within(dialog.getByText('Save').closest('form')!).findByText(UNKNOWN);
  assert.is(field(dialog.getByLabelText('Credit')).value, '5');
  await screen.findAllByText('$355.00'); // the list was loaded again, so that one can look
  answer = undefined;
  await waitFor(() => assert.not.ok(isDisabled(dialog.getByText('Save'))));
  click(dialog, 'Save');
  await screen.findByText('Balances updated');
  await closed(screen);
  assert.equal([keysOf(screen.writes()).size, await creditOf()], [1, 355]);
});

test('another edit after an unknown one has another key', async () => {
  let answer: Response | undefined = respondWith({ detail: 'Not now' }, 403);
  const { screen, dialog } = await edit(losing(1, () => answer?.clone()));
  await screen.findAllByText(UNKNOWN);
  answer = undefined;
  type(dialog.getByLabelText('Credit'), '7');
  await waitFor(() => assert.not.ok(isDisabled(dialog.getByText('Save'))));
  click(dialog, 'Save');
  await screen.findByText('Balances updated');
  assert.equal([keysOf(screen.writes()).size, await creditOf()], [2, 362]);
});

test('a server that does not offer it gets the request of the contract, once', async () => {
  const { screen, dialog } = await edit({ ...losing(1), features: [] });
  await screen.findByText('Failed to update balances');
  assert.is(field(dialog.getByLabelText('Credit')).value, '5');
  assert.equal([screen.writes().length, [...keysOf(screen.writes())]], [1, [null]]);
});

test('a new tenant and a new player whose answers are lost are made once', async () => {
  const screen = await openScreen(<Tenants />, 'sue', losing(1));
  type(await screen.findByLabelText('Name'), 'Charlie');
  fireEvent.click(screen.getByText('Add Tenant'));
  await screen.findByText('Tenant created successfully');
  assert.is((await sql`select 1 from tenants where name = 'Charlie'`).length, 1);

  const users = await openScreen(<Users tenantId={2} />, 'ann', losing(1));
  fireEvent.click(await users.findByText('Create User'));
  type(await users.findByLabelText('Email'), 'new@mail.test');
  fill(users, { Password: 'P-secret' }, 'Save');
  await users.findByText('User created');
  assert.is((await sql`select 1 from players where email = 'new@mail.test'`).length, 1);
});

test('a switch whose answer is lost is switched once, and back again', async () => {
  const body = { api_key: 'K-secret', secret_key: 'S-secret', merchant_id: 'M1' };
  const isActive = async () => (await sql`select is_active from payment_methods`)[0]!['is_active'];
  const before = () => sue.createPaymentMethod({ tenant_id: 2, payment_platform: 'apex', body });
  const screen = await openScreen(<PaymentMethods />, 'sue', { ...losing(1), before });
  fireEvent.click(await screen.findByRole('switch'));
  await answer(screen, 'Switch off Apex Processing for Acme?', 'Switch off');
  await screen.findByText('Payment method deactivated successfully');
  assert.is(await isActive(), false);
  await waitFor(() => assert.not.ok(isDisabled(screen.getByRole('switch'))));
  fireEvent.click(screen.getByRole('switch'));
  await screen.findByText('Payment method activated successfully');
  assert.is(await isActive(), true);
  assert.is(keysOf(screen.writes()).size, 2);
});

test.run();
