import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Tenants } from '../../../src/app/screens/Tenants';
import { closeScreen, openScreen, reloadScreen } from '../../screen';
import { as, sql } from '../../world';
import { interceptRequests, nonsense, respondWith } from '../network';

type Screen = Awaited<ReturnType<typeof openScreen>>;
const rowOf = async (screen: Screen, text: string) => within((await screen.findByText(text)).closest('tr')!);
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const input = (field: HTMLElement) => field as HTMLInputElement;

test('lists every tenant but the first', async () => {
  const screen = await openScreen(<Tenants />, 'sue');
  const acme = await rowOf(screen, 'Acme');
  assert.ok(acme.getByText('Arcade'));
  assert.ok(acme.getByText('Yes'));
  assert.is(screen.queryByText('Platform'), null);
  assert.equal(
    within(screen.getByRole('region', { name: 'Tenants' }))
      .getAllByRole('columnheader')
      .map((th) => th.textContent),
    ['ID', 'Name', 'Description', 'Players', 'Pending', 'Active', 'Actions'],
  );
  const waits = await acme.findByRole('link', { name: '2' });
  assert.is(waits.getAttribute('href'), '/tenant/2/admin?tab=overview');
  const [id, , , players] = waits.closest('tr')!.querySelectorAll('td');
  assert.equal([id!.textContent, players!.textContent], ['2', '1']);
});

test('without the feature there are the columns of the specification alone', async () => {
  const { fetch, sent } = interceptRequests();
  const screen = await openScreen(<Tenants />, 'sue', { fetch, features: [] });
  await rowOf(screen, 'Acme');
  assert.equal(
    screen.getAllByRole('columnheader').map((th) => th.textContent),
    ['ID', 'Name', 'Description', 'Active', 'Actions'],
  );
  assert.not(sent.some(({ path }) => path.includes('figures')));
});

test('a tenant that is not active says No', async () => {
  const screen = await openScreen(<Tenants />, 'sue', {
    fetch: interceptRequests(({ path }) =>
      path.endsWith('/tenants/')
        ? respondWith([{ id: 7, name: 'Old', description: null, is_active: false }])
        : undefined,
    ).fetch,
  });
  assert.ok((await rowOf(screen, 'Old')).getByText('No'));
});

test('adding one says so, shows it and empties the form', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Tenants />, 'sue', { fetch });
  const name = input(screen.getByLabelText('Name')),
    description = input(screen.getByLabelText('Description'));
  type(name, 'Charlie');
  type(description, 'Sweeps');
  fireEvent.click(screen.getByText('Add Tenant'));
  fireEvent.click(screen.getByText('Add Tenant'));

  await screen.findByText('Tenant created successfully');
  assert.ok((await rowOf(screen, 'Charlie')).getByText('Sweeps'));
  await waitFor(() => assert.equal([name.value, description.value], ['', '']));
  assert.equal(
    writes().map(({ path, body }) => [path, body]),
    [['/api/v1/admin/tenants/', { name: 'Charlie', description: 'Sweeps' }]],
    'sent once, however often it was clicked',
  );
});

test('the form is empty again once a tenant is created, and what is typed meanwhile stays', async () => {
  let release = () => undefined as void,
    isHeld = false;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const screen = await openScreen(<Tenants />, 'sue', {
    fetch: interceptRequests(async ({ method }) => {
      if (method === 'GET' && isHeld) await held;
      return undefined;
    }).fetch,
  });
  await rowOf(screen, 'Acme');
  isHeld = true;
  const name = input(screen.getByLabelText('Name'));
  type(name, 'Charlie');
  fireEvent.click(screen.getByText('Add Tenant'));
  await screen.findByText('Tenant created successfully');
  await waitFor(() => assert.is(name.value, ''));
  type(name, 'Delta');
  release();
  await rowOf(screen, 'Charlie');
  await waitFor(() => assert.not((screen.getByText('Add Tenant') as HTMLButtonElement).disabled));
  assert.is(name.value, 'Delta');
});

test('blanks are no name: nothing is sent', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Tenants />, 'sue', { fetch });
  const name = input(screen.getByLabelText('Name'));
  type(name, '   ');
  fireEvent.click(screen.getByText('Add Tenant'));
  assert.not(name.checkValidity());
  type(name, ' New Name ');
  assert.ok(name.checkValidity());
  assert.equal(writes(), []);
});

test('a refusal shows the failure with its reason and keeps what was typed', async () => {
  const screen = await openScreen(<Tenants />, 'sue');
  await screen.findByText('Acme');
  const name = input(screen.getByLabelText('Name'));
  type(name, 'Acme');
  fireEvent.click(screen.getByText('Add Tenant'));

  await screen.findByText('Failed to create tenant');
  await screen.findByText('A tenant with this name already exists');
  assert.is(name.value, 'Acme');
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
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Tenants />, 'sue', { fetch });
  fireEvent.click((await rowOf(screen, 'Acme')).getByText('Edit'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Tenant' }));
  assert.is(input(dialog.getByLabelText('Description')).value, 'Arcade');
  type(dialog.getByLabelText('Name'), 'Acme Inc');
  fireEvent.click(dialog.getByText('Save'));

  await screen.findByText('Tenant updated successfully');
  await screen.findByText('Acme Inc');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  assert.equal(writes()[0]!.body, { name: 'Acme Inc', description: 'Arcade' });

  fireEvent.click((await rowOf(screen, 'Acme Inc')).getByText('Edit'));
  type(screen.getByLabelText('Email'), 'office@acme.test');
  fireEvent.click(screen.getByText('Save'));
  await waitFor(async () =>
    assert.is((await sql`select email from tenants where id = 2`)[0]!['email'], 'office@acme.test'),
  );
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
});

test('a server that keeps no e-mail is never sent one', async () => {
  const { fetch, writes } = interceptRequests();
  const screen = await openScreen(<Tenants />, 'sue', { fetch, features: [] });
  fireEvent.click((await rowOf(screen, 'Acme')).getByText('Edit'));
  type(screen.getByLabelText('Email'), 'office@acme.test');
  screen.getByText('Changes to it are not sent to this server.');
  fireEvent.click(screen.getByText('Save'));
  await screen.findByText('Tenant updated successfully');
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  assert.equal(writes()[0]!.body, { name: 'Acme', description: 'Arcade' });
});

test('a refused edit says why and keeps what was typed; Cancel changes nothing', async () => {
  const screen = await openScreen(<Tenants />, 'sue');
  fireEvent.click((await rowOf(screen, 'Acme')).getByText('Edit'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Tenant' }));
  type(dialog.getByLabelText('Name'), 'Bravo');
  fireEvent.click(dialog.getByText('Save'));
  await screen.findByText('Failed to save tenant');
  await dialog.findByText('A tenant with this name already exists');
  assert.is(input(dialog.getByLabelText('Name')).value, 'Bravo');
  fireEvent.click(dialog.getByText('Cancel'));
  fireEvent.click(dialog.getByText('Discard'));
  assert.is(screen.queryByRole('dialog'), null);
  assert.equal(
    (await (await as('sue')).listTenants()).map(({ name }) => name),
    ['Platform', 'Acme', 'Bravo'],
  );
});

test('an empty name cannot be saved', async () => {
  const screen = await openScreen(<Tenants />, 'sue');
  fireEvent.click((await rowOf(screen, 'Acme')).getByText('Edit'));
  type(within(screen.getByRole('dialog')).getByLabelText('Name'), '  ');
  assert.ok((screen.getByText('Save') as HTMLButtonElement).disabled);
  assert.ok(input(screen.getAllByLabelText('Name')[0]!).required);
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

  fireEvent.click((await rowOf(screen, 'Bravo')).getByText('View'));
  await screen.findByText('pat@mail.test');
  await screen.findByText('Tenant: Bravo');
  assert.is(screen.queryByText('pam@mail.test'), null);
  fireEvent.click((await rowOf(screen, 'Bravo')).getByText('View'));
  await waitFor(() => assert.not.ok(heading()));
  assert.is(location.search, '');

  const { fetch, sent } = interceptRequests();
  const again = await openScreen(<Tenants />, 'sue', { path: '/tenants?view=3', fetch });
  await again.findByText('pat@mail.test');
  assert.equal(
    sent.filter(({ path }) => path.endsWith('/purchases')).map(({ query }) => query['tenant_id']),
    ['3'],
    'asked once',
  );
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
    ],
  };
  const screen = await openScreen(<Tenants onOpen={() => undefined} />, 'sue', {
    fetch: interceptRequests(() => respondWith(odd)).fetch,
  });
  await screen.findByText('<img src=x onerror=alert(1)>');
  await screen.findByText('Six');
  assert.is(screen.queryByText('Hidden'), null);
  assert.is(screen.container.querySelector('img'), null);
  assert.not.match(screen.container.textContent!, nonsense);
});

test('a tenant whose id comes as text is viewed, named and closed again like any other', async () => {
  const screen = await openScreen(<Tenants />, 'sue', {
    fetch: interceptRequests(({ path }) => respondWith(path.endsWith('/tenants/') ? [{ id: '2', name: 'Acme' }] : []))
      .fetch,
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
  type(input(screen.getByLabelText('Name')), 'Charlie');
  fireEvent.click(screen.getByText('Add Tenant'));
  const steps = within(await screen.findByRole('region', { name: 'First steps for Charlie' }));
  assert.ok(steps.getByText('0 of 4 done'));
  assert.ok((await rowOf(screen, 'Charlie')).getByText('New'));
  const links = steps.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  assert.equal(links, [
    ['Assign platforms', '/platforms?tenant=Charlie'],
    ['Create the first admin', '/admins?tenant=4'],
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
});

test.run();
