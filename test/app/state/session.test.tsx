import { act, cleanup, fireEvent, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { noSession, storedSession } from '../../../src/app/state/storage';
import { closeScreen, keepSession } from '../../screen';
import { PASSWORD, type Person, people, sql } from '../../world';
import { fill, sees, type Within } from '../controls';
import { at, type Instead, nonsense, respondWith, type Sent } from '../network';
import { drawRoot, openRoot } from '../root';

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

const address = () => location.pathname + location.search;
/** Another tab has changed what is stored. */
const otherTab = () => act(async () => void dispatchEvent(new Event('storage')));

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
  const screen = await openRoot(null, { path: '/users?search=x' });
  screen.getByRole('button', { name: 'Login' });
  assert.is(screen.sent.length, 0);
  assert.is(address(), '/users?search=x');
});

test("another role in the storage sees 'Unauthorized' and a logout, and no call is made", async () => {
  const screen = await openRoot('oli', { path: '/users' });
  screen.getByRole('heading', { name: 'Unauthorized' });
  assert.is(screen.sent.length, 0);
  fireEvent.click(screen.getByRole('button', { name: 'Logout' }));
  screen.getByRole('button', { name: 'Login' });
  assert.is(localStorage.length, 0);
  cleanup();

  localStorage.setItem('token', 'T');
  localStorage.setItem('user', JSON.stringify({ role: { name: 'admin' }, tenant_id: null }));
  const admin = drawRoot();
  admin.getByRole('heading', { name: 'Unauthorized' });
  assert.is(admin.sent.length, 0, 'nor is an admin without a tenant let in');
});

test('logout tells the server, clears all local storage and goes to the root [ASVS 14.3.1]', async () => {
  const screen = await openRoot('sue', { path: '/users?search=pam' });
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
  const screen = await openRoot('sue', { instead: at('/logout', () => new Promise(() => undefined)) });
  fireEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  screen.getByRole('button', { name: 'Login' });
  assert.ok(screen.sent.some(({ path }) => path === '/api/v1/auth/logout')); // what the screen asked may come after it
  cleanup();

  localStorage.setItem('token', 'T');
  localStorage.setItem('user', JSON.stringify({ role: { name: 'admin', is_super_admin: true }, tenant_id: 1 }));
  const other = drawRoot({ instead: () => respondWith([]) });
  fireEvent.click(await other.findByRole('button', { name: 'Logout' }));
  other.getByRole('button', { name: 'Login' });
  assert.not.ok(other.sent.some(({ path }) => path.endsWith('/logout')));
});

/** The sessions end just before the server gets such a request: what the screen asks by itself has had its answer. */
const endingAt =
  (isAsked: (sent: Sent) => boolean): Instead =>
  async (sent) => {
    if (isAsked(sent)) await sql`truncate sessions`;
    return undefined;
  };
const otherTenant = endingAt(({ path, query }) => path.includes('/admin-users/') && query['tenant_id'] === '2');

test('a 401 clears the storage and goes to the root, where the login is', async () => {
  const instead = endingAt(({ path }) => path.includes('/payment-methods/'));
  const screen = await openRoot('sue', { path: '/admins?tenant=2', instead });
  await screen.findByText('ann@acme.test');
  localStorage.setItem('colour_mode', 'dark');
  fireEvent.click(screen.getByRole('link', { name: 'Payment Methods' }));
  await screen.findByRole('button', { name: 'Login' });
  assert.is(localStorage.length, 0);
  assert.is(address(), '/');
  assert.is(screen.queryByText(/Failed/), null);
});

/** Signs in at the login that is shown. */
async function signInAgain(screen: Within, person: Person) {
  fill(screen, { Email: people[person].email, Password: PASSWORD }, 'Login');
  await screen.findByRole('button', { name: 'Logout' });
}
const ENDED = 'Your session has ended. Sign in again to continue where you were.';

test('a session that has ended says so; the same person comes back to the same address and drafts', async () => {
  const screen = await openRoot('sue', { path: '/admins?tenant=3', instead: otherTenant });
  await screen.findByText('ben@bravo.test');
  await screen.findByRole('option', { name: 'Acme' });
  sessionStorage.setItem('draft redeem', '{"amount":"5"}');
  fireEvent.change(screen.getByLabelText('Select Tenant'), { target: { value: '2' } });
  await screen.findByText(ENDED);
  assert.is(address(), '/');
  cleanup();
  const reloaded = drawRoot();
  await reloaded.findByText(ENDED);
  await signInAgain(reloaded, 'sue');
  assert.is(address(), '/admins?tenant=2');
  await reloaded.findByText('ann@acme.test');
  assert.is(sessionStorage.getItem('draft redeem'), '{"amount":"5"}');
  fireEvent.click(reloaded.getByRole('button', { name: 'Logout' }));
  reloaded.getByRole('button', { name: 'Login' });
  assert.is(reloaded.queryByText(ENDED), null, 'who leaves knows');
  assert.equal(Object.keys(sessionStorage), []);
});

test('somebody else who signs in after a session has ended sees neither its address nor its drafts', async () => {
  const screen = await openRoot('sue', { path: '/admins?tenant=3', instead: otherTenant });
  await screen.findByText('ben@bravo.test');
  await screen.findByRole('option', { name: 'Acme' });
  sessionStorage.setItem('draft redeem', '{"amount":"5"}');
  fireEvent.change(screen.getByLabelText('Select Tenant'), { target: { value: '2' } });
  await screen.findByText(ENDED);
  await signInAgain(screen, 'ann');
  assert.is(address(), '/');
  assert.equal(Object.keys(sessionStorage), ['person']);
});

test('somebody else in another tab takes this one to the root, and nothing of the person before is left', async () => {
  const screen = await openRoot('sue', { path: '/admins?tenant=3' });
  await screen.findByText('ben@bravo.test');
  await keepSession('ann');
  await otherTab();
  await sees(screen, 'Tenant Admin Panel', 'pam@mail.test');
  assert.is(address(), '/');
  for (const words of ['Bravo', 'ben@bravo.test']) assert.is(screen.queryByText(words), null);
  assert.not.match(document.body.textContent ?? '', nonsense);
});

test('below a path the root is that path', async () => {
  document.head.innerHTML = '<base href="/backoffice/">';
  const screen = await openRoot('sue', { path: '/backoffice/tenants' });
  assert.is((await screen.findByRole('link', { name: 'Users' })).getAttribute('href'), '/backoffice/users');
  fireEvent.click(screen.getByRole('link', { name: 'Users' }));
  await screen.findByRole('heading', { name: 'Users' });
  assert.is(location.pathname, '/backoffice/users');
  fireEvent.click(screen.getByRole('button', { name: 'Logout' }));
  assert.is(address(), '/backoffice/');
});

test('the calls go where <meta name="api-base"> says', async () => {
  document.head.innerHTML = '<meta name="api-base" content="https://api.example/">';
  localStorage.setItem('token', 'T');
  localStorage.setItem('user', JSON.stringify({ role: { name: 'x', is_super_admin: true }, tenant_id: 1 }));
  const urls: string[] = [];
  const screen = drawRoot({
    fetch: async (url) => {
      urls.push(url);
      return respondWith([]);
    },
  });
  await screen.findByText('No tenants yet.');
  assert.equal([...new Set(urls.map((url) => new URL(url).origin))], ['https://api.example']);
});

test('the same token told by another tab is no change, so nothing is loaded again', async () => {
  const screen = await openRoot('sue', { path: '/tenants' });
  await screen.findByText('Bravo');
  const before = screen.sent.length;
  await otherTab();
  assert.ok(before > 0);
  assert.is(screen.sent.length, before);
});

test('signing out in another tab signs out here', async () => {
  const screen = await openRoot('sue');
  await screen.findByText('Add Tenant');
  localStorage.clear();
  await otherTab();
  screen.getByRole('button', { name: 'Login' });
});

test.run();
