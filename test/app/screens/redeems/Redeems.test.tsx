import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Redeems } from '../../../../src/app/screens/redeems/Redeems';
import { closeScreen, openScreen } from '../../../screen';
import { as, pam, pat, people } from '../../../world';
import { interceptRequests, interceptRequestsAfter, nonsense, respondWith } from '../../network';

type Screen = Awaited<ReturnType<typeof openScreen>>;
const statusOf = async (screen: Screen, id: number) =>
  (await screen.findByLabelText(new RegExp(`^Status of redeem ${id},`))) as HTMLSelectElement;

test('a super admin sees every redeem, a tenant admin its own', async () => {
  const all = await openScreen(<Redeems />, 'sue');
  await all.findByText(pam.email);
  await all.findByText(pat.email);
  assert.equal(
    all.getAllByRole('columnheader').map((th) => th.textContent),
    [
      'User Email',
      'Platform',
      'Amount',
      'Payout Method',
      'Payout Address',
      'Status',
      'Initiated At',
      'Completed At',
      'Actions',
    ],
  );

  const own = await openScreen(<Redeems />, 'ann');
  const row = within((await own.findByText(pam.email)).closest('tr')!);
  for (const text of ['VBlink', '$150.00', 'Cash Tag', '$tag']) assert.ok(row.getByText(text), text);
  assert.is(own.queryByText(pat.email), null);
});

test('inside a tenant only its redeems are asked for', async () => {
  const { fetch, sent } = interceptRequests();
  const screen = await openScreen(<Redeems tenantId={3} />, 'sue', { fetch, features: [] });
  await screen.findByText(pat.email);
  assert.is(screen.queryByText(pam.email), null);
  assert.equal(sent[0]!.query, { tenant_id: '3' });
});

test('the email leads to the Users screen searched for it', async () => {
  const screen = await openScreen(<Redeems />, 'ann');
  assert.is(
    (await screen.findByText(pam.email)).getAttribute('href'),
    `/users?search=pam%40mail.test&player=${pam.id}`,
  );
});

test('Details says what the list does not: the description, who made and decided it, and why', async () => {
  const { fetch } = interceptRequestsAfter(async () => {
    const { id } = await (await as('ann')).createManualRedeem({
      body: {
        user_email: pam.email,
        amount: '20',
        platform: 'yolo',
        payout_method: 'PayPal',
        payout_address: 'pam@pay.test',
        description: 'by phone',
      },
    });
    await (await as('sue')).changeRedeemStatus({ id, body: { status: 'failed', reason: 'duplicate', note: 'twice' } });
  });
  const screen = await openScreen(<Redeems />, 'ann', { fetch });
  const row = within((await screen.findByText('$20.00')).closest('tr')!);
  fireEvent.click(row.getByText('Details'));
  const dialog = within(await screen.findByRole('dialog', { name: /^Redeem \d+$/ }));
  const about = (name: string) => dialog.getByText(name).closest('tr')?.querySelector('td')?.textContent;
  await waitFor(() => assert.is(about('Made by'), people.ann.email));
  assert.equal(['Decided by', 'Reason', 'Description', 'Status', 'Payout Method'].map(about), [
    people.sue.email,
    'Duplicate: twice',
    'by phone',
    'Failed',
    'PayPal',
  ]);
  for (const what of ['ID', 'Email', 'Payout address']) dialog.getByRole('button', { name: `Copy ${what}` });
  assert.not.match(dialog.getByText('Made by').closest('dialog')!.textContent!, nonsense);
  fireEvent.click(dialog.getByText('Close'));
  assert.is(screen.queryByRole('dialog'), null);
});

test("another server's odd redeems neither break the screen nor show nonsense", async () => {
  const odd = {
    items: [
      { id: 7, user_email: null, amount: '12.5', status: 'PENDING', initiated_at: 'yesterday' },
      { id: 8, amount: 'a lot', status: 'reviewing', payout_address: '<img src=x>' },
      { id: 9 },
    ],
  };
  const screen = await openScreen(<Redeems />, 'ann', {
    fetch: interceptRequests(({ path }) => (path.endsWith('/redeems') ? respondWith(odd) : undefined)).fetch,
  });
  await screen.findByText('$12.50');
  assert.not((await statusOf(screen, 7)).disabled, 'pending in capitals is still pending');
  assert.ok((await statusOf(screen, 8)).disabled, 'a state nobody knows is left alone');
  await screen.findByText('<img src=x>');
  assert.is(screen.container.querySelector('img'), null);
  assert.not.match(screen.container.textContent!, nonsense);
});

test.after(closeScreen);
test.run();
