import { fireEvent, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Users } from '../../../../src/app/screens/users/Users';
import { closeScreen, openScreen } from '../../../screen';
import { pam, sql } from '../../../world';
import { closed, field, fill, opens, sees, type, valuesOf } from '../../controls';
import { at, partsOf, respondWith, type Sent } from '../../network';
import { openDialog } from './openDialog';

const MANAGE = 'Access denied: You can only manage users in your own tenant';
const labels = 'Email,Password,First Name,Last Name,Phone Number,Referral ID,Affiliate ID'.split(',');

/** Another server, whose only row is that of Pam. */
const withRow = (row: object) => ({
  instead: ({ method }: Sent) =>
    method === 'GET' ? respondWith({ users: [{ email: pam.email, ...row }] }) : new Response(null, { status: 204 }),
});

test('creating sends the form with the tenant, says so and shows the new row', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'sue');
  await screen.findByText(pam.email);
  const dialog = await opens(screen.getByText('Create User'), 'Create User');
  const typed = ['new@mail.test', 'pass-word-1', 'Nia', 'Ng', '+1 555', 'REF9', 'AFF9'];
  for (const [n, value] of typed.entries()) type(dialog.getByLabelText(labels[n]!), value);
  assert.ok(field(dialog.getByLabelText('Active')).checked);
  fireEvent.click(dialog.getByText('Save'));
  fireEvent.click(dialog.getByText('Save'));

  await sees(screen, 'User created', 'new@mail.test');
  await closed(screen);
  const body = {
    ...{ email: 'new@mail.test', password: 'pass-word-1', first_name: 'Nia', last_name: 'Ng', phone_number: '+1 555' },
    ...{ referral_id: 'REF9', affiliate_id: 'AFF9', is_active: true, tenant_id: 2 },
  };
  assert.equal(partsOf(screen.writes(), 'method', 'path', 'body'), [['POST', '/api/v1/users', body]]);
  const [kept] = await sql`select tenant_id, affiliate_id, is_active from players where email = 'new@mail.test'`;
  assert.equal(kept, { tenant_id: 2, affiliate_id: 'AFF9', is_active: true });
});

test("a tenant admin's new player belongs to its own tenant", async () => {
  const screen = await openScreen(<Users />, 'ann');
  fireEvent.click(await screen.findByText('Create User'));
  fill(screen, { Email: 'own@mail.test', Password: 'pass-word-1' }, 'Save');
  await screen.findByText('User created');
  await closed(screen);
  assert.is((screen.writes()[0]!.body as { tenant_id: number }).tenant_id, 2);
});

test('e-mail and, on create alone, password are required', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'sue');
  fireEvent.click(await screen.findByText('Create User'));
  const required = (count: number) => labels.slice(0, count).map((name) => field(screen.getByLabelText(name)).required);
  assert.equal(required(3), [true, true, false]);
  assert.is(field(screen.getByLabelText('Password')).type, 'password');
  const email = screen.getByLabelText('Email');
  fill(screen, { Email: 'new' }, 'Save');
  assert.equal([document.activeElement, email.getAttribute('aria-invalid')], [email, 'true']);
  const words = document.getElementById(email.getAttribute('aria-describedby') ?? '');
  assert.ok(words?.matches('.field:has([aria-invalid]) > .error'), 'said below the field, not in a bubble');
  fireEvent.input(email, { target: { value: 'new@mail.test' } });
  assert.equal([words?.isConnected, email.getAttribute('aria-invalid')], [false, null]);
  fill(screen, { Email: '' });
  fireEvent.click(screen.getByText('Cancel'));
  await openDialog(screen, 'Edit', 'Edit User');
  assert.equal(required(2), [true, false]);
});

test('a taken e-mail fails with its reason and keeps everything typed', async () => {
  const screen = await openScreen(<Users tenantId={2} />, 'ann');
  await screen.findByText(pam.email);
  fireEvent.click(screen.getByText('Create User'));
  const dialog = within(screen.getByRole('dialog'));
  fill(dialog, { Email: 'PAM@mail.test', Password: 'pass-word-1', 'First Name': 'Typed' }, 'Save');
  await screen.findByText('Failed to save user');
  await dialog.findByText('A user with this email already exists');
  assert.equal(valuesOf(dialog, 'Email', 'Password', 'First Name'), ['PAM@mail.test', 'pass-word-1', 'Typed']);
});

test('editing shows what is there, leaves a blank password out, and clears what was emptied', async () => {
  const screen = await openScreen(<Users />, 'sue');
  const dialog = await openDialog(screen, 'Edit', 'Edit User');
  const shown = valuesOf(dialog, ...labels.map((name) => new RegExp(name)));
  assert.equal(shown, [pam.email, '', 'Pam', 'Poe', '+1 (555) 010-2000', '', 'AFF1']);
  fill(dialog, { 'Last Name': 'Pole', 'Affiliate ID': '' }, 'Save');
  await sees(screen, 'User updated', 'Pam Pole');
  await closed(screen);
  const body = {
    ...{ email: pam.email, first_name: 'Pam', last_name: 'Pole', phone_number: '+1 (555) 010-2000' },
    ...{ referral_id: '', affiliate_id: '', is_active: true },
  };
  assert.equal(partsOf(screen.writes(), 'method', 'path', 'body'), [['PUT', `/api/v1/users/${pam.id}`, body]]);
  assert.is((await sql`select affiliate_id from players where id = ${pam.id}`)[0]!['affiliate_id'], null);
});

test('a filled password is sent; unchecking Active switches the player off', async () => {
  const screen = await openScreen(<Users />, 'sue');
  const dialog = await openDialog(screen, 'Edit', 'Edit User');
  type(dialog.getByLabelText('Password'), 'brand-new-1');
  fireEvent.click(dialog.getByLabelText('Active'));
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('User updated');
  await closed(screen);
  const body = screen.writes()[0]!.body as Record<string, unknown>;
  assert.equal([body['password'], body['is_active']], ['brand-new-1', false]);
  assert.is((await sql`select is_active from players where id = ${pam.id}`)[0]!['is_active'], false);
  await openDialog(screen, 'Edit', 'Edit User');
  assert.not.ok(field(screen.getByLabelText('Active')).checked, 'an inactive player stays so on the next edit');
});

test('where rows do not tell, only a choice made here is sent: an edit reactivates nobody', async () => {
  const screen = await openScreen(<Users />, 'sue', withRow({ id: 5, tenant_id: 2 }));
  await openDialog(screen, 'Edit', 'Edit User');
  assert.ok(field(screen.getByLabelText('Active')).indeterminate);
  fireEvent.click(screen.getByText('Save'));
  await screen.findByText('User updated');
  await closed(screen);
  await openDialog(screen, 'Edit', 'Edit User');
  fireEvent.click(screen.getByLabelText('Active'));
  fireEvent.click(screen.getByText('Save'));
  await closed(screen);
  const [first, second] = screen.writes().map(({ body }) => body as Record<string, unknown>);
  assert.equal(['is_active' in first!, second!['is_active']], [false, true]);
});

test('saving outside the own tenant is refused before anything is sent, and a 403 says the same', async () => {
  const ann = await openScreen(<Users />, 'ann', withRow({ id: 5, tenant_id: 3 }));
  const dialog = await openDialog(ann, 'Edit', 'Edit User');
  fill(dialog, { 'First Name': 'Typed' }, 'Save');
  await ann.findByText(MANAGE);
  assert.equal(ann.writes(), []);
  assert.is(field(dialog.getByLabelText('First Name')).value, 'Typed');

  const sue = await openScreen(<Users />, 'sue', { instead: at('PUT', { detail: 'Tenant access violation' }, 403) });
  await openDialog(sue, 'Edit', 'Edit User');
  fireEvent.click(sue.getByText('Save'));
  await sue.findByText(MANAGE);
});

test('a row whose tenant id comes as text belongs to that tenant', async () => {
  const ann = await openScreen(<Users />, 'ann', withRow({ id: '5', tenant_id: '2' }));
  await openDialog(ann, 'Edit', 'Edit User');
  fireEvent.click(ann.getByText('Save'));
  await ann.findByText('User updated');
});

test.after(closeScreen);
test.run();
