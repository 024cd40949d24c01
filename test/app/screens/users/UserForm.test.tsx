import { fireEvent, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../src/app/screens/users/Users';
import { closeScreen, openScreen } from '../../../screen';
import { pam, sql } from '../../../world';
import { interceptRequests, respondWith } from '../../network';
import { closed, field, openDialog, type } from './openDialog';

const MANAGE = 'Access denied: You can only manage users in your own tenant';
const labels = [
  'Email',
  'Password',
  'First Name',
  'Last Name',
  'Phone Number',
  'Referral ID',
  'Affiliate ID',
  'Active',
];

test('creating sends the form with the tenant, says so and shows the new row', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Users tenantId={2} />, 'sue', { fetch });
  await screen.findByText(pam.email);
  fireEvent.click(screen.getByText('Create User'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create User' }));
  const typed = ['new@mail.test', 'pass-word-1', 'Nia', 'Ng', '+1 555', 'REF9', 'AFF9'];
  for (const [n, value] of typed.entries()) type(dialog.getByLabelText(labels[n]!), value);
  assert.ok(field(dialog.getByLabelText('Active')).checked);
  fireEvent.click(dialog.getByText('Save'));
  fireEvent.click(dialog.getByText('Save'));

  await screen.findByText('User created');
  await screen.findByText('new@mail.test');
  await closed(screen);
  assert.equal(
    writes().map(({ method, path, body }) => [method, path, body]),
    [
      [
        'POST',
        '/api/v1/users',
        {
          email: 'new@mail.test',
          password: 'pass-word-1',
          first_name: 'Nia',
          last_name: 'Ng',
          phone_number: '+1 555',
          referral_id: 'REF9',
          affiliate_id: 'AFF9',
          is_active: true,
          tenant_id: 2,
        },
      ],
    ],
  );
  assert.equal(
    { ...(await sql`select tenant_id, affiliate_id, is_active from players where email = 'new@mail.test'`)[0] },
    { tenant_id: 2, affiliate_id: 'AFF9', is_active: true },
  );
});

test("a tenant admin's new player belongs to its own tenant", async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Users />, 'ann', { fetch });
  fireEvent.click(await screen.findByText('Create User'));
  type(screen.getByLabelText('Email'), 'own@mail.test');
  type(screen.getByLabelText('Password'), 'pass-word-1');
  fireEvent.click(screen.getByText('Save'));
  await screen.findByText('User created');
  await closed(screen);
  assert.is((writes()[0]!.body as { tenant_id: number }).tenant_id, 2);
});

test('e-mail and, on create alone, password are required', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'sue');
  fireEvent.click(await screen.findByText('Create User'));
  assert.equal(
    labels.slice(0, 3).map((name) => field(screen.getByLabelText(name)).required),
    [true, true, false],
  );
  assert.is(field(screen.getByLabelText('Password')).type, 'password');
  fireEvent.click(screen.getByText('Cancel'));
  await openDialog(screen, 'Edit', 'Edit User');
  assert.equal(
    labels.slice(0, 2).map((name) => field(screen.getByLabelText(name)).required),
    [true, false],
  );
});

test('a taken e-mail fails with its reason and keeps everything typed', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  await screen.findByText(pam.email);
  fireEvent.click(screen.getByText('Create User'));
  const dialog = within(screen.getByRole('dialog'));
  type(dialog.getByLabelText('Email'), 'PAM@mail.test');
  type(dialog.getByLabelText('Password'), 'pass-word-1');
  type(dialog.getByLabelText('First Name'), 'Typed');
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('Failed to save user');
  await dialog.findByText('A user with this email already exists');
  assert.equal(
    ['Email', 'Password', 'First Name'].map((name) => field(dialog.getByLabelText(name)).value),
    ['PAM@mail.test', 'pass-word-1', 'Typed'],
  );
});

test('editing shows what is there, leaves a blank password out, and clears what was emptied', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Users />, 'sue', { fetch });
  const dialog = await openDialog(screen, 'Edit', 'Edit User');
  assert.equal(
    labels.slice(0, 7).map((name) => field(dialog.getByLabelText(name, { exact: false })).value),
    [pam.email, '', 'Pam', 'Poe', '+1 (555) 010-2000', '', 'AFF1'],
  );
  type(dialog.getByLabelText('Last Name'), 'Pole');
  type(dialog.getByLabelText('Affiliate ID'), '');
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('User updated');
  await screen.findByText('Pam Pole');
  await closed(screen);
  assert.equal(
    [writes()[0]!.method, writes()[0]!.path, writes()[0]!.body],
    [
      'PUT',
      `/api/v1/users/${pam.id}`,
      {
        email: pam.email,
        first_name: 'Pam',
        last_name: 'Pole',
        phone_number: '+1 (555) 010-2000',
        referral_id: '',
        affiliate_id: '',
        is_active: true,
      },
    ],
  );
  assert.is((await sql`select affiliate_id from players where id = ${pam.id}`)[0]!['affiliate_id'], null);
});

test('a filled password is sent; unchecking Active switches the player off', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Users />, 'sue', { fetch });
  const dialog = await openDialog(screen, 'Edit', 'Edit User');
  type(dialog.getByLabelText('Password'), 'brand-new-1');
  fireEvent.click(dialog.getByLabelText('Active'));
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('User updated');
  await closed(screen);
  const body = writes()[0]!.body as Record<string, unknown>;
  assert.equal([body['password'], body['is_active']], ['brand-new-1', false]);
  assert.is((await sql`select is_active from players where id = ${pam.id}`)[0]!['is_active'], false);
  await openDialog(screen, 'Edit', 'Edit User');
  assert.not.ok(field(screen.getByLabelText('Active')).checked, 'an inactive player stays so on the next edit');
});

test('where rows do not tell, only a choice made here is sent: an edit reactivates nobody', async () => {
  const answered = interceptRequests(({ method }) =>
    method === 'GET'
      ? respondWith({ users: [{ id: 5, email: pam.email, tenant_id: 2 }] })
      : new Response(null, { status: 204 }),
  );
  const screen = await openScreen(<Users />, 'sue', { fetch: answered.fetch });
  await openDialog(screen, 'Edit', 'Edit User');
  assert.ok(field(screen.getByLabelText('Active')).indeterminate);
  fireEvent.click(screen.getByText('Save'));
  await screen.findByText('User updated');
  await closed(screen);
  await openDialog(screen, 'Edit', 'Edit User');
  fireEvent.click(screen.getByLabelText('Active'));
  fireEvent.click(screen.getByText('Save'));
  await closed(screen);
  const [first, second] = answered.writes().map(({ body }) => body as Record<string, unknown>);
  assert.equal(['is_active' in first!, second!['is_active']], [false, true]);
});

test('saving outside the own tenant is refused before anything is sent, and a 403 says the same', async () => {
  const foreign = interceptRequests(({ method }) =>
    method === 'GET' ? respondWith({ users: [{ id: 5, email: pam.email, tenant_id: 3 }] }) : undefined,
  );
  const ann = await openScreen(<Users />, 'ann', { fetch: foreign.fetch });
  const dialog = await openDialog(ann, 'Edit', 'Edit User');
  type(dialog.getByLabelText('First Name'), 'Typed');
  fireEvent.click(dialog.getByText('Save'));
  await ann.findByText(MANAGE);
  assert.equal(foreign.writes(), []);
  assert.is(field(dialog.getByLabelText('First Name')).value, 'Typed');

  const sue = await openScreen(<Users />, 'sue', {
    fetch: interceptRequests(({ method }) =>
      method === 'PUT' ? respondWith({ detail: 'Tenant access violation' }, 403) : undefined,
    ).fetch,
  });
  await openDialog(sue, 'Edit', 'Edit User');
  fireEvent.click(sue.getByText('Save'));
  await sue.findByText(MANAGE);
});

test('a row whose tenant id comes as text belongs to that tenant', async () => {
  const line = interceptRequests(({ method }) =>
    method === 'GET'
      ? respondWith({ users: [{ id: '5', email: pam.email, tenant_id: '2' }] })
      : new Response(null, { status: 204 }),
  );
  const ann = await openScreen(<Users />, 'ann', { fetch: line.fetch });
  await openDialog(ann, 'Edit', 'Edit User');
  fireEvent.click(ann.getByText('Save'));
  await ann.findByText('User updated');
});

test.after(closeScreen);
test.run();
