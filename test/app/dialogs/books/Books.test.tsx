import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../../src/app/App';
import { checkEverything, moveBack } from '../../../books';
import { closeScreen, openScreen } from '../../../screen';
import { redeem, topUp } from '../../../seed';
import { as, pam, sql } from '../../../world';
import { opens, textOf } from '../../controls';

test.after.each(closeScreen);

async function openBooks(person: 'ann' | 'sue', prepare: () => Promise<unknown> = async () => {}) {
  const screen = await openScreen(<App />, person, { path: '/users' });
  await prepare();
  const dialog = await opens(await screen.findByRole('button', { name: 'Books' }), 'Books');
  await dialog.findByText(/verified/i);
  return { screen, dialog };
}

test('an admin sees that the books were verified and are off by nothing, and asks for it again', async () => {
  const { screen, dialog } = await openBooks('ann');
  dialog.getByText('Not verified yet.');
  assert.not.ok(dialog.queryByLabelText('Tenant'));
  fireEvent.click(dialog.getByText('Verify now'));
  await screen.findByText('Verifying in the background');
  await dialog.findByText(/^Verifying, \d+%$/);
  await checkEverything();
  await dialog.findByText('Verify now');
  assert.match(textOf(dialog.getByRole('region', { name: 'Ledger' })), /Last verified .*, off by \$0\.00\. Everything/);
});

test('what does not add up is said in sentences', async () => {
  const { dialog } = await openBooks('ann', async () => {
    await sql`update wallets set credit_balance = credit_balance + 2.5 where player_id = ${pam.id}`;
    await checkEverything();
  });
  await dialog.findByText(/^Player 1 of tenant 2 has 352.50 credit, but the transfers sum to 350.00/);
  assert.match(textOf(dialog.getByRole('region', { name: 'Ledger' })), 'off by -$2.50 in 1 difference.');
});

test('a month is closed after a question, and its statement is final', async () => {
  const { screen, dialog } = await openBooks('ann', async () => {
    await topUp(pam, '200', 'success');
    await moveBack(2, '2025-09-15T12:00:00Z');
  });
  const listed = async () => textOf(await dialog.findByRole('row', { name: /^September 2025/ }));
  assert.match(await listed(), /Open---/, 'an old month is not counted with each look at the list');
  const later = await opens(dialog.getByRole('button', { name: 'Close month November 2025' }), /Close November 2025/);
  later.getByText('Also closes September 2025 and October 2025.');
  fireEvent.click(later.getByRole('button', { name: 'Cancel' }));
  const close = await dialog.findByRole('button', { name: 'Close month September 2025' });
  const question = await opens(close, /Close September 2025/);
  await question.findByText('Owed to players');
  assert.not.ok(question.queryByText(/^Also closes/));
  const figures = /Purchases\$200\.00 ?Redeems\$0\.00 ?GGR\$200\.00/;
  assert.match(textOf(question.getByText('GGR').closest('dl')!), figures);
  fireEvent.click(question.getByText('Close month'));
  await screen.findByText('September 2025 is closed');
  await waitFor(() => assert.not.ok(dialog.queryByRole('button', { name: 'Close month September 2025' })));
  assert.match(await listed(), /\$200\.00\$0\.00\$200\.00/);
  const name = 'Statement of September 2025';
  const statement = await opens(dialog.getByRole('button', { name }), name);
  await statement.findByText(/Its figures are final/);
  assert.match(textOf(statement.getByText('GGR').closest('dl')!), figures);
  const rows = statement.getAllByRole('row').map(textOf);
  for (const row of [
    'Held-$150.00---$150.00-',
    'Closing$550.00$0.00$0.00$0.00$150.00$700.00',
    'Closing-$200.00$0.00$0.00-$500.00$0.00-$700.00',
    'Purchases1$200.00',
  ])
    assert.ok(rows.includes(row), rows.join('\n'));
  assert.is(rows.filter((row) => row.startsWith('Held-')).length, 1, 'a line of zeros is left out');
  assert.ok(statement.getByText('Players and tenant add up to $0.00 in every line.'));
  assert.ok((await (await as('ann')).getStatement({ tenant_id: 2, month: '2025-09' })).closed_at);
});

test('the statement alone is printed, and the page is back afterwards', async () => {
  const { dialog } = await openBooks('ann');
  const statement = await opens((await dialog.findAllByRole('button', { name: /^Statement of/ }))[0]!, /^Statement of/);
  await statement.findByText(/This month is open/);
  const before = document.body.children.length;
  dispatchEvent(new Event('beforeprint'));
  const shown = [...document.body.children].filter((child) => (child as HTMLElement).style.display !== 'none');
  assert.is(shown.length, 1);
  assert.match(textOf(shown[0]!), /^Acme, .*GGR.*Line ?Credit/);
  dispatchEvent(new Event('afterprint'));
  assert.is(document.body.children.length, before);
  assert.ok([...document.body.children].every((child) => (child as HTMLElement).style.display !== 'none'));
});

test('a super admin sees all tenants together, and months of the one that is chosen', async () => {
  const { dialog } = await openBooks('sue');
  dialog.getByText('Choose a tenant to see its months and statements.');
  fireEvent.change(dialog.getByLabelText('Tenant'), { target: { value: '3' } });
  await dialog.findByRole('button', { name: /^Statement of/ });
});

test('who was paid in a year is shown when it is asked for, and another year is chosen', async () => {
  const { dialog } = await openBooks('ann', async () => {
    await sql`update tenants set report_from = 100 where id = 2`;
    await redeem(pam, '100', 'success');
  });
  fireEvent.click(await dialog.findByRole('button', { name: 'Payouts' }));
  const row = (await dialog.findByText(pam.email)).closest('tr');
  assert.match(textOf(row!), /\$100\.00$/);
  fireEvent.change(dialog.getByLabelText('Year'), { target: { value: String(new Date().getFullYear() - 6) } });
  await dialog.findByText('No payouts to report, or no amount is set');
});

test.run();
