/** Whose it is: lists of all tenants, the view of one, the title bar and the document's title. */
import { act, fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../src/app/App';
import { closeScreen, openScreen, reloadScreen, type Screen } from '../../screen';
import { deposit } from '../../seed';
import { pam, pat } from '../../world';
import { opens, rowOf, textsOf } from '../controls';
import { partsOf, sentTo } from '../network';

test.after(closeScreen);

const heads = (screen: Screen) => textsOf(screen.container.querySelectorAll('main thead th'));
const barOf = (screen: Screen) => screen.container.querySelector<HTMLElement>('.top')!;

for (const [path, tab] of [
  ['/users', ''],
  ['/purchases', '?tab=purchases'],
  ['/deposits', '?tab=deposits'],
  ['/redeems', '?tab=redeems'],
] as const) {
  test(`${path} of all tenants says whose each row is, and narrows down to one`, async () => {
    const screen = await openScreen(<App />, 'sue', { before: () => deposit(pat, 'credit', '5'), path });
    const link = await (await rowOf(screen, pat.email)).findByText('Bravo');
    assert.is(heads(screen)[1], 'Tenant');
    assert.is(link.getAttribute('href'), `/tenant/3/admin${tab}`);

    fireEvent.change(screen.getByLabelText('By tenant'), { target: { value: '3' } });
    await waitFor(() => assert.is(location.search, '?tenant=3'));
    await waitFor(() => assert.not.ok(screen.queryByText(pam.email)));
    await screen.findByText(pat.email);
    const lists = screen.sent.filter((one) => /\/(users\/|purchases|deposits|redeems|list-count)$/.test(one.path));
    assert.ok(lists.slice(-1).every(({ query }) => query.tenant_id === '3'));

    fireEvent.click(await (await rowOf(screen, pat.email)).findByText('Bravo'));
    assert.is(location.pathname + location.search, `/tenant/3/admin${tab}`);
    await screen.findByText(pat.email);
    assert.not.ok(heads(screen).includes('Tenant'), 'in its own view nobody needs to be told');
    assert.not.ok(screen.queryByLabelText('By tenant'));
  });
}

test('an address with a tenant shows that tenant alone', async () => {
  const screen = await openScreen(<App />, 'sue', { path: '/redeems?tenant=2' });
  await screen.findByText(pam.email);
  assert.not.ok(screen.queryByText(pat.email));
  await screen.findByRole('button', { name: /Tenant: Acme/ });
  const wrong = await openScreen(<App />, 'sue', { path: '/redeems?tenant=all' });
  await wrong.findByText('This tenant does not exist.');
});

test('the details of a transaction and the lists of today name the tenant, too', async () => {
  const screen = await openScreen(<App />, 'sue', { path: '/purchases' });
  const row = await rowOf(screen, pat.email);
  await row.findByText('Bravo');
  const details = await opens(row.getByText('Details'), /^Transaction /);
  assert.is(details.getByText('Tenant').closest('tr')?.textContent, 'TenantBravo');
  fireEvent.click(details.getByText('Close'));

  const players = await opens(await screen.findByText(/^New Sign Ups Today: 2/), 'New Players Today');
  await players.findByText(pat.email);
  players.getByRole('link', { name: 'Acme' });
  fireEvent.change(players.getByLabelText('By tenant'), { target: { value: '3' } });
  assert.not.ok(players.queryByText(pam.email));
  players.getByText(pat.email);
  fireEvent.click(players.getByText('Close'));

  const purchases = await opens(screen.getByText(/^First Purchase Today: 2/), 'First Purchases Today');
  await purchases.findByText(pat.email);
  assert.is(purchases.getByRole('link', { name: 'Bravo' }).getAttribute('href'), '/tenant/3/admin?tab=purchases');
});

test('where the server does not say whose the rows are, no list says it', async () => {
  const screen = await openScreen(<App />, 'sue', {
    path: '/redeems',
    lacks: ['tenant_rows', 'time_zone', 'new_rows'],
  });
  await screen.findByText(pat.email);
  assert.not.ok(heads(screen).includes('Tenant'));
  assert.not.ok(screen.queryByLabelText('By tenant'));
  assert.not.ok(screen.sent.some(({ path }) => path.endsWith('/tenants/')));
});

test("a tenant's admin sees the own tenant in the title bar, no other's name, and asks for none", async () => {
  const screen = await openScreen(<App />, 'ann', { path: '/?tab=redeems' });
  await screen.findByText(pam.email);
  const bar = within(barOf(screen));
  bar.getByText('Acme');
  bar.getByRole('button', { name: 'ann@acme.test' });
  bar.getByRole('heading', { name: 'Tenant Admin Panel', level: 1 });
  assert.not.ok(heads(screen).includes('Tenant'));
  assert.not.ok(screen.sent.some(({ path }) => path.endsWith('/tenants/')));
  assert.not.match(screen.container.textContent ?? '', 'Bravo');
});

test('the account menu holds the tools and the colour mode; Logout stays in the bar', async () => {
  const screen = await openScreen(<App />, 'sue', { path: '/tenants' });
  const menu = within(await screen.findByRole('group', { name: 'Account menu' }));
  for (const name of ['Audit', 'API keys', 'Account']) menu.getByRole('button', { name });
  menu.getByLabelText('Colour mode');
  const bar = within(barOf(screen));
  assert.not.ok(menu.queryByRole('button', { name: 'Logout' }));
  assert.not.ok(menu.queryByRole('button', { name: 'Search' }));
  for (const name of ['Search', 'Logout', /^New Sign Ups Today/, /^First Purchase Today/])
    bar.getByRole('button', { name });
});

test("inside a tenant's view the figures of the title bar are the tenant's", async () => {
  const screen = await openScreen(<App />, 'sue', { path: '/tenant/2/admin' });
  await screen.findByText(/^New Sign Ups Today: 1/);
  const asked = sentTo(screen, '/dashboard-metrics').map(({ query }) => query.tenant_id);
  assert.equal([...new Set(asked)], ['2']);
  const dialog = await opens(screen.getByText(/^New Sign Ups Today/), 'New Players Today');
  await dialog.findByText(pam.email);
  assert.not.ok(dialog.queryByText(pat.email));
});

test("a tenant's view keeps the super admin's menu and switches to another tenant on the same tab", async () => {
  const screen = await openScreen(<App />, 'sue', { path: '/tenant/2/admin?tab=redeems' });
  await screen.findByText(pam.email);
  const links = () => within(screen.getByRole('navigation', { name: 'Screens' }));
  assert.is(links().getAllByRole('link').length, 10);
  fireEvent.change(screen.getByLabelText('Switch tenant'), { target: { value: '3' } });
  await screen.findByText(pat.email);
  assert.is(location.pathname + location.search, '/tenant/3/admin?tab=redeems');
  await waitFor(() => assert.is(document.title, 'Redeems (1) · Bravo'));
  fireEvent.click(links().getByText('Redeems'));
  await screen.findByText(pam.email);
  assert.is(location.pathname, '/redeems');
});

test('the view of the first tenant, which is in no list, has no switch that would name another', async () => {
  const screen = await openScreen(<App />, 'sue', { path: '/tenant/2/admin' });
  await screen.findByLabelText('Switch tenant');
  act(() => history.pushState(null, '', '/tenant/1/admin'));
  await screen.findByText('No users found.', { exact: false });
  assert.not.ok(screen.queryByLabelText('Switch tenant'));
});

test('a tenant that does not exist is said, and shows no figures and no way to make anything', async () => {
  const screen = await openScreen(<App />, 'sue', { path: '/tenant/99/admin', features: [] });
  await screen.findByRole('heading', { name: 'Tenant not found' });
  assert.is(document.title, 'Tenant not found · Gaming Management');
  for (const words of ['Create User', 'Total Purchases', 'Tenant 99', /New Sign Ups Today/])
    assert.not.ok(screen.queryByText(words));
  assert.equal([...new Set(partsOf(screen.sent, 'path'))], ['/api/v1/admin/tenants/'], 'nothing is asked for it');
  fireEvent.click(screen.getByRole('link', { name: 'All tenants' }));
  await screen.findByRole('button', { name: 'Acme' });
});

test('another server, without features, may know a tenant that it does not list', async () => {
  await openScreen(<App />, 'sue', { path: '/tenant/99/admin' });
  const { features: _, ...user } = JSON.parse(localStorage.getItem('user') ?? '');
  localStorage.setItem('user', JSON.stringify(user));
  const screen = await reloadScreen(<App />);
  await screen.findByText('Total Purchases');
  assert.not.ok(screen.queryByRole('heading', { name: 'Tenant not found' }));
});

for (const [person, path, title] of [
  ['ann', '/?tab=redeems', 'Redeems (1) · Acme'],
  ['ann', '/?tab=affiliate-tracking', 'Affiliate Tracking · Acme'],
  ['sue', '/redeems', 'Redeems (2) · Gaming Management'],
  ['sue', '/admins', 'Admins · Gaming Management'],
  ['sue', '/tenant/3/admin?tab=purchases', 'Purchases (1) · Bravo'],
] as const) {
  test(`the document of ${person} at ${path} is titled ${title}`, async () => {
    await openScreen(<App />, person, { path });
    await waitFor(() => assert.is(document.title, title));
  });
}

test.run();
