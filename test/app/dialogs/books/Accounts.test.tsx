/** Where the money is, in the books: accounts are added, moved between and corrected, and a payment names one. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Books } from '../../../../src/app/dialogs/books/Books';
import { Purchases } from '../../../../src/app/screens/Purchases';
import type { ValueAccountForm } from '../../../../src/contract/entities';
import { closeScreen, openScreen } from '../../../screen';
import { as, sql } from '../../../world';
import { interceptRequestsAfter } from '../../network';

test.after.each(closeScreen);

const close = () => undefined;
const till: ValueAccountForm = { name: 'Till', kind: 'cash', methods: [], is_active: true, tenant_id: 2 };
const stock: ValueAccountForm = {
  name: 'VBlink stock',
  kind: 'credits',
  methods: ['vblink'],
  is_active: true,
  tenant_id: 2,
};
const withAccounts = () =>
  interceptRequestsAfter(async () => {
    const sue = await as('sue');
    await sue.createValueAccount({ body: till });
    await sue.createValueAccount({ body: stock });
  });
const textOf = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim();

test('an account is added, with the methods that mean it', async () => {
  const screen = await openScreen(<Books onClose={close} />, 'ann');
  await screen.findByText('No accounts yet. Payments are not split by account.');
  fireEvent.click(screen.getByRole('button', { name: 'Add account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add account' }));
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Cash tag' } });
  fireEvent.change(dialog.getByLabelText('Payment and payout methods'), { target: { value: 'CashApp, chime' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Account saved');
  const row = (await screen.findByRole('rowheader', { name: 'Cash tag' })).closest('tr')!;
  assert.match(textOf(row), 'cashapp, chime$0.00');
});

test('credits are bought, and the movement has its words', async () => {
  const { fetch } = withAccounts();
  const screen = await openScreen(<Books onClose={close} />, 'ann', { fetch });
  fireEvent.click(await screen.findByRole('button', { name: 'Buy, move or correct' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Buy, move or correct' }));
  const choose = (label: string, name: string) => {
    const select = dialog.getByLabelText<HTMLSelectElement>(label);
    const option = [...select.options].find(({ text }) => text === name)!;
    fireEvent.change(select, { target: { value: option.value } });
  };
  choose('Out of', 'Till');
  choose('Into', 'VBlink stock');
  fireEvent.change(dialog.getByLabelText('Paid, in dollars'), { target: { value: '200' } });
  fireEvent.change(dialog.getByLabelText('Credits'), { target: { value: '1000' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Entered');
  const row = (await screen.findByRole('rowheader', { name: 'VBlink stock' })).closest('tr')!;
  await waitFor(() => assert.match(textOf(row), '1,000 credits$0.2'));
  fireEvent.click(screen.getByRole('button', { name: 'Movements of Till' }));
  const moves = within(await screen.findByRole('dialog', { name: 'Movements of Till' }));
  await moves.findByText('Bought');
  await moves.findByText('-$200.00');
});

test('an edit shows and keeps the cost that was set, not the average of what was bought', async () => {
  const { fetch } = interceptRequestsAfter(async () => {
    const sue = await as('sue');
    const { id } = await sue.createValueAccount({ body: { ...stock, cost_per_credit: '0.25' } });
    await sue.enterAccountMove({ body: { entry: 'bought', to_id: id, amount: '20', credits: '60', tenant_id: 2 } });
  });
  const screen = await openScreen(<Books onClose={close} />, 'ann', { fetch });
  fireEvent.click(await screen.findByRole('button', { name: 'Edit VBlink stock' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit VBlink stock' }));
  assert.is(dialog.getByLabelText<HTMLInputElement>('Cost per credit').value, '0.25');
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Vault' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Account saved');
  const row = (await screen.findByRole('rowheader', { name: 'Vault' })).closest('tr')!;
  await waitFor(() => assert.match(textOf(row), '$0.333333'));
  const [kept] = await sql<{ cost_per_credit: number }[]>`select cost_per_credit from value_accounts`;
  assert.is(kept?.cost_per_credit, 0.25);
});

test('whoever settles a purchase names its account with the reason', async () => {
  const { fetch, writes } = withAccounts();
  const screen = await openScreen(<Purchases tenantId={2} />, 'ann', { fetch });
  const status = (await screen.findAllByRole('combobox', { name: /^Status of/ }))[0]!;
  fireEvent.change(status, { target: { value: 'success' } });
  fireEvent.click(await screen.findByRole('button', { name: 'Add reason' }));
  const account = (await screen.findByLabelText('Account')) as HTMLSelectElement;
  const { value } = [...account.options].find(({ text }) => text === 'Till')!;
  fireEvent.change(account, { target: { value } });
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => assert.match(JSON.stringify(writes()), `"account_id":${value}`));
});

test('without the permissions nothing can be changed', async () => {
  const line = withAccounts();
  const other = await openScreen(<Books onClose={close} />, 'ann', { fetch: line.fetch, permissions: ['support'] });
  await other.findByRole('rowheader', { name: 'Till' });
  for (const name of ['Add account', 'Edit Till', 'Buy, move or correct', 'Require an account of each payment'])
    assert.not.ok(other.queryByRole('button', { name }), name);
});

test.run();
