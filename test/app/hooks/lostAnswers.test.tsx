/** Forms and controls whose answer is lost: the app repeats by itself, says what became of it, and keeps the form. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UNKNOWN } from '../../../src/app/api/repeat';
import { REPEATING } from '../../../src/app/hooks/useRepeats';
import { PaymentMethods } from '../../../src/app/screens/paymentMethods/PaymentMethods';
import { Tenants } from '../../../src/app/screens/Tenants';
import { Users } from '../../../src/app/screens/users/Users';
import { closeScreen, openScreen } from '../../screen';
import { as, fetch, pam, sql } from '../../world';
import { interceptRequests, noNetwork, respondWith, type Sent } from '../network';
import { answer } from '../question';
import { closed, field, openDialog, type } from '../screens/users/openDialog';

test.after.each(closeScreen);

const credit = async () =>
  (await sql<{ credit: number }[]>`select credit_balance as credit from wallets where player_id = ${pam.id}`)[0]!
    .credit;
const isWrite = ({ method }: Sent) => method !== 'GET';
const keysOf = (sent: readonly Sent[]) => new Set(sent.map(({ headers }) => headers.get('Idempotency-Key')));

/** Executes the first so many writes and loses their answers; then `instead` may answer. */
function losing(answers: number, instead: () => Response | undefined = () => undefined) {
  let lost = 0;
  const line = interceptRequests(
    (sent) => (isWrite(sent) && lost >= answers ? instead() : undefined),
    async (url, init) => {
      const response = await fetch(url, init);
      return init.method !== 'GET' && lost++ < answers ? noNetwork() : response;
    },
  );
  return line;
}
async function edit(line: ReturnType<typeof losing>, features?: []) {
  const screen = await openScreen(<Users />, 'sue', { fetch: line.fetch, ...(features && { features }) });
  const dialog = await openDialog(screen, 'Edit Balances');
  type(dialog.getByLabelText('Credit'), '5');
  fireEvent.click(dialog.getByText('Save'));
  return { screen, dialog };
}

test('a balance edit whose answers are lost is done once, and the app says that it is done', async () => {
  const line = losing(2);
  const { screen } = await edit(line);
  await screen.findByText(REPEATING);
  await screen.findByText('Balances updated');
  await closed(screen);
  assert.equal([line.writes().length, keysOf(line.writes()).size, await credit()], [3, 1, 355]);
});

test('if it stays unknown the app says so and keeps what was typed; saved again it counts once', async () => {
  let answer: Response | undefined = respondWith({ detail: 'Not now' }, 403);
  const line = losing(1, () => answer?.clone());
  const { screen, dialog } = await edit(line);
  await screen.findAllByText(UNKNOWN);
  assert.is(screen.queryByText('Failed to update balances'), null);
  await within(dialog.getByText('Save').closest('form')!).findByText(UNKNOWN);
  assert.is(field(dialog.getByLabelText('Credit')).value, '5');
  await screen.findAllByText('$355.00'); // the list was loaded again, so that one can look
  answer = undefined;
  const save = dialog.getByText('Save') as HTMLButtonElement;
  await waitFor(() => assert.not.ok(save.disabled));
  fireEvent.click(save);
  await screen.findByText('Balances updated');
  await closed(screen);
  assert.equal([keysOf(line.writes()).size, await credit()], [1, 355]);
});

test('another edit after an unknown one has another key', async () => {
  let answer: Response | undefined = respondWith({ detail: 'Not now' }, 403);
  const line = losing(1, () => answer?.clone());
  const { screen, dialog } = await edit(line);
  await screen.findAllByText(UNKNOWN);
  answer = undefined;
  type(dialog.getByLabelText('Credit'), '7');
  const save = dialog.getByText('Save') as HTMLButtonElement;
  await waitFor(() => assert.not.ok(save.disabled));
  fireEvent.click(save);
  await screen.findByText('Balances updated');
  assert.equal([keysOf(line.writes()).size, await credit()], [2, 362]);
});

test('each edit has a key of its own', async () => {
  const line = losing(0);
  const { screen } = await edit(line);
  await screen.findByText('Balances updated');
  await closed(screen);
  const dialog = await openDialog(screen, 'Edit Balances');
  type(dialog.getByLabelText('Credit'), '5');
  fireEvent.click(dialog.getByText('Save'));
  await waitFor(async () => assert.is(await credit(), 360));
  assert.is(keysOf(line.writes()).size, 2);
});

test('a server that does not offer it gets the request of the contract, once', async () => {
  const line = losing(1);
  const { screen, dialog } = await edit(line, []);
  await screen.findByText('Failed to update balances');
  assert.is(field(dialog.getByLabelText('Credit')).value, '5');
  assert.equal([line.writes().length, [...keysOf(line.writes())]], [1, [null]]);
});

test('a new tenant and a new player whose answers are lost are made once', async () => {
  const line = losing(1);
  const screen = await openScreen(<Tenants />, 'sue', { fetch: line.fetch });
  type(await screen.findByLabelText('Name'), 'Charlie');
  fireEvent.click(screen.getByText('Add Tenant'));
  await screen.findByText('Tenant created successfully');
  assert.is((await sql`select 1 from tenants where name = 'Charlie'`).length, 1);

  const users = await openScreen(<Users tenantId={2} />, 'ann', { fetch: losing(1).fetch });
  fireEvent.click(await users.findByText('Create User'));
  type(await users.findByLabelText('Email'), 'new@mail.test');
  type(users.getByLabelText('Password'), 'P-secret');
  fireEvent.click(users.getByText('Save'));
  await users.findByText('User created');
  assert.is((await sql`select 1 from players where email = 'new@mail.test'`).length, 1);
});

test('a switch whose answer is lost is switched once, and back again', async () => {
  const body = { api_key: 'K-secret', secret_key: 'S-secret', merchant_id: 'M1' };
  const line = losing(1);
  const isActive = async () => (await sql`select is_active from payment_methods`)[0]!['is_active'];
  let made = false;
  const screen = await openScreen(<PaymentMethods />, 'sue', {
    fetch: async (url, init) => {
      if (!made) await (await as('sue')).createPaymentMethod({ tenant_id: 2, payment_platform: 'apex', body });
      made = true;
      return line.fetch(url, init);
    },
  });
  fireEvent.click(await screen.findByRole('switch'));
  await answer(screen, 'Switch off Apex Processing for Acme?', 'Switch off');
  await screen.findByText('Payment method deactivated successfully');
  assert.is(await isActive(), false);
  await waitFor(() => assert.not.ok((screen.getByRole('switch') as HTMLInputElement).disabled));
  fireEvent.click(screen.getByRole('switch'));
  await screen.findByText('Payment method activated successfully');
  assert.is(await isActive(), true);
  assert.is(keysOf(line.writes()).size, 2);
});

test.run();
