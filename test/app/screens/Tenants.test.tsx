import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Tenants } from '../../../src/app/screens/Tenants';
import { closeScreen, openScreen, reloadScreen } from '../../screen';
import { newGate } from '../../server/gate';
import { as, sql } from '../../world';
import { closed, field, fill, headsOf, isDisabled, opens, rowOf, sees, type, valuesOf } from '../controls';
import { nonsense, partsOf, respondWith, sentTo } from '../network';

test('lists every tenant but the first', async () => {
  const screen = await openScreen(<Tenants />, 'sue');
  const acme = await rowOf(screen, 'Acme');
  assert.ok(acme.getByText('Arcade'));
  assert.ok(acme.getByText('Yes'));
  assert.is(screen.queryByText('Platform'), null);
  const list = within(screen.getByRole('region', { name: 'Tenants' }));
  assert.is(headsOf(list), 'ID, Name, Description, Players, Pending, Active, Actions');
  const waits = await acme.findByRole('link', { name: '2' });
  assert.is(waits.getAttribute('href'), '/tenant/2/admin?tab=overview');
  const [id, , , players] = waits.closest('tr')!.querySelectorAll('td');
  assert.equal([id!.textContent, players!.textContent], ['2', '1']);
});

test('without the feature there are the columns of the specification alone', async () => {
  const screen = await openScreen(<Tenants />, 'sue', { features: [] });
  await rowOf(screen, 'Acme');
  assert.is(headsOf(screen), 'ID, Name, Description, Active, Actions');
  assert.not(screen.sent.some(({ path }) => path.includes('figures')));
});

test('adding one says so, shows it and empties the form', async () => {
  const screen = await openScreen(<Tenants />, 'sue');
  const name = field(screen.getByLabelText('Name'));
  fill(screen, { Name: '   ' }, 'Add Tenant');
  assert.not(name.checkValidity(), 'blanks are no name');
  fill(screen, { Name: ' Charlie', Description: 'Sweeps' }, 'Add Tenant');
  fireEvent.click(screen.getByText('Add Tenant'));

  await screen.findByText('Tenant created successfully');
  assert.ok((await rowOf(screen, 'Charlie')).getByText('Sweeps'));
  await waitFor(() => assert.equal(valuesOf(screen, 'Name', 'Description'), ['', '']));
  const once = [['/api/v1/admin/tenants/', { name: ' Charlie', description: 'Sweeps' }]];
  assert.equal(partsOf(screen.writes(), 'path', 'body'), once, 'sent once, however often it was clicked');
});

test('the form is empty again once a tenant is created, and what is typed meanwhile stays', async () => {
  const held = newGate();
  let isHeld = false;
  const screen = await openScreen(<Tenants />, 'sue', {
    instead: async ({ method }) => {
      if (method === 'GET' && isHeld) await held.opened;
      return undefined;
    },
  });
  await rowOf(screen, 'Acme');
  isHeld = true;
  const name = field(screen.getByLabelText('Name'));
  type(name, 'Charlie');
  fireEvent.click(screen.getByText('Add Tenant'));
  await screen.findByText('Tenant created successfully');
  await waitFor(() => assert.is(name.value, ''));
  type(name, 'Delta');
  held.open();
  await rowOf(screen, 'Charlie');
  await waitFor(() => assert.not(isDisabled(screen.getByText('Add Tenant'))));
  assert.is(name.value, 'Delta');
});

test("a tenant's name leads into it only where somebody listens", async () => {
  const opened: number[] = [];
  const screen = await openScreen(<Tenants onOpen={(id) => opened.push(id)} />, 'sue');
  fireEvent.click(await screen.findByRole('button', { name: 'Bravo' }));
  assert.equal(opened, [3]);
  const silent = await openScreen(<Tenants />, 'sue');
  assert.is((await silent.findByText('Bravo')).closest('button'), null);
});

test('editing sends name, description and the e-mail that was filled in', async () => {
  const screen = await openScreen(<Tenants />, 'sue');
  const dialog = await opens((await rowOf(screen, 'Acme')).getByText('Edit'), 'Edit Tenant');
  assert.is(field(dialog.getByLabelText('Description')).value, 'Arcade');
  fill(dialog, { Name: 'Acme Inc' }, 'Save');

  await sees(screen, 'Tenant updated successfully', 'Acme Inc');
  await closed(screen);
  assert.equal(screen.writes()[0]!.body, { name: 'Acme Inc', description: 'Arcade' });

  const again = await opens((await rowOf(screen, 'Acme Inc')).getByText('Edit'), 'Edit Tenant');
  fill(again, { Name: '  ', Email: 'office@acme.test' });
  assert.ok(isDisabled(again.getByText('Save')), 'not without a name');
  fill(again, { Name: 'Acme' }, 'Save');
  await closed(screen);
  assert.is((await sql`select email from tenants where id = 2`)[0]!['email'], 'office@acme.test');
});

test('a server that keeps no e-mail is never sent one', async () => {
  const screen = await openScreen(<Tenants />, 'sue', { features: [] });
  fireEvent.click((await rowOf(screen, 'Acme')).getByText('Edit'));
  type(screen.getByLabelText('Email'), 'office@acme.test');
  screen.getByText('Changes to it are not sent to this server.');
  fireEvent.click(screen.getByText('Save'));
  await screen.findByText('Tenant updated successfully');
  await closed(screen);
  assert.equal(screen.writes()[0]!.body, { name: 'Acme', description: 'Arcade' });
});

test('View shows the latest purchases of that tenant alone, and the address remembers which', async () => {
  const screen = await openScreen(<Tenants />, 'sue');
  const heading = () => screen.queryByRole('heading', { name: 'Latest Purchases (Tenant)' });
  const acme = await rowOf(screen, 'Acme');
  assert.is(heading(), null);
  fireEvent.click(acme.getByText('View'));
  await screen.findByText('1 transaction');
  assert.ok(heading());
  assert.ok(screen.getByText('pam@mail.test'));
  assert.is(screen.queryByText('pat@mail.test'), null);
  assert.is(location.search, '?view=2');
  assert.is(document.activeElement, heading());
  fireEvent.click(screen.getByText('Back to the list'));
  assert.is(document.activeElement, acme.getByText('View'));

  fireEvent.click((await rowOf(screen, 'Bravo')).getByText('View'));
  await sees(screen, 'pat@mail.test', 'Tenant: Bravo');
  assert.is(screen.queryByText('pam@mail.test'), null);
  fireEvent.click((await rowOf(screen, 'Bravo')).getByText('View'));
  await waitFor(() => assert.not.ok(heading()));
  assert.is(location.search, '');

  const again = await openScreen(<Tenants />, 'sue', { path: '/tenants?view=3' });
  await again.findByText('pat@mail.test');
  const asked = sentTo(again, '/purchases').map(({ query }) => query['tenant_id']);
  assert.equal(asked, ['3'], 'once');
  const own = await openScreen(<Tenants />, 'sue', { path: '/tenants?view=1' });
  await own.findByText('Acme');
  assert.is(own.queryByText('Latest Purchases (Tenant)'), null);
});

test("another server's odd tenants neither break the screen nor show nonsense", async () => {
  const odd = {
    items: [
      { id: '1', name: 'Hidden' },
      { id: 5, name: '<img src=x onerror=alert(1)>' },
      { id: 6, name: 'Six', description: { a: 1 }, is_active: null },
      { id: 7, name: 'Old', is_active: false },
    ],
  };
  const screen = await openScreen(<Tenants onOpen={() => undefined} />, 'sue', { instead: () => respondWith(odd) });
  await sees(screen, '<img src=x onerror=alert(1)>', 'Six');
  assert.ok((await rowOf(screen, 'Old')).getByText('No'));
  assert.is(screen.queryByText('Hidden'), null);
  assert.is(screen.container.querySelector('img'), null);
  assert.not.match(screen.container.textContent!, nonsense);
});

test('a tenant whose id comes as text is viewed, named and closed again like any other', async () => {
  const screen = await openScreen(<Tenants />, 'sue', {
    instead: ({ path }) => respondWith(path.endsWith('/tenants/') ? [{ id: '2', name: 'Acme' }] : []),
  });
  const view = (await rowOf(screen, 'Acme')).getByText('View');
  fireEvent.click(view);
  await screen.findByText('Tenant: Acme');
  assert.is(view.getAttribute('aria-pressed'), 'true');
  fireEvent.click(view);
  await waitFor(() => assert.not.ok(screen.queryByText('Latest Purchases (Tenant)')));
});

test.after(closeScreen);
test('after a tenant was added its first steps lead on, and are ticked as they are done', async () => {
  const screen = await openScreen(<Tenants />, 'sue', { path: '/tenants' });
  await rowOf(screen, 'Acme');
  type(field(screen.getByLabelText('Name')), 'Charlie');
  fireEvent.click(screen.getByText('Add Tenant'));
  const steps = within(await screen.findByRole('region', { name: 'First steps for Charlie' }));
  assert.ok(steps.getByText('0 of 4 done'));
  const links = steps.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  assert.equal(links, [
    ['Assign platforms', '/platforms?tenant=Charlie'],
    ['Create the first admin', '/admins?tenant=4&add=admin'],
    ['Add a payment method', '/payment-methods?add=4'],
    ['Import users, or connect a system by an API key', '/tenant/4/admin'],
  ]);
  await (await as('sue')).saveAssignment({ tenant_id: 4, platform_id: 3, body: { username: 'x', password: 'y' } });
  await reloadScreen(<Tenants />);
  const again = within(await screen.findByRole('region', { name: 'First steps for Charlie' }));
  assert.ok(again.getByText('1 of 4 done'));
  assert.not.ok(again.queryByRole('link', { name: 'Assign platforms' }), 'what is done leads nowhere');
  fireEvent.click(again.getByRole('button', { name: 'Hide' }));
  await waitFor(() => assert.not.ok(screen.queryByRole('region', { name: 'First steps for Charlie' })));
  assert.not.ok((await rowOf(screen, 'Acme')).queryByText('First steps'), 'it has players');
  fireEvent.click((await rowOf(screen, 'Charlie')).getByText('First steps'));
  await screen.findByRole('region', { name: 'First steps for Charlie' });
});

test.run();
