/** Shifts: opened and closed with counts, the paper of one, the owner's evening, the profit, payments to an account. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Books } from '../../../../src/app/dialogs/books/Books';
import { Shifts } from '../../../../src/app/dialogs/books/Shifts';
import { Overview } from '../../../../src/app/screens/overview/Overview';
import { Purchases } from '../../../../src/app/screens/Purchases';
import { ann, sue } from '../../../callers';
import { closeScreen, openScreen } from '../../../screen';
import { deposit } from '../../../seed';
import { pam } from '../../../world';
import { fill, opens, press, textOf, type, wordsOfRow } from '../../controls';
import { laterOutage, sentTo } from '../../network';

test.after.each(closeScreen);

const close = () => undefined;
const withTill = async (methods = ['cash']) => {
  const form = { name: 'Till', kind: 'cash' as const, methods, is_active: true, tenant_id: 2 };
  return (await sue.createValueAccount({ body: form })).id;
};
/** Of Acme, opened with $100 in the till. */
const withShift = (caller: typeof sue) => async () =>
  caller.openShift({ body: { counts: [{ account_id: await withTill(), counted: '100' }], tenant_id: 2 } });

test('a shift is opened with a count', async () => {
  const screen = await openScreen(<Shifts tenantId={2} />, 'ann', { before: withTill });
  await screen.findByText('No shift on this day');
  const dialog = await opens(screen.getByRole('button', { name: 'Open my shift' }), 'Open my shift');
  const count = await dialog.findByLabelText('Till, in dollars');
  fireEvent.click(dialog.getByRole('button', { name: 'Open shift' }));
  await screen.findByText('Please count at least one account');
  type(count, '100.50');
  fireEvent.click(dialog.getByRole('button', { name: 'Open shift' }));
  await screen.findByText('Your shift is open');
  assert.match(JSON.stringify(screen.writes()), '"counted":"100.50"');
  assert.match(await wordsOfRow(screen, 'ann@acme.test'), 'Open-');
  assert.not.ok(screen.queryByRole('button', { name: 'Open my shift' }));
});

test('without an account it leads to the first one, and counts that', async () => {
  const screen = await openScreen(<Books onClose={close} />, 'ann');
  fireEvent.click(await screen.findByRole('button', { name: 'Shifts' }));
  const dialog = await opens(await screen.findByRole('button', { name: 'Open my shift' }), 'Open my shift');
  const form = await opens(await dialog.findByRole('button', { name: 'Add account' }), 'Add account');
  fill(form, { Name: 'Till' }, 'Save');
  await dialog.findByLabelText('Till, in dollars');
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  fireEvent.click(screen.getByRole('button', { name: 'Accounts' }));
  await screen.findByRole('rowheader', { name: 'Till' });
});

for (const [name, path, before] of [
  ['Open my shift', '/accounts', withTill],
  [/^Close the shift 1 of/, '/shifts/1', withShift(ann)],
] as const)
  test(`what '${name}' needs is loaded again if that failed`, async () => {
    const broken = laterOutage(path, 'Bad Gateway', 502);
    const screen = await openScreen(<Shifts tenantId={2} />, 'ann', { before, ...broken });
    const button = await screen.findByRole('button', { name });
    broken.isDown = true;
    const dialog = await opens(button, /^(Open my|Close the) shift$/);
    const again = await dialog.findByRole('button', { name: 'Retry' });
    dialog.getByText(/Could not be loaded/);
    broken.isDown = false;
    fireEvent.click(again);
    await dialog.findByLabelText('Till, in dollars');
    assert.not.ok(dialog.queryByRole('button', { name: 'Retry' }));
  });

test('it is closed with a count, and says what is missing and asks why; the day tells it', async () => {
  const screen = await openScreen(<Shifts tenantId={2} />, 'ann', { before: withShift(ann) });
  const dialog = await opens(await screen.findByRole('button', { name: /^Close the shift 1 of/ }), 'Close the shift');
  type(await dialog.findByLabelText('Till, in dollars'), '95');
  assert.match(textOf(await dialog.findByText(/^Expected/)), 'Expected $100.00: $5.00 missing');
  fireEvent.click(dialog.getByRole('button', { name: 'Close shift' }));
  await screen.findByText('Please count each account, and give a reason for each difference');
  fill(dialog, { 'Reason for Till': 'Taxi' }, 'Close shift');
  await screen.findByText('The shift is closed');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog', { name: 'Close the shift' })));
  const day = within(await screen.findByRole('region', { name: 'Accounts of the day' }));
  assert.match(await wordsOfRow(day, 'Till'), 'Till1$0.00-$5.00');
  const paper = await opens(screen.getByRole('button', { name: /^Show the shift 1 of/ }), 'Shift 1');
  await paper.findByText('Taxi');
  assert.match(textOf(paper.getByRole('region', { name: 'Shift 1' })), 'Its figures are final.');
});

test('whoever may not settle opens nothing', async () => {
  const before = withShift(sue);
  const reader = await openScreen(<Shifts tenantId={2} />, 'ann', { before, permissions: ['support'] });
  await reader.findByRole('rowheader', { name: 'sue@platform.test' });
  for (const name of [/^Close the shift/, 'Require an open shift', 'Open my shift', 'Export shifts'])
    assert.not.ok(reader.queryByRole('button', { name }), String(name));
});

for (const [permission, mayCloseOthers] of [
  ['payouts', false],
  ['money', true],
] as const)
  test(`'${permission}' alone opens a shift, and ${mayCloseOthers ? 'closes' : 'leaves'} those of others`, async () => {
    const before = withShift(sue);
    const screen = await openScreen(<Shifts tenantId={2} />, 'ann', { before, permissions: [permission] });
    await screen.findByRole('button', { name: 'Open my shift' });
    await screen.findByRole('rowheader', { name: 'sue@platform.test' });
    assert.is(screen.queryAllByRole('button', { name: /^Close the shift/ }).length, mayCloseOthers ? 1 : 0);
  });

test('a day that is cleared or half typed is not asked for', async () => {
  const screen = await openScreen(<Shifts tenantId={2} />, 'ann', { before: withTill });
  await screen.findByText('No shift on this day');
  const days = () => screen.sent.flatMap(({ path, query }) => (path === '/api/v1/admin/shifts' ? [query['day']] : []));
  for (const value of ['0002-11-01', '2026-11-01', '', '2026-11-02']) type(screen.getByLabelText('Day'), value);
  await waitFor(() => assert.is(days().at(-1), '2026-11-02'));
  assert.equal(days(), [undefined, '2026-11-02'], 'what is half typed, too');
});

test('the statement of a month reads the profit when it is asked for', async () => {
  const screen = await openScreen(<Books onClose={close} />, 'ann', { before: withTill });
  const statement = await opens((await screen.findAllByRole('button', { name: /^Statement of/ }))[0]!, /^Statement of/);
  const show = await statement.findByRole('button', { name: 'Show the profit' });
  assert.equal(sentTo(screen, '/profit'), []);
  fireEvent.click(show);
  await statement.findByRole('rowheader', { name: 'All' });
  statement.getByRole('heading', { name: 'Profit' });
});

test('a payment that lacks its account comes back with the account to choose, and names it', async () => {
  const screen = await openScreen(<Purchases tenantId={2} />, 'ann', {
    before: async () => {
      await withTill([]);
      await sue.changeAccountSettings({ body: { is_required: true, tenant_id: 2 } });
    },
  });
  type((await screen.findAllByRole('combobox', { name: /^Status of/ }))[0]!, 'success');
  fireEvent.click(await screen.findByRole('button', { name: 'Add reason' }));
  await screen.findByLabelText('Account');
  press(screen, 'Send');
  await screen.findByText(/Choose the account of this payment/);
  const account = (await screen.findByLabelText('Account')) as HTMLSelectElement;
  const { value } = [...account.options].find(({ text }) => text === 'Till')!;
  type(account, value);
  press(screen, 'Send');
  await waitFor(() => assert.not.ok(screen.queryByLabelText('Account')));
  const accounts = screen.writes().map(({ body }) => Reflect.get(Object(body), 'account_id'));
  assert.equal(accounts.map(String), ['undefined', value]);
});

test('the overview leads to the profit of its span, parted as one likes', async () => {
  const screen = await openScreen(<Overview />, 'ann', {
    before: () => deposit({ tenant_id: 2, id: pam.id }, 'credit', '30', 'success'),
  });
  const dialog = await opens(await screen.findByRole('button', { name: 'Profit' }), 'Profit');
  await dialog.findByRole('rowheader', { name: 'All' });
  assert.ok(dialog.getAllByRole('rowheader', { name: /^[A-Z][a-z]{2} \d+/ }).length);
  type(dialog.getByLabelText('Profit by'), 'cashier');
  await dialog.findByRole('columnheader', { name: 'Cashier' });
  assert.match(textOf(dialog.getByText(/^Credits are/)), /cost\. 30 credits have no known cost\.$/);
  type(dialog.getByLabelText('Profit by'), 'platform');
  await dialog.findByText(/Purchases belong to no platform\./);
});

test.run();
