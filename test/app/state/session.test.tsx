import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Root } from '../../../src/app/Root';
import { noSession, storedSession } from '../../../src/app/state/storage';
import { closeScreen } from '../../screen';
import { PASSWORD, type Person, people, reset, signIn, sql, tokenOf } from '../../world';
import { interceptRequests, nonsense, respondWith } from '../network';

test.before.each(() => {
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});
test.after.each(() => {
  closeScreen();
  document.head.innerHTML = '';
  history.replaceState(null, '', '/');
});

type Line = ReturnType<typeof interceptRequests>;
async function open(person: Person | null, path = '/', line: Line = interceptRequests()) {
  cleanup();
  await reset();
  if (person) {
    const { user, features } = await signIn(person);
    localStorage.setItem('token', await tokenOf(person));
    localStorage.setItem('user', JSON.stringify({ ...user, features }));
  }
  history.replaceState(null, '', path);
  return render(<Root fetch={line.fetch} />);
}
const address = () => location.pathname + location.search;

test('a session is a token with a user; anything incomplete or broken is none', () => {
  const user = { role: { name: 'admin', is_super_admin: false }, tenant_id: 2 };
  for (const [token, text] of [
    [null, JSON.stringify(user)],
    ['T', null],
    ['T', '{"role":'],
    ['T', 'null'],
    ['T', '{}'],
    ['T', '"admin"'],
    ['', JSON.stringify(user)],
  ] as const) {
    localStorage.clear();
    if (token !== null) localStorage.setItem('token', token);
    if (text !== null) localStorage.setItem('user', text);
    assert.equal(storedSession(), noSession);
  }
  localStorage.setItem('token', 'T');
  localStorage.setItem('user', JSON.stringify(user));
  assert.equal(storedSession(), { token: 'T', user });
});

test('whoever is not signed in sees the login screen, at any address, and no call is made', async () => {
  const line = interceptRequests(),
    screen = await open(null, '/users?search=x', line);
  screen.getByRole('button', { name: 'Login' });
  assert.is(line.sent.length, 0);
  assert.is(address(), '/users?search=x');
});

test("another role in the storage sees 'Unauthorized' and a logout, and no call is made", async () => {
  const line = interceptRequests(),
    screen = await open('oli', '/users', line);
  screen.getByRole('heading', { name: 'Unauthorized' });
  assert.is(line.sent.length, 0);
  fireEvent.click(screen.getByRole('button', { name: 'Logout' }));
  screen.getByRole('button', { name: 'Login' });
  assert.is(localStorage.length, 0);
});

test('an admin without a tenant is not let in either', async () => {
  localStorage.setItem('token', 'T');
  localStorage.setItem('user', JSON.stringify({ role: { name: 'admin' }, tenant_id: null }));
  const line = interceptRequests(),
    screen = render(<Root fetch={line.fetch} />);
  screen.getByRole('heading', { name: 'Unauthorized' });
  assert.is(line.sent.length, 0);
});

test('logout tells the server, clears all local storage and goes to the root [ASVS 14.3.1]', async () => {
  const screen = await open('sue', '/users?search=pam');
  const count = async () => (await sql`select 1 from sessions`).length,
    before = await count();
  localStorage.setItem('admin_demo_mode', 'true');
  localStorage.setItem('colour_mode', 'dark');
  fireEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  await screen.findByRole('button', { name: 'Login' });
  assert.is(localStorage.length, 0);
  assert.is(address(), '/');
  await waitFor(async () => assert.is(await count(), before - 1));
});

test('logout does not wait for the server, and asks none that does not offer it', async () => {
  const hanging = interceptRequests(({ path }) =>
    path.endsWith('/logout') ? new Promise(() => undefined) : undefined,
  );
  const screen = await open('sue', '/', hanging);
  fireEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  screen.getByRole('button', { name: 'Login' });
  assert.ok(hanging.sent.some(({ path }) => path === '/api/v1/auth/logout')); // what the screen asked may come after it
  cleanup();

  localStorage.setItem('token', 'T');
  localStorage.setItem('user', JSON.stringify({ role: { name: 'admin', is_super_admin: true }, tenant_id: 1 }));
  const plain = interceptRequests(() => respondWith([]));
  const other = render(<Root fetch={plain.fetch} />);
  fireEvent.click(await other.findByRole('button', { name: 'Logout' }));
  other.getByRole('button', { name: 'Login' });
  assert.not.ok(plain.sent.some(({ path }) => path.endsWith('/logout')));
});

/** The sessions end just before the server gets such a request: what the screen asks by itself has had its answer. */
const endingAt = (isAsked: (sent: Line['sent'][number]) => boolean) =>
  interceptRequests(async (sent) => {
    if (isAsked(sent)) await sql`truncate sessions`;
    return undefined;
  });
const otherTenant = () => endingAt(({ path, query }) => path.includes('/admin-users/') && query['tenant_id'] === '2');

test('a 401 clears the storage and goes to the root, where the login is', async () => {
  const screen = await open(
    'sue',
    '/admins?tenant=2',
    endingAt(({ path }) => path.includes('/payment-methods/')),
  );
  await screen.findByText('ann@acme.test');
  localStorage.setItem('colour_mode', 'dark');
  fireEvent.click(screen.getByRole('link', { name: 'Payment Methods' }));
  await screen.findByRole('button', { name: 'Login' });
  assert.is(localStorage.length, 0);
  assert.is(address(), '/');
  assert.is(screen.queryByText(/Failed/), null);
});

/** Signs in at the login that is shown. */
async function signInAgain(screen: Awaited<ReturnType<typeof open>>, person: Person) {
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: people[person].email } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: PASSWORD } });
  fireEvent.click(screen.getByRole('button', { name: 'Login' }));
  await screen.findByRole('button', { name: 'Logout' });
}
const ENDED = 'Your session has ended. Sign in again to continue where you were.';

test('a session that has ended says so, and the same person comes back to the same address', async () => {
  const screen = await open('sue', '/admins?tenant=3', otherTenant());
  await screen.findByText('ben@bravo.test');
  await screen.findByRole('option', { name: 'Acme' });
  fireEvent.change(screen.getByLabelText('Select Tenant'), { target: { value: '2' } });
  await screen.findByText(ENDED);
  assert.is(address(), '/');
  cleanup();
  const reloaded = render(<Root fetch={interceptRequests().fetch} />);
  await reloaded.findByText(ENDED);
  await signInAgain(reloaded, 'sue');
  assert.is(address(), '/admins?tenant=2');
  await reloaded.findByText('ann@acme.test');
  fireEvent.click(reloaded.getByRole('button', { name: 'Logout' }));
  reloaded.getByRole('button', { name: 'Login' });
  assert.is(reloaded.queryByText(ENDED), null, 'who leaves knows');
  assert.equal(Object.keys(sessionStorage), []);
});

test('somebody else who signs in after a session has ended sees neither its address nor its drafts', async () => {
  const screen = await open('sue', '/admins?tenant=3', otherTenant());
  await screen.findByText('ben@bravo.test');
  await screen.findByRole('option', { name: 'Acme' });
  sessionStorage.setItem('draft redeem', '{"amount":"5"}');
  fireEvent.change(screen.getByLabelText('Select Tenant'), { target: { value: '2' } });
  await screen.findByText(ENDED);
  await signInAgain(screen, 'ann');
  assert.is(address(), '/');
  assert.equal(Object.keys(sessionStorage), ['person']);
});

test('somebody else in another tab takes this one to the root', async () => {
  const screen = await open('sue', '/admins?tenant=3');
  await screen.findByText('ben@bravo.test');
  const { user, features } = await signIn('ann');
  localStorage.setItem('token', await tokenOf('ann'));
  localStorage.setItem('user', JSON.stringify({ ...user, features }));
  await act(async () => {
    dispatchEvent(new Event('storage'));
  });
  await screen.findByText('Tenant Admin Panel');
  assert.is(address(), '/');
});

test('below a path the root is that path', async () => {
  document.head.innerHTML = '<base href="/backoffice/">';
  const screen = await open('sue', '/backoffice/tenants');
  assert.is((await screen.findByRole('link', { name: 'Users' })).getAttribute('href'), '/backoffice/users');
  fireEvent.click(screen.getByRole('link', { name: 'Users' }));
  await screen.findByRole('heading', { name: 'Users' });
  assert.is(location.pathname, '/backoffice/users');
  fireEvent.click(screen.getByRole('button', { name: 'Logout' }));
  assert.is(address(), '/backoffice/');
});

test('the calls go where <meta name="api-base"> says', async () => {
  document.head.innerHTML = '<meta name="api-base" content="https://api.example/">';
  const urls: string[] = [];
  localStorage.setItem('token', 'T');
  localStorage.setItem('user', JSON.stringify({ role: { name: 'x', is_super_admin: true }, tenant_id: 1 }));
  const screen = render(
    <Root
      fetch={async (url) => {
        urls.push(url);
        return respondWith([]);
      }}
    />,
  );
  await screen.findByText('No tenants yet.');
  assert.ok(
    urls.every((url) => url.startsWith('https://api.example/api/')),
    urls.join(),
  );
});

test('the same token told by another tab is no change, so nothing is loaded again', async () => {
  const line = interceptRequests(),
    screen = await open('sue', '/tenants', line);
  await screen.findByText('Bravo');
  const before = line.sent.length;
  await act(async () => {
    dispatchEvent(new Event('storage'));
  });
  assert.ok(before > 0);
  assert.is(line.sent.length, before);
});

test('signing out in another tab signs out here', async () => {
  const screen = await open('sue');
  await screen.findByText('Add Tenant');
  localStorage.clear();
  await act(async () => {
    dispatchEvent(new Event('storage'));
  });
  screen.getByRole('button', { name: 'Login' });
});

test('nothing of the person before is left for the next one', async () => {
  const screen = await open('sue', '/tenants');
  await screen.findByText('Bravo');
  const { user } = await signIn('ann');
  localStorage.setItem('token', await tokenOf('ann'));
  localStorage.setItem('user', JSON.stringify(user));
  await act(async () => {
    dispatchEvent(new Event('storage'));
  });
  await screen.findByText('pam@mail.test');
  assert.is(screen.queryByText('Bravo'), null);
  assert.is(screen.queryByText('pat@mail.test'), null);
  assert.not.match(document.body.textContent ?? '', nonsense);
});

test.run();
