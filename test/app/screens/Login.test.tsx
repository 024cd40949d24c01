import { fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { closeScreen, type Options } from '../../screen';
import { PASSWORD, people, sql } from '../../world';
import { field, fill, valuesOf } from '../controls';
import { noNetwork, respondWith } from '../network';
import { openRoot } from '../root';

test.after.each(() => {
  closeScreen();
  history.replaceState(null, '', '/');
});

const open = (options?: Options) => openRoot(null, options);
type Opened = Awaited<ReturnType<typeof open>>;
const input = (screen: Opened, label: string) => field(screen.getByLabelText(label));
const type = (screen: Opened, email: string, password: string) =>
  fill(screen, { Email: email, Password: password }, 'Login');
const logins = ({ sent }: Opened) =>
  sent.filter(({ path }) => path.includes('/auth/login')).map(({ path }) => path.replace('/api/v1/auth/login/', ''));
const stored = () => JSON.parse(localStorage.getItem('user') ?? 'null');

test('the login screen carries the title, the labels and the button of the specification', async () => {
  const screen = await open();
  screen.getByRole('heading', { name: 'Gaming Management' });
  assert.is(input(screen, 'Email').type, 'email');
  assert.is(input(screen, 'Password').type, 'password');
  assert.ok(input(screen, 'Email').required && input(screen, 'Password').required);
});

test('the accounts of the sample data are named where the page says so alone; a chosen one fills the form', async () => {
  const { dataset } = document.documentElement;
  const real = await open();
  assert.not.ok(real.queryByRole('listbox'));
  dataset['demo'] = '';
  try {
    const screen = await open();
    const list = await screen.findByRole('listbox', { name: 'Sample data: choose an account' });
    fireEvent.change(list, { target: { value: 'ann@acme.test' } });
    assert.equal([input(screen, 'Email').value, input(screen, 'Password').value], ['ann@acme.test', 'demo-password']);
    assert.is(screen.getAllByRole('button').length, 1);
    assert.is(screen.getAllByLabelText(/email|password/i).length, 2, 'no other field takes their labels');
  } finally {
    delete dataset['demo'];
  }
});

test('the password is hidden, and pasting and password managers may fill it in [ASVS 6.2.6, 6.2.7]', async () => {
  const screen = await open(),
    password = input(screen, 'Password');
  assert.equal([password.type, password.autocomplete], ['password', 'current-password']);
  assert.equal([input(screen, 'Email').autocomplete, password.readOnly, password.maxLength], ['username', false, -1]);
  assert.ok(fireEvent.paste(password, { clipboardData: { getData: () => PASSWORD } }), 'not prevented');
});

test('a super admin needs one login; token and user are kept, with what the server offers', async () => {
  const screen = await open();
  type(screen, people.sue.email, PASSWORD);
  await screen.findByRole('button', { name: 'Logout' });
  assert.equal(logins(screen), ['json']);
  assert.ok(localStorage.getItem('token'));
  assert.equal(stored().role, { name: 'super_admin', is_super_admin: true });
  assert.is(stored().tenant_id, 1);
  assert.ok(stored().features.includes('logout'));
  assert.equal(Object.keys(localStorage).sort(), ['token', 'user']);
});

test('a tenant admin signs in again at their own tenant, and that session is the one kept', async () => {
  const screen = await open();
  type(screen, ` ${people.ann.email} `, PASSWORD);
  await screen.findByText('Tenant Admin Panel');
  assert.equal(logins(screen), ['json', 'tenant/2']);
  assert.equal(screen.sent[1]?.body, { email: people.ann.email, password: PASSWORD });
  await waitFor(async () =>
    assert.equal([...(await sql`select is_general from sessions where is_used`)], [{ is_general: false }]),
  );
});

test('an identifier without an at-sign uses the general login only, still as the email', async () => {
  const screen = await open();
  await sql`update admins set username = 'annie' where email = ${people.ann.email}`;
  type(screen, 'annie', PASSWORD);
  await screen.findByText('Tenant Admin Panel');
  assert.equal(logins(screen), ['json']);
  assert.equal(screen.sent[0]?.body, { email: 'annie', password: PASSWORD });
});

/** Each message, provoked; what was typed stays, nothing is kept. */
async function refused(screen: Opened, message: string, email: string, password: string) {
  type(screen, email, password);
  await screen.findByText(message);
  assert.equal(valuesOf(screen, 'Email', 'Password'), [email, password]);
  assert.is(localStorage.length, 0);
}

test("a wrong password is 'Invalid credentials or not an admin.', and ends nothing", async () => {
  const screen = await open();
  history.replaceState(null, '', '/users?search=x');
  await refused(screen, 'Invalid credentials or not an admin.', people.ann.email, 'wrong');
  assert.is(location.pathname + location.search, '/users?search=x');
});

test("another role is 'Not an admin or super admin.', and no session is kept", async () =>
  refused(await open(), 'Not an admin or super admin.', people.oli.email, PASSWORD));

test("a 403 is 'Access denied: You can only access your own tenant.'", async () => {
  const screen = await open();
  await sql`update tenants set is_active = false where id = 2`;
  await refused(screen, 'Access denied: You can only access your own tenant.', people.ann.email, PASSWORD);
});

test("a network that is not allowed is told in the server's words", async () => {
  const screen = await open();
  await sql`update tenants set allowed_networks = '{192.0.2.0/24}' where id = 2`;
  const words = 'Your network is not one of those from which this account may be used';
  await refused(screen, words, people.ann.email, PASSWORD);
});

for (const [what, instead] of [
  ['refused', () => respondWith({ detail: 'x' }, 401)],
  ['broken', () => respondWith('<h1>502</h1>', 502)],
  ['without an answer', noNetwork],
  ['nonsense', () => respondWith({ hello: 1 })],
] as const) {
  test(`a tenant login that is ${what} is the same denial`, async () => {
    const screen = await open({ instead: ({ path }) => (path.includes('/tenant/') ? instead() : undefined) });
    await refused(screen, 'Access denied: You can only access your own tenant.', people.ann.email, PASSWORD);
  });
}

test('what is typed is shown on demand, and a line that is down is told apart', async () => {
  const screen = await open({ instead: noNetwork });
  fireEvent.click(await screen.findByLabelText('Show what is typed'));
  assert.ok(screen.getByLabelText('Show what is typed').closest('form'), 'in the card');
  assert.is(input(screen, 'Password').type, 'text');
  fireEvent.click(screen.getByLabelText('Show what is typed'));
  assert.is(input(screen, 'Password').type, 'password');
  assert.ok(screen.getByText('Password lost? An admin can set a new one.'));
  await refused(screen, 'Invalid credentials or not an admin.', people.sue.email, PASSWORD);
  await screen.findByText('The server cannot be reached.');
  fireEvent.click(screen.getByLabelText('Show what is typed'));
  fireEvent.click(screen.getByText('Login'));
  await screen.findByText('Invalid credentials or not an admin.');
  assert.is(input(screen, 'Password').type, 'text', 'as the box says');
});

for (const [what, instead] of [
  ['a broken server', () => respondWith('<h1>500</h1>', 500)],
  ['a lost line', noNetwork],
  ['an answer without a session', () => respondWith({})],
  ['a list of complaints', () => respondWith({ detail: [{ loc: [], msg: 'x' }] }, 422)],
] as const) {
  test(`${what} is 'Invalid credentials or not an admin.'`, async () =>
    refused(await open({ instead }), 'Invalid credentials or not an admin.', people.sue.email, PASSWORD));
}

test('another server without features gives a session without any', async () => {
  const user = { role: { name: 'admin', is_super_admin: false }, tenant_id: 7 };
  const screen = await open({
    instead: ({ path }) => respondWith(path.includes('/auth/login') ? { access_token: 'T', user } : []),
  });
  type(screen, 'a@b.test', 'x');
  await screen.findByText('Tenant Admin Panel');
  assert.equal(stored(), user);
  assert.equal(logins(screen), ['json', 'tenant/7']);
});

test('both fields are asked for with words, and nothing is sent without them', async () => {
  const screen = await open();
  fireEvent.click(screen.getByRole('button', { name: 'Login' }));
  await screen.findByText('Email is required');
  screen.getByText('Password is required');
  assert.is(document.activeElement, input(screen, 'Email'));
  assert.is(input(screen, 'Email').getAttribute('aria-invalid'), 'true');
  type(screen, people.ann.email, '');
  assert.is(screen.queryByText('Email is required'), null);
  assert.is(document.activeElement, input(screen, 'Password'));
  assert.is(screen.sent.length, 0);
});

test('a double click signs in once', async () => {
  const screen = await open();
  type(screen, people.sue.email, PASSWORD);
  fireEvent.click(screen.getByRole('button', { name: 'Login' }));
  await screen.findByRole('button', { name: 'Logout' });
  assert.equal(logins(screen), ['json']);
});

test('a press on Login before the app had arrived is not lost', async () => {
  document.documentElement.classList.add('submitted');
  const screen = await open();
  await screen.findByText('Email is required');
  assert.is(document.documentElement.classList.contains('submitted'), false);
});

test.run();
