import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PaymentMethods } from '../../../../src/app/screens/paymentMethods/PaymentMethods';
import { MASK } from '../../../../src/contract/constants';
import { closeScreen, openScreen } from '../../../screen';
import { as } from '../../../world';
import { interceptRequests, interceptRequestsAfter, noNetwork, nonsense, respondWith, type Sent } from '../../network';
import { answer } from '../../question';

type Screen = Awaited<ReturnType<typeof openScreen>>;
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const fieldValue = (element: HTMLElement) => (element as HTMLInputElement).value;
const isDisabled = (element: HTMLElement) => (element as HTMLButtonElement).disabled;
const methods = async () => (await as('sue')).listPaymentMethods();
const DELETE = 'Are you sure you want to delete FlikPay for Acme?';

const flikpay = { api_key: 'key-1', merchant_id: 'm-1', webhook_secret: 'hook-1' };
/** The screen, with Acme's FlikPay set up before its first call is answered. */
async function openWithOne(instead: (sent: Sent) => Response | Promise<Response> | undefined = () => undefined) {
  const line = interceptRequestsAfter(
    async () =>
      (await as('sue')).createPaymentMethod({
        tenant_id: 2,
        payment_platform: 'flikpay',
        webhook_url: 'https://hook.test/a',
        body: flikpay,
      }),
    instead,
  );
  const screen = await openScreen(<PaymentMethods />, 'sue', { fetch: line.fetch });
  const row = within((await screen.findByText('https://hook.test/a')).closest('tr')!);
  return { screen, row, writes: line.writes };
}
async function openDialog(screen: Screen) {
  fireEvent.click(screen.getByText('Add Payment Method'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add New Payment Method' }));
  await dialog.findByText('Acme');
  return dialog;
}
function choose(dialog: Awaited<ReturnType<typeof openDialog>>, tenant: string, platform: string): void {
  type(dialog.getByLabelText('Tenant'), tenant);
  type(dialog.getByLabelText('Payment Platform'), platform);
}
/** What the page set its timers to, in milliseconds, while `work` ran. */
async function delaysOf(work: () => Promise<unknown>): Promise<unknown[]> {
  const real = globalThis.setTimeout,
    delays: unknown[] = [];
  globalThis.setTimeout = Object.assign((...args: Parameters<typeof real>) => {
    delays.push(args[1]);
    return real(...args);
  }, real);
  await work().finally(() => {
    globalThis.setTimeout = real;
  });
  return delays;
}

test('a server that moved wants its key again, which is said at the field', async () => {
  const line = interceptRequestsAfter(async () =>
    (await as('sue')).createPaymentMethod({
      tenant_id: 2,
      payment_platform: 'btcpay',
      body: { server_url: 'https://pay.acme.test', api_key: 'key-1', store_id: 's' },
    }),
  );
  const screen = await openScreen(<PaymentMethods />, 'sue', { fetch: line.fetch });
  fireEvent.click(await screen.findByText('Edit'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Payment Method' }));
  const says = (label: string) =>
    document.getElementById(dialog.getByLabelText(label).getAttribute('aria-describedby') ?? '')?.textContent;
  type(dialog.getByLabelText('Server URL'), 'http://new.acme.test');
  fireEvent.click(dialog.getByText('Update'));
  await dialog.findByText('Server url: must begin with https://, except on this machine or a private network');
  assert.match(says('Server URL') ?? '', /^Server url: must begin with https/);

  type(dialog.getByLabelText('Server URL'), 'https://new.acme.test');
  fireEvent.click(dialog.getByText('Update'));
  await dialog.findByText('Api key: enter the key again, because the server has changed');
  assert.equal(
    [says('API Key'), says('Server URL')],
    ['Api key: enter the key again, because the server has changed', undefined],
  );
  assert.is(dialog.getAllByText(/enter the key again/).length, 1, 'it is said once');
  assert.is(document.activeElement, dialog.getByLabelText('API Key'), 'where the person is taken');
  type(dialog.getByLabelText('API Key'), 'key-2');
  fireEvent.click(dialog.getByText('Update'));
  await screen.findByText('Payment method updated successfully');
});

test('an empty list says so; a method shows tenant, platform, status, webhook and day', async () => {
  const empty = await openScreen(<PaymentMethods />, 'sue');
  await empty.findByText('No payment methods yet.');
  empty.getByText('Payment Methods Management');
  assert.equal(
    empty.getAllByRole('columnheader').map((th) => th.textContent),
    ['Tenant', 'Platform', 'Status', 'Webhook URL', 'Created', 'Actions'],
  );
  const { row } = await openWithOne();
  for (const text of ['Acme', 'FlikPay', 'Active']) assert.ok(row.getByText(text), text);
  assert.match(row.getAllByRole('cell')[4]!.querySelector('time')!.dateTime, /^\d{4}-\d\d-\d\dT/);
});

test('the dialog offers every tenant but the first, three platforms, and the fields of the chosen one', async () => {
  const screen = await openScreen(<PaymentMethods />, 'sue');
  const dialog = await openDialog(screen);
  const options = (label: string) =>
    [...(dialog.getByLabelText(label) as HTMLSelectElement).options].map((option) => option.textContent).slice(1);
  assert.equal(options('Tenant'), ['Acme', 'Bravo']);
  assert.equal(options('Payment Platform'), ['FlikPay', 'Apex Processing', 'BTC Pay']);
  const names = () => [...document.querySelectorAll<HTMLInputElement>('dialog input')].map(({ name }) => name);
  assert.equal(names(), ['webhook']);
  for (const [platform, fields] of [
    ['flikpay', ['api_key', 'merchant_id', 'webhook_secret']],
    ['apex', ['api_key', 'secret_key', 'merchant_id']],
    ['btcpay', ['server_url', 'api_key', 'store_id']],
  ] as const) {
    type(dialog.getByLabelText('Payment Platform'), platform);
    assert.equal(names(), ['webhook', ...fields]);
  }
  assert.is((dialog.getByLabelText('API Key') as HTMLInputElement).type, 'password');
  assert.is((dialog.getByLabelText('Store ID') as HTMLInputElement).type, 'text');
  const foreign = await openDialog(await openScreen(<PaymentMethods />, 'sue', { features: [] }));
  assert.ok(
    foreign.getByText('Platform', { selector: 'option' }),
    "another server's first tenant is one like any other",
  );
});

test('creating sends the platform in the query and its credentials as the body, once, and shows the row', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<PaymentMethods />, 'sue', { fetch });
  const dialog = await openDialog(screen);
  choose(dialog, '3', 'btcpay');
  type(dialog.getByLabelText('Server URL'), 'https://btc.test');
  type(dialog.getByLabelText('API Key'), 'k');
  type(dialog.getByLabelText('Store ID'), 's');
  fireEvent.click(dialog.getByText('Create'));
  fireEvent.click(dialog.getByText('Create'));
  await screen.findByText('Payment method created successfully');
  await screen.findByText('BTC Pay');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  assert.ok(screen.getByText('No webhook'));
  assert.equal(
    writes().map(({ path, query, body }) => [path, query, body]),
    [
      [
        '/api/v1/admin/payment-methods/3',
        { payment_platform: 'btcpay' },
        { server_url: 'https://btc.test', api_key: 'k', store_id: 's' },
      ],
    ],
  );
});

test('tenant and platform are required, and the error stays six seconds', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<PaymentMethods />, 'sue', { fetch });
  const dialog = await openDialog(screen);
  const delays = await delaysOf(async () => {
    fireEvent.click(dialog.getByText('Create'));
    await screen.findByText('Please select tenant and platform');
  });
  assert.ok(delays.includes(6000), 'stays six seconds');
  for (const button of screen.getAllByLabelText('Dismiss')) fireEvent.click(button);
  type(dialog.getByLabelText('Tenant'), '3');
  fireEvent.click(dialog.getByText('Create'));
  await screen.findByText('Please select tenant and platform');
  assert.equal(writes(), []);
});

test('a refused save says why, for six seconds, and keeps what was typed', async () => {
  const screen = await openScreen(<PaymentMethods />, 'sue');
  const dialog = await openDialog(screen);
  choose(dialog, '2', 'apex');
  type(dialog.getByLabelText('API Key'), 'typed');
  const delays = await delaysOf(async () => {
    fireEvent.click(dialog.getByText('Create'));
    await screen.findByText('Error saving payment method');
  });
  assert.ok(delays.includes(6000));
  await dialog.findByText(/Secret key: is required/);
  assert.is(fieldValue(dialog.getByLabelText('API Key')), 'typed');
  assert.equal(await methods(), []);
});

test('editing locks tenant and platform, masks secrets, keeps what is untouched, clears an empty webhook', async () => {
  const { screen, row, writes } = await openWithOne();
  fireEvent.click(row.getByText('Edit'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Payment Method' }));
  assert.ok(isDisabled(dialog.getByLabelText('Tenant')));
  assert.ok(isDisabled(dialog.getByLabelText('Payment Platform')));
  assert.ok(dialog.getByText('Acme'));
  assert.is(fieldValue(dialog.getByLabelText('Payment Platform')), 'flikpay');
  assert.is(fieldValue(dialog.getByLabelText('API Key')), MASK);
  assert.is(fieldValue(dialog.getByLabelText('Merchant ID')), 'm-1');
  type(dialog.getByLabelText('Merchant ID'), 'm-2');
  type(dialog.getByLabelText('Webhook URL'), '');
  fireEvent.click(dialog.getByText('Update'));
  await screen.findByText('Payment method updated successfully');
  await screen.findByText('No webhook');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  assert.equal(
    writes().map(({ method, path, query, body }) => [method, path, query, body]),
    [
      [
        'PUT',
        '/api/v1/admin/payment-methods/2/flikpay',
        { webhook_url: '' },
        { api_key: MASK, merchant_id: 'm-2', webhook_secret: MASK },
      ],
    ],
  );
  assert.equal((await methods())[0]!.credentials, { api_key: MASK, merchant_id: 'm-2', webhook_secret: MASK });
});

const SWITCH_OFF = 'Switch off FlikPay for Acme?';
test('the switch turns a method off and on, and is locked until the list has come back', async () => {
  const { screen, writes } = await openWithOne();
  const control = screen.getByRole('switch', { name: 'FlikPay of Acme is active' }) as HTMLInputElement;
  assert.ok(control.checked);
  fireEvent.click(control);
  await answer(screen, SWITCH_OFF, 'Cancel');
  assert.equal(writes(), []);
  fireEvent.click(control);
  await answer(screen, SWITCH_OFF, 'Switch off');
  await waitFor(() => assert.ok(control.disabled));
  fireEvent.click(control);
  await screen.findByText('Payment method deactivated successfully');
  await screen.findByText('Inactive');
  await waitFor(() => assert.not(control.disabled));
  assert.not(control.checked);
  fireEvent.click(control);
  await screen.findByText('Payment method activated successfully');
  await screen.findByText('Active');
  assert.equal(
    writes().map(({ path, body }) => [path, body]),
    Array(2).fill(['/api/v1/admin/payment-methods/2/flikpay/toggle', undefined]),
  );
});

test('a toggle that fails says so for six seconds and shows what still holds', async () => {
  const { screen } = await openWithOne(({ path }) => (path.endsWith('/toggle') ? respondWith({}, 403) : undefined));
  const delays = await delaysOf(async () => {
    fireEvent.click(screen.getByRole('switch'));
    await answer(screen, SWITCH_OFF, 'Switch off');
    await screen.findByText('Error toggling payment method');
  });
  assert.ok(delays.includes(6000));
  assert.ok((screen.getByRole('switch') as HTMLInputElement).checked);
});

test('Delete asks with platform and tenant; No keeps, Yes deletes', async () => {
  const { screen, row, writes } = await openWithOne();
  fireEvent.click(row.getByText('Delete'));
  await answer(screen, DELETE, 'Cancel');
  assert.equal([screen.queryByRole('dialog'), writes()], [null, []]);
  fireEvent.click(row.getByText('Delete'));
  await answer(screen, DELETE, 'Delete');
  await screen.findByText('Payment method deleted successfully');
  await screen.findByText('No payment methods yet.');
  assert.equal(await methods(), []);
});

test('a delete of what someone else deleted is refused, and the screen catches up', async () => {
  const { screen, row } = await openWithOne();
  await (await as('sue')).deletePaymentMethod({ tenant_id: 2, platform: 'flikpay' });
  const delays = await delaysOf(async () => {
    fireEvent.click(row.getByText('Delete'));
    await answer(screen, DELETE, 'Delete');
    await screen.findByText('Error deleting payment method');
  });
  assert.ok(delays.includes(6000));
  await screen.findByText('No payment methods yet.');
});

test('a list that cannot be fetched says so for six seconds and can be tried again', async () => {
  let isDown = true,
    screen: Screen;
  const delays = await delaysOf(async () => {
    screen = await openScreen(<PaymentMethods />, 'sue', {
      fetch: interceptRequests(() => (isDown ? noNetwork() : undefined)).fetch,
    });
    await screen.findByText('Error fetching payment methods');
  });
  assert.ok(delays.includes(6000));
  isDown = false;
  fireEvent.click(screen!.getByText('Retry'));
  await screen!.findByText('No payment methods yet.');
});

test("another server's odd methods neither break the screen nor show nonsense", async () => {
  const odd = [
    { id: 1, tenant_id: 9, payment_platform: 'newpay', credentials: { token: 't' }, webhook_url: '' },
    { id: 2, tenant_name: '<b>', payment_platform: null, credentials: null, created_at: 'soon' },
  ];
  const screen = await openScreen(<PaymentMethods />, 'sue', {
    fetch: interceptRequests(({ path }) => (path.endsWith('/all') ? respondWith(odd) : undefined)).fetch,
  });
  await screen.findByText('newpay');
  assert.is(screen.getAllByText('No webhook').length, 2);
  fireEvent.click(screen.getAllByText('Edit')[0]!);
  assert.is(fieldValue(screen.getByLabelText('Token')), 't', 'fields nobody listed are those it has');
  fireEvent.click(screen.getByText('Cancel'));
  fireEvent.click(screen.getAllByText('Edit')[1]!);
  assert.not.match(screen.container.textContent!, nonsense);
});

test.after(closeScreen);
test.run();
