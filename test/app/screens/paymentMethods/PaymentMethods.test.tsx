import { fireEvent, screen, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Api } from '../../../../src/app/api/client';
import { PaymentMethods } from '../../../../src/app/screens/paymentMethods/PaymentMethods';
import { MASK } from '../../../../src/contract/constants';
import { sue } from '../../../callers';
import { closeScreen, openScreen, type Screen } from '../../../screen';
import {
  closed,
  fieldValue,
  fill,
  headsOf,
  isDisabled,
  opens,
  optionsOf,
  rowOf,
  sees,
  type,
  type Within,
} from '../../controls';
import { at, type Instead, laterOutage, nonsense, outage, partsOf } from '../../network';
import { answer } from '../../question';

const methods = () => sue.listPaymentMethods();
const DELETE = 'Are you sure you want to delete FlikPay for Acme?';

const flikpay = { api_key: 'key-1', merchant_id: 'm-1', webhook_secret: 'hook-1' };
type Body = Parameters<Api['createPaymentMethod']>[0]['body'];
/** Makes a payment method of Acme. */
const make = (payment_platform: 'flikpay' | 'btcpay' | 'apex', body: Body, more: { webhook_url?: string } = {}) =>
  sue.createPaymentMethod({ tenant_id: 2, payment_platform, ...more, body });
/** The screen with Acme's FlikPay. */
async function openWithOne(instead?: Instead) {
  const before = () => make('flikpay', flikpay, { webhook_url: 'https://hook.test/a' });
  const screen = await openScreen(<PaymentMethods />, 'sue', { before, instead });
  return { screen, row: await rowOf(screen, 'https://hook.test/a'), writes: screen.writes };
}
async function openDialog(screen: Screen) {
  const dialog = await opens(screen.getByText('Add Payment Method'), 'Add New Payment Method');
  await dialog.findByText('Acme');
  return dialog;
}
const choose = (dialog: Within, tenant: string, platform: string) =>
  fill(dialog, { Tenant: tenant, 'Payment Platform': platform });
/** While `work` runs, the page sets a timer for a message that stays six seconds. */
async function staysSixSeconds(work: () => Promise<unknown>): Promise<void> {
  const real = globalThis.setTimeout,
    delays: unknown[] = [];
  globalThis.setTimeout = Object.assign((...args: Parameters<typeof real>) => {
    delays.push(args[1]);
    return real(...args);
  }, real);
  await work().finally(() => {
    globalThis.setTimeout = real;
  });
  assert.ok(delays.includes(6000), 'stays six seconds');
}

test('a server that moved wants its key again, which is said at the field', async () => {
  const screen = await openScreen(<PaymentMethods />, 'sue', {
    before: () => make('btcpay', { server_url: 'https://pay.acme.test', api_key: 'key-1', store_id: 's' }),
  });
  const dialog = await opens(await screen.findByText('Edit'), 'Edit Payment Method');
  const says = (label: string) =>
    document.getElementById(dialog.getByLabelText(label).getAttribute('aria-describedby') ?? '')?.textContent;
  fill(dialog, { 'Server URL': 'http://new.acme.test' }, 'Update');
  await dialog.findByText('Must begin with https://, except on this machine or a private network');
  assert.match(says('Server URL') ?? '', /^Must begin with https/);

  fill(dialog, { 'Server URL': 'https://new.acme.test' }, 'Update');
  await dialog.findByText('Enter the key again, because the server has changed');
  assert.match(says('API Key') ?? '', /^Enter the key again/);
  assert.is(says('Server URL'), undefined);
  assert.is(dialog.getAllByText(/enter the key again/i).length, 1, 'it is said once');
  assert.is(document.activeElement, dialog.getByLabelText('API Key'), 'where the person is taken');
  fill(dialog, { 'API Key': 'key-2' }, 'Update');
  await screen.findByText('Payment method updated successfully');
});

test('an empty list says so; a method shows tenant, platform, status, webhook and day', async () => {
  const empty = await openScreen(<PaymentMethods />, 'sue');
  await empty.findByText('No payment methods yet.');
  empty.getByText('Payment Methods Management');
  assert.is(headsOf(empty), 'Tenant, Platform, Status, Webhook URL, Created, Actions');
  const { row } = await openWithOne();
  for (const text of ['Acme', 'FlikPay', 'Active']) assert.ok(row.getByText(text), text);
  assert.match(row.getAllByRole('cell')[4]!.querySelector('time')!.dateTime, /^\d{4}-\d\d-\d\dT/);
});

test('the dialog offers every tenant but the first, three platforms, and the fields of the chosen one', async () => {
  const screen = await openScreen(<PaymentMethods />, 'sue');
  const dialog = await openDialog(screen);
  const options = (label: string) => optionsOf(dialog.getByLabelText(label)).slice(1);
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
  foreign.getByText('Platform', { selector: 'option' }); // another server's first tenant is one like any other
});

test('creating sends the platform in the query and its credentials as the body, once, and shows the row', async () => {
  const screen = await openScreen(<PaymentMethods />, 'sue');
  const dialog = await openDialog(screen);
  choose(dialog, '3', 'btcpay');
  fill(dialog, { 'Server URL': 'https://btc.test', 'API Key': 'k', 'Store ID': 's' }, 'Create');
  fireEvent.click(dialog.getByText('Create'));
  await sees(screen, 'Payment method created successfully', 'BTC Pay');
  await closed(screen);
  assert.ok(screen.getByText('No webhook'));
  const body = { server_url: 'https://btc.test', api_key: 'k', store_id: 's' };
  assert.equal(partsOf(screen.writes(), 'path', 'query', 'body'), [
    ['/api/v1/admin/payment-methods/3', { payment_platform: 'btcpay' }, body],
  ]);
});

test('tenant and platform are required, and the error stays six seconds', async () => {
  const screen = await openScreen(<PaymentMethods />, 'sue');
  const dialog = await openDialog(screen);
  await staysSixSeconds(async () => {
    fireEvent.click(dialog.getByText('Create'));
    await screen.findByText('Please select tenant and platform');
  });
  assert.is(dialog.getByLabelText('Tenant').getAttribute('aria-invalid'), 'true');
  for (const button of screen.getAllByLabelText('Dismiss')) fireEvent.click(button);
  fill(dialog, { Tenant: '3' }, 'Create');
  await screen.findByText('Please select tenant and platform');
  assert.equal(screen.writes(), []);
});

test('a refused save says why, for six seconds, and keeps what was typed', async () => {
  const screen = await openScreen(<PaymentMethods />, 'sue');
  const dialog = await openDialog(screen);
  choose(dialog, '2', 'apex');
  type(dialog.getByLabelText('API Key'), 'typed');
  await staysSixSeconds(async () => {
    fireEvent.click(dialog.getByText('Create'));
    await screen.findByText('Error saving payment method');
  });
  await dialog.findByText(/Is required/);
  assert.is(fieldValue(dialog.getByLabelText('API Key')), 'typed');
  assert.equal(await methods(), []);
});

test('editing locks tenant and platform, masks secrets, keeps what is untouched, clears an empty webhook', async () => {
  const { screen, row, writes } = await openWithOne();
  const dialog = await opens(row.getByText('Edit'), 'Edit Payment Method');
  assert.ok(isDisabled(dialog.getByLabelText('Tenant')));
  assert.ok(isDisabled(dialog.getByLabelText('Payment Platform')));
  assert.ok(dialog.getByText('Acme'));
  assert.is(fieldValue(dialog.getByLabelText('Payment Platform')), 'flikpay');
  assert.is(fieldValue(dialog.getByLabelText('API Key')), MASK);
  assert.is(fieldValue(dialog.getByLabelText('Merchant ID')), 'm-1');
  fill(dialog, { 'Merchant ID': 'm-2', 'Webhook URL': '' }, 'Update');
  await sees(screen, 'Payment method updated successfully', 'No webhook');
  await closed(screen);
  const kept = { api_key: MASK, merchant_id: 'm-2', webhook_secret: MASK };
  assert.equal(partsOf(writes(), 'method', 'path', 'query', 'body'), [
    ['PUT', '/api/v1/admin/payment-methods/2/flikpay', { webhook_url: '' }, kept],
  ]);
  assert.equal((await methods())[0]!.credentials, kept);
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
  await sees(screen, 'Payment method deactivated successfully', 'Inactive');
  await waitFor(() => assert.not(control.disabled));
  assert.not(control.checked);
  fireEvent.click(control);
  await sees(screen, 'Payment method activated successfully', 'Active');
  const toggle = ['/api/v1/admin/payment-methods/2/flikpay/toggle', undefined];
  assert.equal(partsOf(writes(), 'path', 'body'), [toggle, toggle]);
});

test('a toggle that fails says so for six seconds and shows what still holds', async () => {
  const { screen } = await openWithOne(at('/toggle', {}, 403));
  await staysSixSeconds(async () => {
    fireEvent.click(screen.getByRole('switch'));
    await answer(screen, SWITCH_OFF, 'Switch off');
    await screen.findByText('Error toggling payment method');
  });
  assert.ok((screen.getByRole('switch') as HTMLInputElement).checked);
});

test('a switch that may be out of date is locked until the list loads, because its call only toggles', async () => {
  const broken = laterOutage('/payment-methods/all');
  const before = () => make('apex', { api_key: 'a', secret_key: 'b', merchant_id: 'c' });
  const screen = await openScreen(<PaymentMethods />, 'sue', { before, ...broken });
  const control = (await screen.findByRole('switch')) as HTMLInputElement;
  broken.isDown = true;
  fireEvent.click(control);
  await answer(screen, 'Switch off Apex Processing for Acme?', 'Switch off');
  await sees(screen, 'Payment method deactivated successfully', 'Error fetching payment methods');
  await waitFor(() => assert.is(control.getAttribute('aria-busy'), 'false'));
  assert.ok(control.checked, 'as it was before');
  assert.ok(control.disabled);
  broken.isDown = false;
  fireEvent.click(screen.getByText('Retry'));
  await waitFor(() => assert.not(control.disabled));
  assert.not(control.checked);
});

test('Delete asks with platform and tenant; No keeps, Yes deletes', async () => {
  const { screen, row, writes } = await openWithOne();
  fireEvent.click(row.getByText('Delete'));
  await answer(screen, DELETE, 'Cancel');
  assert.equal([screen.queryByRole('dialog'), writes()], [null, []]);
  fireEvent.click(row.getByText('Delete'));
  await answer(screen, DELETE, 'Delete');
  await sees(screen, 'Payment method deleted successfully', 'No payment methods yet.');
  assert.equal(await methods(), []);
});

test('a delete of what someone else deleted is refused, and the screen catches up', async () => {
  const { screen, row } = await openWithOne();
  await sue.deletePaymentMethod({ tenant_id: 2, platform: 'flikpay' });
  await staysSixSeconds(async () => {
    fireEvent.click(row.getByText('Delete'));
    await answer(screen, DELETE, 'Delete');
    await screen.findByText('Error deleting payment method');
  });
  await screen.findByText('No payment methods yet.');
});

test('a list that cannot be fetched says so for six seconds and can be tried again', async () => {
  const down = outage('/payment-methods/all');
  await staysSixSeconds(async () => {
    await (await openScreen(<PaymentMethods />, 'sue', down)).findByText('Error fetching payment methods');
  });
  down.isDown = false;
  fireEvent.click(screen.getByText('Retry'));
  await screen.findByText('No payment methods yet.');
});

test("another server's odd methods neither break the screen nor show nonsense", async () => {
  const odd = [
    { id: 1, tenant_id: 9, payment_platform: 'newpay', credentials: { token: 't' }, webhook_url: '' },
    { id: 2, tenant_name: '<b>', payment_platform: null, credentials: null, created_at: 'soon' },
  ];
  const screen = await openScreen(<PaymentMethods />, 'sue', { instead: at('/all', odd) });
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
