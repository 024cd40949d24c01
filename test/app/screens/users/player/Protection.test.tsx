import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Purchases } from '../../../../../src/app/screens/Purchases';
import { Users } from '../../../../../src/app/screens/users/Users';
import type { ProtectionForm } from '../../../../../src/contract/entities';
import { ann } from '../../../../callers';
import { closeScreen, openScreen } from '../../../../screen';
import { topUp } from '../../../../seed';
import { pam, people, sql } from '../../../../world';
import { dialogOf, fieldValue, fill, opens, textsOf, type } from '../../../controls';
import { partsOf } from '../../../network';

/** Opens Pam, after Ann has set something. */
async function openPam(body: ProtectionForm = {}) {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', {
    before: () => ann.saveProtection({ id: pam.id, body }),
    path: `/users?player=${pam.id}`,
  });
  return { screen, dialog: await dialogOf(screen, pam.email) };
}
const open = async ({ dialog }: Awaited<ReturnType<typeof openPam>>) =>
  opens(await dialog.findByRole('button', { name: 'Break and limits' }), 'Break and limits');

test('a break is told with its end, since when, by whom, and what it means', async () => {
  const { dialog } = await openPam({ exclusion: { until: '2099-12-31' } });
  const line = (await dialog.findByText('On a break')).closest('p')?.textContent ?? '';
  assert.match(
    line,
    /^On a break until the end of Dec 31, 2099, since .+, set by ann@acme\.test\. No purchase, deposit/,
  );
  assert.match(line, 'Redeems that wait can be paid.');
});

test('limits are told with what is used, and the raise that waits with its time', async () => {
  const { dialog } = await openPam({
    limits: [
      { money: 'purchase', span: 'month', amount: '5000' },
      { money: 'deposit', span: 'day', amount: '0' },
    ],
  });
  const lines = async () => textsOf((await dialog.findByRole('list', { name: 'Own limits' })).querySelectorAll('li'));
  const [bought, deposited] = await lines();
  assert.match(bought ?? '', new RegExp(`^Purchases a month: .+ of \\$5,000\\.00, set by ${people.ann.email} `));
  assert.match(deposited ?? '', /^Deposits a day: \$0\.00 of \$0\.00, set by/);
});

test('what was chosen is sent alone, and a raise that waits stays in its field', async () => {
  const opened = await openPam({ limits: [{ money: 'deposit', span: 'day', amount: '50' }] });
  const form = await open(opened);
  fill(form, { 'Deposits a day': '80', Break: 'good' });
  form.getByText('It starts at once and can be made longer, not shorter.');
  form.getByText('A lower limit counts at once. A higher one, or none, counts after 24 hours.');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await opened.screen.findByText('Saved');
  await opened.dialog.findByText('On a break');
  const limits = opened.dialog.getByRole('list', { name: 'Own limits' });
  assert.match(limits.textContent ?? '', /^Deposits a day: \$0\.00 of \$50\.00, \$80\.00 from /);
  assert.equal(partsOf(opened.screen.writes(), 'body'), [
    { exclusion: { until: null }, limits: [{ money: 'deposit', span: 'day', amount: '80' }] },
  ]);
  assert.is(fieldValue((await open(opened)).getByLabelText('Deposits a day')), '80');
});

test('a break needs its last day, and what the server refuses is said', async () => {
  const opened = await openPam({ exclusion: { until: null } });
  const form = await open(opened);
  type(form.getByLabelText('Break'), 'day');
  form.getByText('Choose the last day of the break.');
  fill(form, { 'Last day': '2099-12-31' }, 'Save');
  await waitFor(() =>
    assert.ok(form.getByText('A break can only be made longer. A super admin can correct a mistake')),
  );
});

test('a payment that arrived all the same says why it is marked', async () => {
  const screen = await openScreen(<Purchases tenantId={2} />, 'ann', {
    before: async () => {
      await ann.saveProtection({ id: pam.id, body: { exclusion: { until: null } } });
      await topUp(pam, '33', 'success', { has_arrived: true });
    },
  });
  const chip = await screen.findByText('On a break');
  assert.is(chip.title, 'This payment came while the player was on a break. Payouts are held when such money arrives.');
});

test('one that failed is not marked any more', async () => {
  const screen = await openScreen(<Purchases tenantId={2} />, 'ann', {
    before: async () => {
      await topUp(pam, '33', 'failed', { has_arrived: true });
      await sql`update transactions set attention = 'excluded' where amount = 33`;
    },
    path: '/?status=failed',
  });
  await screen.findByText('$33.00');
  assert.is(screen.queryByText('On a break'), null);
});

test.after(closeScreen);
test.run();
