import { fireEvent, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PlatformManagement } from '../../../../../src/app/screens/PlatformManagement';
import { Users } from '../../../../../src/app/screens/users/Users';
import { ann } from '../../../../callers';
import { closeScreen, openScreen } from '../../../../screen';
import { pam, people } from '../../../../world';
import { fill, opens } from '../../../controls';

test('what is known of a player is told and changed: only what was typed is sent', async () => {
  const body = { region: 'US-NV', kyc_status: 'pending', kyc_missing: 'proof of address' } as const;
  const screen = await openScreen(<Users tenantId={2} />, 'ann', {
    before: () => ann.saveEligibility({ id: pam.id, body }),
    path: `/users?player=${pam.id}`,
  });
  const dialog = within(await screen.findByRole('dialog', { name: pam.email }));
  const line = (await dialog.findByText('Being checked')).closest('p');
  const words = `Identity: Being checked, missing: proof of address, lives in US-NV, set by ${people.ann.email}`;
  assert.match(line?.textContent ?? '', words);
  const form = await opens(dialog.getByRole('button', { name: 'Eligibility' }), 'Eligibility');
  fill(form, { Region: 'Nevada' }, 'Save');
  await form.findByText(/expected a region of ISO 3166-2/);
  const sent = screen.writes().at(-1)?.body;
  assert.equal(sent, { region: 'Nevada' }, 'the identity stays as a vendor may have set it meanwhile');
  fill(form, { Region: 'US-TX', Identity: 'verified', 'Still missing': '' }, 'Save');
  await dialog.findByText('Verified');
  assert.equal(screen.writes().at(-1)?.body, { kyc_status: 'verified', region: 'US-TX', kyc_missing: null });
});

test('a tenant says who may play, and what is empty asks for nothing', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann');
  const form = await opens(await screen.findByRole('button', { name: 'Who may play' }), 'Who may play');
  fill(form, { 'Minimum age': '21', 'Refused regions': 'fr, us-ca' });
  fireEvent.click(form.getByLabelText('The first payout needs a verified identity'));
  fill(form, { 'Payouts of a year to report, from': '600' }, 'Save');
  await screen.findByText('Rules saved');
  const payouts = { kyc_from: null, kyc_first: true, report_from: '600' };
  const who = { tenant_id: 2, minimum_age: 21, refused_regions: ['FR', 'US-CA'] };
  assert.equal(screen.writes().at(-1)?.body, { ...who, ...payouts });
});

test.after(closeScreen);
test.run();
