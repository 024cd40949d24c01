import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Redeems } from '../../../../src/app/screens/redeems/Redeems';
import { ann, sue } from '../../../callers';
import { closeScreen, openScreen } from '../../../screen';
import { pam, pat, people } from '../../../world';
import { headsOf, opens, sees } from '../../controls';
import { nonsense } from '../../network';

test('a super admin sees every redeem, a tenant admin its own', async () => {
  const all = await openScreen(<Redeems />, 'sue');
  await sees(all, pam.email, pat.email);
  assert.is(
    headsOf(all),
    'User Email, Platform, Amount, Payout Method, Payout Address, Status, Initiated At, Completed At, Actions',
  );

  const own = await openScreen(<Redeems />, 'ann');
  const row = within((await own.findByText(pam.email)).closest('tr')!);
  for (const text of ['VBlink', '$150.00', 'Cash Tag', '$tag']) assert.ok(row.getByText(text), text);
  assert.is(own.queryByText(pat.email), null);
});

test('inside a tenant only its redeems are asked for', async () => {
  const screen = await openScreen(<Redeems tenantId={3} />, 'sue', { features: [] });
  await screen.findByText(pat.email);
  assert.is(screen.queryByText(pam.email), null);
  assert.equal(screen.sent[0]!.query, { tenant_id: '3' });
});

test('Details says what the list does not: the description, who made and decided it, and why', async () => {
  const screen = await openScreen(<Redeems />, 'ann', {
    before: async () => {
      const payout = { platform: 'yolo', payout_method: 'PayPal', payout_address: 'pam@pay.test' } as const;
      const { id } = await ann.createManualRedeem({
        body: { user_email: pam.email, amount: '20', ...payout, description: 'by phone' },
      });
      const body = { status: 'failed', reason: 'duplicate', note: 'twice' } as const;
      await sue.changeRedeemStatus({ id, body });
    },
  });
  const row = within((await screen.findByText('$20.00')).closest('tr')!);
  const dialog = await opens(row.getByText('Details'), /^Redeem \d+$/);
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

test.after(closeScreen);
test.run();
