import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Purchases } from '../../../../../src/app/screens/Purchases';
import { Users } from '../../../../../src/app/screens/users/Users';
import type { ProtectionForm } from '../../../../../src/contract/entities';
import { closeScreen, openScreen } from '../../../../screen';
import { topUp } from '../../../../seed';
import { as, pam, people, sql } from '../../../../world';
import { interceptRequests, interceptRequestsAfter } from '../../../network';

/** Opens Pam, after Ann has set something. */
async function openPam(body: ProtectionForm = {}, more: object = {}) {
  const { fetch, sent } = interceptRequestsAfter(async () => {
    await (await as('ann')).saveProtection({ id: pam.id, body });
  });
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { path: `/users?player=${pam.id}`, fetch, ...more });
  const dialog = within(await screen.findByRole('dialog', { name: pam.email }));
  return { screen, dialog, sent };
}
const open = async ({ screen, dialog }: Awaited<ReturnType<typeof openPam>>) => {
  fireEvent.click(await dialog.findByRole('button', { name: 'Break and limits' }));
  return within(await screen.findByRole('dialog', { name: 'Break and limits' }));
};
const type = (element: HTMLElement, value: string) => fireEvent.change(element, { target: { value } });
const value = (element: HTMLElement) => (element as HTMLInputElement).value;

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
  const lines = async () =>
    [...(await dialog.findByRole('list', { name: 'Own limits' })).querySelectorAll('li')].map((one) => one.textContent);
  const [bought, deposited] = await lines();
  assert.match(bought ?? '', new RegExp(`^Purchases a month: .+ of \\$5,000\\.00, set by ${people.ann.email} `));
  assert.match(deposited ?? '', /^Deposits a day: \$0\.00 of \$0\.00, set by/);
});

test('what was chosen is sent alone, and a raise that waits stays in its field', async () => {
  const opened = await openPam({ limits: [{ money: 'deposit', span: 'day', amount: '50' }] });
  const form = await open(opened);
  type(form.getByLabelText('Deposits a day'), '80');
  type(form.getByLabelText('Break'), 'good');
  form.getByText('It starts at once and can be made longer, not shorter.');
  form.getByText('A lower limit counts at once. A higher one, or none, counts after 24 hours.');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await opened.screen.findByText('Saved');
  await opened.dialog.findByText('On a break');
  const limits = opened.dialog.getByRole('list', { name: 'Own limits' });
  assert.match(limits.textContent ?? '', /^Deposits a day: \$0\.00 of \$50\.00, \$80\.00 from /);
  const bodies = opened.sent.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  assert.equal(bodies, [{ exclusion: { until: null }, limits: [{ money: 'deposit', span: 'day', amount: '80' }] }]);
  assert.is(value((await open(opened)).getByLabelText('Deposits a day')), '80');
});

test('a break needs its last day, and what the server refuses is said', async () => {
  const opened = await openPam({ exclusion: { until: null } });
  const form = await open(opened);
  type(form.getByLabelText('Break'), 'day');
  form.getByText('Choose the last day of the break.');
  type(form.getByLabelText('Last day'), '2099-12-31');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    assert.ok(form.getByText('A break can only be made longer. A super admin can correct a mistake')),
  );
});

test('without the feature nothing of it is asked or shown', async () => {
  const { fetch, sent } = interceptRequests(() => undefined);
  const { dialog } = await openPam({}, { features: ['player_view'], fetch });
  await dialog.findByText('Acme', { selector: 'span' });
  assert.equal(
    sent.filter(({ path }) => path.endsWith('/protection')),
    [],
  );
  assert.is(dialog.queryByRole('button', { name: 'Break and limits' }), null);
});

test('a payment that arrived all the same says why it is marked', async () => {
  const { fetch } = interceptRequestsAfter(async () => {
    await (await as('ann')).saveProtection({ id: pam.id, body: { exclusion: { until: null } } });
    await topUp(pam, '33', 'success', { has_arrived: true });
  });
  const screen = await openScreen(<Purchases tenantId={2} />, 'ann', { fetch });
  const chip = await screen.findByText('On a break');
  assert.is(chip.title, 'This payment came while the player was on a break. Payouts are held when such money arrives.');
});

test('one that failed is not marked any more', async () => {
  const { fetch } = interceptRequestsAfter(async () => {
    await topUp(pam, '33', 'failed', { has_arrived: true });
    await sql`update transactions set attention = 'excluded' where amount = 33`;
  });
  const screen = await openScreen(<Purchases tenantId={2} />, 'ann', { fetch, path: '/?status=failed' });
  await screen.findByText('$33.00');
  assert.is(screen.queryByText('On a break'), null);
});

test.after(closeScreen);
test.run();
