/** The links of a tenant: set on Platform Management, shown with players, payments and platforms. */
import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PlatformManagement } from '../../../src/app/screens/PlatformManagement';
import { Redeems } from '../../../src/app/screens/redeems/Redeems';
import { Users } from '../../../src/app/screens/users/Users';
import type { LinkTemplate } from '../../../src/contract/entities';
import { ann, sue } from '../../callers';
import { closeScreen, openScreen } from '../../screen';
import { pam } from '../../world';
import { attributesOf, fill, opens } from '../controls';
import { at, partsOf, sentTo } from '../network';

test.after.each(closeScreen);

const kept: LinkTemplate[] = [
  { kind: 'player', label: 'Chat', url: 'https://chat.test/{email}' },
  { kind: 'payment', label: 'Block explorer', url: 'https://block.test/{payout_address}?id={payment_id}' },
  { kind: 'payment', label: 'Processor', url: 'https://pay.test/{payment_reference}' },
  { kind: 'platform', label: 'Status page', url: 'https://up.test/{platform}' },
];
const before = () => sue.saveLinkTemplates({ body: { templates: kept, tenant_id: 2 } });
const attributes = (link: HTMLElement) => attributesOf(link, 'href', 'target', 'rel', 'referrerpolicy');
const apart = ['_blank', 'noopener noreferrer', 'no-referrer'];

test('they stand in the view of a player, and open apart without a referrer', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann', { before, path: `/users?player=${pam.id}` });
  const link = await screen.findByRole('link', { name: 'Chat' });
  assert.equal(attributes(link), ['https://chat.test/pam%40mail.test', ...apart]);
  assert.is(screen.queryByRole('link', { name: 'Block explorer' }), null);
});

test('they stand in the details of a payment, if it has their values', async () => {
  const screen = await openScreen(<Redeems tenantId={2} />, 'ann', { before });
  const dialog = await opens((await screen.findAllByRole('button', { name: /^Details/ }))[0]!, `Redeem ${pam.redeem}`);
  const link = await dialog.findByRole('link', { name: 'Block explorer' });
  assert.equal(attributes(link), [`https://block.test/%24tag?id=${pam.redeem}`, ...apart]);
  assert.is(dialog.queryByRole('link', { name: 'Processor' }), null, 'a redeem has no reference');
});

test('they are set beside the platforms, and what leads elsewhere is refused where it is typed', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann', { before });
  const row = within((await screen.findByText('VBlink')).closest('tr')!);
  assert.is((await row.findByRole('link', { name: 'Status page' })).getAttribute('href'), 'https://up.test/vblink');
  const dialog = await opens(screen.getByRole('button', { name: 'Links' }), 'Links');
  fireEvent.click(dialog.getByRole('button', { name: 'Remove link 1' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Add link' }));
  const last = within(dialog.getByRole('group', { name: 'Link 4' }));
  fill(last, { Name: 'Identity', Address: 'https://id.test/{payout_address}' });
  last.getByText('{payout_address} is none of {player_id}, {email}');
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  assert.equal(screen.writes(), []);
  fill(last, { Address: 'https://id.test/{player_id}' });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await screen.findByText('Links saved');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  const labels = partsOf(await ann.listLinkTemplates({}), 'label');
  assert.equal(labels, ['Block explorer', 'Processor', 'Status page', 'Identity']);
});

test('without the permission there is no button, without the feature nothing at all', async () => {
  const other = await openScreen(<PlatformManagement tenantId={2} />, 'ann', { before, permissions: ['support'] });
  await other.findAllByRole('link', { name: 'Status page' });
  assert.is(other.queryByRole('button', { name: 'Links' }), null);
  const plain = await openScreen(<Redeems tenantId={2} />, 'ann', { before, lacks: ['link_templates'] });
  fireEvent.click((await plain.findAllByRole('button', { name: /^Details/ }))[0]!);
  await plain.findByRole('dialog');
  assert.equal(sentTo(plain, '/link-templates'), []);
});

test('a server that sends something else than an https address gets no link', async () => {
  const answer = [{ kind: 'player', label: 'Chat', url: 'javascript:alert(1)//{player_id}' }, kept[0]];
  const screen = await openScreen(<Users tenantId={2} />, 'ann', {
    instead: at('/link-templates', answer),
    path: `/users?player=${pam.id}`,
  });
  await screen.findByRole('link', { name: 'Chat' });
  assert.is(screen.container.ownerDocument.querySelector('a[href^="javascript"]'), null);
});

test.run();
