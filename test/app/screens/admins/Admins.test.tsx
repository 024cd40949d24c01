import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Admins } from '../../../../src/app/screens/admins/Admins';
import { createApi } from '../../../createApi';
import { closeScreen, openScreen } from '../../../screen';
import { as, fetch as ours, PASSWORD, sql } from '../../../world';
import { interceptRequests, interceptRequestsAfter, nonsense, respondWith } from '../../network';
import { answer } from '../../question';

type Screen = Awaited<ReturnType<typeof openScreen>>;
const rowOf = async (screen: Screen, text: string) => within((await screen.findByText(text)).closest('tr')!);
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const isDisabled = (element: HTMLElement) => (element as HTMLButtonElement).disabled;
const fieldValue = (element: HTMLElement) => (element as HTMLInputElement).value;
const confirming = (answer: boolean) => {
  const asked: string[] = [];
  globalThis.confirm = (words) => {
    asked.push(String(words));
    return answer;
  };
  return asked;
};
const signIn = (email: string, password: string) => createApi({ fetch: ours }).login({ body: { email, password } });

test('a tenant is picked where its admins will be, with one click', async () => {
  const screen = await openScreen(<Admins />, 'sue');
  fireEvent.click(await screen.findByRole('link', { name: 'Bravo' }));
  await rowOf(screen, 'ben@bravo.test');
  assert.is(location.search, '?tenant=3');
});

test('a tenant must be picked first; then its admins show, and the address keeps it', async () => {
  const screen = await openScreen(<Admins />, 'sue');
  await screen.findByText('Select a tenant to see its admins.');
  assert.ok(isDisabled(screen.getByText('Create Admin')));
  await screen.findByRole('option', { name: 'Acme' });
  type(screen.getByLabelText('Select Tenant'), '2');

  const row = await rowOf(screen, 'ann@acme.test');
  assert.ok(row.getByText('Yes'));
  assert.equal(
    screen.getAllByRole('columnheader').map((th) => th.textContent),
    ['Email', 'Active', 'Actions'],
  );
  assert.is(screen.queryByText('ben@bravo.test'), null);
  assert.is(location.search, '?tenant=2');
  await waitFor(() => assert.not(isDisabled(screen.getByText('Create Admin'))));

  type(screen.getByLabelText('Select Tenant'), '3');
  assert.is(screen.queryByText('ann@acme.test'), null, "another tenant's admins never stand under this one");
  await screen.findByText('ben@bravo.test');
});

test('a new admin is made for the chosen tenant, with the admin role, once, and can sign in', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Admins />, 'sue', { fetch, path: '/admins?tenant=2' });
  await screen.findByText('ann@acme.test');
  await waitFor(() => assert.not(isDisabled(screen.getByText('Create Admin'))));
  fireEvent.click(screen.getByText('Create Admin'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Admin' }));
  type(dialog.getByLabelText('Email'), 'new@acme.test');
  type(dialog.getByLabelText('Password'), 'long enough');
  fireEvent.click(dialog.getByText('Save'));
  fireEvent.click(dialog.getByText('Save'));

  await screen.findByText('Admin created');
  await screen.findByText('new@acme.test');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  const [role] = await sql`select id from roles where name = 'admin'`;
  assert.equal(
    writes().map(({ path, body }) => [path, body]),
    [
      [
        '/api/v1/admin/admin-users/',
        { email: 'new@acme.test', password: 'long enough', tenant_id: 2, role_id: role!['id'] },
      ],
    ],
  );
  assert.is((await signIn('new@acme.test', 'long enough')).user.tenant_id, 2);
});

test('a refused admin says why and keeps what was typed', async () => {
  const screen = await openScreen(<Admins />, 'sue', { path: '/admins?tenant=2' });
  await screen.findByText('ann@acme.test');
  await waitFor(() => assert.not(isDisabled(screen.getByText('Create Admin'))));
  fireEvent.click(screen.getByText('Create Admin'));
  const dialog = within(await screen.findByRole('dialog'));
  type(dialog.getByLabelText('Email'), 'ben@bravo.test');
  type(dialog.getByLabelText('Password'), 'long enough');
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('Failed to save admin');
  await dialog.findByText('An admin with this email already exists');
  assert.is(fieldValue(dialog.getByLabelText('Email')), 'ben@bravo.test');
  assert.is(fieldValue(dialog.getByLabelText('Password')), 'long enough');
  fireEvent.click(dialog.getByText('Cancel'));
  fireEvent.click(dialog.getByText('Discard'));
  assert.is(screen.queryByRole('dialog'), null);
});

test('editing with a blank password leaves the password out and as it was', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Admins />, 'sue', { fetch, path: '/admins?tenant=2' });
  fireEvent.click((await rowOf(screen, 'ann@acme.test')).getByText('Edit'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Admin' }));
  dialog.getByText('Leave blank to keep current password');
  assert.is(fieldValue(dialog.getByLabelText('Email')), 'ann@acme.test');
  assert.is(fieldValue(dialog.getByLabelText('Password')), '');
  type(dialog.getByLabelText('Email'), 'anna@acme.test');
  fireEvent.click(dialog.getByText('Save'));

  await screen.findByText('Admin updated');
  await screen.findByText('anna@acme.test');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  assert.equal(writes()[0]!.body, { email: 'anna@acme.test' });
  assert.ok((await signIn('anna@acme.test', 'secret')).access_token);
});

test('a new password takes the place of the old one', async () => {
  const screen = await openScreen(<Admins />, 'sue', { path: '/admins?tenant=2' });
  fireEvent.click((await rowOf(screen, 'ann@acme.test')).getByText('Edit'));
  type(screen.getByLabelText('Password'), 'a new password');
  fireEvent.click(screen.getByText('Save'));
  await screen.findByText('Admin updated');
  assert.ok((await signIn('ann@acme.test', 'a new password')).access_token);
});

test("one's own row does not take a password, and says where it is changed", async () => {
  const screen = await openScreen(<Admins />, 'sue', { path: '/admins?tenant=1' });
  fireEvent.click((await rowOf(screen, 'sue@platform.test')).getByText('Edit'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Admin' }));
  assert.ok(isDisabled(dialog.getByLabelText('Password')));
  dialog.getByText('Change your own password under Account');
});

const withKeys = () =>
  interceptRequestsAfter(async () => {
    const ann = await as('ann');
    for (const name of ['Shop', 'CRM'])
      await ann.createApiKey({ body: { name, scopes: ['players:write'], password: PASSWORD } });
  });
const activeKeys = async () => (await sql`select 1 from api_keys where revoked_at is null`).length;

test('the API keys of an admin are listed, and disabling asks about them and revokes them', async () => {
  const line = withKeys();
  const screen = await openScreen(<Admins />, 'sue', { fetch: line.fetch, path: '/admins?tenant=2' });
  await screen.findByText('API keys: Shop, CRM');
  const label = 'Revoke the API keys this admin made: Shop, CRM';
  fireEvent.click((await rowOf(screen, 'ann@acme.test')).getByText('Disable'));
  fireEvent.click(await screen.findByLabelText(label));
  await answer(screen, 'Disable this admin?', 'Disable');
  await screen.findByText('Admin disabled');
  assert.is(await activeKeys(), 2);
  await (await rowOf(screen, 'ann@acme.test')).findByText('Enable');

  fireEvent.click((await rowOf(screen, 'ann@acme.test')).getByText('Enable'));
  await waitFor(async () => (await rowOf(screen, 'ann@acme.test')).getByText('Yes'));
  fireEvent.click((await rowOf(screen, 'ann@acme.test')).getByText('Disable'));
  const box = (await screen.findByLabelText(label)) as HTMLInputElement;
  assert.is(box.checked, true, 'unchecked for one time only');
  await answer(screen, 'Disable this admin?', 'Disable');
  await waitFor(() => assert.not.ok(screen.queryByText('API keys: Shop, CRM')));
  assert.is(await activeKeys(), 0);
  assert.equal(
    line.writes().flatMap(({ method, query }) => (method === 'DELETE' ? [query] : [])),
    [{ keep_api_keys: 'true' }, {}],
  );
});

test('a new password revokes the keys unless it is unchecked; a new e-mail alone says nothing of them', async () => {
  const line = withKeys();
  const screen = await openScreen(<Admins />, 'sue', { fetch: line.fetch, path: '/admins?tenant=2' });
  for (const keeps of [true, false]) {
    fireEvent.click((await rowOf(screen, 'ann@acme.test')).getByText('Edit'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Admin' }));
    const label = 'Revoke the API keys this admin made: Shop, CRM';
    assert.not.ok(dialog.queryByLabelText(label));
    type(dialog.getByLabelText('Password'), 'a new password');
    if (keeps) fireEvent.click(dialog.getByLabelText(label));
    fireEvent.click(dialog.getByText('Save'));
    await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
    assert.is(await activeKeys(), keeps ? 2 : 0);
  }
  assert.equal(
    line.writes().flatMap(({ method, body }) => (method === 'PUT' ? [body] : [])),
    [
      { email: 'ann@acme.test', password: 'a new password', keep_api_keys: true },
      { email: 'ann@acme.test', password: 'a new password' },
    ],
  );
});

test('Disable asks first, and does nothing on No', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Admins />, 'sue', { fetch, path: '/admins?tenant=2' });
  fireEvent.click((await rowOf(screen, 'ann@acme.test')).getByText('Disable'));
  within(await screen.findByRole('dialog', { name: 'Disable this admin?' })).getByText('ann@acme.test');
  await answer(screen, 'Disable this admin?', 'Cancel');
  assert.equal([screen.queryByRole('dialog'), writes()], [null, []]);
});

test('a disabled admin stays listed, is signed out, and can be enabled again', async () => {
  const screen = await openScreen(<Admins />, 'sue', { path: '/admins?tenant=2' });
  const ann = await as('ann');
  fireEvent.click((await rowOf(screen, 'ann@acme.test')).getByText('Disable'));
  await answer(screen, 'Disable this admin?', 'Disable');
  await screen.findByText('Admin disabled');
  await (await rowOf(screen, 'ann@acme.test')).findByText('No');
  assert.is(
    await ann.listRedeems().then(
      () => 200,
      (error: { status: number }) => error.status,
    ),
    401,
  );

  fireEvent.click((await rowOf(screen, 'ann@acme.test')).getByText('Enable'));
  await screen.findByText('Admin updated');
  await (await rowOf(screen, 'ann@acme.test')).findByText('Yes');
  assert.ok((await signIn('ann@acme.test', 'secret')).access_token);
});

test('a server that cannot enable admins is not asked to', async () => {
  const asked = confirming(true);
  const screen = await openScreen(<Admins />, 'sue', { features: [], path: '/admins?tenant=2' });
  fireEvent.click((await rowOf(screen, 'ann@acme.test')).getByText('Disable'));
  assert.equal(asked, ['Disable this admin?'], 'the browser asks where the server takes no reason');
  await (await rowOf(screen, 'ann@acme.test')).findByText('No');
  const row = await rowOf(screen, 'ann@acme.test');
  assert.is(row.queryByText('Enable'), null);
  assert.ok(isDisabled(row.getByText('Disable')));
});

test('nobody disables themselves: the refusal is shown', async () => {
  const screen = await openScreen(<Admins />, 'sue', { path: '/admins?tenant=1' });
  fireEvent.click((await rowOf(screen, 'sue@platform.test')).getByText('Disable'));
  await answer(screen, 'Disable this admin?', 'Disable');
  await screen.findByText('Failed to disable admin');
  screen.getByText('You cannot disable your own account');
  assert.ok((await rowOf(screen, 'sue@platform.test')).getByText('Yes'));
});

test('without the admin role nobody can be created', async () => {
  let broken = true;
  const screen = await openScreen(<Admins />, 'sue', {
    fetch: interceptRequests(({ path }) =>
      path.includes('/roles/') && broken ? respondWith([{ id: 7, name: 'support' }]) : undefined,
    ).fetch,
    path: '/admins?tenant=2',
  });
  await screen.findByText('Failed to fetch admin role');
  await screen.findByText('ann@acme.test');
  assert.ok(isDisabled(screen.getByText('Create Admin')));
  broken = false;
  fireEvent.click(screen.getByText('Retry admin role'));
  await waitFor(() => assert.not(isDisabled(screen.getByText('Create Admin'))));
});

test('tenants that cannot be fetched are reported', async () => {
  const screen = await openScreen(<Admins />, 'sue', {
    fetch: interceptRequests(({ path }) =>
      path.endsWith('/tenants/') ? respondWith({ detail: 'no' }, 500) : undefined,
    ).fetch,
  });
  await screen.findByText('Failed to fetch tenants');
});

test("another server's odd admins neither break the screen nor show nonsense", async () => {
  const odd = { data: [{ id: 1, email: '<b>x</b>@a.test', is_active: null }, { id: 2 }, null, 'text'] };
  const screen = await openScreen(<Admins />, 'sue', {
    fetch: interceptRequests(({ path }) => (path.includes('admin-users') ? respondWith(odd) : undefined)).fetch,
    path: '/admins?tenant=2',
  });
  await screen.findByText('<b>x</b>@a.test');
  assert.is(screen.getAllByText('Edit').length, 2);
  assert.not.match(screen.container.textContent!, nonsense);
  fireEvent.click(screen.getAllByText('Edit')[1]!);
  assert.is(fieldValue(screen.getByLabelText('Email')), '');
});

test.after(closeScreen);
test.run();
