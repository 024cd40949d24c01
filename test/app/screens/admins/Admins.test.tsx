import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Admins } from '../../../../src/app/screens/admins/Admins';
import { permissions } from '../../../../src/contract/permissions';
import { createApi } from '../../../createApi';
import { closeScreen, openScreen, type Screen } from '../../../screen';
import { withFactor } from '../../../twoFactor';
import { as, fetch as ours, PASSWORD, refused, sql } from '../../../world';
import { click, closed, fieldValue, fill, headsOf, isDisabled, opens, rowOf, sees, type } from '../../controls';
import { at, partsOf, respondWith } from '../../network';
import { answer, answerBrowser } from '../../question';

const ANN = 'ann@acme.test';
const ofAcme = { path: '/admins?tenant=2' };
/** Clicks what stands in the row of an admin. */
const clickIn = async (screen: Screen, what: string, email: string = ANN) => click(await rowOf(screen, email), what);
/** The dialog for a new admin, once it can be opened. */
async function openNew(screen: Screen) {
  await screen.findByText(ANN);
  await waitFor(() => assert.not(isDisabled(screen.getByText('Create Admin'))));
  return opens(screen.getByText('Create Admin'), 'Create Admin');
}
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

  const row = await rowOf(screen, ANN);
  assert.ok(row.getByText('Yes'));
  assert.is(headsOf(screen), 'Email, Active, Actions');
  assert.is(screen.queryByText('ben@bravo.test'), null);
  assert.is(location.search, '?tenant=2');
  await waitFor(() => assert.not(isDisabled(screen.getByText('Create Admin'))));

  type(screen.getByLabelText('Select Tenant'), '3');
  assert.is(screen.queryByText(ANN), null, "another tenant's admins never stand under this one");
  await screen.findByText('ben@bravo.test');
});

test('a new admin is made for the chosen tenant, with the admin role, once, and can sign in', async () => {
  const screen = await openScreen(<Admins />, 'sue', ofAcme);
  const dialog = await openNew(screen);
  fill(dialog, { Email: 'new@acme.test', Password: 'long enough' }, 'Save');
  fireEvent.click(dialog.getByText('Save'));

  await sees(screen, 'Admin created', 'new@acme.test');
  await closed(screen);
  const [role] = await sql`select id from roles where name = 'admin'`;
  const body = { email: 'new@acme.test', password: 'long enough', tenant_id: 2, role_id: role!['id'] };
  assert.equal(partsOf(screen.writes(), 'path', 'body'), [['/api/v1/admin/admin-users/', body]]);
  assert.is((await signIn('new@acme.test', 'long enough')).user.tenant_id, 2);
});

test('editing with a blank password leaves the password out and as it was', async () => {
  const screen = await openScreen(<Admins />, 'sue', ofAcme);
  const dialog = await opens((await rowOf(screen, ANN)).getByText('Edit'), 'Edit Admin');
  dialog.getByText('Leave blank to keep current password');
  assert.is(fieldValue(dialog.getByLabelText('Email')), ANN);
  assert.is(fieldValue(dialog.getByLabelText('Password')), '');
  fill(dialog, { Email: 'anna@acme.test' }, 'Save');

  await sees(screen, 'Admin updated', 'anna@acme.test');
  await closed(screen);
  assert.equal(screen.writes()[0]!.body, { email: 'anna@acme.test' });
  assert.ok((await signIn('anna@acme.test', 'secret')).access_token);
});

test("one's own row does not take a password, and says where it is changed", async () => {
  const screen = await openScreen(<Admins />, 'sue', { path: '/admins?tenant=1' });
  const dialog = await opens((await rowOf(screen, 'sue@platform.test')).getByText('Edit'), 'Edit Admin');
  assert.ok(isDisabled(dialog.getByLabelText('Password')));
  dialog.getByText('Change your own password under Account');
});

test('a row says what a person may do, how and when they sign in, as far as the server tells', async () => {
  const screen = await openScreen(<Admins />, 'sue', { ...ofAcme, before: () => withFactor('ann') });
  const row = await rowOf(screen, ANN);
  row.getByText('All permissions but Team · Two-factor on · No sign-in in 90 days');
  screen.unmount();
  const ann = { id: 2, email: ANN, is_active: true, tenant_id: 2, permissions, has_two_factor: false };
  const shows = async (...more: object[]) => {
    const answer = at('/admin-users/', [Object.assign({}, ann, ...more)]);
    const other = await openScreen(<Admins />, 'sue', { ...ofAcme, instead: answer });
    const { textContent } = (await other.findByText(ANN)).closest('td')!;
    other.unmount();
    return textContent;
  };
  const last_sign_in_at = '2026-01-31T10:00:00.000Z';
  assert.match(await shows({ last_sign_in_at }), /All permissions · Two-factor off · Last sign-in Jan 31, /);
  assert.is(await shows({ has_passkeys: true }), `${ANN} All permissions · Two-factor off · Passkey `);
  assert.is(await shows({ has_two_factor: undefined }), `${ANN} All permissions `);
  assert.is(await shows({ has_two_factor: undefined, permissions: null }), `${ANN}  `);
});

const withKeys = {
  ...ofAcme,
  before: async () => {
    for (const name of ['Shop', 'CRM'])
      await (await as('ann')).createApiKey({ body: { name, scopes: ['players:write'], password: PASSWORD } });
  },
};
const activeKeys = async () => (await sql`select 1 from api_keys where revoked_at is null`).length;

test('the API keys of an admin are listed, and disabling asks about them and revokes them', async () => {
  const screen = await openScreen(<Admins />, 'sue', withKeys);
  await screen.findByText(/API keys: Shop, CRM/);
  const label = 'Revoke the API keys this admin made: Shop, CRM';
  await clickIn(screen, 'Disable');
  fireEvent.click(await screen.findByLabelText(label));
  await answer(screen, 'Disable this admin?', 'Disable');
  await screen.findByText('Admin disabled');
  assert.is(await activeKeys(), 2);
  await (await rowOf(screen, ANN)).findByText('Enable');

  await clickIn(screen, 'Enable');
  await waitFor(async () => (await rowOf(screen, ANN)).getByText('Yes'));
  await clickIn(screen, 'Disable');
  const box = (await screen.findByLabelText(label)) as HTMLInputElement;
  assert.is(box.checked, true, 'unchecked for one time only');
  await answer(screen, 'Disable this admin?', 'Disable');
  await waitFor(() => assert.not.ok(screen.queryByText(/API keys: Shop, CRM/)));
  assert.is(await activeKeys(), 0);
  const deletes = screen.writes().filter(({ method }) => method === 'DELETE');
  assert.equal(partsOf(deletes, 'query'), [{ keep_api_keys: 'true' }, {}]);
});

test('a new password revokes the keys unless it is unchecked; a new e-mail alone says nothing of them', async () => {
  const screen = await openScreen(<Admins />, 'sue', withKeys);
  for (const keeps of [true, false]) {
    const dialog = await opens((await rowOf(screen, ANN)).getByText('Edit'), 'Edit Admin');
    const label = 'Revoke the API keys this admin made: Shop, CRM';
    assert.not.ok(dialog.queryByLabelText(label));
    type(dialog.getByLabelText('Password'), 'a new password');
    if (keeps) fireEvent.click(dialog.getByLabelText(label));
    fireEvent.click(dialog.getByText('Save'));
    await closed(screen);
    assert.is(await activeKeys(), keeps ? 2 : 0);
    assert.ok((await signIn(ANN, 'a new password')).access_token);
  }
  const body = { email: ANN, password: 'a new password' };
  assert.equal(partsOf(screen.writes(), 'method', 'body'), [
    ['PUT', { ...body, keep_api_keys: true }],
    ['PUT', body],
  ]);
});

test('a disabled admin stays listed, is signed out, and can be enabled again', async () => {
  const screen = await openScreen(<Admins />, 'sue', ofAcme);
  const ann = await as('ann');
  await clickIn(screen, 'Disable');
  await answer(screen, 'Disable this admin?', 'Disable');
  await screen.findByText('Admin disabled');
  await (await rowOf(screen, ANN)).findByText('No');
  assert.is(await refused(ann.listRedeems()), 401);

  await clickIn(screen, 'Enable');
  await screen.findByText('Admin updated');
  await (await rowOf(screen, ANN)).findByText('Yes');
  assert.ok((await signIn(ANN, 'secret')).access_token);
});

test('a server that cannot enable admins is not asked to', async () => {
  const asked = answerBrowser(() => true);
  const screen = await openScreen(<Admins />, 'sue', { features: [], path: '/admins?tenant=2' });
  await clickIn(screen, 'Disable');
  assert.equal(asked, ['Disable this admin?'], 'the browser asks where the server takes no reason');
  await (await rowOf(screen, ANN)).findByText('No');
  const row = await rowOf(screen, ANN);
  assert.is(row.queryByText('Enable'), null);
  assert.ok(isDisabled(row.getByText('Disable')));
});

test('nobody disables themselves: the refusal is shown, and the row stays as it is', async () => {
  const screen = await openScreen(<Admins />, 'sue', { path: '/admins?tenant=1' });
  await clickIn(screen, 'Disable', 'sue@platform.test');
  await answer(screen, 'Disable this admin?', 'Disable');
  await screen.findByText('Failed to disable admin');
  assert.ok((await rowOf(screen, 'sue@platform.test')).getByText('Yes'));
});

test('without the admin role nobody can be created', async () => {
  let broken = true;
  const screen = await openScreen(<Admins />, 'sue', {
    instead: ({ path }) => (path.includes('/roles/') && broken ? respondWith([{ id: 7, name: 'support' }]) : undefined),
    path: '/admins?tenant=2',
  });
  await sees(screen, 'Failed to fetch admin role', ANN);
  assert.ok(isDisabled(screen.getByText('Create Admin')));
  broken = false;
  fireEvent.click(screen.getByText('Retry admin role'));
  await waitFor(() => assert.not(isDisabled(screen.getByText('Create Admin'))));
});

test('tenants that cannot be fetched are reported', async () => {
  const screen = await openScreen(<Admins />, 'sue', { instead: at('/tenants/', { detail: 'no' }, 500) });
  await screen.findByText('Failed to fetch tenants');
});

test.after(closeScreen);
test.run();
