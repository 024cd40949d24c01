import { fireEvent, waitFor, within } from '@testing-library/react';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { App } from '../../../../src/app/App';
import type { Feature } from '../../../../src/contract/constants';
import { closeScreen, openScreen } from '../../../screen';
import { topUp } from '../../../seed';
import { type Person, pam, pat, people, sql } from '../../../world';
import { interceptRequests, interceptRequestsAfter, nonsense, respondWith } from '../../network';

type Line = ReturnType<typeof interceptRequests>;
const isSearch = ({ path }: { path: string }) => path.endsWith('/admin/search');
const asked = ({ sent }: Line) => sent.filter(isSearch).map(({ query }) => query.q);
const world = async () => {
  await topUp(pam, '10', 'pending', { payment_reference: 'TXN-77-pam' });
  await sql`update redeems set payout_address = 'bc1qpam' where id = ${pam.redeem}`;
  await sql`insert into tenants (name, time_zone, email) values ('Pampas', 'UTC', 'owner@pampas.test')`;
};

async function opened(
  person: Person,
  {
    line = interceptRequestsAfter(world),
    path = '/',
    features,
  }: { line?: Line; path?: string; features?: readonly Feature[] } = {},
) {
  const screen = await openScreen(<App />, person, { fetch: line.fetch, path, ...(features && { features }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Search' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Search' }));
  const field = dialog.getByRole('combobox') as HTMLInputElement;
  return {
    screen,
    dialog,
    field,
    line,
    type: (words: string) => fireEvent.change(field, { target: { value: words } }),
  };
}
type Opened = Awaited<ReturnType<typeof opened>>;
const found = ({ dialog }: Opened) =>
  dialog.queryAllByRole('group').map((group) => [
    document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent,
    ...within(group)
      .getAllByRole('option')
      .map(({ textContent }) =>
        textContent
          ?.trim()
          .replace(/ +/g, ' ')
          .replace(/[A-Z][a-z]{2} \d+, \d+:\d\d\s[AP]M( UTC)?/, 'WHEN'),
      ),
  ]);
const finds = (of: Opened, wanted: unknown[]) => waitFor(() => assert.equal(found(of), wanted));
const says = ({ dialog }: Opened, words: string) =>
  waitFor(() => assert.is(dialog.getAllByRole('status')[0]?.textContent, words));
const chosen = ({ field, dialog }: Opened) => {
  const option = document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
  assert.equal(dialog.queryAllByRole('option', { selected: true }), option ? [option] : []);
  return option?.textContent?.split(' ')[0];
};

test('players, payments, payouts, tenants and screens stand in groups, each with what it was found by', async () => {
  const search = await opened('sue', { path: '/tenants' });
  await says(search, 'Type at least 2 characters.');
  search.type('pamp');
  await finds(search, [['Tenants', 'Pampas owner@pampas.test']]);
  search.type('pam');
  await finds(search, [
    ['Players', 'pam@mail.test Pam Poe Acme'],
    ['Payments', 'pam@mail.test Pam Poe $10.00 Pending WHEN Acme · payment reference TXN-77-pam'],
    ['Payouts', 'pam@mail.test Pam Poe $150.00 Pending WHEN Acme · payout address bc1qpam'],
    ['Tenants', 'Pampas owner@pampas.test'],
  ]);
  await says(search, '4 results');
  search.type('txn-77');
  await finds(search, [['Payments', 'pam@mail.test Pam Poe $10.00 Pending WHEN Acme · payment reference TXN-77-pam']]);
  await says(search, '1 result');
  search.type('77-PAM');
  await finds(search, [['Payments', 'pam@mail.test Pam Poe $10.00 Pending WHEN Acme · payment reference TXN-77-pam']]);
  search.type(`#${pam.purchase}`);
  await finds(search, [['Payments', `pam@mail.test Pam Poe $80.00 Pending WHEN Acme · ID ${pam.purchase}`]]);
  search.type('BC1');
  await finds(search, [['Payouts', 'pam@mail.test Pam Poe $150.00 Pending WHEN Acme · payout address bc1qpam']]);
  search.type('0102000');
  await finds(search, [['Players', 'pam@mail.test Pam Poe Acme · phone +1 (555) 010-2000']]);
  search.type('nothing like it');
  await says(search, 'Nothing found.');
  assert.equal(
    [search.field.getAttribute('aria-expanded'), search.field.getAttribute('aria-activedescendant')],
    ['false', null],
  );
  assert.not.match(search.screen.container.textContent ?? '', nonsense);
});

test("a tenant's admin finds its own tenant's alone, and its own screens", async () => {
  const search = await opened('ann');
  search.type('mail.test');
  await finds(search, [['Players', 'pam@mail.test Pam Poe']]);
  search.type('pl');
  await finds(search, [['Screens', 'Platforms']]);
  search.type('pampas');
  await says(search, 'Nothing found.');
});

test('a super admin finds an admin, and opens the list that has them', async () => {
  const line = interceptRequestsAfter(async () => {
    await sql`update admins set is_active = false where email = ${people.ben.email}`;
  });
  const search = await opened('sue', { path: '/tenants', line });
  search.type(people.ben.email);
  await finds(search, [['Admins', `${people.ben.email} Bravo · disabled`]]);
  fireEvent.click(search.dialog.getByRole('option'));
  await search.screen.findByRole('region', { name: 'Admins' });
  assert.is(location.pathname + location.search, '/admins?tenant=3');
});

test('a player is found by id', async () => {
  const search = await opened('ann');
  search.type(`#${pam.id}`);
  await waitFor(() => assert.equal(found(search)[0], ['Players', `pam@mail.test Pam Poe ID ${pam.id}`]));
});

test('what the buttons of the screen do is found and done; elsewhere it leads to the screen', async () => {
  const search = await opened('ann');
  search.type('export');
  await finds(search, [
    ['Actions', 'Export CSV'],
    ['Screens', 'Users export', 'Purchases export', 'Deposits export', 'Redeems export'],
  ]);
  search.type('new user');
  await finds(search, [
    ['Screens', 'Users new user'],
    ['Actions', 'Create User new user'],
  ]);
  search.type('create user');
  await finds(search, [
    ['Actions', 'Create User'],
    ['Screens', 'Users create user'],
  ]);
  fireEvent.keyDown(search.field, { key: 'Enter' });
  await search.screen.findByRole('dialog', { name: 'Create User' });
  assert.not.ok(search.screen.queryByRole('dialog', { name: 'Search' }));

  const other = await opened('ann', { path: '/?tab=affiliate-tracking' });
  other.type('create user');
  await finds(other, [['Screens', 'Users create user']]);
  fireEvent.keyDown(other.field, { key: 'Enter' });
  await other.screen.findByRole('region', { name: 'Users' });
});

const combobox = () => document.querySelector<HTMLInputElement>('[role=combobox]')!;

test('tools, colours and the sign-out are found by other words, too', async () => {
  const search = await opened('ann');
  for (const [words, name, dialog] of [
    ['history', 'Audit', 'Audit'],
    ['password', 'Account', 'Account'],
    ['tokens', 'API keys', 'API keys'],
  ] as const) {
    fireEvent.change(combobox(), { target: { value: words } });
    const option = await search.screen.findByRole('option', { name: new RegExp(`^${name}`) });
    fireEvent.click(option);
    const opened = within(await search.screen.findByRole('dialog', { name: dialog }));
    fireEvent.click(opened.getByRole('button', { name: 'Close' }));
    await waitFor(() => assert.not.ok(search.screen.queryByRole('dialog')));
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await search.screen.findByRole('dialog', { name: 'Search' });
  }
  fireEvent.change(combobox(), { target: { value: 'dark' } });
  fireEvent.keyDown(combobox(), { key: 'Enter' });
  assert.is(document.documentElement.dataset['theme'], 'dark');
  assert.is((search.screen.getByLabelText('Colour mode') as HTMLSelectElement).value, 'dark', 'the menu says it, too');
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  await search.screen.findByRole('dialog', { name: 'Search' });
  fireEvent.change(combobox(), { target: { value: 'sign out' } });
  fireEvent.keyDown(combobox(), { key: 'Enter' });
  await waitFor(() => assert.is(localStorage.getItem('token'), null));
});

test('nobody is offered what they may not do', async () => {
  const search = await opened('ann', { features: ['search', 'player_view'] });
  for (const [words, wanted] of [
    ['export', [['Screens', 'Users export', 'Purchases export', 'Deposits export', 'Redeems export']]],
    ['audit', []],
    ['charts', []],
    ['account', []],
    ['tenants', []],
    ['admins', []],
  ] as const) {
    search.type(words);
    await waitFor(() => assert.not.match(search.dialog.getAllByRole('status')[0]?.textContent ?? '', /Searching/));
    assert.equal(found(search), wanted, words);
  }
  const other = await opened('sue', { path: '/users' });
  other.type('create user');
  await finds(other, [['Screens', 'Users create user']]);
});

test('Ctrl+K takes nothing away that stands in another dialog of the title bar', async () => {
  const screen = await openScreen(<App />, 'ann', {});
  fireEvent.click(await screen.findByRole('button', { name: 'Account' }));
  fireEvent.keyDown(await screen.findByRole('dialog', { name: 'Account' }), { key: 'k', ctrlKey: true });
  assert.equal(
    screen.getAllByRole('dialog').map((dialog) => dialog.getAttribute('aria-label')),
    ['Account'],
  );
});

test('a payment opens the list that holds it, with that payment alone', async () => {
  const search = await opened('ann');
  search.type('77-pam');
  await says(search, '1 result');
  fireEvent.keyDown(search.field, { key: 'Enter' });
  assert.ok(await search.screen.findByText('$10.00'));
  assert.is(location.pathname + location.search, '/?tab=purchases&text=TXN-77-pam');
});

test('a player is opened by itself, behind it the list of exactly that player', async () => {
  const search = await opened('sue', { path: '/platforms' });
  search.type(pat.email);
  await says(search, '1 result');
  fireEvent.keyDown(search.field, { key: 'Enter' });
  assert.ok(await search.screen.findByRole('dialog', { name: pat.email }));
  assert.not.ok(search.screen.queryByRole('dialog', { name: 'Search' }));
  assert.is(location.pathname + location.search, `/users?search=${encodeURIComponent(pat.email)}&player=${pat.id}`);
});

test('without a view of one player it leads to the list', async () => {
  const search = await opened('ann', { features: ['search'] });
  search.type('pam@mail');
  await says(search, '1 result');
  fireEvent.click(search.dialog.getByRole('option'));
  assert.ok(await search.screen.findByRole('link', { name: pam.email }));
  assert.is(location.pathname + location.search, `/users?search=${encodeURIComponent(pam.email)}`);
});

test('a tenant leads into its view, a screen to itself', async () => {
  const search = await opened('sue', { path: '/tenants' });
  search.type('brav');
  await finds(search, [
    ['Tenants', 'Bravo'],
    ['Admins', 'ben@bravo.test Bravo'],
  ]);
  fireEvent.keyDown(search.field, { key: 'Enter' });
  await search.screen.findByRole('tablist');
  assert.is(document.querySelector('.title h2')?.textContent, 'Bravo');
  assert.is(location.pathname, '/tenant/3/admin');

  const other = await opened('ann');
  other.type('affiliate');
  fireEvent.click(await other.dialog.findByRole('option', { name: /Affiliate Tracking/ }));
  await other.screen.findByRole('heading', { name: 'Affiliate Tracking' });
  assert.is(location.pathname + location.search, '/?tab=affiliate-tracking');
});

test('arrow keys, Home and End go through all groups and round', async () => {
  const search = await opened('sue', { path: '/tenants' });
  search.type('pa');
  await says(search, '4 results');
  assert.equal(
    found(search).map(([group]) => group),
    ['Screens', 'Players', 'Tenants'],
  );
  const press = (key: string) => {
    fireEvent.keyDown(search.field, { key });
    return chosen(search);
  };
  assert.is(chosen(search), 'Payment');
  assert.equal(['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'ArrowUp'].map(press), [
    'pam@mail.test',
    'pat@mail.test',
    'Pampas',
    'Payment',
    'Pampas',
    'Payment',
    'Pampas',
    'pat@mail.test',
  ]);
  press('Home');
  fireEvent.keyDown(search.field, { key: 'End', shiftKey: true });
  assert.is(chosen(search), 'Payment', 'with Shift it is for the text');
  press('End');
  search.type('pat');
  await says(search, '1 result');
  assert.is(chosen(search), 'pat@mail.test', 'other words begin with the first again');
});

test('Ctrl+K opens it from anywhere, the button says so, and the last words are kept', async () => {
  const line = interceptRequestsAfter(world);
  const screen = await openScreen(<App />, 'ann', { fetch: line.fetch });
  const button = await screen.findByRole('button', { name: 'Search' });
  assert.equal([button.title, button.getAttribute('aria-keyshortcuts')], ['Ctrl+K', 'Control+K']);
  for (const wrong of [{ key: 'k' }, { key: 'k', ctrlKey: true, shiftKey: true }, { key: 'j', ctrlKey: true }])
    fireEvent.keyDown(screen.getByLabelText('Search by email, name, or phone'), wrong);
  assert.not.ok(screen.queryByRole('dialog'));
  const isLeftToTheBrowser = fireEvent.keyDown(screen.getByLabelText('Search by email, name, or phone'), {
    key: 'k',
    ctrlKey: true,
  });
  assert.not.ok(isLeftToTheBrowser);
  const dialog = within(await screen.findByRole('dialog', { name: 'Search' }));
  fireEvent.change(dialog.getByRole('combobox'), { target: { value: 'txn' } });
  await dialog.findByRole('option');
  fireEvent.click(dialog.getByText('Close'));
  await waitFor(() => assert.not.ok(screen.queryByRole('dialog')));
  fireEvent.keyDown(document.body, { key: 'K', ctrlKey: true });
  const again = within(await screen.findByRole('dialog', { name: 'Search' }));
  assert.is((again.getByRole('combobox') as HTMLInputElement).value, 'txn');
  await again.findByRole('option');

  const next = await opened('ben', { line: interceptRequests(() => undefined) });
  assert.is(next.field.value, '', 'nobody else sees them');
});

test('only the newest words count, and asking begins when the typing rests', async () => {
  let answerSlow = (_: Response) => undefined as void;
  const player = {
    id: 9,
    tenant_id: 2,
    tenant_name: 'Acme',
    email: 'late@mail.test',
    first_name: null,
    last_name: null,
    matched: 'email',
    value: 'late@mail.test',
  };
  const slow = new Promise<Response>((resolve) => {
    answerSlow = resolve;
  });
  const line = interceptRequests((sent) => (isSearch(sent) && sent.query.q === 'slow' ? slow : undefined));
  const search = await opened('ann', { line });
  for (const words of ['s', 'sl', 'slo', 'slow']) search.type(words);
  await waitFor(() => assert.equal(asked(line), ['slow']));
  await says(search, 'Searching…');
  search.type('pam');
  await says(search, '1 result');
  answerSlow(respondWith({ players: [player], payments: [], payouts: [], tenants: [] }));
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal([found(search), asked(line)], [[['Players', 'pam@mail.test Pam Poe']], ['slow', 'pam']]);
  search.type('p');
  await says(search, '3 results');
  assert.equal([found(search), asked(line).length], [[['Screens', 'Purchases', 'Platforms', 'Deposits']], 2]);
});

test('when it fails it says so, the screens are found all the same, and it can be tried again', async () => {
  let isBroken = true;
  const line = interceptRequests((sent) => (isBroken && isSearch(sent) ? respondWith('<html>', 502) : undefined));
  const search = await opened('sue', { line, path: '/tenants' });
  search.type('pa');
  await search.screen.findByText('Failed to search');
  await says(search, 'The search failed.');
  assert.equal(found(search), [['Screens', 'Payment Methods']]);
  isBroken = false;
  fireEvent.click(search.dialog.getByText('Retry'));
  await says(search, '3 results');
});

test("another server's odd answer breaks nothing", async () => {
  const line = interceptRequests((sent) =>
    isSearch(sent)
      ? respondWith({
          players: [null, 5, { email: 7 }, { email: 'x@mail.test', matched: 'toString', value: {} }],
          payments: 'no',
          tenants: [{ name: 'No id' }, { id: '4', name: 'Four' }],
        })
      : undefined,
  );
  const search = await opened('sue', { line, path: '/tenants' });
  search.type('zz');
  await finds(search, [
    ['Players', 'x@mail.test'],
    ['Tenants', 'Four'],
  ]);
  assert.not.match(search.screen.container.textContent ?? '', nonsense);
});

test('a server without it gets no button, no key and no call', async () => {
  const line = interceptRequests();
  const screen = await openScreen(<App />, 'sue', { fetch: line.fetch, path: '/users', features: [] });
  await screen.findByText(pam.email);
  assert.ok(fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }), "the key is the browser's");
  assert.not.ok(screen.queryByRole('button', { name: 'Search' }) ?? screen.queryByRole('dialog'));
  assert.equal(asked(line), []);
});

test.after(closeScreen);
test.run();
