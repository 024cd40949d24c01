import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Deposits } from '../../../src/app/screens/Deposits';
import { closeScreen, openScreen } from '../../screen';
import { deposit, fund } from '../../seed';
import { pam, pat, sql } from '../../world';
import { textsOf } from '../controls';
import { partsOf } from '../network';
import { restoreUndo, shortenUndo } from '../undo';

const before = async () => {
  await fund(pam, 'loyalty', '50');
  await deposit(pam, 'loyalty', '20');
  await deposit(pat, 'credit', '30.5', 'success');
};

test('shows deposits only, and which balance paid', async () => {
  const screen = await openScreen(<Deposits />, 'sue', { before, features: [] });
  await screen.findByText('2 transactions');
  assert.ok(screen.getByRole('heading', { name: 'Deposits (Platform Only)' }));
  const cells = (email: string) => textsOf(screen.getByText(email).closest('tr')!.cells);
  assert.equal(
    [cells('pam@mail.test')[1], cells('pam@mail.test')[3], cells('pam@mail.test')[6]],
    ['DEPOSIT', '$20.00', 'FREE PLAY'],
  );
  assert.equal([cells('pat@mail.test')[3], cells('pat@mail.test')[6]], ['$30.50', 'CREDIT']);
  assert.equal(partsOf(screen.sent, 'path'), ['/api/v1/admin/deposits']);
});

test("a tenant's deposits are its own; a failed one gives the money back", async () => {
  const screen = await openScreen(<Deposits tenantId={2} />, 'ann', { before });
  const status = (await screen.findByLabelText(/^Status of DEPOSIT/)) as HTMLSelectElement;
  await screen.findByText('1 transaction');
  assert.not.ok(screen.queryByText('pat@mail.test'));
  assert.is(
    screen.getByLabelText('Search deposits').title,
    'Email, reference or description',
    'short, so that the filters fit into one line',
  );
  shortenUndo(50);
  fireEvent.change(status, { target: { value: 'failed' } });
  await screen.findByText('Status updated successfully');
  restoreUndo();
  await waitFor(() => assert.is(status.value, 'failed'));
  assert.is((await sql`select loyalty_balance from wallets where player_id = ${pam.id}`)[0]!['loyalty_balance'], 50);
});

test.after(closeScreen);
test.run();
