import { fireEvent } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../src/app/App';
import { TenantAdmin } from '../../../src/app/screens/TenantAdmin';
import { closeScreen, openScreen, type Screen } from '../../screen';
import { textsOf } from '../controls';
import { noNetwork, respondWith } from '../network';

const tabs = { Users: <p>the users</p>, Purchases: <p>the purchases</p>, 'Affiliate Tracking': <p>the affiliates</p> };
const current = (screen: Screen) => textsOf(screen.container.querySelectorAll('[aria-current=page]'));

test('Users is the tab one begins with; another one stands in the address', async () => {
  const screen = await openScreen(<TenantAdmin tenantId={2} tabs={tabs} />, 'ann');
  screen.getByText('the users');
  assert.equal(current(screen), ['Users']);
  fireEvent.click(screen.getByText('Affiliate Tracking'));
  screen.getByText('the affiliates');
  assert.is(screen.queryByText('the users'), null);
  assert.equal(current(screen), ['Affiliate Tracking']);
  assert.is(location.search, '?tab=affiliate-tracking');
  fireEvent.click(screen.getByText('Users'));
  assert.is(location.search, '');
});

test('screen readers see the tabs as tabs, not as links, and the arrow keys move between them', async () => {
  const screen = await openScreen(<App />, 'ann');
  const tabs = await screen.findAllByRole('tab');
  assert.equal(textsOf(screen.getAllByRole('tab', { selected: true })), ['Users']);
  assert.equal(textsOf(tabs.filter(({ tabIndex }) => tabIndex === 0)), ['Users'], 'one stop for the keyboard');
  assert.is(screen.getByRole('link', { name: 'Users' }).getAttribute('href'), '/users');
  assert.is(screen.getByRole('tablist').getAttribute('aria-orientation'), 'vertical');
  assert.ok(screen.getByRole('tabpanel', { name: 'Users' }));
  tabs[0]!.focus();
  const press = (key: string) => {
    fireEvent.keyDown(document.activeElement!, { key });
    return document.activeElement?.textContent;
  };
  const keys = ['ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'End', 'Home', 'x', 'ArrowDown'];
  assert.is(keys.map(press).join(), 'Purchases,Users,Overview,Users,Overview,Users,Users,Purchases');
  fireEvent.click(document.activeElement!);
  await screen.findByRole('tabpanel', { name: 'Purchases' });
  assert.is(screen.getByRole('tab', { selected: true }).textContent, 'Purchases');
});

test('a link opens its tab, an unknown one the first', async () => {
  const screen = await openScreen(<TenantAdmin tenantId={2} tabs={tabs} />, 'ann', { path: '/?tab=purchases' });
  screen.getByText('the purchases');
  const unknown = await openScreen(<TenantAdmin tenantId={2} tabs={tabs} />, 'ann', { path: '/?tab=nothing' });
  unknown.getByText('the users');
});

test('a tab keeps the path it stands on and leaves behind what another one kept in the address', async () => {
  const screen = await openScreen(<TenantAdmin tenantId={3} tabs={tabs} />, 'sue', {
    path: '/tenant/3/admin?search=pat&page=2',
  });
  assert.is(screen.getByText('Purchases').getAttribute('href'), '/tenant/3/admin?tab=purchases');
  fireEvent.click(screen.getByText('Purchases'));
  assert.is(location.pathname + location.search, '/tenant/3/admin?tab=purchases');
});

test('a super admin reads whose view it is in the title bar; its name missing is only logged', async () => {
  const shown = () => document.querySelector('.title h2')?.textContent;
  const open = (answer?: () => Response | Promise<Response>) =>
    openScreen(<App />, 'sue', {
      instead: ({ path }) => (path.endsWith('/tenants/') ? answer?.() : undefined),
      path: '/tenant/3/admin',
    });
  await (await open()).findByText('pat@mail.test');
  assert.is(shown(), 'Bravo');
  await (await open(noNetwork)).findByText('pat@mail.test');
  assert.is(shown(), 'Tenant 3');
  await (await open(() => respondWith([{ id: '3', name: 'Three' }]))).findByText('pat@mail.test');
  assert.is(shown(), 'Three', 'an id may be text');
});

test('the whole page of a tenant admin: every tab in its order shows its own screen', async () => {
  const screen = await openScreen(<App />, 'ann');
  const menu = await screen.findByRole('navigation', { name: 'Tenant' });
  const links = [...menu.querySelectorAll('a')];
  const others = [
    ['Purchases', 'Purchases (Top-Ups Only)'],
    ['Deposits', 'Deposits (Platform Only)'],
    ['Returns', 'Record Return'],
    ['Redeems', 'Create Manual Redeem'],
    ['Affiliate Tracking', 'Get Stats'],
    ['Platforms', 'Platform Management'],
    ['Overview', 'This month'],
  ] as const;
  assert.equal(textsOf(links), ['Users', ...others.map(([tab]) => tab)]);
  screen.getByText('Tenant Admin Panel');
  for (const [n, [, heading]] of others.entries()) {
    fireEvent.click(links[n + 1]!);
    await screen.findByText(heading);
  }
  fireEvent.click(links[0]!);
  await screen.findByLabelText('Search by email, name, or phone');
});

test.after(closeScreen);
test.run();
