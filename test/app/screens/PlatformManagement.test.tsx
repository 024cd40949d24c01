import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PlatformManagement } from '../../../src/app/screens/PlatformManagement';
import { closeScreen, openScreen } from '../../screen';
import { as, sql } from '../../world';
import { interceptRequests, noNetwork, nonsense, respondWith, type Sent } from '../network';
import { answer } from '../question';

type Screen = Awaited<ReturnType<typeof openScreen>>;
const rowOf = async (screen: Screen, text: string) => within((await screen.findByText(text)).closest('tr')!);
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const fieldValue = (element: HTMLElement) => (element as HTMLInputElement).value;
const isDisabled = (element: HTMLElement) => (element as HTMLButtonElement).disabled;
const idOf = async (name: string): Promise<number> =>
  (await sql<{ id: number }[]>`select id from platforms where name = ${name}`)[0]!.id;
const mine = async (tenantId: number) => (await as('sue')).listMyPlatforms({ tenant_id: tenantId });

/** Adds credentials for VBlink by the screen. */
async function add(screen: Screen) {
  fireEvent.click((await rowOf(screen, 'VBlink')).getByText('Add'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Platform Credentials' }));
  type(dialog.getByLabelText('Username'), 'acme');
  type(dialog.getByLabelText('Password'), 'word');
  fireEvent.click(dialog.getByText('Save'));
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  return rowOf(screen, 'VBlink');
}
const apiPlatform = async () =>
  (
    await sql<
      { id: number; display_name: string }[]
    >`select id, display_name from platforms where platform_type = 'api' order by id`
  )[0]!;

test('every available platform shows; one without credentials can only be added', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann');
  screen.getByText('Platform Management');
  screen.getByText('Manage your platform credentials and activation status');
  const row = await rowOf(screen, 'VBlink');
  assert.equal(
    screen.getAllByRole('columnheader').map((th) => th.textContent),
    ['Platform', 'Description', 'Status', 'Credentials', 'Actions'],
  );
  for (const text of ['Inactive', 'Not configured', 'Add']) assert.ok(row.getByText(text), text);
  assert.is(row.queryByRole('switch'), null);
  assert.is(row.queryByText('Edit'), null);
});

test('adding credentials says so, and then the platform can be edited, switched on and off', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann', { fetch });
  fireEvent.click((await rowOf(screen, 'VBlink')).getByText('Add'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Platform Credentials' }));
  assert.ok(isDisabled(dialog.getByText('Save')));
  type(dialog.getByLabelText('Username'), 'acme');
  assert.ok(isDisabled(dialog.getByText('Save')));
  type(dialog.getByLabelText('Password'), 'word');
  fireEvent.click(dialog.getByText('Save'));
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
  assert.equal(
    writes().map(({ path, query, body }) => [path, query, body]),
    [
      [`${at}/credentials`, {}, { username: 'acme', password: 'word' }],
      [`${at}/activate`, {}, undefined],
      [`${at}/deactivate`, {}, undefined],
    ],
  );
  assert.equal(await mine(2), [{ id, is_activated: false, is_configured: true, platform_type: 'manual' }]);
});

test('editing never shows the stored credentials and says when new ones are saved', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann');
  const row = await add(screen);
  fireEvent.click(await row.findByText('Edit'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Platform Credentials' }));
  assert.is(fieldValue(dialog.getByLabelText('Username')), '');
  assert.is(fieldValue(dialog.getByLabelText('Password')), '');
  type(dialog.getByLabelText('Username'), 'acme2');
  type(dialog.getByLabelText('Password'), 'word2');
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('Credentials updated successfully');
  assert.is((await sql`select username from tenant_platforms where tenant_id = 2`)[0]!['username'], 'acme2');
});

test('credentials that are refused are kept in the dialog, with the reason', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann');
  fireEvent.click((await rowOf(screen, 'VBlink')).getByText('Add'));
  const dialog = within(screen.getByRole('dialog'));
  type(dialog.getByLabelText('Username'), 'x'.repeat(201));
  type(dialog.getByLabelText('Password'), 'kept');
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('Failed to save credentials');
  await dialog.findByText('Username: at most 200 characters');
  assert.is(fieldValue(dialog.getByLabelText('Password')), 'kept');
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
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann', {
    fetch: interceptRequests(({ path }) => (path.endsWith('/activate') ? noNetwork() : undefined)).fetch,
  });
  const row = await add(screen);
  const control = (await row.findByRole('switch')) as HTMLInputElement;
  fireEvent.click(control);
  await screen.findByText('Failed to toggle platform status');
  assert.not(control.checked);
});

test('an active platform without credentials offers Edit and a switch that is locked', async () => {
  const id = 7;
  const screen = await openScreen(<PlatformManagement />, 'ann', {
    fetch: interceptRequests(({ path }) =>
      path.endsWith('/my-platforms/all')
        ? respondWith([{ id, name: 'yolo' }])
        : respondWith([{ id, is_activated: true, is_configured: false, platform_type: 'manual' }]),
    ).fetch,
  });
  const row = await rowOf(screen, 'yolo');
  assert.ok(row.getByText('Edit'));
  const control = row.getByRole('switch') as HTMLInputElement;
  assert.ok(control.checked && control.disabled);
});

test('an API platform needs no credentials: Info tells so, Add activates it, the switch turns it off', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann', { fetch });
  const { id, display_name } = await apiPlatform();
  const row = await rowOf(screen, display_name);
  assert.is(row.queryByText('Edit'), null);
  fireEvent.click(row.getByText('Info'));
  const info = within(await screen.findByRole('dialog', { name: display_name }));
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
  assert.equal(
    writes().map(({ path }) => path),
    [`/api/v1/admin/my-platforms/${id}/activate`, `/api/v1/admin/my-platforms/${id}/deactivate`],
  );
});

test("a super admin manages the platforms of the tenant they look at, and nobody else's", async () => {
  const { fetch, sent, writes } = interceptRequests();
  const screen = await openScreen(<PlatformManagement tenantId={3} />, 'sue', { fetch });
  await add(screen);
  assert.ok(sent.every(({ query }) => query['tenant_id'] === '3'));
  assert.is(writes().length, 1);
  assert.is((await mine(3)).length, 1);
  assert.equal(await mine(2), []);
});

test('where the server does not offer that, the tab says whose business it is and asks for nothing', async () => {
  const { fetch, sent } = interceptRequests();
  const screen = await openScreen(<PlatformManagement tenantId={3} />, 'sue', { fetch, features: [] });
  screen.getByText("The platforms of a tenant are managed by the tenant's own admin.");
  assert.is(screen.queryByRole('table'), null);
  assert.equal(sent, []);
});

for (const [broken, words] of [
  ['/my-platforms/all', 'Failed to fetch available platforms'],
  ['/my-platforms/', 'Failed to fetch your platforms'],
] as const) {
  test(`'${words}', and it can be tried again`, async () => {
    let isDown = true;
    const instead = ({ path }: Sent) =>
      isDown && path.endsWith(broken) ? respondWith({ detail: 'no' }, 500) : undefined;
    const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann', {
      fetch: interceptRequests(instead).fetch,
    });
    await screen.findByText(words);
    assert.is(screen.queryByText('VBlink'), null, 'no row claims a state nobody knows');
    isDown = false;
    fireEvent.click(await screen.findByText('Retry'));
    await screen.findByText('VBlink');
  });
}

test("another server's odd platforms: an unlisted one without a type is added by hand, api wins", async () => {
  const screen = await openScreen(<PlatformManagement />, 'ann', {
    fetch: interceptRequests(({ path }) =>
      path.endsWith('/my-platforms/all')
        ? respondWith({
            data: [{ id: 1, name: 'plain', description: null }, { id: 2, display_name: '<i>api</i>' }, { id: 3 }],
          })
        : respondWith({
            items: [
              { id: 2, platform_type: 'api', is_activated: null },
              { id: 3, is_configured: true },
            ],
          }),
    ).fetch,
  });
  fireEvent.click((await rowOf(screen, 'plain')).getByText('Add'));
  await screen.findByRole('dialog', { name: 'Add Platform Credentials' });
  fireEvent.click(screen.getByText('Cancel'));
  const api = await rowOf(screen, '<i>api</i>');
  assert.ok(api.getByText('Info'));
  assert.not(isDisabled(api.getByRole('switch')));
  assert.is(api.queryByText('Add'), null);
  assert.is(screen.getAllByText('Edit').length, 1);
  assert.not.match(screen.container.textContent!, nonsense);
});

test('the address of the panel is kept, shown as a link and removed; a wrong one is explained at the field', async () => {
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann');
  const row = await add(screen);
  const save = async (address: string) => {
    fireEvent.click(await row.findByText('Panel address'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Panel address' }));
    type(dialog.getByLabelText('Address'), address);
    fireEvent.click(dialog.getByText('Save'));
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
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  await save('');
  await waitFor(() => assert.not.ok(row.queryByText('Open panel')));
});

test.after(closeScreen);
test('a server that sends 1 and 0 for yes and no is understood', async () => {
  const { fetch, writes } = interceptRequests(({ method, path }) =>
    method !== 'GET'
      ? respondWith({})
      : path.endsWith('/all')
        ? respondWith([{ id: 1, name: 'yolo' }])
        : respondWith([{ id: '1', is_activated: 1, is_configured: 1, platform_type: 'manual' }]),
  );
  const screen = await openScreen(<PlatformManagement tenantId={2} />, 'ann', { fetch });
  const row = await rowOf(screen, 'yolo');
  for (const text of ['Active', 'Configured', 'Edit']) assert.ok(row.getByText(text), text);
  fireEvent.click(row.getByRole('switch'));
  await answer(screen, 'Switch off yolo?', 'Switch off');
  await waitFor(() => assert.match(writes()[0]?.path ?? '', /\/deactivate$/));
});

test.run();
