import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ErrorBoundary } from '../../src/app/ui/ErrorBoundary';
import { lazyWithRetry, NEW_VERSION } from '../../src/app/ui/lazyWithRetry';
import { closeScreen } from '../screen';
import { type Person, signIn } from '../world';
import { heard } from './console';
import { textsOf } from './controls';
import { openRoot } from './root';

test.after.each(() => {
  closeScreen();
  history.replaceState(null, '', '/');
  document.documentElement.removeAttribute('data-theme');
});

/** In front of another server, which offers no features. */
async function open(person: Person, path = '/', user?: object) {
  const screen = await openRoot(person, { path, features: [], ...(user && { user }) });
  await screen.findByRole('button', { name: 'Logout' });
  return screen;
}

test('a super admin has the side menu of the specification, in order', async () => {
  const screen = await open('sue');
  const links = [...screen.getByRole('navigation', { name: 'Screens' }).querySelectorAll('a')];
  assert.equal(
    links.map((link) => `${link.getAttribute('href')} ${link.textContent}`).join(', '),
    '/tenants Tenants, /platforms Platforms, /admins Admins, /purchases Purchases, /users Users, /deposits Deposits, ' +
      '/redeems Redeems, /payment-methods Payment Methods',
  );
});

const screens: [path: string, heading: string | RegExp, title: string][] = [
  ['/tenants', 'Tenants', 'Tenants'],
  ['/platforms', 'Platforms', 'Platforms'],
  ['/admins', 'Admins', 'Admins'],
  ['/purchases', /Purchases \(Top-Ups Only\)/, 'Purchases'],
  ['/users', 'Users', 'Users'],
  ['/deposits', /Deposits \(Platform Only\)/, 'Deposits'],
  ['/redeems', 'Redeems', 'Redeems'],
  ['/payment-methods', /Payment Methods/, 'Payment Methods'],
  ['/', 'Tenants', 'Tenants'],
  ['/nowhere/at/all', 'Tenants', 'Tenants'],
  ['/tenant/x/admin', 'Tenants', 'Tenants'],
  ['/tenant/0/admin', 'Tenants', 'Tenants'],
  ['/users/', 'Users', 'Users'],
];
for (const [path, heading, title] of screens) {
  test(`${path} of a super admin shows ${title}, and its document says so`, async () => {
    const screen = await open('sue', path);
    await screen.findByRole('heading', { name: heading, level: 2 });
    assert.is(document.title, `${title} · Gaming Management`);
    assert.is(screen.getByRole('link', { current: 'page' }).textContent, title);
  });
}

test('clicking a tenant leads into its admin view, whose tabs begin with Users', async () => {
  const screen = await open('sue');
  fireEvent.click(await screen.findByRole('button', { name: 'Acme' }));
  assert.is(location.pathname, '/tenant/2/admin');
  await screen.findByText('pam@mail.test');
  assert.is(screen.queryByText('pat@mail.test'), null);
  const tabs = textsOf(screen.getByRole('navigation', { name: 'Tenant' }).querySelectorAll('a'));
  assert.equal(tabs, ['Users', 'Purchases', 'Deposits', 'Redeems', 'Affiliate Tracking', 'Platforms']);
  assert.ok(screen.sent.some(({ path, query }) => path.endsWith('/users/') && query.tenant_id === '2'));
});

test("a tenant admin has one page, 'Tenant Admin Panel', with a Users link, whatever the address", async () => {
  for (const [path, tab, words] of [
    ['/', 'Users', 'pam@mail.test'],
    ['/tenants', 'Users', 'pam@mail.test'],
    ['/admins?tenant=3', 'Users', 'pam@mail.test'],
    ['/payment-methods', 'Users', 'pam@mail.test'],
    ['/tenant/3/admin', 'Users', 'pam@mail.test'],
    ['/platforms', 'Platforms', 'VBlink'],
    ['/purchases', 'Purchases', 'pam@mail.test'],
    ['/deposits', 'Deposits', 'Nothing here yet.'],
    ['/redeems', 'Redeems', 'pam@mail.test'],
  ] as const) {
    const screen = await open('ann', path);
    screen.getByRole('heading', { name: 'Tenant Admin Panel', level: 1 });
    await screen.findByText(words);
    assert.is(document.title, `${tab} · Acme`);
    assert.not.ok(screen.sent.some(({ query }) => query.tenant_id === '3'));
    assert.not.match(screen.container.textContent ?? '', /bravo|pat@/i);
    const links = screen.getAllByRole('link', { name: 'Users' }).map((link) => link.getAttribute('href'));
    assert.ok(links.includes('/users'));
  }
});

test('where the server names neither the person nor the tenant, the title bar has neither', async () => {
  const { user } = await signIn('ann');
  const screen = await open('ann', '/', { role: user.role, tenant_id: user.tenant_id });
  await screen.findByText('pam@mail.test');
  assert.is(document.title, 'Users · Tenant Admin Panel');
  assert.is(screen.container.querySelector('.title')?.textContent, 'Tenant Admin Panel');
  screen.getByRole('button', { name: 'More' });
});

test('/users of a tenant admin is their own players, searched for, and says that it is not the panel', async () => {
  const screen = await open('ann', '/users?search=pam%40mail.test');
  await screen.findByText('pam@mail.test');
  const here = (name: string) => screen.container.querySelector(`.top a[href="${name}"]`)?.getAttribute('aria-current');
  assert.equal(['/', '/users'].map(here), [null, 'page']);
  fireEvent.click(screen.getByRole('link', { name: 'Tenant Admin Panel' }));
  await screen.findByRole('tablist');
  assert.equal(['/', '/users'].map(here), ['page', null]);
  history.back();
  await waitFor(() => assert.is(location.pathname, '/users'));
  await screen.findByText('pam@mail.test');
  assert.is((screen.getByLabelText('Search by email, name, or phone') as HTMLInputElement).value, 'pam@mail.test');
});

test('a new screen takes the focus to its beginning', async () => {
  const screen = await open('sue');
  const main = screen.getByRole('main');
  assert.is(document.activeElement === main, false);
  fireEvent.click(screen.getByRole('link', { name: 'Admins' }));
  await screen.findByRole('heading', { name: 'Admins' });
  assert.is(document.activeElement, main);
});

test('the colour mode is kept, shown at once, and back to the system', async () => {
  const screen = await open('sue');
  const root = document.documentElement,
    mode = screen.getByLabelText('Colour mode');
  fireEvent.change(mode, { target: { value: 'dark' } });
  assert.is(root.getAttribute('data-theme'), 'dark');
  assert.is(localStorage.getItem('colour_mode'), 'dark');
  fireEvent.change(mode, { target: { value: 'system' } });
  assert.is(root.hasAttribute('data-theme'), false);
});

function Bomb({ armed }: { armed: { is: boolean } }) {
  if (armed.is) throw new Error('boom');
  return <p>all well</p>;
}
test('what breaks while drawing leaves a way on, never a white screen', async () => {
  const armed = { is: true };
  const bombed = (
    <ErrorBoundary>
      <Bomb armed={armed} />
    </ErrorBoundary>
  );
  const logged = await heard('error', () => render(bombed).getByText('Something went wrong on this screen.'));
  assert.ok(logged.length, 'React tells of it');
  armed.is = false;
  fireEvent.click(screen.getByText('Try again'));
  screen.getByText('all well');
});

test('a part that could not be fetched can be tried again, and is fetched once', async () => {
  let tries = 0;
  const Part = lazyWithRetry(async () => {
    if (++tries < 3) throw new TypeError('Failed to fetch dynamically imported module');
    return ({ name }: { name: string }) => <p>hello {name}</p>;
  });
  const screen = render(<Part name="one" />);
  screen.getByText('Loading…');
  fireEvent.click(await screen.findByText('Retry'));
  await screen.findByText('Reload the page');
  fireEvent.click(screen.getByText('Retry'));
  await screen.findByText('hello one');
  cleanup();
  render(<Part name="two" />).getByText('hello two');
  assert.is(tries, 3);
});

test('a part whose file is gone, because the app was built again, offers to reload the page at once', async () => {
  const network = globalThis.fetch,
    script = document.createElement('script');
  script.type = 'module';
  script.setAttribute('src', 'assets/main-OLD.js');
  const pages = { here: '<div id="root"></div><script src="assets/main-OLD.js">', gone: '<div id="root"></div>' };
  let page = pages.here;
  globalThis.fetch = (async () => new Response(page)) as typeof globalThis.fetch;
  document.head.append(script);
  try {
    const Part = lazyWithRetry<object>(() => Promise.reject(new TypeError('404')));
    const screen = render(<Part />);
    await screen.findByText('This part of the app could not be loaded.');
    assert.not.ok(screen.queryByText('Reload the page'), 'the line may be back in a moment');
    page = pages.gone;
    fireEvent.click(screen.getByText('Retry'));
    await screen.findByText(NEW_VERSION);
    screen.getByRole('button', { name: 'Reload the page' });
    assert.not.ok(screen.queryByText('Retry'), 'which could not help');
  } finally {
    globalThis.fetch = network;
    script.remove();
  }
});

test.run();
