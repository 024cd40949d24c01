import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PlatformManagement } from '../../../src/app/screens/PlatformManagement';
import { sue } from '../../callers';
import { closeScreen, openScreen, type Screen } from '../../screen';
import { sql } from '../../world';
import { closed, fieldValue, fill, headsOf, isDisabled, opens, rowOf, type } from '../controls';
import { at, noNetwork, nonsense, outage, partsOf, respondWith } from '../network';
import { answer } from '../question';

const idOf = async (name: string): Promise<number> =>
  (await sql<{ id: number }[]>`select id from platforms where name = ${name}`)[0]!.id;
const mine = (tenant_id: number) => sue.listMyPlatforms({ tenant_id });

/** Adds credentials for VBlink by the screen. */
async function add(screen: Screen) {
  const dialog = await opens((await rowOf(screen, 'VBlink')).getByText('Add'), 'Add Platform Credentials');
  fill(dialog, { Username: 'acme', Password: 'word' }, 'Save');
  await closed(screen);
  return rowOf(screen, 'VBlink');
}

test('every available platform shows; one without credentials can only be added', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann');
  screen.getByText('Platform Management');
  screen.getByText('Manage your platform credentials and activation status');
  const row = await rowOf(screen, 'VBlink');
  assert.is(headsOf(screen), 'Platform, Description, Status, Credentials, Actions');
  for (const text of ['Inactive', 'Not configured', 'Add']) assert.ok(row.getByText(text), text);
  assert.is(row.queryByRole('switch'), null);
  assert.is(row.queryByText('Edit'), null);
});

test('adding credentials says so, and then the platform can be edited, switched on and off', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann');
  const dialog = await opens((await rowOf(screen, 'VBlink')).getByText('Add'), 'Add Platform Credentials');
  assert.ok(isDisabled(dialog.getByText('Save')));
  type(dialog.getByLabelText('Username'), 'acme');
  assert.ok(isDisabled(dialog.getByText('Save')));
  fill(dialog, { Password: 'word' }, 'Save');
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('Platform added successfully');
  const row = await rowOf(screen, 'VBlink');
  await row.findByText('Configured');
  assert.is(row.queryByText('Add'), null);

  const control = row.getByRole('switch') as HTMLInputElement;
  assert.not(control.checked);
  fireEvent.click(control);
  assert.ok(control.disabled, 'locked while on its way');
  await screen.findByText('Platform activated successfully');
  await row.findByText('Active');
  await waitFor(() => assert.not(control.disabled));
  fireEvent.click(control);
  await answer(screen, 'Switch off VBlink?', 'Cancel');
  assert.ok(control.checked);
  fireEvent.click(control);
  await answer(screen, 'Switch off VBlink?', 'Switch off');
  await screen.findByText('Platform deactivated successfully');
  await row.findByText('Inactive');

  const id = await idOf('vblink'),
    at = `/api/v1/admin/my-platforms/${id}`;
  assert.equal(partsOf(screen.writes(), 'path', 'query', 'body'), [
    [`${at}/credentials`, {}, { username: 'acme', password: 'word' }],
    [`${at}/activate`, {}, undefined],
    [`${at}/deactivate`, {}, undefined],
  ]);
  assert.equal(await mine(2), [{ id, is_activated: false, is_configured: true, platform_type: 'manual' }]);
});

test('editing never shows the stored credentials and says when new ones are saved', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann');
  const row = await add(screen);
  const dialog = await opens(await row.findByText('Edit'), 'Edit Platform Credentials');
  assert.is(fieldValue(dialog.getByLabelText('Username')), '');
  assert.is(fieldValue(dialog.getByLabelText('Password')), '');
  fill(dialog, { Username: 'acme2', Password: 'word2' }, 'Save');
  await screen.findByText('Credentials updated successfully');
  assert.is((await sql`select username from tenant_platforms where tenant_id = 2`)[0]!['username'], 'acme2');
});

test('activating what has lost its credentials meanwhile says what is needed', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann');
  const row = await add(screen);
  const control = (await row.findByRole('switch')) as HTMLInputElement;
  await sql`update tenant_platforms set username = null, password_secret = null where tenant_id = 2`;
  fireEvent.click(control);
  await screen.findByText('Please add credentials first before activating the platform');
  assert.not(control.checked);
});

test('a toggle that fails says so and leaves the platform as it was', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann', { instead: at('/activate', noNetwork) });
  const row = await add(screen);
  const control = (await row.findByRole('switch')) as HTMLInputElement;
  fireEvent.click(control);
  await screen.findByText('Failed to toggle platform status');
  assert.not(control.checked);
});

test('an API platform needs no credentials: Info tells so, Add activates it, the switch turns it off', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann');
  const id = await idOf('yolo'),
    name = 'YOLO';
  const row = await rowOf(screen, name);
  assert.is(row.queryByText('Edit'), null);
  const info = await opens(row.getByText('Info'), name);
  info.getByText('The credentials of this API platform are managed by the system. Only the toggle is used.');
  assert.is(screen.getAllByText(/managed by the system/i).length, 1, 'the row itself says it in other words');
  fireEvent.click(info.getByText('Close'));
  assert.is(screen.queryByRole('dialog'), null);

  fireEvent.click(row.getByText('Add'));
  await screen.findByText('Platform added successfully');
  await row.findByText('Active');
  assert.is(screen.queryByRole('dialog'), null);
  assert.is(row.queryByText('Add'), null);
  await waitFor(() => assert.not(isDisabled(row.getByRole('switch'))));
  fireEvent.click(row.getByRole('switch'));
  await answer(screen, 'Switch off YOLO?', 'Switch off');
  await screen.findByText('Platform deactivated successfully');
  await row.findByText('Inactive');
  assert.equal(partsOf(screen.writes(), 'path'), [
    `/api/v1/admin/my-platforms/${id}/activate`,
    `/api/v1/admin/my-platforms/${id}/deactivate`,
  ]);
});

test("a super admin manages the platforms of the tenant they look at, and nobody else's", async () => {
  const screen = await openScreen(<PlatformManagement tenantId={3} />, 'sue');
  await add(screen);
  assert.ok(screen.sent.every(({ query }) => query['tenant_id'] === '3'));
  assert.is(screen.writes().length, 1);
  assert.is((await mine(3)).length, 1);
  assert.equal(await mine(2), []);
});

test('where the server does not offer that, the tab says whose business it is and asks for nothing', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={3} />, 'sue', { features: [] });
  screen.getByText("The platforms of a tenant are managed by the tenant's own admin.");
  assert.is(screen.queryByRole('table'), null);
  assert.equal(screen.sent, []);
});

for (const [broken, words] of [
  ['/my-platforms/all', 'Failed to fetch available platforms'],
  ['/my-platforms/', 'Failed to fetch your platforms'],
] as const) {
  test(`'${words}', and it can be tried again`, async () => {
    const down = outage(broken);
    const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann', down);
    await screen.findByText(words);
    assert.is(screen.queryByText('VBlink'), null, 'no row claims a state nobody knows');
    down.isDown = false;
    fireEvent.click(await screen.findByText('Retry'));
    await screen.findByText('VBlink');
  });
}

test("another server's odd platforms: an unlisted one is added by hand, api wins, 1 and 0 are yes and no", async () => {
  const all = [
    { id: 1, name: 'plain', description: null },
    { id: 2, display_name: '<i>api</i>' },
    { id: 3, name: 'on' },
    { id: 4, name: 'bare' },
  ];
  const mine = [
    { id: 2, platform_type: 'api', is_activated: null },
    { id: '3', is_activated: 1, is_configured: 1, platform_type: 'manual' },
    { id: 4, is_activated: true, is_configured: false, platform_type: 'manual' },
  ];
  const screen = await openScreen(<PlatformManagement />, 'ann', {
    instead: ({ method, path }) =>
      respondWith(method !== 'GET' ? {} : path.endsWith('/all') ? { data: all } : { items: mine }),
  });
  await opens((await rowOf(screen, 'plain')).getByText('Add'), 'Add Platform Credentials');
  fireEvent.click(screen.getByText('Cancel'));
  const api = await rowOf(screen, '<i>api</i>');
  assert.ok(api.getByText('Info'));
  assert.not(isDisabled(api.getByRole('switch')));
  assert.is(api.queryByText('Add'), null);
  const on = await rowOf(screen, 'on');
  for (const text of ['Active', 'Configured', 'Edit']) assert.ok(on.getByText(text), text);
  const bare = await rowOf(screen, 'bare');
  assert.ok(bare.getByText('Edit'));
  const locked = bare.getByRole('switch') as HTMLInputElement;
  assert.ok(locked.checked && locked.disabled, 'active, but without credentials');
  assert.not.match(screen.container.textContent!, nonsense);
  fireEvent.click(on.getByRole('switch'));
  await answer(screen, 'Switch off on?', 'Switch off');
  await waitFor(() => assert.match(screen.writes()[0]?.path ?? '', /\/deactivate$/));
});

test('the address of the panel is kept, shown as a link and removed; a wrong one is explained at the field', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann');
  const row = await add(screen);
  const save = async (address: string) => {
    const dialog = await opens(await row.findByText('Panel address'), 'Panel address');
    fill(dialog, { Address: address }, 'Save');
    return dialog;
  };
  const dialog = await save('http://panel.test');
  await waitFor(() => assert.is(dialog.getByLabelText('Address').getAttribute('aria-invalid'), 'true'));
  fireEvent.click(dialog.getByText('Cancel'));
  fireEvent.click(await dialog.findByText('Discard'));
  await save('https://panel.test/acme');
  await screen.findByText('Panel address saved');
  const link = await row.findByRole('link', { name: 'Open panel' });
  assert.is(link.getAttribute('href'), 'https://panel.test/acme');
  await closed(screen);
  await save('');
  await waitFor(() => assert.not.ok(row.queryByText('Open panel')));
});

test.after(closeScreen);
test.run();
