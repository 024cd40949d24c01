import { fireEvent, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PlatformManagement } from '../../../../../src/app/screens/PlatformManagement';
import { Users } from '../../../../../src/app/screens/users/Users';
import { closeScreen, openScreen } from '../../../../screen';
import { as, pam, people } from '../../../../world';
import { interceptRequests, interceptRequestsAfter } from '../../../network';

const type = (element: HTMLElement, value: string) => fireEvent.change(element, { target: { value } });

test('what is known of a player is told and changed: only what was typed is sent', async () => {
  const { fetch, writes } = interceptRequestsAfter(async () => {
    const body = { region: 'US-NV', kyc_status: 'pending', kyc_missing: 'proof of address' } as const;
    await (await as('ann')).saveEligibility({ id: pam.id, body });
  });
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { path: `/users?player=${pam.id}`, fetch });
  const dialog = within(await screen.findByRole('dialog', { name: pam.email }));
  const line = (await dialog.findByText('Being checked')).closest('p');
  assert.match(
    line?.textContent ?? '',
    `Identity: Being checked, missing: proof of address, lives in US-NV, set by ${people.ann.email}`,
  );
  fireEvent.click(dialog.getByRole('button', { name: 'Eligibility' }));
  const form = within(await screen.findByRole('dialog', { name: 'Eligibility' }));
  type(form.getByLabelText('Region'), 'Nevada');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await form.findByText(/expected a region of ISO 3166-2/);
  assert.equal(writes().at(-1)?.body, { region: 'Nevada' }, 'the identity stays as a vendor may have set it meanwhile');
  type(form.getByLabelText('Region'), 'US-TX');
  type(form.getByLabelText('Identity'), 'verified');
  type(form.getByLabelText('Still missing'), '');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await dialog.findByText('Verified');
  assert.equal(writes().at(-1)?.body, { kyc_status: 'verified', region: 'US-TX', kyc_missing: null });
});

test('a tenant says who may play, and what is empty asks for nothing', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann', { fetch });
  fireEvent.click(await screen.findByRole('button', { name: 'Who may play' }));
  const form = within(await screen.findByRole('dialog', { name: 'Who may play' }));
  type(form.getByLabelText('Minimum age'), '21');
  type(form.getByLabelText('Refused regions'), 'fr, us-ca');
  fireEvent.click(form.getByLabelText('Verified identity for the first payout'));
  type(form.getByLabelText('Report payouts of a year from'), '600');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByText('Rules saved');
  const rest = { kyc_from: null, kyc_first: true, report_from: '600' };
  assert.equal(writes().at(-1)?.body, { tenant_id: 2, minimum_age: 21, refused_regions: ['FR', 'US-CA'], ...rest });
});

test('without the feature there is nothing of it', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann', { features: ['link_templates'] });
  await screen.findByRole('button', { name: 'Links' });
  assert.is(screen.queryByRole('button', { name: 'Who may play' }), null);
});

test.after(closeScreen);
test.run();
