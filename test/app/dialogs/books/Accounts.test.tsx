/** Where the money is, in the books: accounts are added, moved between and corrected. */
import { waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Accounts } from '../../../../src/app/dialogs/books/Accounts';
import type { ValueAccountForm } from '../../../../src/contract/entities';
import { sue } from '../../../callers';
import { closeScreen, openScreen } from '../../../screen';
import { sql } from '../../../world';
import { fill, opens, sees, type, wordsOfRow } from '../../controls';

test.after.each(closeScreen);

const till: ValueAccountForm = { name: 'Till', kind: 'cash', methods: [], is_active: true, tenant_id: 2 };
const stock: ValueAccountForm = { ...till, name: 'VBlink stock', kind: 'credits', methods: ['vblink'] };
const before = async () => {
  await sue.createValueAccount({ body: till });
  await sue.createValueAccount({ body: stock });
};

test('an account is added, with the methods that mean it', async () => {
  const screen = await openScreen(<Accounts tenantId={2} />, 'ann');
  await screen.findByText('No accounts yet. Payments are not split by account.');
  const dialog = await opens(screen.getByRole('button', { name: 'Add account' }), 'Add account');
  fill(dialog, { Name: 'Cash tag', 'Payment and payout methods': 'CashApp, chime' }, 'Save');
  await screen.findByText('Account saved');
  assert.match(await wordsOfRow(screen, 'Cash tag'), 'cashapp, chime$0.00');
});

test('credits are bought, and the movement has its words', async () => {
  const screen = await openScreen(<Accounts tenantId={2} />, 'ann', { before });
  const name = 'Buy, move or correct';
  const dialog = await opens(await screen.findByRole('button', { name }), name);
  const choose = (label: string, name: string) => {
    const select = dialog.getByLabelText<HTMLSelectElement>(label);
    type(select, [...select.options].find(({ text }) => text === name)!.value);
  };
  choose('Out of', 'Till');
  choose('Into', 'VBlink stock');
  fill(dialog, { 'Paid, in dollars': '200', Credits: '1000' }, 'Save');
  await screen.findByText('Entered');
  await waitFor(async () => assert.match(await wordsOfRow(screen, 'VBlink stock'), '1,000 credits$0.2'));
  const moves = await opens(screen.getByRole('button', { name: 'Movements of Till' }), 'Movements of Till');
  await sees(moves, 'Bought');
  assert.is(moves.getAllByText('-$200.00').length, 2, 'what moved, and what is left');
});

test('an edit shows and keeps the cost that was set, not the average of what was bought', async () => {
  const screen = await openScreen(<Accounts tenantId={2} />, 'ann', {
    before: async () => {
      const { id } = await sue.createValueAccount({ body: { ...stock, cost_per_credit: '0.25' } });
      await sue.enterAccountMove({ body: { entry: 'bought', to_id: id, amount: '20', credits: '60', tenant_id: 2 } });
    },
  });
  const dialog = await opens(await screen.findByRole('button', { name: 'Edit VBlink stock' }), 'Edit VBlink stock');
  assert.is(dialog.getByLabelText<HTMLInputElement>('Cost per credit').value, '0.25');
  fill(dialog, { Name: 'Vault' }, 'Save');
  await screen.findByText('Account saved');
  await waitFor(async () => assert.match(await wordsOfRow(screen, 'Vault'), '$0.333333'));
  const [kept] = await sql<{ cost_per_credit: number }[]>`select cost_per_credit from value_accounts`;
  assert.is(kept?.cost_per_credit, 0.25);
});

test('without the permissions nothing can be changed', async () => {
  const other = await openScreen(<Accounts tenantId={2} />, 'ann', { before, permissions: ['support'] });
  await other.findByRole('rowheader', { name: 'Till' });
  for (const name of ['Add account', 'Edit Till', 'Buy, move or correct', 'Require an account of each payment'])
    assert.not.ok(other.queryByRole('button', { name }), name);
});

test.run();
